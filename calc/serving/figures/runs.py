"""Published measurements of one model on one system, as a frontier draws them: a run is a speed and a rate."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calc.catalog.records import day
from calc.quantities.arithmetic import MILLION
from calc.quantities.units import show
from calc.serving.rates import chip_dollars_per_token

ROOM = "measured"  # where the runs lie; they come when a figure that shows them is asked for


@dataclass(frozen=True, eq=False)
class Measured:
    """The runs of a model on a system, by their places among all; how fast each wrote for a user and a chip."""

    places: NDArray[np.intp]
    user: NDArray[np.float64]
    chip: NDArray[np.float64]
    alike: NDArray[np.bool_]  # of this precision, or of one of these
    over: NDArray[np.float64]  # measured seconds over those forecast for the run's own batch, layout and context
    context: NDArray[np.float64]  # tokens of a sequence, on average

    @property
    def contexts(self) -> list[float]:
        """Contexts of the runs of this precision, each once."""
        return [float(each) for each in np.unique(self.context[self.alike])]

    @property
    def beside_its_own(self) -> float:
        """The middle run of this precision over its own forecast; of any precision where none is of this."""
        kept = self.over[self.alike] if self.alike.any() else self.over
        return middle(kept)

    def faster(self, speed: float) -> int:
        """Runs of this precision in which a user saw more than a speed."""
        return int(np.count_nonzero(self.user[self.alike] > speed))


def middle(many: NDArray[np.float64]) -> float:
    """The middle one; without any, endless."""
    return float(np.quantile(many, 0.5)) if many.size else math.inf  # a median would import numpy.ma


@cache
def measured(model: str, system: str, precisions: tuple[str, ...]) -> Measured:
    """The runs of a model on a system, by whatever engine, layout, precision and context; alike are those of these.

    >>> found = measured("llama-3-70b", "hgx-h200", ("fp8",))
    >>> found.places.size > 100, bool(found.alike.all()), measured("llama-3-70b", "tpu-v5p-pod", ("fp8",)).places.size
    (True, True, 0)
    """
    from calc.measured.runs import runs

    known = runs()
    places = np.flatnonzero(known.are("model", model) & known.are("system", system))
    columns = known.measured, known.in_flight, known.chips, known.over_forecast, known.context
    seconds, flight, chips, over, context = (column[places] for column in columns)
    alike = np.any([known.are("precision", each)[places] for each in precisions], axis=0)
    return Measured(places, 1 / seconds, flight / seconds / chips, alike, over, context)


def nearest(found: Measured, speed: float) -> int:
    """The run whose speed for a user is nearest by ratio, by its place among these; runs of this precision first."""
    away = np.abs(np.log(found.user / speed)) + np.where(found.alike, 0.0, 1e-9)
    return int(np.argmin(away))


def dollars(found: Measured, at: int, price: float) -> float:
    """A million tokens of one run at a rent."""
    return float(MILLION * chip_dollars_per_token(price, found.chip[at]))


def told(found: Measured, at: int, price: float) -> str:
    """One run in words: how long a token took beside its bound and its forecast, and its cost at a rent."""
    from calc.measured.nearest import where
    from calc.measured.runs import runs

    known, place = runs(), found.places[at]
    took, bound, likely = (show(of[place], "s") for of in (known.measured, known.bound, known.forecast))
    dated = "" if known.date[place] == "unknown" else f", {day(dt.date.fromisoformat(known.date[place]))}"
    return (
        f"Of {found.places.size:,} measured runs of this model and system, the nearest in speed took {took} a token, "
        f"at {show(dollars(found, at, price), '$')} a million by your rent. On its own "
        f"batch and layout the bound is {bound} and the forecast {likely}. "
        f"({where(known, place)}, {(known.precision[place] or 'bf16').upper()}{dated}.)"
    )


def setting(found: Measured, at: int) -> dict[str, float]:
    """The batch and context of one run, how it lay on its chips, and its time over its own forecast."""
    from calc.measured.runs import runs

    known, place = runs(), found.places[at]
    columns = {
        "flight": known.in_flight,
        "context": known.context,
        "tensor": known.tensor,
        "groups": known.attention_groups,
        "over": known.over_forecast,
    }
    return {f"run_{name}": float(column[place]) for name, column in columns.items()}


def tables(found: Measured, at: int | None) -> dict[str, dict[str, Any]]:
    """The points, and the one that is told of."""
    ring: dict[str, Any] = {"user": [], "chip": []}
    if at is not None:
        ring = {"user": [found.user[at]], "chip": [found.chip[at]]}
    points = {
        "user": found.user,
        "chip": found.chip,
        "promise": np.array([float(f"{speed:.4g}") for speed in found.user]),
        "alike": found.alike,
    }
    return {"runs": points, "run": ring}


def none() -> Measured:
    """No run at all: of a model of the reader's own."""
    empty: NDArray[np.float64] = np.empty(0)
    return Measured(np.empty(0, np.intp), empty, empty, np.empty(0, np.bool_), empty, empty)
