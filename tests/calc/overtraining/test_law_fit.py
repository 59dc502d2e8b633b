"""A fit finds the law that made the runs, with a joint exponent or without."""

from __future__ import annotations

import numpy as np
import pytest

from calc.overtraining import law_fit
from calc.overtraining.refit import START
from calc.overtraining.scaling_law import loss
from tests.calc.overtraining.laws import made_runs

JOINT = np.array([*np.log([1.0, 17000.0, 4300.0]), 0.48, 0.35, 0.4])  # like a law with an exponent more


def grid(constants: law_fit.Array) -> law_fit.TrainedRuns:
    """Runs of a law on a grid of sizes and tokens, without noise."""
    size, tokens = (np.log(each).ravel() for each in np.meshgrid(np.geomspace(5e7, 2e9, 6), np.geomspace(6e9, 3e11, 9)))
    return law_fit.TrainedRuns(size, tokens, law_fit.log_loss(constants, law_fit.TrainedRuns(size, tokens, size))[0])


def test_a_fit_to_runs_without_noise_is_the_law_that_made_them():
    start = START + np.array([0.02, -0.1, 0.1, -0.01, 0.01])
    assert law_fit.refitted(made_runs(0), start) == pytest.approx(START, abs=1e-4)


def test_a_joint_exponent_is_found_and_without_it_the_same_runs_are_missed():
    runs = grid(JOINT)
    start = JOINT + np.array([0.1, 0.5, -0.5, 0.03, -0.03, 0.1])
    found = law_fit.best_fit(runs, [start, JOINT + 0.02])
    assert found == pytest.approx(JOINT, rel=0.01, abs=0.01)
    additive = law_fit.refitted(runs, np.array([*np.log([1.3, 110.0, 60.0]), 0.26, 0.21]))
    assert np.abs(runs.loss - law_fit.log_loss(additive, runs)[0]).max() > 0.005


@pytest.mark.parametrize("constants", [START, JOINT], ids=["plain", "joint"])
def test_the_slopes_of_log_loss_are_those_of_small_differences(constants):
    runs = made_runs(0, count=7)
    slopes = law_fit.log_loss(constants, runs)[1]
    for place, step in enumerate(1e-6 * np.eye(len(constants))):
        ahead, behind = (law_fit.log_loss(constants + side * step, runs)[0] for side in (1, -1))
        assert slopes[:, place] == pytest.approx((ahead - behind) / 2e-6, rel=1e-4)


@pytest.mark.parametrize("constants", [START, JOINT], ids=["plain", "joint"])
def test_log_loss_is_that_of_the_law(constants):
    runs = made_runs(0, count=7)
    said = loss(law_fit.law_of(constants), np.exp(runs.params), np.exp(runs.tokens))
    assert np.exp(law_fit.log_loss(constants, runs)[0]) == pytest.approx(said)


def test_no_step_from_a_fit_fits_better():
    runs = made_runs(0.005)
    found = law_fit.refitted(runs, START)
    for step in np.random.default_rng(1).normal(scale=1e-3, size=(50, 5)):
        assert law_fit.misfit(found, runs) <= law_fit.misfit(found + step, runs)
