"""One step to scale: the slab belongs to all users, a column to one, and the outlined strip is a user's part."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.batching.figures.stream import COLUMNS, STREAM
from calc.figure import registry


@given(batch=st.integers(1, 10**6), context=st.integers(1, 10**6))
def test_the_drawing_has_the_times_of_the_bound(batch: int, context: int) -> None:
    drawn = STREAM.answer(batch=batch, context=context)
    lanes = registry.find("batching/lanes").answer(batch=batch, context=context).values
    slab, caches, lane = (drawn.tables[name] for name in ("slab", "caches", "lane"))
    assert float(slab["y2"][0]) == pytest.approx(float(lanes["weights"].number))
    assert float(caches["y2"][0]) - float(caches["y"][0]) == pytest.approx(float(lanes["cache"].number), rel=1e-6)
    assert float(lane["y2"][0]) == pytest.approx(float(lanes["compute"].number))
    assert float(drawn.tables["end"]["y"][0]) == pytest.approx(float(lanes["step"].number))


@pytest.mark.parametrize(("batch", "columns"), [(1, 1), (8, 8), (COLUMNS, COLUMNS), (33, 17), (100, 25)])
def test_users_stand_side_by_side_until_there_are_too_many(batch: int, columns: int) -> None:
    drawn = STREAM.answer(batch=batch)
    caches, mine = drawn.tables["caches"], drawn.tables["mine"]
    assert len(caches["x"]) == columns
    assert mine["x2"][0] == pytest.approx(1 / columns)
    assert all(left < right for left, right in zip(caches["x"], caches["x2"], strict=True))
    assert all(right <= left for right, left in zip(caches["x2"], caches["x"][1:], strict=False))
    assert ("stands for" in drawn.notes[0]) == (batch > COLUMNS)
    assert ("the last for fewer" in drawn.notes[0]) == (batch == 33)


def test_a_batch_shares_the_weights_and_nothing_else() -> None:
    alone, many = (STREAM.answer(batch=batch).values for batch in (1, 1000))
    assert float(many["share"].number) == pytest.approx(float(alone["share"].number) / 1000)
    assert many["own"].number == alone["own"].number
    each = float(many["caches"].number) / 1000
    assert float(many["even"].number) * each == pytest.approx(float(many["weights"].number))


@pytest.mark.parametrize("batch", [1, 2, 300, 10**6])
@pytest.mark.parametrize("context", [1, 4096, 10**8])
def test_the_names_of_thin_parts_do_not_lie_on_each_other(batch: int, context: int) -> None:
    drawn = STREAM.answer(batch=batch, context=context)
    places = sorted(float(place) for place in drawn.tables["words"]["y"])
    bottom = float(drawn.tables["end"]["y"][0])
    assert all(after - before > 0.1 * bottom for before, after in pairwise(places))
    assert places[0] > 0
    assert places[-1] < bottom
