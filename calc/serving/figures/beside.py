"""A second model, system or precision, whose frontier stands beside the reader's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from calc import catalog
from calc.figure import scenario
from calc.figure.inputs import Choice
from calc.quantities.errors import CalcError, DoesNotFit
from calc.quantities.units import show
from calc.serving.figures import lines
from calc.serving.figures.lines import Line, line
from calc.serving.figures.setting import OWN, SYSTEM, chosen, rent_of
from calc.serving.figures.tried import Named

SAME = "same"
FIRST, SECOND = "first", "second"
LEFT, RIGHT = "left", "right"
NAMES = ("model", "system", "precision")


def _second(given: Choice) -> Choice:
    """A choice of another one, or of the same."""
    return Choice(
        name=f"second_{given.name}",
        label=f"Second {given.label.lower()}",
        default=SAME,
        options={SAME: "The same"} | dict(given.options),
        help="Another one draws a second, dashed line, at its own published rent; a system of yours at the rent above.",
    )


INPUTS = tuple(_second(given) for given in (SYSTEM, scenario.MODEL, scenario.PRECISION))


@dataclass(frozen=True)
class Beside:
    """A second frontier, its name by what differs and in full, and a chip's rent; without one, why there is none."""

    name: str
    full: str
    rent: float | None
    found: Line | None
    why: tuple[str, str] = ("", "")
    elsewhere: bool = False  # on another system, so that the rents of both are to be named


def beside(
    first: Named, inputs: Mapping[str, str], texts: tuple[str, str], context: float, grid: str, price: float
) -> Beside | None:
    """The second line that the inputs ask for, if they do; a catalogued system has its published rent.

    >>> first = Named("llama-3-70b", "", "hgx-h100", "fp8")
    >>> same = {"second_model": "same", "second_system": "same", "second_precision": "same"}
    >>> beside(first, same, ("", ""), 4096, "fine", 3.65) is None
    True
    >>> found = beside(first, same | {"second_precision": "bf16"}, ("", ""), 4096, "fine", 3.65)
    >>> found.name, found.full
    ('BF16', 'Llama 3 70B on HGX H100 (8 GPUs) in BF16')
    """
    named, differs = _other(first, inputs, texts)
    if not differs:
        return None
    machine = chosen(named.system, named.machine).machine.name
    model = OWN if named.model == OWN else catalog.model(named.model).name
    words = {"model": model, "system": machine.partition(" (")[0], "precision": named.in_words}
    name = ", ".join(words[each] for each in differs)
    full = f"{'your model' if model == OWN else model} on {machine} in {words['precision']}"
    elsewhere = "system" in differs
    rent = rent_of(named.system) if elsewhere and named.system != OWN else price
    try:
        return Beside(name, full, rent, line(named, context, grid, rent), elsewhere=elsewhere)
    except DoesNotFit:
        return Beside(name, full, rent, None, ("no room", f"No layout that is tried holds {full} at this context."))
    except CalcError as error:
        return Beside(name, full, rent, None, ("no line", f"There is no line of {full}: {error}"))


def parts(
    first: Named, inputs: Mapping[str, str], texts: tuple[str, str], context: float, grid: str
) -> list[Callable[[], object]]:
    """The pieces of the second line, where there is to be one."""
    named, differs = _other(first, inputs, texts)
    return lines.parts(named, context, grid) if differs else []


def _other(first: Named, inputs: Mapping[str, str], texts: tuple[str, str]) -> tuple[Named, list[str]]:
    """The second model, system and precisions, and which of the three are not the first's."""
    asked = {name: inputs[f"second_{name}"] for name in NAMES}
    second = {name: getattr(first, name) if word == SAME else word for name, word in asked.items()}
    differs = [name for name in NAMES if second[name] != getattr(first, name)]
    own, machine = (text if second[name] == OWN else "" for name, text in zip(("model", "system"), texts, strict=True))
    return Named(own=own, machine=machine, **second), differs


def short(second: Beside | None, promise: float) -> str:
    """The second line in the finding."""
    if second is None:
        return ""
    if second.found is None:
        return f"; {second.name}: {second.why[0]}"
    at = second.found.keeping(promise)
    if at is None:
        return f"; {second.name} does not keep it"
    return f"; {second.name}: {_paid(second.found, at)}{rented(second, second.rent)}"


def rented(second: Beside | None, price: float | None) -> str:
    """The rent of either line in the finding, where the second is on another system."""
    return f" at {show(price, '$')} a chip-hour" if second and second.found and second.elsewhere and price else ""


def told(second: Beside | None, promise: float) -> list[str]:
    """The second line in a sentence: its rent, its layout at the promise, and how fast it can be."""
    if second is None:
        return []
    if second.found is None:
        return [second.why[1]]
    found = second.found
    at, fastest = found.keeping(promise), show(found.likely.per_user[-1], "tokens/s")
    rent = "no rent is published" if second.rent is None else f"{show(second.rent, '$')} a chip-hour"
    keeps = f"{fastest} is the fastest" if at is None else f"{found.layout(at)}, {_paid(found, at)}; at most {fastest}"
    return [f"The dashed lines are {second.full}, {rent}. At {show(promise, 'tokens/s')}: {keeps}."]


def _paid(found: Line, at: int) -> str:
    """Dollars for a million tokens, or tokens of a chip where no rent is known."""
    dollars = found.dollars[at]
    return (
        f"{show(found.likely.per_chip[at], 'tokens/s')} a chip"
        if np.isnan(dollars)
        else f"{show(dollars, '$')} a million"
    )


def columns(second: Beside | None, fastest: float) -> tuple[dict[str, Any], dict[str, Any], dict[str, list[Any]]]:
    """Rows of the tables of both frontiers, and the name at the end of the second line.

    The name stands on the side of that end on which the first line, up to its fastest, is not.
    """
    if second is None or second.found is None:
        return {}, {}, {"user": [], "chip": [], "line": [], "free": []}
    likely = second.found.likely
    user, chip = likely.per_user[-1], likely.per_chip[-1]
    ends = {"user": [user], "chip": [chip], "line": [second.name], "free": [LEFT if user < fastest else RIGHT]}
    return *second.found.columns(SECOND, second.full), ends
