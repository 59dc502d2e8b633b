"""Steps on a desk beside what they must read: weights that every token uses, experts that are awake, and caches.

Experts are taken to be chosen evenly, as in (5) of lecture 1. Unevenly chosen, fewer are awake, so for a mixture this
is a bound only if they are. A run that is faster refutes that, and says how many experts can have been awake.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from calc import batching, catalog
from calc.catalog.desk import DeskModel, DeskRun, desk_runs
from calc.step.woken import touched_share
from calc.world.starts import GIB

MACHINES = {"dgx-spark": "DGX Spark", "m2-ultra": "M2 Ultra"}
SHARED_WEIGHT_BYTES = 34 / 32  # a block of 32 weights of eight bits and its scale
BIAS_BYTES = 4
CACHE_BYTES = 2  # a number of the cache, as llama.cpp keeps it by default


def user_cache_bytes(model: DeskModel, context: float) -> float:
    """Bytes of one user's cache; some layers keep only a window.

    >>> user_cache_bytes(desk_runs()[-1].file, 1)
    57344.0
    """
    kept = (model.layers - model.windowed_layers) * context + model.windowed_layers * min(context, model.window)
    return float(kept * model.kept * CACHE_BYTES)


@dataclass(frozen=True)
class DeskStep:
    """A run beside the bytes of its step."""

    row: DeskRun

    @property
    def model(self) -> DeskModel:
        """The file that was read."""
        return self.row.file

    @property
    def machine(self) -> str:
        """The machine, as people call it."""
        return MACHINES[self.row.machine]

    @property
    def bandwidth(self) -> float:
        """Bytes a second of the machine's memory, as published."""
        return catalog.datum(f"{self.row.machine}-bandwidth").value

    @property
    def expert_bytes(self) -> float:
        """Bytes of all routed experts."""
        model = self.model
        weights = 3 * model.d_model * model.d_ff_expert * model.weight_bytes
        return model.layers * model.experts * (weights + BIAS_BYTES * model.expert_biases)

    @property
    def shared_bytes(self) -> float:
        """Bytes of what every token uses: the file without experts, and without the table of input embeddings."""
        looked_up = self.model.vocabulary * self.model.d_model * SHARED_WEIGHT_BYTES
        return self.model.file_gib * GIB - self.expert_bytes - looked_up

    @property
    def cache_bytes(self) -> float:
        """Bytes of the caches of all sequences."""
        return self.row.batch * user_cache_bytes(self.model, self.row.context)

    @property
    def even_share(self) -> float:
        """Share of the experts that the batch wakes if tokens choose them evenly; none of a dense model."""
        if not self.model.experts:
            return 0.0
        return float(touched_share(self.row.batch, self.model.experts, self.model.active_experts))

    def read_seconds(self, awake: float) -> float:
        """Seconds to read it all once at the published rate, with such a share of the experts."""
        read = self.shared_bytes + awake * self.expert_bytes + self.cache_bytes
        return float(batching.read_seconds(read, self.bandwidth))

    @property
    def bound(self) -> float:
        """Seconds to read it all with experts that are chosen evenly."""
        return self.read_seconds(self.even_share)

    @property
    def over(self) -> float:
        """As timed, over that."""
        return self.row.step_seconds / self.bound

    @property
    def over_least(self) -> float:
        """As timed, over reading with no more experts than a single token chooses: whatever tokens choose, no less."""
        share = self.model.active_experts / self.model.experts if self.model.experts else 0.0
        return self.row.step_seconds / self.read_seconds(share)

    @property
    def most_awake(self) -> float:
        """Share of the experts that the memory could have brought in the time of the step; of a mixture."""
        left = self.row.step_seconds * self.bandwidth - self.shared_bytes - self.cache_bytes
        return left / self.expert_bytes


@cache
def desk_steps() -> tuple[DeskStep, ...]:
    """Every run.

    >>> len(desk_steps())
    144
    """
    return tuple(map(DeskStep, desk_runs()))


def sweep(machine: str, model: str, prompt: int = 512) -> tuple[DeskStep, ...]:
    """A model on a machine from one sequence to many, at one length of prompt.

    >>> [step.row.batch for step in sweep("dgx-spark", "gpt-oss-120b")]
    [1, 2, 4, 8, 16, 32]
    """
    found = (machine, model, prompt)
    return tuple(each for each in desk_steps() if (each.row.machine, each.row.model, each.row.prompt) == found)


def times_as_long(steps: Iterable[DeskStep], batch: int) -> float:
    """As long with so many sequences as with one."""
    by_batch = {each.row.batch: each.row.step_seconds for each in steps}
    return by_batch[batch] / by_batch[1]


def faster_than_even() -> tuple[DeskStep, ...]:
    """Runs below the bound of evenly chosen experts."""
    return tuple(each for each in desk_steps() if each.over < 1)
