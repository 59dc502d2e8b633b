"""Lecture 6's numbers that several pictures show: a step of a sheet, the published day, and how long media keep."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from calc import batching, catalog, pricing
from calc.catalog import Deployment, Price
from calc.figure.inputs import Number
from calc.memory_wall.figures.setting import decode_flops
from calc.pricing import prompt_cache
from calc.pricing.figures.setting import writes
from calc.quantities.arithmetic import MILLION
from calc.quantities.check import Quantity
from calc.quantities.units import show
from calc.setting import Scenario, Setting
from calc.setting import cache as kept
from calc.setting.published import attention_layers

CROSSOVER = Number(
    name="crossover",
    label="Crossover",
    default=200_000,
    low=1_000,
    high=10_000_000,
    unit="tokens",
    log=True,
    whole=True,
    help="Context at which fetching the cache takes as long as multiplying for a token.",
)


def premium(sheet: Price, kept: str) -> float:
    """Dollars that a token's cache costs beyond a fresh token, for being kept."""
    return (writes(sheet)[kept] - sheet.input) / MILLION


DAY = "deepseek-day-6"
THEN = "that day's list"


def measured_prefill(day: Deployment) -> float:
    """Share of the multipliers that prefill kept busy on that day: a token found in a cache takes no operation."""
    where = Scenario.named(day.model, day.system, "fp8")
    return pricing.utilisation(day.computed_tokens_per_second, where.model.active_params, where.flops)


def measured_decode(day: Deployment) -> float:
    """Share of the multipliers that decode kept busy on that day."""
    where = Scenario.named(day.model, day.system, "fp8")
    return pricing.utilisation(day.decode_tokens_per_second, where.model.active_params, where.flops)


def ratio_of(sheet: Price) -> float:
    """Output price over input price."""
    return pricing.price_ratio(sheet.output, sheet.input)


@cache
def on_sale() -> dict[str, float]:
    """Ratios of the last sheet of each model, the highest first; sheets with one ratio stand together."""
    groups: dict[float, list[Price]] = {}
    for sheet in catalog.prices().values():
        groups.setdefault(round(ratio_of(sheet), 2), []).append(sheet)
    return {_together(groups[ratio]): ratio for ratio in sorted(groups, reverse=True)}


def _together(sheets: list[Price]) -> str:
    """A sheet's name; of several their number and their ratio."""
    if len(sheets) == 1:
        return _alone(sheets[0])
    return f"{len(sheets)} models at {show(ratio_of(sheets[0]), 'x')}"


def _alone(sheet: Price) -> str:
    """A sheet's name; of DeepSeek's for a use the model, and whether the list held on its published day."""
    name, _, model = sheet.name.partition(" (")
    if sheet.maker != "DeepSeek" or not model:
        return name
    return f"{model.removesuffix(')')}, {'later list' if sheet.since > catalog.deployment(DAY).since else THEN}"


def measured() -> float:
    """Tokens that a node computed for each that another wrote on DeepSeek's day."""
    day = catalog.deployment(DAY)
    return pricing.price_ratio(day.computed_tokens_per_second, day.decode_tokens_per_second)


WRITTEN_OFF = 4.0  # years after which a device that was bought counts as paid


def dollars_per_gb(name: str) -> float:
    """The middle of what a device cost for a gigabyte."""
    tier = catalog.tier(name)
    return (tier.known("dollars_per_gb_low") + tier.known("dollars_per_gb_high")) / 2


ANYWHERE = "gb200-nvl72"  # bytes that a token fetches are the same on every system


@dataclass(frozen=True)
class Slower:
    """How many times slower than the weights attention multiplies: its heads, and an index that chooses for them."""

    heads: float = 1.0
    index: float = 1.0


AT_RATE, LEFT_OUT = Slower(), Slower(0.0, 0.0)
HALF = Slower(2.0)  # as heads were on DeepSeek's day, but for an index, in few bits


def attention_work(model: catalog.Model, context: Quantity, slower: Slower = AT_RATE) -> Quantity:
    """Operations of a written token's attention, those at a slower rate counted so many times."""
    by_index = sum(
        count * kept.indexed_entries(at, 1.0, np.asarray(context) - 1.0) * at.index_flops_per_entry
        for count, at in attention_layers(model)
    )
    return slower.heads * decode_flops(model, context) + (slower.index - slower.heads) * by_index


def linear_in_context(model: str, slower: Slower = AT_RATE) -> tuple[tuple[float, float], tuple[float, float]]:
    """Bytes that a written token fetches and operations of its attention: for a token of context, and at any length.

    At long contexts, where windows are full and no more entries are chosen.
    """
    where, row = Setting.published(model, ANYWHERE, "fp8"), catalog.model(model)
    near, far = 1.0 * MILLION, 2.0 * MILLION
    bytes_, operations = (
        (float(end - begin) / (far - near), float(2 * begin - end))
        for begin, end in (
            (where.read_bytes(near), where.read_bytes(far)),
            (attention_work(row, near, slower), attention_work(row, far, slower)),
        )
    )
    return bytes_, operations


def meeting(model: str, ratio: float, slower: Slower = AT_RATE) -> float:
    """Crossover with attention's arithmetic counted: (2 N_a + c_0 - 2 r k_0) / (2 r k - c), at a byte a number.

    Fetching takes k_0 bytes and k for each token of context, attention c_0 operations and c for each; a chip of
    ratio r does 2 r operations while it fetches a byte, or as many fewer in attention as that is `slower`.
    """
    (each, fixed), (more, always) = linear_in_context(model, slower)
    spare = 2 * catalog.model(model).active_params + always - 2 * ratio * fixed
    with np.errstate(divide="ignore"):  # where fetching never overtakes
        return float(np.divide(spare, max(0.0, 2 * ratio * each - more)))


NO_STEP = 1e12  # tokens: a sheet without a step has it beyond every request


def step_of(sheet: Price, side: str = "output") -> tuple[float, float]:
    """Length past which a sheet asks more, and how many times as much."""
    base, above = (sheet.output, sheet.output_above) if side == "output" else (sheet.input, sheet.input_above)
    return (sheet.above_tokens, above / base) if sheet.above_tokens and above else (NO_STEP, 1.0)


def drains() -> dict[str, float]:
    """Drain time of every device in the catalogue."""
    return {
        name: batching.read_seconds(tier.capacity_bytes, tier.read_bandwidth) for name, tier in catalog.tiers().items()
    }


def nearest(hold: float) -> str:
    """The device that a hold time points at."""
    known = drains()
    return list(known)[prompt_cache.implied_tier(hold, np.array(list(known.values())))]


@cache
def memory_rents(kind: str = "on demand") -> tuple[float, float]:
    """Lowest and highest rent of a byte of HBM for an hour, over offers of a kind, if it bears the whole rent.

    >>> bool(memory_rents("")[1] > 1.7 * memory_rents()[1])  # of every kind, list prices too
    True
    """
    rents = [
        prompt_cache.memory_dollars_per_byte_hour(dollars, row.chip.hbm_bytes)
        for row in catalog.rents().values()
        if kind in row.offer
        for dollars in (row.dollars_per_chip_hour_low, row.dollars_per_chip_hour_high)
    ]
    return min(rents), max(rents)
