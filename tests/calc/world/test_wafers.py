"""Memory on the chip: reading explains little of a token, and more wafers do not shorten it."""

from __future__ import annotations

import pytest

from calc import catalog
from calc.world.wafers import LARGE, SMALL, Wafers, broader


@pytest.mark.parametrize(("run", "wafers"), [(SMALL, 1), (LARGE, 4)], ids=["8B", "70B"])
def test_the_weights_fit_on_as_many_wafers_as_the_maker_says(run: Wafers, wafers: int):
    held = catalog.datum("wse3-memory").value
    assert (wafers - 1) * held < run.setting.weight_bytes < wafers * held


@pytest.mark.parametrize("run", [SMALL, LARGE], ids=["8B", "70B"])
def test_reading_is_at_most_an_eighth_of_a_token_wherever_layers_lie(run: Wafers):
    assert run.reading_seconds == pytest.approx(2 * run.setting.read_weight_bytes / 42e15)
    assert run.reading_seconds_at_most == pytest.approx(run.layers * 44 / 21e6)
    assert 0 < run.reading_seconds < run.reading_seconds_at_most < run.token_seconds / 8


@pytest.mark.parametrize("run", [SMALL, LARGE], ids=["8B", "70B"])
def test_a_layer_takes_about_half_of_its_starts_elsewhere_or_less(run: Wafers):
    assert run.elsewhere.kernel_seconds > 1.9 * run.token_seconds
    assert run.token_seconds < run.elsewhere.seconds / 4


def test_the_bandwidth_that_the_page_names_is_that_over_one_chip_and_over_eight_is_an_eighth() -> None:
    over = [run.setting.read_weight_bytes / run.chips / 3.35e12 / run.reading_seconds for run in (SMALL, LARGE)]
    assert over == pytest.approx([broader(), broader() / 8], rel=1e-3)
