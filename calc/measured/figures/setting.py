"""Inputs and marks that the figures of runs share."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from calc.figure import look
from calc.figure.guides import HALO
from calc.figure.inputs import Choice, Number
from calc.measured.groups import BY, Group, groups, labels
from calc.measured.runs import Array, count, runs
from calc.quantities.units import plain, show
from calc.step.room import why_not
from calc.step.step import Step

SOURCE = "aiconfigurator-silicon"
GROUPED = Choice(
    name="by",
    label="Coloured by",
    default="chips",
    options=BY,
    help="What the runs are told apart by.",
)
RUN = Number(
    name="run",
    label="Run",
    default=0,
    low=0,
    high=count(),
    whole=True,
    help="Point at a mark to name it, or step through all, from one sequence in flight to the most; 0 is the nearest.",
)
ASSUMPTIONS = (
    "Runs without speculative drafts, with the load of one replica, most of it in flight by Little's law.",
    "Experts are chosen evenly; formats of parts that the source does not name are those of the published weights.",
)


def rounded(values: Any) -> Array:
    """Numbers as a chart can tell them apart: an array, which travels faster than a list."""
    return np.array([float(f"{value:.4g}") for value in values])


@cache
def spread(by: str, of: str) -> tuple[list[str], list[Group]]:
    """The group of every run, and of each group the spread of a ratio: `over_bound` or `over_forecast`."""
    names = labels(runs(), by)
    return names, groups(names, getattr(runs(), of))


def chosen(run: float, nearest: int) -> int:
    """The place of the run that the reader points at, or of the nearest."""
    return int(run) - 1 if run else nearest


def laid_out(step: Step, chips: float) -> list[str]:
    """Sentences on a step that has no room, on chips that its layout leaves idle, and on several domains."""
    setting, used = step.setting, float(np.max(step.setting.layout.chips))
    found = [why_not(step)]
    if used < chips:
        found.append(f"An expert lies whole on a chip: of {plain(chips, 4)} chips {plain(used, 4)} are used.")
    if used > setting.machine.domain_chips:
        found.append("A copy over several domains is nearly untested: its few runs took longer than their band.")
    return [sentence for sentence in found if sentence]


def ring(alt: Any, x: Any, y: Any, words: Any = None) -> Any:
    """The run that is named, from the table `picked`: a ring, and what ran, below it or at the height `words`."""
    base = alt.Chart(alt.NamedData("picked")).encode(x=x, y=y)
    said, below = (base, 13) if words is None else (base.encode(y=words), 0)
    text = {"align": alt.expr("datum.side"), "dx": alt.expr("datum.side == 'left' ? 11 : -11"), "fontSize": 12}
    return (
        base.mark_point(filled=False, size=190, stroke=look.INK, strokeWidth=2, opacity=1)
        + said.mark_text(**text, dy=below, **HALO).encode(text="label:N")
        + said.mark_text(**text, dy=below, color=look.INK).encode(text="label:N")
    )


def picked(x: float, y: float, label: str, middle: float) -> dict[str, list[Any]]:
    """The table of a ring, its words on the side that has room."""
    return {"x": [x], "y": [y], "label": [label], "side": ["left" if x < middle else "right"]}


NONE: dict[str, list[Any]] = {"x": [], "y": [], "label": [], "side": []}  # that table without a ring


def middle(values: Any) -> float:
    """The median; numpy's own imports a room that no other page needs."""
    return float(np.quantile(values, 0.5))


def percent(share: float) -> str:
    """A share as people say it."""
    return show(share, "%", 2)
