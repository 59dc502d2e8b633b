"""Which runs are nearest to a reader's setting, and how one is named."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calc import catalog
from calc.measured.groups import ENGINES
from calc.measured.runs import Array, Runs
from calc.quantities.units import plain, show

APART = 2.0  # octaves that another system counts for
OTHER = 1.0  # and another format, or prompts read elsewhere


def distances(runs: Runs, *, model: str, system: str, precision: str, chips: float, context: float, mode: str) -> Array:
    """How far runs are from a setting, whatever their batch: octaves of chips and of context, and what differs.

    Runs of another model are endlessly far.
    """
    octaves = np.abs(np.log2(runs.chips / chips)) + np.abs(np.log2(runs.context / context))
    differs = (
        APART * ~runs.are("system", system)
        + OTHER * ~runs.are("precision", precision)
        + OTHER * ~runs.are("mode", mode)
    )
    found: Array = np.where(runs.are("model", model), octaves + differs, np.inf)
    return found


def nearest(distance: Array, count: int) -> NDArray[np.int64]:
    """The places of so many runs, the nearest first, without those that are endlessly far.

    >>> nearest(np.array([3.0, np.inf, 1.0, 2.0]), 2).tolist()
    [2, 3]
    """
    order = np.argsort(distance, kind="stable")[:count]
    found: NDArray[np.int64] = order[np.isfinite(distance[order])]
    return found


def chip_name(system: str) -> str:
    """The chip of a system, as it is called for short.

    >>> chip_name("gb200-nvl72"), chip_name("hgx-h100"), chip_name("rubin-nvl72")
    ('GB200', 'H100', 'Rubin')
    """
    name = catalog.system(system).chip.name
    for words in ("NVIDIA ", "Google "):
        name = name.removeprefix(words)
    return name.partition(" (per ")[0].removesuffix(" SXM")


def where(runs: Runs, at: int) -> str:
    """The model that ran, on how many of which chips, by which engine."""
    name = catalog.model(runs.model[at]).name
    return f"{name} on {plain(runs.chips[at])} × {chip_name(runs.system[at])}, {ENGINES[runs.engine[at]]}"


def told(runs: Runs, at: int) -> str:
    """A run in a sentence: its name in the source, what ran, when, and what it took beside what was computed.

    >>> from calc.measured.runs import runs
    >>> told(runs(), 0).startswith(f"Run 1, {runs().id[0]}: ")
    True
    """
    version = runs.release[at].partition(" ")[2]
    took, bound, expected = (show(of[at], "s") for of in (runs.measured, runs.bound, runs.forecast))
    return (
        f"Run {at + 1:,}, {runs.id[at]}: {where(runs, at)}{f' {version}' if version else ''}, "
        f"{(runs.precision[at] or 'bf16').upper()}, {plain(runs.in_flight[at])} in flight, "
        f"{plain(runs.context[at])} tokens each, {'undated' if runs.date[at] == 'unknown' else runs.date[at]}: "
        f"{took} a token, at least {bound} by the bound, {expected} by the forecast."
    )
