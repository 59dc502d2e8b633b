"""Whole racks of MLPerf: logs against results, a step and a load by hand, and what the pages conclude."""

from __future__ import annotations

import math

import pytest

from calc.catalog.racks import RackRun, rack_runs
from calc.setting import Layout, Setting
from calc.step.forecasting import forecast
from calc.world.other_chips import known_ratios
from calc.world.racks import PROMPT, PROMPTS, Rack, dearer, plain_racks, racks
from tests.calc.figure.asking import of

answer, number = of("world")


@pytest.mark.parametrize("run", rack_runs(), ids=lambda run: f"{run.organization} {run.scenario}")
def test_a_log_is_that_of_the_entry_in_the_table_of_results(run):
    assert run.result.accelerators == 72
    assert run.result.precision == "fp4"
    assert run.tokens == pytest.approx(run.result.result, rel=1e-5)
    seconds = [each for _, each in run.quantiles]
    assert seconds == sorted(seconds)
    assert run.first < run.p50 < run.mean < run.p90


def test_a_step_and_a_load_by_hand():
    """Azure: 3,757 tokens an answer in 179.6 s less 0.6 s, and 120.21 requests a second on 72 chips for 1,752 s."""
    (found,) = [each for each in racks() if each.row.organization == "Azure"]
    assert found.row.token_seconds == pytest.approx((179.575 - 0.627) / (426796.35 / 113.59), rel=1e-4)
    settled = 120.21 * 179.575 / 72
    assert found.row.arriving == pytest.approx(1752.1, rel=1e-4)
    assert found.of_a_chip == pytest.approx(settled * (1 - found.spread * 179.575 / 1752.1), rel=1e-4)
    setting = Setting.published("deepseek-v3", "gb200-nvl72", "fp4", layout=Layout(data=8))
    step = forecast(setting, found.of_a_chip * 8, found.held(), prompt=PROMPT, output=found.row.answer)
    assert found.over() == pytest.approx(found.row.token_seconds / step.seconds)


def test_the_spread_of_lengths_by_hand():
    """All alike hold half of their answer on average; lengths that fall by a straight law in logarithms hold more."""
    one = rack_runs()[0]
    names = ("least", "p50", "p90", "p95", "p97", "p99", "p999", "most")

    def shaped(seconds: dict[str, float]) -> Rack:
        known = {name: getattr(one, name) for name in RackRun.__dataclass_fields__}
        return Rack(RackRun(**{**known, **seconds}))

    assert shaped(dict.fromkeys(names, 7.0)).spread == pytest.approx(0.5)
    shares = (0.0, 0.5, 0.9, 0.95, 0.97, 0.99, 0.999, 1.0)
    found = shaped({name: math.exp(share) for name, share in zip(names, shares, strict=True)})
    first, second = math.e - 1, (math.e**2 - 1) / 2  # moments of e to a number drawn evenly from 0 to 1
    assert found.spread == pytest.approx(second / first**2 / 2, rel=1e-4)


def test_guesses_could_explain_the_fast_rack():
    """Four tokens checked at once cost more than one; two of them kept make up for it."""
    (quick,) = [each for each in racks() if (each.row.organization, each.row.scenario) == ("NVIDIA", "Interactive")]
    assert quick.undrafted < quick.of_a_chip / 5
    plain = forecast(quick.setting, quick.of_a_chip * quick.group, quick.held())
    assert plain.seconds / quick.row.token_seconds < quick.enough_kept() < 2.5


@pytest.mark.parametrize("each", racks(), ids=lambda each: each.row.organization)
def test_the_shape_between_printed_shares_gives_the_printed_mean(each):
    import numpy as np

    shares, seconds = zip(*each.row.quantiles, strict=True)
    drawn = np.exp(np.interp((np.arange(10_000) + 0.5) / 10_000, shares, np.log(seconds)))
    assert drawn.mean() == pytest.approx(each.row.mean, rel=0.025)


def test_full_racks_lie_in_the_band_with_the_prompts_that_are_assumed_and_none_beats_its_bound():
    above = 0
    for each in plain_racks():
        band = each.expected().fit
        none, most = (each.over(prompt) for prompt in PROMPTS)
        assert band.low_80 < most < each.over() < band.high_80, "with the prompts that are assumed"
        assert 1.1 < each.over() < 1.3
        assert each.over_bound > 4, "of writing alone"
        above += none > band.high_80
    assert above == 2, "the page says that with no prompts two lie above"


def test_the_load_while_requests_come_is_the_settled_one_less_the_start():
    """Drawn: requests of the printed shape that come evenly, and how many of them are there on average."""
    import numpy as np

    for each in racks():
        shares, seconds = zip(*each.row.quantiles, strict=True)
        drawn = np.exp(np.interp((np.arange(10_000) + 0.5) / 10_000, shares, np.log(seconds)))
        arriving = each.row.arriving
        assert each.row.most < arriving < (2 if each.row.scenario == "Server" else 9) * each.row.most
        inside = float((drawn - drawn**2 / 2 / arriving).mean())
        there = each.row.scheduled * inside / each.writing_chips
        assert each.of_a_chip == pytest.approx(there, rel=0.025)


def test_none_is_one_group_of_all_its_chips():
    assert {run.group_chips for run in rack_runs()} == {8, 16, None}


def test_steps_on_parts_of_racks_in_four_bits_were_mostly_shorter_than_their_forecast():
    parts = known_ratios(lambda row: (row.system.endswith("nvl72"), row.precision) == (True, "fp4"))
    assert len(parts) > 50
    assert sum(ratio < 1 for ratio in parts) > 0.9 * len(parts)


def test_a_fast_rack_with_guesses_had_ten_times_as_many_at_once_as_the_forecast_has_without():
    (fast,) = [each for each in racks() if (each.row.organization, each.row.scenario) == ("NVIDIA", "Interactive")]
    assert fast.row.drafts == 3
    assert fast.of_a_chip > 10 * fast.undrafted > 0
    assert dearer("NVIDIA") == pytest.approx(395940.14 / 240273.74)
    faster = number("racks", "fast_user") / number("racks", "slow_user")
    assert faster > 4.5 > 2 > number("racks", "dearer")
