"""Measurements of training: steps of a maker's own benchmarks, and whole runs as their makers report them.

`measurements/training-steps.csv` comes from the source `megatron-bridge-performance` (Apache-2.0), by
`calc.world.training_table`. `measurements/training-runs.csv` was gathered by hand, run by run, each with its source,
and so was `measurements/training-memory.csv`, from the benchmarks of PyTorch's trainers (BSD 3-Clause). Nothing is
fitted to any of them.
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


@dataclass(frozen=True, kw_only=True, slots=True)
class TrainingMemory:
    """A run of a trainer: how it was laid out, and the most memory that a chip held, in GiB as it is printed.

    `named` says how it differs from its neighbours. `tensor` chips slice each layer, `stages` share the layers, and all
    `chips` share the state of `state_bytes` a parameter. `in_flight` micro-batches of `tokens` are on the first stage
    at once; the slicing chips share each. `kept` are the records that wait for the way back: every one, every one but
    the gate's function (fused), half of the products (selective), or the states alone. `loss` is how it was taken.
    """

    source: str
    named: str
    model: str
    chips: int
    tensor: int
    stages: int
    in_flight: int
    tokens: int
    kept: str
    loss: str
    state_bytes: int
    gib: float


@cache
def training_memories() -> tuple[TrainingMemory, ...]:
    """Every run whose memory is on record, in the order of the file.

    >>> training_memories()[0].model, training_memories()[0].chips, training_memories()[0].gib
    ('llama-3-8b', 8, 82.4)
    """
    return tuple(read(TrainingMemory, text("training-memory.csv")))
