"""One token's way: out to each of its experts' chips, and back from every one of them, twice as heavy."""

from __future__ import annotations

from collections import Counter

import pytest

from calc import catalog
from calc.moe.figures.travel import AGAIN, AWAY, BACK, HOME, OUT, TRAVEL
from calc.quantities.units import show


@pytest.mark.parametrize("throw", [1, 2, 30])
@pytest.mark.parametrize("model", ["deepseek-v3", "kimi-k2", "mixtral-8x7b"])
def test_whatever_goes_out_comes_back_the_same_way(model: str, throw: int) -> None:
    ways = TRAVEL.answer(model=model, throw=throw).tables["ways"]
    rows = list(zip(ways["way"], ways["x"], ways["x2"], ways["y"], ways["y2"], ways["mine"], strict=True))
    out = Counter((start, end, mine) for way, _, _, start, end, mine in rows if way == OUT)
    back = Counter((end, start, mine) for way, _, _, start, end, mine in rows if way == BACK)
    assert out == back
    assert {(x, x2) for _, x, x2, *_ in rows} == {(HOME, AWAY), (AWAY, AGAIN)}
    assert len({start for start, _, mine in out if mine}) == 1
    assert all(0 < height < 1 for row in rows for height in row[3:5])


def test_a_token_visits_no_more_chips_than_it_has_experts() -> None:
    model = catalog.model("deepseek-v3")
    for throw in range(1, 20):
        found = TRAVEL.answer(throw=throw)
        visited = float(found.values["chips"].number)
        assert 1 <= visited <= model.routed[1]
        assert len(found.tables["stops"]["x"]) == visited + 2
        assert found.tables["tokens"]["chips"][0].count(",") == visited - 1


def test_the_bytes_are_those_of_a_copy_of_the_width_for_each_expert() -> None:
    found = TRAVEL.answer()
    model = catalog.model("deepseek-v3")
    out = model.known("d_model") * model.routed[1]
    assert found.values["out"].number == out
    assert found.values["back"].number == 2 * out
    assert found.values["step"].number == pytest.approx(3 * out * model.expert_layers)
    assert [show(out, "B") in label for label in found.tables["bills"]["label"]] == [True, False]


def test_a_dense_model_sends_nothing() -> None:
    found = TRAVEL.answer(model="llama-3-70b")
    assert "is dense" in found.finding
    assert found.tables["ways"]["x"] == found.tables["stops"]["x"] == []
