"""Runs by what they have in common, and how far such groups are from what is computed for them."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from calc import catalog
from calc.measured.runs import Array, Runs

BY = MappingProxyType(
    {
        "chips": "number of chips",
        "model": "model",
        "kind": "dense model or mixture of experts",
        "system": "system",
        "engine": "engine",
        "precision": "format of the weights",
        "batch": "sequences in flight",
        "year": "year",
    }
)
SIZES = ((1, "1 chip"), (4, "2 or 4 chips"), (np.inf, "8 chips or more"))
LOADS = ((8, "up to 8"), (64, "9 to 64"), (512, "65 to 512"), (np.inf, "more than 512"))
ENGINES = MappingProxyType({"trtllm": "TensorRT-LLM", "sglang": "SGLang", "vllm": "vLLM"})


@dataclass(frozen=True)
class Group:
    """A group of runs and the spread of a ratio over them: quantiles at 10, 50 and 90 %."""

    name: str
    count: int
    low: float
    middle: float
    high: float


def labels(runs: Runs, by: str) -> list[str]:
    """The group of every run, as readers call it.

    >>> from calc.measured.runs import runs
    >>> sorted(set(labels(runs(), "engine")))
    ['SGLang', 'TensorRT-LLM', 'vLLM']
    """
    if by == "chips":
        return [_class(each, SIZES) for each in runs.chips]
    if by == "batch":
        return [_class(each, LOADS) for each in runs.in_flight]
    if by == "year":
        return [date[:4] if date[0].isdigit() else "not recorded" for date in runs.date]
    if by == "engine":
        return [ENGINES[name] for name in runs.engine]
    if by == "precision":
        return [(name or "bf16").upper() for name in runs.precision]
    if by == "system":
        return [catalog.system(name).name for name in runs.system]
    if by == "kind":
        return ["dense" if catalog.model(name).dense else "mixture of experts" for name in runs.model]
    return [catalog.model(name).name for name in runs.model]


def groups(names: list[str], ratio: Array) -> list[Group]:
    """The groups by their names, each with its spread, from the lowest middle to the highest."""
    of = np.array(names)
    found = []
    for name in dict.fromkeys(names):
        its = ratio[of == name]
        low, middle, high = (float(edge) for edge in np.quantile(its, [0.1, 0.5, 0.9]))
        found.append(Group(name, its.size, low, middle, high))
    return sorted(found, key=lambda group: group.middle)


def _class(value: float, classes: tuple[tuple[float, str], ...]) -> str:
    return next(name for most, name in classes if value <= most)
