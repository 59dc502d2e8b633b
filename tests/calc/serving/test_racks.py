"""Lecture 8's picture of racks: its bars are the page's sums, its rules the room that the page counts."""

from __future__ import annotations

import math

import pytest

from calc.figure import registry
from calc.memory_wall.figures.bar import filled
from calc.quantities.units import plain
from calc.serving.figures.setting import FITTED
from tests.calc.figure.asking import of

answer, number = of("serving")


def drawn(**inputs):
    return answer("racks", **inputs).tables


def test_bars_are_the_numbers_of_the_page_each_on_top_of_the_one_above():
    bars = drawn()["bars"]
    ends = bars["end"][1::2]
    page = [number("questions", "flight"), number("questions", "peak_flight"), number("ladder", "room")]
    assert [round(each) for each in ends] == [round(each) for each in page]
    assert bars["start"] == pytest.approx([0, 0, 0, ends[0], 0, ends[1]])
    assert bars["end"][::2] == pytest.approx([0, *ends[:2]])
    assert ends[2] == pytest.approx(ends[1] + 3 * math.sqrt(ends[1]))
    shown = {name: answer("racks").values[name].text for name in ("flight", "busy", "need")}
    assert list(shown.values()) == ["2,808 requests", "4,324 requests", "4,521 requests"]


def test_rules_stand_at_the_room_of_one_and_two_racks_at_the_slow_end_and_of_one_as_forecast():
    found = drawn()
    assert found["racks"]["flight"] == [number("ladder", "late_room"), 2 * number("ladder", "late_room")]
    assert found["hope"]["flight"] == [number("ladder", "promised_room")]
    assert answer("racks").finding == (
        "4,521 requests in flight at the peak need 2 racks of GB200 for DeepSeek-V3 at the slow end, "
        "1 if steps last as forecast"
    )
    assert answer("racks").values["racks"].number == pytest.approx(number("questions", "sized"), rel=1e-3)


def test_racks_bear_the_step_and_the_peak_that_the_page_names_and_no_more():
    for mine, its, given in (("most_over", "median_two", "over"), ("most_peak", "two_peak", "peak")):
        most = number("racks", mine)
        assert most == pytest.approx(number("ladder", its), rel=1e-3)
        assert len(drawn(**{given: 0.99 * most})["racks"]["flight"]) == 2
        assert len(drawn(**{given: 1.01 * most})["racks"]["flight"]) == 3


def test_a_slower_promise_or_a_step_as_forecast_spares_a_rack_and_a_steeper_day_takes_one_more():
    slower = number("moved", "alone")
    for count, inputs in (
        (1, {"over": 1}),
        (1, {"promise": slower}),
        (2, {"promise": slower + 1}),
        (3, {"peak": 2.19}),
    ):
        assert len(drawn(**inputs)["racks"]["flight"]) == count, inputs
    assert drawn(over=1)["hope"]["flight"] == [], "it is the plan's own"
    assert drawn(promise=slower)["hope"]["flight"] == [], "it takes as many"


def test_of_many_racks_the_last_alone_has_a_rule_and_of_some_the_first_and_last_a_name():
    some, many = drawn(traffic=300)["racks"], drawn(traffic=5000)["racks"]
    assert [bool(said) for said in some["said"]] == [True, False, False, True]
    assert len(many["flight"]) == 1
    assert many["flight"][0] % number("ladder", "late_room") == 0
    assert many["said"][0].endswith(plain(many["flight"][0], 9))


def test_a_promise_that_no_chip_keeps_with_a_sequence_is_refused_with_its_reason():
    found = answer("racks", promise=75)
    assert found.finding == "At the slow end, no number of racks of GB200 keeps 75 tokens/s for DeepSeek-V3"
    (why,) = found.notes
    assert "14.6 ms, and 75 tokens/s allow 13.3 ms" in why
    assert "racks" not in found.values
    assert found.tables["racks"]["flight"] == []
    assert found.tables["hope"]["flight"] == [3888], "and as forecast three do"


def test_the_chart_has_its_data_and_names_in_both_sizes():
    pytest.importorskip("altair", reason="a browser draws without it")
    from web import charts

    figure = registry.find("serving/racks")
    found = figure.answer()
    assert charts.fields_missing(figure, found) == []
    for size in (charts.WIDE, charts.NARROW):
        svg = charts.svg(figure, found, size, "a")
        for said in ("even flow: 2,808", "1 rack", "2 racks", "4,896", "1 rack as forecast: 5,328"):
            assert said in svg


def test_starts_as_slow_as_timed_alone_take_five_racks_by_hand_and_by_lecture_4():
    """Kernels count 4.884 us for each of 116 starts of 25.6 us; 15.26 - 11.16 - 2.40 ms are 14 times 118.3 us."""
    more = 116 * (25.6e-6 - 4.884e-6)
    assert number("starts", "more") == pytest.approx(more, rel=1e-3)
    fixed, each, need = (number("ladder", name) for name in ("fixed", "each", "room"))
    late = math.floor((0.02 / FITTED.high_80 - fixed - more) / each)
    assert late == 14
    assert math.ceil(need / (72 * late)) == 5
    assert math.ceil(need / (72 * math.floor((0.02 - fixed - more) / each))) == 2, "if all else is as forecast"
    rack = number("questions", "alike_budget") - number("questions", "alike")
    assert number("starts", "cost") == pytest.approx(number("questions", "alike") + 3 * rack)
    once = math.floor(((0.02 - more) / FITTED.high_80 - fixed) / each)
    assert (once, math.ceil(need / (72 * once))) == (19, 4), "if starts take just what was timed"
    assert number("starts", "once") == pytest.approx(number("questions", "alike") + 2 * rack)
    assert [filled(50, context, "fp8", more)[-1].users for context in (4596, 100_000)] == [14, 1], "as lecture 4 plans"


def test_attention_in_bf16_takes_a_third_rack_at_the_slow_end_and_none_more_as_forecast():
    hoped, late = (row.users for row in filled(50, 4596, "bf16", 0)[2:])
    need = number("ladder", "room")
    assert (math.ceil(need / (72 * late)), math.ceil(need / (72 * hoped))) == (3, 1)
