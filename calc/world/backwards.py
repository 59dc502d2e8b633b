"""Training backwards and sending states away, as others measured them, beside equations (1), (2) and (12) of lecture 7.

Nothing is fitted. A readout is multiplied once in every way, so a layer that is evaluated once more costs less than a
third of a step of a small model, whose readout is large.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import cast

from calc import catalog
from calc.catalog.reversed_runs import OffloadedRun, ReversedRun, offloaded_runs, reversed_runs
from calc.reversible import activation_memory, memory_budget

KEPT_STATES = 3
"""States that the first program keeps to run backwards: both halves of the last, and the first."""


@dataclass(frozen=True)
class ForgettingRun:
    """A pair of runs beside its count."""

    row: ReversedRun

    @property
    def longer(self) -> float:
        """Time over that with all records kept, as measured."""
        return self.row.kept_rate / self.row.rate

    @property
    def product(self) -> float:
        """Operations of a layer's last product, for a token."""
        return 2.0 * self.row.width * self.row.feed_forward

    @property
    def layer(self) -> float:
        """Operations of a layer forward, for a token: two for each weight, and attention to half of the sequence."""
        row = self.row
        return 8.0 * row.width**2 + row.matrices * self.product + 2.0 * row.width * row.sequence

    @property
    def share(self) -> float:
        """Share of a pass that lies in the layers; the rest is the readout."""
        layers = self.row.layers * self.layer
        return layers / (layers + 2 * self.row.width * self.row.vocabulary)

    def counted(self, evaluations: int | None = None) -> float:
        """The same by (2), each layer evaluated so often; PyTorch leaves out the last product of what it makes again.

        >>> undone = forgetting("undone", 3)[0]
        >>> round(undone.counted(), 3), round(undone.counted(2), 3)
        (1.548, 1.274)
        """
        row = self.row
        plan = activation_memory.Plan(row.layers, 1.0, 1.0, float(evaluations or row.evaluations) * row.layers)
        left_out = self.product / self.layer / 3 if row.way == "again" else 0.0
        return 1 + self.share * (float(plan.overhead()) - 1 - left_out)

    @property
    def state(self) -> float:
        """Bytes of a state of 32 bits."""
        return float(activation_memory.state_bytes(self.row.tokens, self.row.width, 4))

    @property
    def record(self) -> float:
        """Bytes of a layer's record, read in its program.

        In 32 bits the inputs of two norms; in 16 what the norms make, queries, keys and values, what attention makes,
        and the feed-forward part before its function and after.
        """
        row = self.row
        return row.tokens * (row.width * (2 * 4 + 2 * 2 + 3 * 2 + 2) + row.feed_forward * (2 + 2))


@cache
def forgetting(way: str, evaluations: int) -> tuple[ForgettingRun, ...]:
    """Pairs of a way in which each layer is evaluated so often.

    >>> len(forgetting("undone", 3)), len(forgetting("undone", 2)), len(forgetting("again", 2))
    (4, 1, 3)
    """
    return tuple(ForgettingRun(row) for row in reversed_runs() if (row.way, row.evaluations) == (way, evaluations))


def record_measured() -> float:
    """Bytes of a record, by what is freed where records are made again and the inputs of layers stay."""
    run = forgetting("again", 2)[0]
    freed = cast("float", run.row.kept_bytes) - cast("float", run.row.bytes)
    return freed / run.row.layers + run.state


def states_measured() -> tuple[float, float]:
    """Bytes that undoing holds less than a checkpoint before each layer, as measured, and as counted in states."""
    again, undone = forgetting("again", 2)[0], forgetting("undone", 3)[0]
    measured = cast("float", again.row.bytes) - cast("float", undone.row.bytes)
    return measured, (again.row.layers - KEPT_STATES) * again.state


@dataclass(frozen=True)
class SentAway:
    """A pair of runs, the second of which sends to the host, beside (12)."""

    row: OffloadedRun

    @property
    def layers(self) -> float:
        """Layers of the model."""
        return catalog.model(self.row.model).known("layers")

    @property
    def state(self) -> float:
        """Bytes of a state."""
        return float(activation_memory.state_bytes(self.row.tokens, catalog.model(self.row.model).known("d_model")))

    @property
    def counted(self) -> float:
        """Bytes that the chip should hold less: a state before each layer, but for those that (12) leaves."""
        return (self.layers - memory_budget.IN_FLIGHT) * self.state

    @property
    def freed(self) -> float:
        """Bytes that it held less at its fullest."""
        return (self.row.kept_gb - self.row.gb) * 1e9

    @property
    def host(self) -> float:
        """Bytes that the host held more."""
        return (cast("float", self.row.host_gb) - cast("float", self.row.kept_host_gb)) * 1e9

    @property
    def longer(self) -> float:
        """Time of a step over that with all on the chip."""
        return self.row.kept_rate / self.row.rate


@cache
def sent_away(sent: str) -> tuple[SentAway, ...]:
    """Pairs that send states, or everything.

    >>> [round(each.longer, 3) for each in sent_away("states")]
    [0.996, 1.037, 1.006]
    """
    return tuple(SentAway(row) for row in offloaded_runs() if row.sent == sent)
