"""Lecture 1's formulas, asked of a model on a system at a precision, and the node with which its figures open."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

from calc import batching, setting
from calc.figure.inputs import Choice
from calc.figure.scenario import BATCH, CONTEXT, MODEL, PRECISION, SYSTEM
from calc.quantities.errors import CalcError
from calc.setting import Layout, Scenario

OPENING = ("llama-3-70b", "hgx-h100", "fp8")  # with which the lecture opens; further sections ask of another
EXAMPLE_CONTEXT = 10_000
CROWD = 100
OURS = (replace(MODEL, default=OPENING[0]), replace(SYSTEM, default=OPENING[1]), PRECISION)
FILLED = (*OURS, replace(CONTEXT, default=EXAMPLE_CONTEXT), replace(BATCH, default=CROWD))


def critical_context(where: Scenario) -> float:
    """Tokens of context past which no batch balances."""
    return batching.critical_context(**where.token_arguments())


def balanced_batch(where: Scenario, context: float = 0.0) -> float:
    """Sequences that balance arithmetic and memory; without a context, as if there were no cache."""
    return batching.balanced_batch_with_cache(context, **where.step_arguments())


def largest_batch(where: Scenario, context: float) -> float:
    """Sequences whose cache fits beside the weights."""
    return batching.largest_batch(where.hbm_bytes, where.weight_bytes, context, where.kv_bytes_per_token)


def cheapest_seconds(where: Scenario, context: float) -> float:
    """Seconds of the system that a token takes in an endless batch."""
    return batching.cheapest_seconds(context, **where.token_arguments())


def latency_floor(where: Scenario) -> float:
    """Seconds to read the weights once."""
    return batching.read_seconds(where.weight_bytes, where.bandwidth)


def penalty(where: Scenario, context: float = 0.0, weight_share: float = 1.0) -> float:
    """How many times dearer a lone token is, if a lone step reads `weight_share` of the weights."""
    weights = {"weight_bytes": weight_share * where.weight_bytes}
    alone = batching.step_time(1, context, **where.step_arguments() | weights)
    return float(batching.batching_penalty(alone.bound, cheapest_seconds(where, context)))


LAYOUT = Choice(
    name="layout",
    label="Layout",
    default="usual",
    options={
        "usual": "usual for the model",
        "groups": "tensor groups of eight",
        "tensor": "every matrix cut over all chips",
    },
    help="Usual: a dense model is cut over all chips; else attention is copied and experts are spread.",
)
GROUP = 8


@lru_cache(64)
def laid_out(model: str, system: str, precision: str, layout: str) -> setting.Setting:
    """The model on all chips of the system that it can use, laid out in one of the ways of `LAYOUT`."""
    usual = setting.Setting.published(model, system, precision)
    if not set(usual.machine.rates) - {"fp4"}:
        raise CalcError("system", system, "one whose chips have a published rate of eight bits or more, for attention")
    chips = int(usual.layout.chips)
    group = math.gcd(GROUP, chips)
    others = {"groups": Layout(tensor=group, data=chips // group), "tensor": Layout(tensor=chips, expert=1)}
    return usual.with_layout(others[layout]) if layout in others else usual
