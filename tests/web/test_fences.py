"""What a lecture may write, and what it is told when it writes something else."""

from __future__ import annotations

import re

import pytest

from calc import figures
from web import fences

FIGURE = "```figure\nstep-time\n```"


def test_a_figure_fence_becomes_one_numbered_figure(page):
    html = page(f"# A\n\n{FIGURE}\n")
    assert html.count("<figure ") == 1
    assert 'id="step-time"' in html
    assert "Figure 1.1" in html
    assert fences.PAGE.mistakes == []


def test_the_finding_is_the_one_that_calc_computes(page):
    assert figures.find("batching/step-time").answer().finding in page(FIGURE)


def test_a_value_in_prose_is_the_one_that_calc_computes(page):
    html = page("It takes `#!value step-time.step`.")
    text = figures.find("batching/step-time").answer().values["step"].text
    assert re.search(r'<output class="rl-value" data-value="batching/step-time.step">([^<]+)<', html)[
        1
    ] == text.replace(" ", "\u00a0")


def test_a_quoted_figure_that_is_not_drawn_is_declared(page):
    page("It takes `#!value step-time.step`.")
    assert 'data-figure="batching/step-time"' in fences.PAGE.declarations()
    page(f"{FIGURE}\n\nIt takes `#!value step-time.step`.")
    assert fences.PAGE.declarations() == ""


def test_a_suggestion_links_to_the_figure_with_its_values(page):
    html = page("```figure\nstep-time\ntry: alone | batch=1, context=100k\n```")
    assert 'href="?batch=1&amp;context=100k#step-time">alone</a>' in html


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("# A\n\n```figure\nstep-tme\n```", 4, "did you mean “batching/step-time”?"),
        ("A\n\n`#!value step-time.stpe`", 3, "value must be one of step, compute"),
        ("```figure\nstep-time\ntry: alone | batch=zero\n```", 2, "Batch takes a whole number from 1 to 1,000,000"),
        ("```figure\nstep-time\ntry: alone | btch=1\n```", 2, "no input called “btch”"),
        ("```figure\nstep-time\nalone\n```", 2, "written “try: words | input=value, …”"),
        ("```figure\n```", 1, "figure must be"),
        ("`#!value nowhere/step-time.step`", 1, "figure must be one of batching/…"),
    ],
)
def test_a_mistake_names_file_line_and_mend(page, text, line, sentence):
    page(text)
    (mistake,) = fences.PAGE.mistakes
    assert mistake.startswith(f"lectures/batching/index.md:{line}: ")
    assert sentence in mistake


def test_all_mistakes_of_a_page_are_told_at_once(page):
    page("`#!value step-time.a`\n\n`#!value step-time.b`")
    assert len(fences.PAGE.mistakes) == 2


@pytest.mark.parametrize("fault", ["default", "chart", "table"])
def test_a_broken_declaration_fails_the_page(page, monkeypatch, fault):
    import dataclasses

    import altair as alt

    good = figures.find("batching/step-time")
    bad_batch = dataclasses.replace(good.inputs[-1], default=0)
    broken = {
        "default": dataclasses.replace(good, inputs=(*good.inputs[:-1], bad_batch)),
        "chart": dataclasses.replace(good, chart=lambda: alt.Chart(alt.NamedData("curve")).mark_line(colour=3)),
        "table": dataclasses.replace(good, chart=lambda: alt.Chart(alt.NamedData("curv")).mark_line().encode(x="x:Q")),
    }[fault]
    monkeypatch.setattr(figures, "find", lambda name: broken)
    page(FIGURE)
    (mistake,) = fences.PAGE.mistakes
    expected = {"default": "Batch takes", "chart": "Error", "table": "chart must be drawn from the tables curve, here"}
    assert mistake.startswith("lectures/batching/index.md:2: step-time: ")
    assert expected[fault] in mistake
