"""Prices and rents are those that were asked, on the days on which they were."""

from __future__ import annotations

import datetime as dt

import pytest

from calc import catalog
from calc.catalog import Price, Rent
from calc.catalog.money import OFFERS
from calc.quantities.errors import CalcError, UnknownName
from calc.quantities.parsing import parse
from calc.quantities.units import show


class TestPrices:
    def test_fast_mode_is_a_dated_pair_of_price_and_speed(self):
        assert catalog.price("claude-opus-4.6").fast_multiplier == 6
        assert catalog.price("claude-opus-4.6").fast_speed == 2.5
        assert catalog.price("claude-opus-5").fast_multiplier == 2
        assert catalog.price("gpt-5.4").fast_multiplier == 2
        assert catalog.price("gpt-5.5").fast_multiplier == 2.5
        assert catalog.price("gpt-4o").fast_multiplier is None

    def test_one_model_has_a_mode_faster_than_fast(self):
        before, after = (catalog.price("gpt-6-astra", on=dt.date(2026, 9, day)) for day in (28, 29))
        assert (before.ultrafast_multiplier, after.ultrafast_multiplier, after.ultrafast_speed) == (None, 6, 6)
        assert after.ultrafast_input / after.input == 6
        assert (before.input, before.output, before.fast_output) == (after.input, after.output, after.fast_output)

    def test_the_step_of_long_requests_was_there_and_is_gone(self):
        before = catalog.price("claude-opus-4.6", on=dt.date(2026, 3, 12))
        after = catalog.price("claude-opus-4.6", on=dt.date(2026, 3, 13))
        assert (before.above_tokens, after.above_tokens) == (200_000, None)
        assert before.fast_output_above / before.fast_output == 1.5

    def test_steps_double_the_input_and_add_half_to_the_output(self):
        steps = [row for row in catalog.prices().values() if row.input_above and row.maker in ("Google", "OpenAI")]
        steps.remove(catalog.price("gemini-1.5-pro"))
        assert len(steps) >= 5
        for row in steps:
            assert (row.input_above / row.input, row.output_above / row.output) == pytest.approx((2, 1.5))

    def test_a_step_may_take_the_price_fivefold(self):
        # Claude Haiku 5.5's page: $0.10 and $0.50 a million up to 100,000 tokens, $0.50 and $2.50 above.
        sheet = catalog.price("claude-haiku-5.5")
        assert (sheet.above_tokens, sheet.input_above / sheet.input, sheet.output_above / sheet.output) == (
            100_000,
            5,
            5,
        )

    def test_cached_input_is_cheaper_and_output_dearer_than_input(self):
        for row in catalog.history(Price, "prices"):
            assert row.output > row.input
            assert row.cached_input is None or row.cached_input < row.input

    def test_cache_writes_cost_a_quarter_more_for_minutes_and_twice_for_an_hour(self):
        # Anthropic's pricing page: write 1.25x (5 minutes), 2x (1 hour); read 0.1x, less since Fable 5.1. Moonshot's:
        # 1x and 2x, since 15 October 2026.
        times = {"Anthropic": 1.25, "Moonshot AI": 1.0}
        assert catalog.price("kimi-k3", on=dt.date(2026, 10, 14)).cache_write_1h is None
        for row in catalog.prices().values():
            if row.cache_write_1h:
                assert row.cache_write_5m / row.input == pytest.approx(times[row.maker])
                assert row.cache_write_1h / row.input == pytest.approx(2)
                assert any(row.cached_input / row.input == pytest.approx(share) for share in (0.025, 0.05, 0.1))

    def test_a_cache_write_without_a_chosen_time_costs_a_quarter_more_than_input(self):
        rows = [row for row in catalog.history(Price, "prices") if row.cache_write]
        assert rows
        assert all(row.cache_write / row.input == pytest.approx(1.25) for row in rows)

    def test_a_fast_mode_costs_as_many_times_more_to_read_as_to_write(self):
        rows = [row for row in catalog.history(Price, "prices") if row.fast_output]
        assert rows
        assert all(row.fast_input / row.input == row.fast_output / row.output for row in rows)

    def test_deepseek_changed_its_prices_and_every_change_is_kept(self):
        rows = catalog.history(Price, "prices", "deepseek-chat")
        assert [row.output for row in sorted(rows, key=lambda row: row.since)] == [0.28, 1.1, 1.68, 0.42]
        assert catalog.price("deepseek-chat", on=dt.date(2025, 9, 4)).output == 1.1
        assert catalog.price("deepseek-chat", on=dt.date(2025, 9, 28)).output == 1.68
        assert catalog.price("deepseek-v4-pro").peak_multiplier == 2

    def test_a_price_holds_from_the_day_on_which_it_took_effect_and_not_from_its_reading(self):
        # DeepSeek's page, read in August 2026: hits cost a tenth of the launch price since 26 April.
        cut = catalog.price("deepseek-v4-flash", on=dt.date(2026, 4, 26))
        assert catalog.price("deepseek-v4-flash", on=dt.date(2026, 4, 25)).cached_input == 10 * cut.cached_input
        assert cut.since == cut.effective < cut.read
        unknown = catalog.price("glm-5.3")
        assert (unknown.effective, unknown.since) == (None, unknown.read)


class TestHosts:
    def test_serve_models_that_the_catalogue_knows(self):
        rows = catalog.hosts().values()
        assert {row.model for row in rows} <= set(catalog.models())
        assert set(catalog.hosts("kimi-k3")) == {row.id for row in rows if row.model == "kimi-k3"}
        assert all(row.id == f"{row.host.lower()}-{row.model}" for row in rows)

    def test_ask_of_one_model_what_differs_by_less_than_tenfold(self):
        for model in {row.model for row in catalog.hosts().values()}:
            asked = [row.output for row in catalog.hosts(model).values()]
            assert max(asked) / min(asked) < 10


class TestRents:
    def test_a_market_median_is_the_default_before_one_provider_before_a_contract(self):
        assert catalog.rent("hgx-h100").id == "h100-october"
        assert catalog.rent("hgx-h100", on=dt.date(2026, 10, 23)).id == "h100-median"
        assert catalog.rent("h100-sxm") is catalog.rent("hgx-h100")
        assert catalog.rent("hgx-h100", on=dt.date(2026, 5, 19)).id == "h100-market"
        assert catalog.rent("hgx-h100", on=dt.date(2026, 4, 30)).id == "h100-reserved"
        assert catalog.rent("gb200-nvl72").dollars_per_chip_hour == 9.08 / 2
        assert catalog.rent("mi355x-8").offer == "across the market, terms unstated"
        assert catalog.rent("gb300-nvl72").offer == "reserved for three years"

    def test_a_chip_may_be_rented_out_before_its_first_row(self):
        market = catalog.rents()["a100-market"]
        assert market.since < catalog.chip("a100-sxm").since
        assert catalog.rent("a100-sxm", on=market.since).chip is catalog.chip(
            "a100-sxm", catalog.chip("a100-sxm").since
        )

    def test_is_the_middle_of_what_was_offered(self):
        assert catalog.rent("mi300x-8").dollars_per_chip_hour == pytest.approx(2.59)
        for row in catalog.history(Rent, "rents"):
            assert row.dollars_per_chip_hour_low <= row.dollars_per_chip_hour <= row.dollars_per_chip_hour_high

    def test_of_a_range_is_the_rent_that_a_page_writes(self):
        for row in catalog.history(Rent, "rents"):
            if row.dollars_per_chip_hour_low < row.dollars_per_chip_hour_high:
                assert parse(show(row.dollars_per_chip_hour, "$"), "$") == row.dollars_per_chip_hour

    def test_a_chip_that_nobody_rents_out_has_none(self):
        with pytest.raises(CalcError, match="one whose chips have a published rent; it was “trn1-16”"):
            catalog.rent("trn1-16")
        with pytest.raises(CalcError, match="published rent"):
            catalog.rent("hgx-h100", on=dt.date(2025, 2, 3))
        with pytest.raises(UnknownName, match="did you mean “hgx-h100”"):
            catalog.rent("hgx-h10")

    def test_every_kind_of_offer_has_a_rank(self):
        assert {row.preference for row in catalog.rents().values()} == {*range(len(OFFERS))}
