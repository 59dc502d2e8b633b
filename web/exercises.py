"""The forms in which readers answer an exercise: an `answer` fence names the values that it asks for.

    ```answer
    exercise.floor
    exercise.balanced | Balanced batch, guessed | within 2
    ```

A line names a value, then what its field is called if not as the value is, and within which factor a guess is good; a
factor below `RIGHT` asks for no guess, but for an answer that near. The page's script says how far off an answer is and
which slip would explain it; without a script the folded answer stays.
"""

from __future__ import annotations

import html
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import jinja2

from calc.figure.declared import Value
from calc.figure.slips import RIGHT, Slip, likely
from calc.quantities import parsing, units
from calc.quantities.errors import CalcError

COUNTED = 200  # a count below it is right or wrong
_EXAMPLES = {  # a number of base units that shows how its kind is written
    "s": 0.02,
    "B": 405e9,
    "B/s": 1.5e12,
    "FLOP": 2e12,
    "FLOP/s": 2e15,
    "%": 0.35,
    "$": 12.5,
}
_FORM = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined).from_string(
    '<form class="rl-answer" data-search-exclude autocomplete="off" novalidate data-asked=\'{{ asked | safe }}\'>'
    "<label>{{ label }}</label>"
    '<input type="text" class="rl-box" placeholder="e.g. {{ example }}">'
    '<button type="submit">Check</button>'
    '<p class="rl-said"></p></form>'
)


@dataclass(frozen=True)
class Line:
    """One line of the fence."""

    value: str
    label: str = ""
    within: float = 0.0


def read(line: str) -> Line:
    """A line as written.

    >>> read("exercise.floor | Floor of a step | within 2")
    Line(value='exercise.floor', label='Floor of a step', within=2.0)
    """
    name, *others = (part.strip() for part in line.split("|"))
    bounds = [part.removeprefix("within ") for part in others if part.startswith("within ")]
    labels = [part for part in others if not part.startswith("within ")]
    if len(bounds) > 1 or len(labels) > 1:
        raise CalcError("line", line, "written “figure.value | what it is called | within a factor”")
    return Line(name, labels[0] if labels else "", float(bounds[0]) if bounds else 0.0)


def form(line: Line, value: Value) -> str:
    """The form that asks for a value; hidden until the page's script can answer."""
    number = float(value.number)
    if not (math.isfinite(number) and number > 0):
        raise CalcError("value", value.number, "an answer above nothing, for answers are compared by a factor")
    exact = 1.0 + 1e-9 if number == math.floor(number) < COUNTED else RIGHT
    within = line.within or exact
    usual = {"within": RIGHT, "estimate": False, "dollars": False}  # so it is where nothing is said (judge.js)
    asked = {
        "value": number if within < RIGHT else float(f"{number:.6g}"),
        "text": value.text,
        "within": within,
        "estimate": line.within > RIGHT,
        "written": parsing.written(value.unit),
        "dollars": value.unit.startswith("$"),
        "slips": _by_sentence(likely(number, value.unit, value.slips)),
    }
    return _FORM.render(
        label=line.label or value.label,
        example=example(value.unit, number),
        asked=_quoted({key: it for key, it in asked.items() if it != usual.get(key)}),
    )


def _by_sentence(slips: Iterable[Slip]) -> list[list[str | float]]:
    """Each sentence once, with the factors that it explains."""
    found: dict[str, list[str | float]] = {}
    for slip in slips:
        found.setdefault(slip.sentence, [slip.sentence]).append(float(f"{slip.factor:.5g}"))
    return [*found.values()]


def _quoted(asked: dict[str, Any]) -> str:
    """A form's JSON, between single quotes: it is full of double ones."""
    plain = html.escape(json.dumps(asked, ensure_ascii=False, separators=(",", ":")), quote=False)
    return plain.replace("'", "&#39;")


def example(unit: str, answer: float = math.inf) -> str:
    """How an answer in this unit may be written, by a number that is far from the right one.

    >>> example("s"), example("%"), example("tokens"), example(""), example("tokens", 1300)
    ('20 ms', '35%', '1,200 tokens', '3.5', '240 tokens')
    """
    number = 3.5 if unit in ("", "x") else _EXAMPLES.get(unit, 0.35 if unit.startswith("$") else 1200)
    return units.show(number / 5 if 0.5 < answer / number < 2 else number, unit)
