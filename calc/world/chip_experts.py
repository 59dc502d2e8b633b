"""The chosen experts of one layer, timed on one chip: whether time follows the experts that are awake.

All experts of a layer lay on the chip, in 16 bits. A token drew its experts one after another, none twice, all with one
weight or with Zipf's: 1, 1/2, 1/3 and so on. Equation (5) of lecture 1 says how many even choices wake.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from calc import catalog
from calc.catalog.chip_times import ChipTime, chip_times
from calc.quantities.units import bytes_per_element
from calc.step.woken import touched_share
from calc.world.chip import CHIP, bandwidth

MATRICES = 3  # of an expert: gate, up, down


@dataclass(frozen=True)
class Woken:
    """One timing of a layer's experts."""

    row: ChipTime

    @property
    def expert_bytes(self) -> float:
        """Bytes of one expert."""
        known = catalog.model(self.row.model).known
        return MATRICES * known("d_model") * known("d_ff_expert") * bytes_per_element(self.row.format)

    @property
    def experts(self) -> float:
        """Experts of the layer."""
        return catalog.model(self.row.model).known("routed_experts")

    @property
    def expected(self) -> float:
        """Experts that so many even choices wake, by equation (5)."""
        chosen = catalog.model(self.row.model).known("active_routed_experts")
        return self.experts * float(touched_share(self.row.tokens, self.experts, chosen))

    @property
    def reading(self) -> float:
        """Seconds to read the experts that were awake, at the published bandwidth."""
        return self.row.count * self.expert_bytes / bandwidth(self.row.chip)

    @property
    def memory_share(self) -> float:
        """Share of the published bandwidth that reading them reached."""
        return self.reading / self.row.seconds


@cache
def woken(model: str = "deepseek-v3", chip: str = CHIP) -> tuple[Woken, ...]:
    """Every timing of a model's experts.

    >>> found = woken()
    >>> found[0].row.tokens, found[0].row.count, round(found[-1].experts)
    (1, 8, 256)
    """
    return tuple(Woken(row) for row in chip_times("experts", chip) if row.model == model)


def of_kind(rows: Sequence[Woken], name: str, tokens: int) -> list[Woken]:
    """The draws of so many tokens that chose evenly or unevenly."""
    return [each for each in rows if (each.row.name, each.row.tokens) == (name, tokens)]
