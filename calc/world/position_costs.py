"""Costs that DeepSeek drew for its own service, beside lecture 6: attention's operations, the published day, a price.

Chip seconds of a token follow from its dollars and the rent that DeepSeek took. Operations are counted as in lectures
4 and 6. Nothing is fitted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from calc import catalog
from calc.catalog.position_costs import CostCorner, cost_corners
from calc.memory_wall import attention
from calc.pricing import context_price
from calc.quantities.arithmetic import HOUR, MILLION
from calc.setting import Scenario
from calc.setting.published import attention_layers

DENSE, SPARSE = "V3.1-Terminus", "V3.2-Exp"
READ, WRITTEN = "read", "written"
GEOMETRY = "deepseek-v3"  # that of V3.1
DAY = "deepseek-day-6"


@dataclass(frozen=True)
class CostLine:
    """Cost of a million tokens over the position of each: straight between corners."""

    corners: tuple[CostCorner, ...]

    def dollars(self, position: float) -> float:
        """Cost of a million tokens at a position."""
        return float(np.interp(position, [each.position for each in self.corners], [c.dollars for c in self.corners]))

    @property
    def first(self) -> float:
        """Cost of a million first tokens."""
        return self.corners[0].dollars

    @property
    def last(self) -> float:
        """Cost of a million tokens at the end of the line."""
        return self.corners[-1].dollars

    @cached_property
    def rise(self) -> float:
        """Dollars that each token of context adds, on a line of two corners."""
        begin, end = self.corners
        return (end.dollars - begin.dollars) / (end.position - begin.position)

    @property
    def doubling(self) -> float:
        """Position at which a token costs twice the first."""
        return self.first / self.rise

    def covered(self, price: float) -> float:
        """Position up to which a price of a million tokens is no less than their cost."""
        return (price - self.first) / self.rise


@cache
def cost_line(model: str, phase: str) -> CostLine:
    """The line of a model for tokens that are read or written.

    >>> round(cost_line(DENSE, WRITTEN).doubling), round(cost_line(SPARSE, READ).dollars(0), 4)
    (4434, 0.0611)
    """
    return CostLine(tuple(each for each in cost_corners() if (each.model, each.phase) == (model, phase)))


def chip_seconds(dollars: float) -> float:
    """Seconds of a chip for one token, if a million cost so much at the rent of the published day.

    >>> chip_seconds(2.0) * MILLION / HOUR
    1.0
    """
    return dollars / MILLION * HOUR / catalog.deployment(DAY).dollars_per_chip_hour


def _where(model: str = GEOMETRY) -> Scenario:
    return Scenario.named(model, catalog.deployment(DAY).system, "fp8")


def weights_busy(phase: str) -> float:
    """Share of a chip's FP8 rate at which the weights are multiplied for a first token.

    >>> round(weights_busy(READ), 3), round(weights_busy(WRITTEN), 3)
    (0.393, 0.295)
    """
    where = _where()
    seconds = chip_seconds(cost_line(DENSE, phase).first)
    return 2 * where.model.active_params / seconds / where.chip.flops("fp8")


def attention_busy(phase: str) -> float:
    """Share of a chip's BF16 rate at which attention multiplies for each further token of context.

    >>> round(attention_busy(READ), 3), round(attention_busy(WRITTEN), 3)
    (0.6, 0.6)
    """
    where = _where()
    operations = sum(
        count * (at.expanded_flops_per_position if phase == READ else at.flops_per_position)
        for count, at in attention_layers(where.model)
    )
    return float(operations) / chip_seconds(cost_line(DENSE, phase).rise) / where.chip.flops("bf16")


def fetching() -> float:
    """Share of a chip's bandwidth that fetching each further token's cache in BF16 would take.

    >>> round(fetching(), 2)
    0.73
    """
    where = _where()
    return (
        where.model.kv_bytes_per_token("bf16") / chip_seconds(cost_line(DENSE, WRITTEN).rise) / where.chip.hbm_bandwidth
    )


def level_until(model: str = GEOMETRY) -> float:
    """Crossover of a model by (4) on the chips of that service, attention's multiplying left out.

    >>> round(level_until()), round(level_until("llama-3-405b"))
    (3565, 5314)
    """
    where = _where(model)
    ratio = where.chip.flops("fp8") / (2 * where.chip.hbm_bandwidth)
    return float(context_price.crossover_context(where.kv_bytes_per_token, where.model.active_params, ratio))


def day_contexts() -> tuple[float, float]:
    """Tokens that a token attended to on the published day, if all requests were alike: one read, and one written.

    >>> [round(each) for each in day_contexts()]
    [3425, 4989]
    """
    day = catalog.deployment(DAY)
    prompt = day.mean_context / (1 + day.output_tokens / day.input_tokens / 2)
    new = prompt * day.uncached_share
    return float(attention.attended_tokens(new, prompt - new) / new), day.mean_context


def day_dollars() -> tuple[float, float]:
    """Costs of a million tokens by V3.1's lines at the contexts of the published day: read, and written.

    >>> [round(each, 4) for each in day_dollars()]
    [0.0689, 0.1498]
    """
    read, written = day_contexts()
    return cost_line(DENSE, READ).dollars(read), cost_line(DENSE, WRITTEN).dollars(written)


def day_over_lines() -> tuple[float, float]:
    """Rates of the published day over those of the lines at its contexts: reading, and writing.

    >>> [round(each, 2) for each in day_over_lines()]
    [0.5, 0.5]
    """
    day = catalog.deployment(DAY)
    rates = day.computed_tokens_per_second, day.decode_tokens_per_second
    read, written = (
        rate * chip_seconds(dollars) / day.chips_per_node for rate, dollars in zip(rates, day_dollars(), strict=True)
    )
    return read, written
