"""Where a time goes: each stage ends at a moment, and lasts from the moment when the one before it was over."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

Moments = Mapping[str, float]  # in milliseconds, by what had happened then; what did not happen has none
VISIT = {
    "read": "page",
    "begun": "worker",
    "came": "fetch",
    "compiled": "compile",
    "started": "Python",
    "imported": "imports",
    "shown": "figures",
}
EDIT = {"run": "form", "answered": "calculation", "shown": "chart and numbers"}
START = "asked"


def lengths(moments: Moments, names: Mapping[str, str]) -> dict[str, float]:
    """Milliseconds that each stage adds; one that was over before an earlier one was adds none, nor one that was not.

    >>> lengths({"asked": 100, "run": 101, "answered": 104, "shown": 110}, EDIT)
    {'form': 1, 'calculation': 3, 'chart and numbers': 6}
    >>> lengths({"asked": 0, "run": 5, "answered": 4, "shown": 9}, EDIT)
    {'form': 5, 'calculation': 0, 'chart and numbers': 4}
    """
    found, until = {}, moments[START]
    for moment, name in names.items():
        over = moments.get(moment)
        found[name] = 0 if over is None else max(0, over - until)
        until += found[name]
    return found


def total(moments: Moments) -> float:
    """Milliseconds from the question to the answer."""
    return moments["shown"] - moments[START]


def typical(runs: Sequence[Moments], names: Mapping[str, str], digits: int, unit: str) -> str:
    """The stages of the run whose total is the median of all: they add up to it.

    >>> typical([{"asked": 0, "run": 1, "answered": 3, "shown": 3.5}], EDIT, 1, "ms")
    'form 1.0, calculation 2.0, chart and numbers 0.5 ms'
    """
    middle = sorted(runs, key=total)[(len(runs) - 1) // 2]
    scale = 1000 if unit == "s" else 1
    return f"{', '.join(f'{name} {time / scale:.{digits}f}' for name, time in lengths(middle, names).items())} {unit}"


def median(runs: Sequence[Moments]) -> float:
    """The median of the totals, in milliseconds."""
    return statistics.median(map(total, runs))
