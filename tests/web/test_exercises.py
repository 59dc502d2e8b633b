"""The forms of an exercise: what a fence may ask for, and what the page is told about the right answer."""

from __future__ import annotations

import html
import json
import re

import pytest

from calc.figure.declared import Value
from calc.figure.slips import Slip
from calc.quantities import parsing
from calc.quantities.errors import CalcError
from web import exercises


def asked(page_html: str) -> list[dict]:
    usual = {"within": 1.02, "estimate": False, "dollars": False}
    told = (json.loads(html.unescape(each)) for each in re.findall(r"data-asked='([^']*)'", page_html))
    return [usual | each for each in told]


def test_an_answer_fence_becomes_a_form_for_each_of_its_lines(page):
    made, known = page("# A\n\n```answer\nexercise.floor | Floor of a step\nexercise.qwen_balanced | within 2\n```\n")
    assert known.mistakes == []
    assert re.findall(r"<label[^>]*>(.*?)</label>", made) == ["Floor of a step", "Balanced batch"]
    floor, guess = asked(made)
    assert (floor["estimate"], guess["estimate"], guess["within"]) == (False, True, 2)
    assert parsing.parse(floor["text"], "s") == pytest.approx(floor["value"], rel=0.01)


def test_every_field_has_its_label_and_a_place_that_speaks(page):
    made, _ = page("```answer\nexercise.floor\nexercise.drain\n```")
    assert (
        len(re.findall(r'<label>[^<]+</label><input [^>]+><button [^>]+>Check</button><p class="rl-said"></p>', made))
        == 2
    )


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("exercise.nothing", "value must be one of"),
        ("exercise.floor | a | b", "within a factor"),
        ("exercise.floor | within half", "could not convert"),
        ("nowhere.floor", "figure must be"),
    ],
)
def test_a_wrong_line_is_told_with_its_place(page, line, complaint):
    _, known = page(f"# A\n\n```answer\n{line}\n```\n")
    assert len(known.mistakes) == 1
    assert known.mistakes[0].startswith("lectures/")
    assert complaint in known.mistakes[0]


@pytest.mark.parametrize("number", [0.0, -1.0, float("inf"), float("nan")])
def test_only_an_answer_above_nothing_can_be_compared(number):
    with pytest.raises(CalcError):
        exercises.form(exercises.Line("a.b"), Value(number, "s"))


@pytest.mark.parametrize(("number", "within"), [(8.0, 1 + 1e-9), (7.68, 1.02), (5556.0, 1.02), (138.0, 1 + 1e-9)])
def test_a_small_count_is_right_or_wrong(number, within):
    (told,) = asked(exercises.form(exercises.Line("a.b"), Value(number, "", "It")))
    assert told["within"] == pytest.approx(within)


def test_a_form_travels_with_what_is_not_as_usual_and_six_digits_where_they_are_enough():
    (alone,) = re.findall(r"data-asked='([^']*)'", exercises.form(exercises.Line("a.b"), Value(1 / 3, "s", "It's")))
    assert json.loads(html.unescape(alone))["value"] == 0.333333
    assert not {"within", "estimate", "dollars"} & json.loads(html.unescape(alone)).keys()


def test_a_narrow_bound_asks_for_no_guess():
    (told,) = asked(exercises.form(exercises.Line("a.b", "It", 1.004), Value(138, "", "It")))
    assert (told["within"], told["estimate"]) == (1.004, False)


def test_a_factor_travels_with_the_digits_that_tell_slips_apart():
    slips = asked(exercises.form(exercises.Line("a.b"), Value(0.02, "s", "It", slips=(Slip(1 / 3, "A third."),))))
    assert slips[0]["slips"][0] == ["A third.", 0.33333]


def test_the_slips_of_the_value_travel_before_those_of_its_unit():
    own = Slip(3.0, "Threefold.")
    (told,) = asked(exercises.form(exercises.Line("a.b"), Value(0.02, "s", "It", slips=(own,))))
    assert told["slips"][0] == ["Threefold.", 3.0]
    assert len({sentence for sentence, *_ in told["slips"]}) == len(told["slips"]) > 1
    assert told["written"] == parsing.written("s")


@pytest.mark.parametrize("unit", ["s", "B", "FLOP", "%", "$", "$/Mtok", "x", "", "tokens"])
@pytest.mark.parametrize("over", [0.4, 0.6, 1, 1.9, 2.1])
def test_what_a_field_suggests_is_far_from_the_answer(unit, over):
    answer = over * parsing.parse(exercises.example(unit), unit)
    made = exercises.form(exercises.Line("a.b", "It", 1.5), Value(answer, unit, "It"))
    (suggested,) = re.findall(r'placeholder="e.g. ([^"]*)"', made)
    assert not 0.55 < parsing.parse(html.unescape(suggested), unit) / answer < 1.8


def test_what_a_field_suggests_can_be_read():
    counted = ("tokens", "sequences", "S-boxes", "passes", "days")
    for unit in ("s", "B", "B/s", "FLOP", "%", "$", "$/Mtok", "x", "", *counted):
        assert parsing.parse(exercises.example(unit), unit) > 0
