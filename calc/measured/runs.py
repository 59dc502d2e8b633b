"""The clean measurements as columns, with what is computed for each.

In a browser they lie beside this module as `runs.json`, which the build makes; elsewhere they are computed.
"""

from __future__ import annotations

import json
import os.path
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
FILE = os.path.join(os.path.dirname(__file__), "runs.json")  # noqa: PTH118, PTH120  (as in catalog/tables.py)


@dataclass(frozen=True, eq=False)
class Runs:
    """Columns of one length, from the fewest sequences in flight to the most. Times are in seconds.

    `bound` and `serial` are of the step that was measured; `forecast` is by constants that do not know its
    configuration. `release` is an engine with its version.
    """

    id: tuple[str, ...]
    model: tuple[str, ...]
    system: tuple[str, ...]
    engine: tuple[str, ...]
    precision: tuple[str, ...]
    mode: tuple[str, ...]
    release: tuple[str, ...]
    date: tuple[str, ...]
    chips: Array
    tensor: Array
    attention_groups: Array
    in_flight: Array
    context: Array
    measured: Array
    bound: Array
    serial: Array
    forecast: Array

    def are(self, column: str, value: str) -> NDArray[np.bool_]:
        """The runs of which a column of words says this."""
        found: NDArray[np.bool_] = self._words[column] == value
        return found

    @cached_property
    def _words(self) -> dict[str, Any]:
        """Columns of words that are asked often, as arrays: half of a figure's time is to make them."""
        words = {name: np.array(getattr(self, name)) for name in ("model", "system", "mode")}
        return words | {"precision": np.array([name or "bf16" for name in self.precision])}

    @cached_property
    def over_bound(self) -> Array:
        """Measured over the bound."""
        return self.measured / self.bound

    @cached_property
    def over_forecast(self) -> Array:
        """Measured over the forecast."""
        return self.measured / self.forecast


@cache
def runs() -> Runs:
    """Every clean measurement.

    >>> found = runs()
    >>> len(found.id) == count(), bool(np.all(found.over_bound > 1)), bool(np.all(np.diff(found.in_flight) >= 0))
    (True, True, True)
    """
    kept = _kept()
    columns = kept or import_module("calc.world.against").table()  # by name: what computes them need not travel
    numbers = {name for name, kind in Runs.__annotations__.items() if kind == "Array"}
    made: dict[str, Any] = {
        name: np.array(cells, dtype=float) if name in numbers else tuple(cells) for name, cells in columns.items()
    }
    return Runs(**made)


@cache
def count() -> int:
    """How many there are."""
    kept = _kept()
    return len(kept["id"] if kept else import_module("calc.catalog.measurement").clean_measurements())


@cache
def _kept() -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(__spec__.loader.get_data(FILE))  # type: ignore[union-attr]
    except OSError:
        return {}
    return found
