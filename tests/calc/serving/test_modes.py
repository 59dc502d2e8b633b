"""Batch mode and fast mode: the same chips, another batch."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from calc import catalog
from calc.quantities.units import show
from calc.serving.figures.cases import case
from calc.serving.figures.traces import TRACES
from calc.serving.modes import FASTER, modes
from calc.serving.public import left_over, offers
from calc.serving.sheet import sheet
from calc.setting import Layout, Setting
from calc.step import most_sequences
from calc.step.forecasting import forecast
from tests.calc.figure.asking import of

answer, number = of("serving")


@pytest.mark.parametrize("name", ["rack", "node"])
def test_batch_mode_is_the_sheet_with_the_memory_full(name):
    found = case(name)
    slow = modes(found).slow
    setting, request = found.writing.setting, found.request
    assert slow.batch == most_sequences(setting, request.held)
    full = sheet(setting, request, slow.batch, found.dollars_per_chip_second * 3600)
    assert slow.dollars == pytest.approx(float(full.forecast.output))


@pytest.mark.parametrize("name", ["rack", "node"])
def test_fast_mode_is_as_fast_as_it_says_and_one_more_step_of_batches_is_not(name):
    found = case(name)
    fast = modes(found).fast
    setting, held = found.writing.setting, found.request.held
    seconds = np.asarray(forecast(setting, np.array([fast.batch, 1.1 * fast.batch]), held).seconds)
    assert seconds[0] <= found.expected.seconds / FASTER < seconds[1]
    assert fast.dollars > float(found.forecast.output) * FASTER


@pytest.mark.parametrize("name", ["rack", "node"])
def test_a_promised_speed_is_kept_up_to_its_batch_and_not_one_sequence_a_group_further(name):
    found = case(name)
    setting, held, speed = found.writing.setting, found.request.held, 0.8 / found.expected.seconds
    had = modes(found, speed)
    seconds = np.asarray(
        forecast(setting, np.array([had.promised.batch, had.promised.batch + setting.layout.data]), held).seconds
    )
    assert seconds[0] <= 1 / speed < seconds[1]
    full = sheet(setting, found.request, had.promised.batch, found.dollars_per_chip_second * 3600)
    assert had.promised.dollars == pytest.approx(float(full.forecast.output))
    unpromised = modes(found)
    assert (unpromised.promised.batch, unpromised.promised.dollars) == (had.slow.batch, had.slow.dollars)


def test_the_sheet_says_whether_a_promised_speed_is_kept_and_what_would_keep_it():
    kept, broken, never = (answer("sheet", promise=promise) for promise in (50, 80, 1000))
    seen = show(kept.values["user"].number)
    assert any(f"Each user is promised 50 tokens/s, and should get {seen}" in note for note in kept.notes)
    most = kept.values["promised"].number
    (told,) = (note for note in kept.notes if "until you have measured a step" in note)
    late, dear = number("questions", "slow_sequences"), show(number("questions", "slow_output"), "$", 2)
    assert f"Size by {late:,.0f} answers at once ({dear} a million at the slow end)" in told
    assert f"as forecast there would be room for {most:,.0f} (" in told
    (free,) = (note for note in answer("sheet", promise=5).notes if "even at the slow end" in note)
    assert "as many as have room" in free
    said = next(note for note in broken.notes if note.startswith("Each user is promised 80 tokens/s"))
    would = float(broken.values["promised"].number)
    assert f"as forecast there would be room for {would:,.0f} (" in said
    assert number("sheet", "output", batch=would) == pytest.approx(broken.values["promised_output"].number)
    assert answer("sheet", batch=would, promise=80).values["user"].number >= 80
    assert any(note.startswith("No batch of this layout keeps a promise of 1,000 tokens/s") for note in never.notes)
    assert any("would not do, for kernels alone take" in note for note in never.notes)
    fast = {"precision": "fp4", "context": 1, "output": 1, "memory_reached": 100}
    assert answer("sheet", promise=1000, **fast).values["promised"].text == "none of this layout"
    assert any("can help" in note for note in answer("sheet", promise=110).notes)
    assert math.isfinite(number("sheet", "promised", promise=110, **fast)), "it does"
    assert never.values["promised"].text == "none of this layout"
    assert "promised_output" not in never.derived


def test_where_a_mode_cannot_be_had_it_is_said():
    alone = answer("sheet", batch=1)
    assert alone.values["fast_mode"].text == "not on this layout"
    crowded = answer("sheet", model="kimi-k2", system="hgx-h100", precision="bf16")
    assert math.isinf(float(crowded.values["batch_mode"].number))
    assert crowded.finding.startswith("This does not fit; if it did, at $4.54 a chip-hour a million tokens would cost")


def test_a_row_of_the_lists_is_the_sheet_of_its_model():
    table = answer("lists").tables["costs"]
    at = list(table["model"]).index("DeepSeek-V3")
    assert table["expected"][at] == pytest.approx(number("sheet", "output"))
    assert table["least"][at] == pytest.approx(number("sheet", "output_least"))


def test_the_batch_at_which_a_price_covers_the_cost_is_where_they_meet():
    table = answer("lists").tables["costs"]
    at = list(table["model"]).index("DeepSeek-V3")
    meets = number("sheet", "output", batch=table["covers"][at])
    assert meets == pytest.approx(table["asked"][at], rel=0.02)


@pytest.mark.parametrize(("batch", "chips"), [(9 * 64, 8), (2048, 4), (72 * 64, 2)])
def test_copies_of_a_dense_model_share_what_is_in_flight_on_the_chips_that_write_for_least(batch, chips):
    table = answer("lists", batch=batch).tables["costs"]
    at, rent = list(table["model"]).index("Llama 3 70B"), catalog.rent("gb200-nvl72").dollars_per_chip_hour / 3600
    costs = {}
    for each in (1, 2, 4, 8):
        setting = Setting.published("llama-3-70b", "gb200-nvl72", "fp8", layout=Layout(tensor=each))
        shared = batch * each / 72
        if shared <= most_sequences(setting, 4596):
            costs[each] = 1e6 * rent * each * forecast(setting, shared, 4596).seconds / shared
    assert table["expected"][at] == pytest.approx(min(costs.values()))
    assert min(costs, key=costs.__getitem__) == chips


def test_models_without_room_are_named_and_have_no_row():
    found = answer("lists", system="hgx-h100", batch=64)
    assert "DeepSeek-V3" in found.notes[0]
    assert "DeepSeek-V3" not in found.tables["costs"]["model"]
    assert answer("lists", batch=1e6).finding.startswith("None of the open models")


def test_suggested_requests_are_those_of_the_traces():
    text = (Path(__file__).parents[3] / "lectures" / "serving" / "index.md").read_text("utf-8")
    for key, name in TRACES.items():
        lengths = [round(catalog.datum(f"trace-{name}-{part}").value) for part in ("input", "output")]
        assert f"context={lengths[0]}, output={lengths[1]}" in text, key
    assert f"cached={round(100 * catalog.datum('trace-mooncake-cached').value)}" in text


def test_a_hundred_million_combinations_take_what_the_measured_rate_says():
    assert number("sweeps", "seconds") * number("sweeps", "rate") == pytest.approx(number("sweeps", "points"))


def test_of_outputs_that_are_sold_below_their_forecast_half_are_paid_by_input():
    """A price of output below the forecast need not be a loss."""
    table = answer("lists").tables["costs"]
    rows = zip(table["expected"], table["asked"], table["margin"], strict=True)
    left = [margin for expected, asked, margin in rows if asked < expected]
    assert len(left) == number("lists", "under")
    assert sum(margin < 0 for margin in left) == number("lists", "lost") == len(left) / 2
    assert -1 < left_over(offers("llama-3-70b")["Novita"], case("node").forecast, case("node").request) < 0
    assert left_over(offers("llama-3-70b")["Novita"], case("node").bound, case("node").request) > 0
