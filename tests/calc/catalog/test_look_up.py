"""Rows are found by name, and as they were on a day."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc import catalog
from calc.catalog import Chip, tables
from calc.quantities.errors import CalcError, UnknownName, WrongType


class TestLookUp:
    @pytest.mark.parametrize(
        ("look_up", "name"),
        [
            (catalog.chip, "rubin"),
            (catalog.system, "gb200-nvl72"),
            (catalog.model, "deepseek-v3"),
            (catalog.price, "gpt-5.4"),
            (catalog.tier, "hdd-24tb"),
            (catalog.loss_fit, "chinchilla"),
            (catalog.routing_fit, "s-base"),
            (catalog.deployment, "deepseek-day-6"),
            (catalog.announced, "rubin-ultra-nvl576"),
            (catalog.datum, "google-tokens-per-month"),
            (catalog.source, "lecture"),
        ],
    )
    def test_finds_a_name_and_suggests_one_for_a_misspelling(self, look_up, name):
        assert look_up(name).id == name
        with pytest.raises(UnknownName, match=f"did you mean “{re.escape(name)}”"):
            look_up(name + "x")

    @pytest.mark.parametrize("name", ["", None, 3, ["h100-sxm"]])
    def test_refuses_what_is_no_name(self, name):
        with pytest.raises(CalcError):
            catalog.chip(name)

    @given(st.dates(dt.date(2025, 3, 18), dt.date(2026, 11, 20)))
    def test_a_date_gives_the_newest_row_that_is_not_later(self, on):
        chip = catalog.chip("rubin", on=on)
        assert chip.since <= on
        assert not any(chip.since < row.since <= on for row in catalog.history(Chip, "chips", "rubin"))

    def test_a_row_is_in_force_from_its_own_day_on(self):
        change = dt.date(2026, 1, 5)
        assert catalog.chip("rubin", on=change).hbm_bandwidth == 22e12
        assert catalog.chip("rubin", on=change - dt.timedelta(days=1)).hbm_bandwidth == 13e12

    def test_the_day_before_the_first_row_is_refused(self):
        with pytest.raises(CalcError, match=r"on must be no earlier than 2025-03-18, when chip rubin was first"):
            catalog.chip("rubin", on=dt.date(2025, 3, 17))
        with pytest.raises(UnknownName, match="did you mean “rubin”"):
            catalog.chip("rubim", on=dt.date(2025, 3, 17))

    @pytest.mark.parametrize("on", ["2026-06-01", 2026, dt.datetime(2026, 6, 1)])
    def test_only_a_date_is_a_date(self, on):
        with pytest.raises(WrongType, match="on must be a date"):
            catalog.model("deepseek-v3", on=on)

    def test_the_rows_in_force_are_the_newest_of_each_id(self):
        assert [row.since.year for row in catalog.history(Chip, "chips", "rubin")] == [2025, 2026]
        assert catalog.chips()["rubin"].since.year == 2026
        assert len(catalog.chips()) == len({row.id for row in catalog.history(Chip, "chips")})
        with pytest.raises(UnknownName, match="chip must be"):
            catalog.history(Chip, "chips", "h100")

    def test_order_in_the_file_does_not_decide_what_is_newest(self):
        days = (dt.date(2026, 2, 1), dt.date(2026, 1, 1))
        rows = [{"id": "x", "effective": day, "read": dt.date(2026, 3, 1)} for day in days]
        assert tables.newest(rows) == tables.newest(rows[::-1]) == {"x": rows[0]}

    def test_a_system_of_a_day_has_the_chip_of_that_day(self):
        day = dt.date(2026, 6, 1)
        assert catalog.system("rubin-nvl72", on=day).chip is catalog.chip("rubin", on=day)

    @pytest.mark.parametrize(
        "listing",
        [catalog.prices, catalog.rents, catalog.tiers, catalog.loss_fits, catalog.routing_fits, catalog.data],
    )
    def test_listings_are_by_id_and_cannot_be_changed(self, listing):
        rows = listing()
        assert all(name == row.id for name, row in rows.items())
        with pytest.raises(TypeError):
            rows["mine"] = None

    def test_a_row_cannot_be_changed_and_says_what_it_is(self):
        chip = catalog.chip("h100-sxm")
        with pytest.raises(AttributeError):
            chip.hbm_bytes = 1.0
        assert repr(chip) == "Chip('h100-sxm', 2022-09-20)"
