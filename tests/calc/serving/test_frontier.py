"""What is worth having: nothing on the frontier is beaten, and everything off it is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc import catalog
from calc.quantities.errors import CalcError, DoesNotFit, ShapeMismatch
from calc.serving.frontier import pareto, sweep
from calc.serving.layout import Layout, chip_fit
from calc.serving.rates import Efficiency, decode
from calc.serving.shapes import Machine, ModelShape

MODEL = ModelShape.published(catalog.model("deepseek-v3"), "fp8")
RACK = Machine.published(catalog.system("gb200-nvl72"), "fp8")
POINTS = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=40)


@given(POINTS)
def test_a_point_is_kept_if_and_only_if_no_other_beats_it(points):
    first, second = (np.array(column, dtype=float) for column in zip(*points, strict=True))
    kept = pareto(first, second)
    for at, (x, y) in enumerate(points):
        beaten = any((u >= x and v >= y) and (u, v) != (x, y) for u, v in points)
        earlier_twin = (x, y) in points[:at]
        assert (at in kept) == (not beaten and not earlier_twin)
    assert np.all(np.diff(first[kept]) > 0)
    assert np.all(np.diff(second[kept]) < 0)


def test_lists_that_are_not_alike_are_refused():
    with pytest.raises(ShapeMismatch, match="a list as long as the second"):
        pareto([1, 2, 3], 4)
    with pytest.raises(ShapeMismatch, match="a list as long as the second"):
        pareto([[1, 2]], [[3, 4]])


def test_each_place_of_a_sweep_is_that_way_of_serving():
    found = sweep(MODEL, RACK, 4096, batch=[1, 64, 4096], tensor=[1, 8], expert=[8, 64], stages=[1, 2])
    for at in range(found.batch.size):
        layout = Layout(found.tensor[at], found.expert[at], found.stages[at])
        alone = decode(MODEL, layout, RACK, found.batch[at], 4096)
        assert alone.bound.per_user == pytest.approx(found.per_user[at], rel=1e-14)
        assert alone.bound.per_chip == pytest.approx(found.per_chip[at], rel=1e-14)
        assert found.chips[at] == layout.chips
        assert alone.fit.fits


def test_what_is_left_out_does_not_fit_or_makes_no_sense():
    asked = {"batch": [1, 64, 30_000], "tensor": [1, 128], "expert": [1, 64], "stages": [1, 2]}
    found = sweep(MODEL, RACK, 4096, **asked)
    assert found.tried == 24
    kept = set(zip(found.batch, found.tensor, found.expert, found.stages, strict=True))
    for batch in asked["batch"]:
        for expert in asked["expert"]:
            for stages in asked["stages"]:
                fits = chip_fit(MODEL, Layout(1, expert, stages), RACK, batch, 4096).fits and batch >= stages
                assert ((batch, 1, expert, stages) in kept) == fits
    assert 128 not in found.tensor


def test_the_frontier_falls_and_contains_the_best_of_both():
    found = sweep(MODEL, RACK, 4096)
    best = found.frontier()
    assert best.per_chip.max() == found.per_chip.max()
    assert best.per_user.max() == found.per_user.max()
    assert np.all(np.diff(best.per_user) > 0)
    assert np.all(np.diff(best.per_chip) < 0)
    assert best.tried == found.tried


def test_efficiency_lowers_the_whole_frontier():
    perfect = sweep(MODEL, RACK, 4096)
    real = sweep(MODEL, RACK, 4096, efficiency=Efficiency(0.5, 0.5, 0.5))
    assert real.per_chip == pytest.approx(perfect.per_chip / 2)


def test_a_model_that_cannot_fit_is_refused():
    node = Machine.published(catalog.system("hgx-h100"), "bf16")
    with pytest.raises(DoesNotFit, match=r"^model must be held by chips of 80 GB; it was “at least"):
        sweep(ModelShape.published(catalog.model("kimi-k2"), "bf16"), node, 4096, expert=[1], stages=[1])
    with pytest.raises(DoesNotFit, match=r"it was “at least 135 GB of weights on a chip”"):
        sweep(ModelShape.published(catalog.model("llama-3-405b"), "bf16"), node, 4096, tensor=[2, 6], stages=[1])
    with pytest.raises(DoesNotFit, match=r"^layout must be one that"):
        sweep(MODEL, RACK, 4096, tensor=[128])
    with pytest.raises(CalcError, match=r"^batch must be"):
        sweep(MODEL, RACK, 4096, batch=[-1])


def test_a_hundred_thousand_ways_are_one_sweep():
    found = sweep(MODEL, RACK, 4096, batch=range(1, 501), tensor=range(1, 9), stages=[1, 2, 3, 4])
    assert found.tried == 112_000
    assert found.frontier().batch.size > 100
