"""Tables are read as they are written, and every bad row is refused."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest

from calc import catalog
from calc.catalog import KINDS, Chip, Model, Price, System, tables
from calc.quantities.errors import CalcError, OutOfRange

DAY = dt.date(2026, 1, 31)


@pytest.mark.skipif(not Path(tables.FOLDER, "chips.toml").exists(), reason="a browser has the tables as JSON alone")
@pytest.mark.parametrize("table", [*KINDS, "sources"])
def test_a_table_compiled_to_json_is_read_as_the_same_rows(table, tmp_path):
    (tmp_path / f"{table}.json").write_text(tables.as_json(table), encoding="utf-8")
    assert tables.rows(table, str(tmp_path)) == tables.rows(table)


@pytest.mark.skipif(not Path(tables.FOLDER, "chips.toml").exists(), reason="a browser has the tables as JSON alone")
@pytest.mark.parametrize("table", [*KINDS, "sources"])
def test_without_its_words_a_table_has_every_number_and_lighter(table, tmp_path):
    (tmp_path / f"{table}.json").write_text(tables.as_json(table, words=False), encoding="utf-8")
    words = (*tables.TOLD, *tables.SAID.get(table, ()))
    for bare, row in zip(tables.rows(table, str(tmp_path)), tables.rows(table), strict=True):
        assert {name: fact for name, fact in bare.items() if name not in words} == {
            name: fact for name, fact in row.items() if name not in words
        }
    assert len(tables.as_json(table, words=False)) < len(tables.as_json(table))
    assert tables.read_sources(tables.rows("sources", str(tmp_path))) if table == "sources" else True


def test_json_is_preferred_where_it_is_there(tmp_path):
    (tmp_path / "chips.toml").write_text("not toml at all", encoding="utf-8")
    row = {"id": "x", "effective": "unknown", "read": "2026-01-31"}
    (tmp_path / "chips.json").write_text(json.dumps([row]), encoding="utf-8")
    assert tables.rows("chips", str(tmp_path)) == ({"id": "x", "effective": None, "read": DAY},)


@pytest.mark.parametrize("text", ["", 'title = "no rows"', '[row]\nid = "x"', '[[row]]\nid = "x"\n[[rows]]\nid = "y"'])
def test_a_file_that_is_not_rows_alone_is_refused(text, tmp_path):
    (tmp_path / "chips.toml").write_text(text, encoding="utf-8")
    with pytest.raises(CalcError, match=r"chips\.toml must be made of \[\[row\]\] tables alone"):
        tables.rows("chips", str(tmp_path))


class TestBadRows:
    GOOD = {  # noqa: RUF012  (never changed: each test copies it)
        "id": "a-chip",
        "name": "A chip",
        "vendor": "Somebody",
        "effective": None,
        "read": DAY,
        "sources": ["lecture"],
        "bf16_flops": 1e15,
        "hbm_bytes": 80e9,
        "hbm_bandwidth": 2e12,
    }

    def check(self, *rows, kind=Chip):
        tables.check_rows(kind, "chips", rows, catalog.sources())

    def test_a_good_row_is_accepted(self):
        self.check(self.GOOD, {**self.GOOD, "effective": dt.date(2026, 1, 1)})

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            ({"read": None}, r"a-chip must be dated: read = YYYY-MM-DD; it was None"),
            ({"read": "2026-01-31"}, "must be dated: read"),
            ({"read": dt.datetime(2026, 1, 31)}, "must be dated: read"),
            ({"effective": "last year"}, "must be dated: effective = YYYY-MM-DD; it was “last year”"),
            (
                {"effective": dt.date(2026, 2, 1)},
                "effective must be no later than read, 2026-01-31",
            ),
            ({"sources": []}, "must be given at least one source"),
            ({"sources": None}, "must be given at least one source"),
            ({"sources": "lecture"}, "sources must be a list of ids of sources"),
            ({"sources": ["lectrue"]}, "did you mean “lecture”"),
            ({"bandwith": 1.0}, "made of the fields of Chip; it was “bandwith”"),
            ({"hbm_bytes": 0}, "hbm_bytes must be a finite number above 0; it was 0"),
            ({"hbm_bytes": -80e9}, "hbm_bytes must be a finite number above 0"),
            ({"hbm_bytes": float("nan")}, "hbm_bytes must be a finite number above 0; it was nan"),
            ({"hbm_bytes": float("inf")}, "it was inf"),
            ({"hbm_bytes": "80 GB"}, "it was “80 GB”"),
            ({"hbm_bytes": True}, "it was True"),
            ({"name": ""}, "name must be a text that is not empty"),
            ({"vendor": 3}, "vendor must be a text that is not empty"),
            ({"note": ""}, "note must be a text that is not empty"),
        ],
    )
    def test_a_bad_field_is_refused_with_a_sentence(self, change, sentence):
        with pytest.raises(CalcError, match=sentence):
            self.check({**self.GOOD, **change})

    @pytest.mark.parametrize("name", ["effective", "read", "sources", "name", "vendor", "hbm_bytes", "hbm_bandwidth"])
    def test_a_missing_field_is_refused_by_name(self, name):
        with pytest.raises(CalcError, match=name if name != "sources" else "source"):
            self.check({key: value for key, value in self.GOOD.items() if key != name})

    def test_a_second_row_of_the_same_id_and_date_is_refused(self):
        with pytest.raises(CalcError, match="must be the only row of its id and date; it was “2026-01-31”"):
            self.check(self.GOOD, dict(self.GOOD))

    def test_whole_numbers_are_written_without_a_point(self):
        system = {**self.GOOD, "chip": "h100-sxm", "chips": 8.0}
        for field in ("vendor", "bf16_flops", "hbm_bytes", "hbm_bandwidth"):
            del system[field]
        with pytest.raises(CalcError, match="chips must be a whole number, written without a point"):
            self.check(system, kind=System)

    def test_no_experts_are_shared_but_no_layers_are_not_a_model(self):
        row = {"id": "m", "name": "M", "maker": "X", "effective": DAY, "read": DAY, "sources": ["lecture"]}
        row |= {"total_params": 1e9, "active_params": 1e9}
        self.check({**row, "shared_experts": 0}, kind=Model)
        with pytest.raises(OutOfRange, match="layers must be a finite number above 0"):
            self.check({**row, "layers": 0}, kind=Model)

    def test_a_discount_above_one_and_a_surcharge_below_it_are_refused(self):
        row = {"id": "p", "name": "P", "maker": "X", "effective": DAY, "read": DAY, "sources": ["lecture"]}
        row |= {"input": 1.0, "output": 2.0}
        for change in ({"batch_multiplier": 1.5}, {"fast_speed": 0.5}):
            with pytest.raises(OutOfRange, match=next(iter(change))):
                self.check({**row, **change}, kind=Price)

    def test_a_flag_is_true_or_false(self):
        row = {**tables.rows("models")[0], "output_gate": "yes"}
        with pytest.raises(CalcError, match="output_gate must be true or false"):
            tables.check_rows(catalog.Model, "models", [row], catalog.sources())


class TestBadSources:
    GOOD = {"id": "s", "title": "T", "publisher": "P", "kind": "primary", "as_of": DAY}  # noqa: RUF012

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            ({"as_of": None}, "must be dated"),
            ({"kind": "hearsay"}, "kind must be one of"),
            ({"title": ""}, "title must be a text that is not empty"),
            ({"author": "X"}, "made of the fields of Source"),
        ],
    )
    def test_are_refused_with_a_sentence(self, change, sentence):
        with pytest.raises(CalcError, match=sentence):
            tables.read_sources([{**self.GOOD, **change}])

    def test_a_source_is_there_once(self):
        with pytest.raises(CalcError, match="the only source of its id"):
            tables.read_sources([self.GOOD, self.GOOD])
