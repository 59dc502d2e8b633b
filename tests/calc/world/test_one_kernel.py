"""One kernel for a step: no run beats the bound, both are below the forecast, and by its starts and ends."""

from __future__ import annotations

import pytest

from calc import catalog
from calc.step.forecasting import FIT
from calc.world.one_kernel import LLAMA, at_most, by_bandwidth, glm, most_kept


def test_llama_in_one_kernel_lies_between_its_bound_and_the_band():
    measured = by_bandwidth(0.78)
    assert measured == pytest.approx(1.236e9 * 2 / (0.78 * 3.35e12), rel=0.01)
    assert LLAMA.bound < measured < catalog.forecast_fit(FIT).low_80 * LLAMA.expected


def test_engines_of_many_kernels_took_at_least_nine_tenths_of_the_forecast():
    assert by_bandwidth(0.5) > 0.9 * LLAMA.expected


@pytest.mark.parametrize(("rate", "prompt"), [("one-kernel-glm-short", 1024), ("one-kernel-glm-long", 8192)])
def test_a_step_of_glm_is_shorter_than_the_forecast_even_if_every_guess_was_kept(rate: str, prompt: float):
    run = glm(prompt)
    assert run.bound < at_most(rate, 1) < at_most(rate, most_kept()) < run.expected


def test_starts_and_ends_are_most_of_a_forecast_on_many_chips_and_not_on_one():
    assert 0.4 < LLAMA.starts < 0.5 < 0.8 < glm(1024).starts
    assert glm(1024).checked == most_kept()


def test_starts_and_ends_are_what_one_kernel_saves():
    """A step without any would leave none, one that takes the forecast all of them."""
    assert LLAMA.left(LLAMA.expected) == 1
    assert LLAMA.left(LLAMA.expected - float(LLAMA.forecast.kernel_seconds)) == pytest.approx(0)
    assert 0 < LLAMA.left(by_bandwidth(0.78)) < 0.2
    assert glm(1024).left(at_most("one-kernel-glm-short", most_kept())) < 0.5
