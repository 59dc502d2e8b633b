"""How fast rows of stages trained, and what a stage held: the measurements of one paper.

`measurements/pipelines.csv` has what its authors print in tables 4, 7 and 9, read in a copy of the text (4, 10 and 12
of a later version, which agree): four models like GPT-3 on A100, a stage on each, its layers uncut. The first and the
last stage have a layer less, for the embedding and the loss. `zb-1p` and `zb-2p` are schedules that a search found,
with room for as many micro-batches as 1F1B holds and for twice as many; `zb-2p-joined` is the latter with stages that
wait for each other after every step.
`measurements/pipeline-passes.csv` has table 6: how long the passes of a micro-batch take a stage, and a hop, in
milliseconds, timed in runs of zb-2p.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calc.catalog.measurement import read, text

PIPELINES_SOURCE = "zero-bubble-paper"


@dataclass(frozen=True, kw_only=True, slots=True)
class PipelineRun:
    """A model in a row of stages under a schedule: samples a second and chip, and the memory of the fullest chip.

    A step takes `micro_batches` of `micro_batch` samples each. `chunks` are the pieces of the model that a stage holds.
    """

    model: str
    schedule: str
    stages: int
    chunks: int
    micro_batches: int
    micro_batch: int
    samples: float
    gigabytes: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class PassTimes:
    """Milliseconds of a micro-batch on a stage: forward, backward for inputs and for weights; and of a hop."""

    model: str
    stages: int
    micro_batches: int
    forward: float
    backward: float
    weight: float
    hop: float

    @property
    def all(self) -> float:
        """The three passes in one."""
        return self.forward + self.backward + self.weight


@cache
def pipeline_runs() -> tuple[PipelineRun, ...]:
    """Every run, in the order of the file.

    >>> first = pipeline_runs()[0]
    >>> first.model, first.schedule, first.stages, first.micro_batches, first.samples
    ('1.5B', '1f1b', 8, 2, 3.56)
    """
    return tuple(read(PipelineRun, text("pipelines.csv")))


@cache
def pass_times() -> dict[tuple[str, int], PassTimes]:
    """Times by model and micro-batches of a step.

    >>> pass_times()["28.3B", 256].weight
    7.698
    """
    return {(row.model, row.micro_batches): row for row in read(PassTimes, text("pipeline-passes.csv"))}
