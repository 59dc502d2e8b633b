"""One figure as HTML: complete before any script runs, with the hooks by which a script brings it to life."""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import jinja2
from markupsafe import Markup

from calc import catalog
from calc.figure.declared import Answer, Figure
from calc.figure.inputs import Choice, Input, Number, Text
from calc.quantities.units import plain
from web import charts

SLIDER_STEPS = 240
FILE_LINES, MOST_LINES = 7, 12
MOST_ROWS = 35
ORDINALS = {2: "second", 3: "third", 5: "fifth"}

_TEMPLATES = jinja2.Environment(
    loader=jinja2.PackageLoader("web", "."), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
)


def render(figure: Figure, answer: Answer, number: str, suggestions: list[tuple[str, str]], lead: str = "") -> str:
    """The figure element for one answer, numbered as on its page; the input that leads stands above the chart."""
    plain_answer = answer.as_json()
    away = [given for given in figure.inputs if isinstance(given, Text) and given.elsewhere]
    sizes = {"wide": charts.WIDE, "narrow": charts.NARROW} if figure.chart else {}
    drawings = {name: charts.svg(figure, answer, size, f"{figure.slug}-{name[0]}") for name, size in sizes.items()}
    return _TEMPLATES.get_template("figure.html").render(
        name=figure.name,
        slug=figure.slug,
        number=number,
        inputs=[field(given) for given in figure.inputs if given not in away],
        elsewhere={given.goes_with: given.elsewhere for given in away},
        folded=figure.folded,
        lead=lead,
        suggestions=suggestions,
        answer=plain_answer,
        foremost=figure.foremost,
        derived={key: (each, _subscripts(each.equation)) for key, each in answer.derived.items()},
        table=figure.table,
        columns=figure.columns,
        rows=rows(figure, plain_answer),
        sampled=sampled(figure, plain_answer),
        assumptions=figure.assumptions,
        sources=[catalog.source(key) for key in figure.sources],
        drawings={name: (drawing, shape(drawing)) for name, drawing in drawings.items()},
    )


def _subscripts(equation: str) -> Markup:
    """An equation with what stands behind an underscore lowered."""
    return Markup(re.sub(r"_(\w)", r"<sub>\1</sub>", html.escape(equation)))


def shape(drawing: str) -> str:
    """Width over height, by which a browser keeps the place of a drawing that it has not laid out."""
    found = re.search(r'viewBox="0 0 (\S+) (\S+)"', drawing)
    assert found, "A drawing has no viewBox."
    return f"{found[1]} / {found[2]}"


def declaration(figure: Figure, drawn: bool = True) -> str:
    """All that the page's script must know of the figure, as JSON in an attribute.

    Not in a `<script>`: Material's instant navigation puts those in again without their type, and they would be run.
    """
    told: dict[str, Any] = {"name": figure.name, "inputs": [given.declaration() for given in figure.inputs]}
    if figure.pointed:
        told["pointed"] = figure.pointed
    if figure.rests_on:
        told["room"] = figure.rests_on
    if figure.chart and drawn:
        told["vega"] = charts.file(figure)
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    for sign, written in (("&", "&amp;"), ("'", "&#39;"), ("<", "\\u003c")):
        text = text.replace(sign, written)
    return f'<template class="rl-declaration" data-figure="{figure.name}" data-json=\'{text}\'></template>'


def number(text: str, name: str = "") -> str:
    """A number in the prose; one with the name of its value is kept up to date by the page's script."""
    unbroken = html.escape(text).replace(" ", "\u00a0")
    named = f' data-value="{name}"' if name else ""
    return f'<samp class="rl-value"{named}>{unbroken}</samp>'


def field(given: Input) -> dict[str, Any]:
    """An input as the template wants it: the declaration, its help and its first value as text, and its slider."""
    made = given.declaration() | {"help": given.help}
    if isinstance(given, Choice):
        return made | {"unit": "", "first": _first(given)}
    if isinstance(given, Text):
        return made | {"unit": "", "written": given.written, "lines": _lines(given)}
    return made | {"shown": boxed(given.default), "slider": slider(given)}


def _first(given: Choice) -> list[tuple[str, str]]:
    """The options that stand in the page: the chosen one, and the longest, for its width. Its script has the others."""
    longest = max(given.options, key=lambda value: len(given.options[value]))
    return [(value, label) for value, label in given.options.items() if value in (given.default, longest)]


def _lines(given: Text) -> int:
    """Lines of the box of a text: all of a short one."""
    return min(MOST_LINES, given.written.count("\n") + 1) if not given.starts else FILE_LINES


def boxed(value: float, digits: int = 12) -> str:
    """A number as its box shows it: from a billion on with a letter, because no box is wide enough for the zeros."""
    letter, size = next((way for way in (("T", 1e12), ("B", 1e9)) if abs(value) >= way[1]), ("", 1.0))
    return f"{plain(value / size, digits)}{letter}"


def slider(given: Number) -> dict[str, str]:
    """Ends, step and place of the slider: over the decimal logarithm where the quantity is logarithmic."""
    low, high, value = (math.log10(x) if given.log else x for x in (given.low, given.high, given.default))
    step = (high - low) / SLIDER_STEPS
    if given.whole and not given.log:
        step = max(1.0, round(step))
    places = {"low": low, "high": high, "step": step, "value": value}
    return {name: f"{place:.6g}" for name, place in places.items()}


def rows(figure: Figure, answer: dict[str, Any]) -> list[list[str]]:
    """The cells of the data table, as text."""
    if not figure.columns:
        return []
    columns = [answer["tables"][figure.table][key] for key in figure.columns]
    every = list(zip(*columns, strict=True))
    headings = figure.columns.values()
    return [
        [cell_text(cell, heading) for cell, heading in zip(row, headings, strict=True)]
        for row in every[:: stride(columns[0])]
    ]


def sampled(figure: Figure, answer: dict[str, Any]) -> str:
    """Says that rows are left out, where they are."""
    if not figure.columns:
        return ""
    step = stride(answer["tables"][figure.table][next(iter(figure.columns))])
    return f"Every {ORDINALS.get(step, f'{step}th')} row; the data as CSV have all." if step > 1 else ""


def stride(column: Sequence[object]) -> int:
    """From row to row that is shown: a curve of more than 35 points has every second shown, or third.

    It rises all the way, or falls: other columns are lists.

    >>> stride([1.0, 2.0, 3.0]), stride(range(70)), stride(range(71, 0, -1)), stride(70 * [1]), stride(70 * ["a chip"])
    (1, 2, 3, 1, 1)
    """
    numbers = [cell for cell in column if isinstance(cell, int | float) and not isinstance(cell, bool)]
    steps = [other > one for one, other in pairwise(numbers) if other != one]
    curve = len(numbers) == len(column) == len(steps) + 1 and len(set(steps)) < 2
    return max(1, math.ceil(len(column) / MOST_ROWS)) if curve else 1


WHOLE = 5  # digits of a whole number: batches and contexts are powers of two
LETTERED = re.compile("tokens|parameters", re.I)  # headings; of bytes, 6B would be six


def cell_text(cell: object, heading: str = "") -> str:
    """A number to four digits, to five if it is whole, yes or no, text as it is, and a dash for what is not finite.

    >>> cell_text(16384), cell_text(16384.5), cell_text(163840), cell_text(6.7e9, "Parameters")
    ('16,384', '16,380', '163,800', '6.7B')
    """
    if cell is None:
        return "–"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if not isinstance(cell, int | float):
        return str(cell)
    digits = WHOLE if float(cell).is_integer() and abs(cell) < 10**WHOLE else 4
    return boxed(cell, digits) if LETTERED.search(heading) else plain(cell, digits)
