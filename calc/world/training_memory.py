"""The most memory that a chip held in training, beside what lecture 7 counts for the same layout.

A chip holds its part of the state, the layers that it has gathered whole, states and records that wait for the way
back, and logits. Slicing chips share all but the state evenly. A stage of a pipeline keeps its weights whole, in two
bytes, and sums their gradients in four; the first has every micro-batch in flight, the last has one and its logits.
Nothing is fitted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from calc import catalog
from calc.catalog.training import TrainingMemory, training_memories
from calc.overtraining import training_run
from calc.quantities.check import Quantity
from calc.reversible import activation_memory, memory_budget

GIB = 2**30
STAGE_BYTES = 2 + 4
"""Bytes of a parameter on its stage: the weight, and the sum of its gradient over micro-batches."""


@dataclass(frozen=True)
class TrainingPeak:
    """A run beside what is counted for it, in GiB on the chip that holds most."""

    row: TrainingMemory

    @property
    def printed(self) -> float:
        """As the trainer printed it."""
        return self.row.gib

    @property
    def state(self) -> float:
        """Weights, gradients and optimiser, shared by all chips."""
        return self.params * self.row.state_bytes / self.row.chips / GIB

    @property
    def gathered(self) -> float:
        """Layers that are whole on the chip: the one in use and the next, or those of a stage; none on a lone chip."""
        row = self.row
        if row.chips == 1:
            return 0.0
        if row.stages > 1:
            return STAGE_BYTES * self.params / row.stages / row.tensor / GIB
        return float(memory_budget.gathered_bytes(self.params, self.layers)) / row.tensor / GIB

    def activations(self, in_flight: int) -> float:
        """Whatever waits for the way back, and the record of the layer in use, of so many micro-batches."""
        row, width = self.row, self.model.known("d_model")
        record = self._record(training_run.gated_record_bytes)
        waiting = {
            "every": record,
            "fused": record - training_run.STATE_BYTES * row.tokens * self.model.known("d_ff_dense"),
            "selective": self._record(training_run.halved_record_bytes),
            "states": activation_memory.state_bytes(row.tokens, width),
        }[row.kept]
        again = record - waiting if row.kept == "selective" else record if row.kept == "states" else 0.0
        return float(self.layers / row.stages * in_flight * waiting + again) / row.tensor / GIB

    @property
    def logits(self) -> float:
        """Logits of one micro-batch."""
        held = training_run.logit_bytes(self.row.tokens, self.model.known("vocabulary"), self.row.loss)
        return float(held) / self.row.tensor / GIB

    @property
    def plain(self) -> float:
        """Counted without logits, on the first stage."""
        return self.state + self.gathered + self.activations(self.row.in_flight)

    @property
    def counted(self) -> float:
        """Counted with logits, which the last stage has: the fuller of the two."""
        return max(self.plain, self.state + self.gathered + self.activations(1) + self.logits)

    @property
    def over_plain(self) -> float:
        """Printed over counted without logits."""
        return self.printed / self.plain

    @property
    def over(self) -> float:
        """Printed over counted."""
        return self.printed / self.counted

    @property
    def model(self) -> catalog.Model:
        """The model trained."""
        return catalog.model(self.row.model)

    @property
    def params(self) -> float:
        """Its parameters."""
        return self.model.total_params

    @property
    def layers(self) -> float:
        """Its layers."""
        return self.model.known("layers")

    def _record(self, count: Callable[..., Quantity]) -> Quantity:
        model = self.model
        keys_values = 2 * model.known("kv_heads") * model.known("head_dim")
        return count(self.row.tokens, model.known("d_model"), model.known("d_ff_dense"), keys_values)


@cache
def held() -> tuple[TrainingPeak, ...]:
    """Every run on record, in the order of the table."""
    return tuple(TrainingPeak(row) for row in training_memories())


def of(rows: Sequence[TrainingPeak], **fields: object) -> list[TrainingPeak]:
    """Those whose row says all of this."""
    return [each for each in rows if all(getattr(each.row, name) == value for name, value in fields.items())]
