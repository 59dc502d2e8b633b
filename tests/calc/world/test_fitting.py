"""The fit finds constants that made the data, its errors are those of repeated samples, and leaving out leaves out."""

from __future__ import annotations

import numpy as np
import pytest

from calc.world.fitting import by_group, covered, fit, fitted, left_out, score, standard_errors

TRUE = np.array([1.2, 3.0, 5e-6])
GROUPS = [row // 8 for row in range(400)]


@pytest.fixture
def parts():
    draws = np.random.default_rng(20260821)
    return np.exp(draws.normal(size=(400, 3))) * np.array([1e-3, 2e-4, 300])


def noisy(parts, seed, within=0.05, between=0.15):
    draws = np.random.default_rng(seed)
    shared = draws.normal(scale=between, size=max(GROUPS) + 1)[GROUPS]
    return parts @ TRUE * np.exp(shared + draws.normal(scale=within, size=len(parts)))


def test_constants_that_made_the_times_are_found(parts):
    assert fit(parts, parts @ TRUE) == pytest.approx(TRUE, rel=1e-6)


def test_a_few_bad_records_pull_little(parts):
    times = parts @ TRUE
    times[:20] *= 10
    assert fit(parts, times) == pytest.approx(TRUE, rel=0.02)


def test_a_part_that_does_not_help_gets_no_time_rather_than_a_negative_one(parts):
    useless = np.column_stack([parts, np.full(len(parts), 1.0)])
    found = fit(useless, parts @ TRUE)
    assert found[3] > 0
    assert found[3] < 1e-4 * np.median(parts @ TRUE)


def test_standard_errors_are_the_scatter_of_repeated_samples(parts):
    found = np.array([fit(parts, noisy(parts, seed)) for seed in range(60)])
    said = np.mean([fitted(parts, noisy(parts, seed), GROUPS).errors for seed in range(5)], axis=0)
    assert said == pytest.approx(found.std(axis=0), rel=0.35)


def test_rows_of_a_group_that_err_together_are_not_independent_evidence(parts):
    parts = np.repeat(parts[::8], 8, axis=0)
    times = noisy(parts, 3)
    constants = fit(parts, times)
    alone = standard_errors(parts, times, constants, list(range(400)))
    together = standard_errors(parts, times, constants, GROUPS)
    assert np.all(together > 1.5 * alone)


def test_a_group_is_forecast_without_itself(parts):
    times = parts @ TRUE
    times[:8] *= 3  # the first group is unlike the others: what is fitted without it cannot know
    forecast = left_out(parts, times, GROUPS)
    assert times[:8] / forecast[:8] == pytest.approx(np.full(8, 3.0), rel=1e-4)
    assert left_out(parts, times, GROUPS, folds=5)[:8] == pytest.approx(forecast[:8], rel=1e-3)


def test_a_score_is_of_the_forecast_relative_to_what_was_measured():
    found = score(np.array([1.0, 2.0, 3.0]), np.array([1.0, 4.0, 2.0]))
    assert (found.count, found.median, found.mean) == (3, 0.5, pytest.approx(1 / 3))
    assert (found.low_80, found.high_80) == (pytest.approx(0.7333, abs=1e-4), pytest.approx(1.8))
    apart = by_group(np.array([1.0, 2.0, 3.0]), np.array([1.0, 4.0, 2.0]), ["a", "b", "a"])
    assert {name: each.count for name, each in apart.items()} == {"a": 2, "b": 1}
    assert covered(np.ones(4), np.array([0.5, 0.9, 1.1, 3.0]), 0.8, 1.2) == 0.5
