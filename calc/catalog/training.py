"""Measurements of training: steps of a maker's own benchmarks, and whole runs as their makers report them.

`measurements/training-steps.csv` comes from the source `megatron-bridge-performance` (Apache-2.0), by
`calc.world.training_table`. `measurements/training-runs.csv` was gathered by hand, run by run, each with its source.
Nothing is fitted to either.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calc.catalog.measurement import read, text

STEPS_SOURCE = "megatron-bridge-performance"


@dataclass(frozen=True, kw_only=True, slots=True)
class TrainingStep:
    """One benchmark of pre-training: where it ran, how it was laid out, how fast a chip learned.

    `named` is the model as the source calls it and `model` its row in the catalogue, if it has one. `format` is the one
    of most products and `recipe` the source's word for it. A step takes `sequences` in all, `micro_batch` of them at a
    time. `interleaved` are the pieces of the model that each stage holds. `predicted` are the layers that guess further
    tokens and are trained beside the others. `chip_flops` are operations a second as the source counts them.
    """

    release: str
    named: str
    model: str
    system: str
    chips: int
    format: str
    recipe: str
    sequences: int
    micro_batch: int
    sequence: int
    sharded: int
    tensor: int
    pipeline: int
    context: int
    interleaved: int
    experts: int
    predicted: int
    chip_tokens_per_second: float
    chip_flops: float

    @property
    def copies(self) -> float:
        """Copies of the model that learn from different sequences."""
        return self.chips / (self.tensor * self.pipeline * self.context)

    @property
    def micro_batches(self) -> float:
        """Micro-batches that a copy takes in a step."""
        return self.sequences / self.copies / self.micro_batch

    @property
    def token_flops(self) -> float:
        """Operations for each token, as the source counts them."""
        return self.chip_flops / self.chip_tokens_per_second

    @property
    def deployed(self) -> tuple[str, str, int, int]:
        """Model, system, chips and length of sequences: the same in runs that are worth comparing."""
        return (self.named, self.system, self.chips, self.sequence)


@cache
def training_steps() -> tuple[TrainingStep, ...]:
    """Every benchmark of pre-training, in the order of the file.

    >>> of = [row for row in training_steps() if row.named == "Llama 3.1 405B" and row.system == "gb300-nvl72"]
    >>> of[-1].release, of[-1].recipe, of[-1].chip_tokens_per_second, of[-1].copies, of[-1].micro_batches
    ('26.06', 'MXFP8', 952.0, 8.0, 192.0)
    """
    return tuple(read(TrainingStep, text("training-steps.csv")))


@dataclass(frozen=True, kw_only=True, slots=True)
class TrainingRun:
    """A run as its makers report it: active parameters, tokens, and hours of chips.

    `hours_from` says whether the hours are reported, or follow from chips and days. `covers` is training where the
    report does not limit its hours to pre-training. `chip` multiplies as fast as the one that was used.
    """

    name: str
    active_params: float
    tokens: float
    chip: str
    chip_hours: float
    hours_from: str
    covers: str
    year: int
    source: str


@cache
def training_runs() -> tuple[TrainingRun, ...]:
    """Every reported run, in the order of the file.

    >>> training_runs()[0].name, training_runs()[0].chip_hours
    ('LLaMA 7B', 82432.0)
    """
    return tuple(read(TrainingRun, text("training-runs.csv")))
