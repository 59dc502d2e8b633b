"""The forecast is judged by a table that it was not fitted to, in the catalogue's form or in that of the sample."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calc import catalog
from calc.catalog.measurement import Measurement, clean_measurements, measurements, write
from calc.quantities.errors import CalcError
from calc.world import judge
from calc.world.judge import SAMPLE, rows_of
from calc.world.sample import sample
from calc.world.settings import setting_of
from calc.world.work import parts

STORED = catalog.forecast_fit("decode")
BACK = {ours: theirs for theirs, ours in SAMPLE.items()}


def renamed(rows, **more):
    """New runs: the same times under other names would be repeats, so times differ, too."""
    return [replace(row, id=f"new-{row.id}", token_seconds=1.01 * row.token_seconds, **more) for row in rows]


def as_sample(row: Measurement) -> dict[str, object]:
    """A row in the names and units of the sample."""
    found = {BACK.get(name, name): getattr(row, name) for name in Measurement.__dataclass_fields__}
    times = {"tpot_ms": row.token_seconds * 1e3, "ttft_ms": row.first_token_seconds * 1e3}
    places = {"model": "Llama-3.1-70B", "system": "h200_sxm", "chips": float(row.chips)}
    return found | times | places | {"clean": 0 if row.set_aside else 1}


def test_of_the_rows_that_were_fitted_to_it_says_what_the_fit_says():
    found = judge.judge(measurements(), fitted_too=True)
    held = sample()
    assert found.rows == held.rows
    assert found.not_judged == {"set aside": len(measurements()) - len(held.rows)}
    lines = "\n".join(found.lines())
    assert "faster than the bound: none" in lines
    errors = np.abs(found.forecast / found.times - 1)
    assert np.median(errors) == pytest.approx(STORED.median_error, abs=0.005)
    assert f"median {np.median(errors):.1%}, mean {np.mean(errors):.1%}" in lines


def test_rows_that_were_fitted_to_are_not_judged_unless_asked():
    found = judge.judge(clean_measurements()[:5])
    assert (found.rows, found.not_judged) == ((), {"fitted to": 5})
    assert len(list(found.lines())) == 1


def test_new_rows_are_judged_by_the_constants_in_force():
    rows = renamed(clean_measurements()[:9])
    found = judge.judge([*rows, replace(rows[0], id="again"), replace(rows[1], id="and again")])
    assert [row.id for row in found.rows] == [row.id for row in rows]
    assert found.not_judged == {"repeated": 2}
    by_hand = parts(rows)[0] / [STORED.memory_share, STORED.arithmetic_share, STORED.link_share, 1, 1]
    by_hand[3:] *= [STORED.kernel_seconds, STORED.sequence_seconds]
    assert found.forecast[0] == pytest.approx(by_hand.sum())


def test_what_has_no_room_or_is_unknown_is_told():
    [row] = renamed(clean_measurements()[:1], model="deepseek-v3", chips=1, tensor=1, attention_groups=1)
    [odd] = renamed(clean_measurements()[1:2], model="gpt-9")
    found = judge.judge([row, odd])
    assert found.not_judged == {"without room": 1, "of an unknown model or system": 1}


def test_both_forms_of_a_table_hold_the_same(tmp_path, capsys):
    llama = [row for row in clean_measurements() if (row.model, row.system) == ("llama-3-70b", "hgx-h200")][:7]
    rows = renamed(llama)
    assert rows_of(write(rows, Measurement)) == rows
    raw = [as_sample(row) for row in rows]
    text = "\n".join([",".join(raw[0]), *(",".join("" if v is None else str(v) for v in row.values()) for row in raw)])
    for ours, theirs in zip(rows, rows_of(text), strict=True):
        assert setting_of(theirs) == setting_of(ours)
        assert theirs.token_seconds == pytest.approx(ours.token_seconds)
    path = tmp_path / "kept-back.csv"
    path.write_text(text, "utf-8")
    assert judge.main([str(path)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("7 rows judged by the fit of ")
    assert any(line.startswith("band of 80 %") for line in said)


def test_another_table_is_refused_by_its_columns():
    with pytest.raises(CalcError, match="columns of a Measurement"):
        rows_of("organization,result\nACME,1\n")
