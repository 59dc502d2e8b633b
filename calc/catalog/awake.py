"""How many experts of a layer were awake in served models, and how long the layer took.

`measurements/awake.csv` has what the authors of a paper print, tables 3, 4, 5 and 10, read in a copy of its text: means
over all layers and decode steps of a run on SGLang, at most 16 answers to the questions of one task at a time. Weights
are taken to be BF16, which the paper says of the smaller model alone. `chosen` experts a token brings with it; the
ordinary model brings eight, and where it brings fewer, it may use others that are awake already.
`measurements/awake-models.csv` has the shapes that the paper gives, and the H100 over which each expert is cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calc.catalog.measurement import read, text

AWAKE_SOURCE = "oncescu-awake"
MOST_AT_ONCE = 16


@dataclass(frozen=True, kw_only=True, slots=True)
class AwakeCount:
    """A model at a task, experts that each token brings, and the means of experts awake and of a layer's time."""

    model: str
    task: str
    chosen: int
    awake: float
    microseconds: float


@dataclass(frozen=True, kw_only=True, slots=True)
class AwakeModel:
    """The shape of a model's experts: three matrices each, cut over so many chips."""

    id: str
    name: str
    d_model: int
    d_ff_expert: int
    experts: int
    active_experts: int
    chips: int


@cache
def awake_counts() -> tuple[AwakeCount, ...]:
    """Every mean, in the order of the file.

    >>> awake_counts()[5]
    AwakeCount(model='qwen3-30b-a3b', task='AIME 24', chosen=8, awake=43.0, microseconds=158.0)
    """
    return tuple(read(AwakeCount, text("awake.csv")))


@cache
def awake_models() -> dict[str, AwakeModel]:
    """The two models, by id.

    >>> awake_models()["qwen3-235b-a22b"].chips
    8
    """
    return {row.id: row for row in read(AwakeModel, text("awake-models.csv"))}
