"""Lecture 2's numbers that several pictures show: an exchange hidden or not, the published day, the routed law."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from calc import catalog, moe
from calc.figure.inputs import Choice, Number
from calc.moe import routed_scaling
from calc.moe.routed_scaling import RoutedLaw
from calc.quantities.check import Quantity
from calc.setting import Setting
from calc.setting.machine import SWITCH
from calc.step import Step, decode

BATCHES = np.unique(np.round(np.geomspace(1, 1e6, 97)))


@dataclass(frozen=True)
class Compositions:
    """A step by its batch: what everything overlapping would leave, in turn, in halves; and what of it is sending."""

    bound: Quantity
    opened: Quantity
    halved: Quantity
    exchange: Quantity
    computing_halves: Quantity

    @classmethod
    def of(cls, where: Setting, batch: Quantity, context: float) -> Compositions:
        """The step of this setting, and its half."""
        whole = decode(where, batch, context)
        return cls(
            whole.bound_seconds,
            whole.in_turn_seconds,
            whole.halves_seconds,
            _sum(whole, sending=True),
            2 * _sum(whole.half, sending=False),
        )


def _sum(step: Step, *, sending: bool) -> Quantity:
    parts = [each for each in step.operations if each.sends == sending]
    if sending:
        return sum(each.scale_up_seconds + each.scale_out_seconds for each in parts)
    return sum(each.roofline_seconds for each in parts)


def over(where: Setting, links: str) -> Setting:
    """The same setting, its exchange carried by the links within the domain or by those that lead out of it."""
    if links == "within" or not np.max(where.machine.scale_out):
        return where
    return replace(where, machine=replace(where.machine, scale_up=where.machine.scale_out, topology=SWITCH))


def crossing(places: NDArray[np.float64], first: Quantity, second: Quantity) -> float:
    """Where the first of two curves comes to lie above the second for good, on a logarithmic axis; infinite if never.

    >>> round(crossing(np.array([1.0, 10, 100]), np.array([1.0, 10, 100]), np.array([30.0, 30, 30])), 6)
    30.0
    """
    gap = np.log(np.maximum(np.asarray(first, dtype=float), 1e-30)) - np.log(np.asarray(second, dtype=float))
    below = np.flatnonzero(gap <= 0)
    if not below.size:
        return float(places[0])
    at = int(below[-1])
    if at == len(places) - 1:
        return math.inf
    part = gap[at] / (gap[at] - gap[at + 1])
    return float(places[at] * (places[at + 1] / places[at]) ** part)


def turning_points(found: Compositions) -> tuple[float, float]:
    """The batch from which halving pays, and the one from which the exchange outlasts the halves that hide it."""
    pays = crossing(BATCHES, found.opened, found.halved * (1 + 1e-9))
    return pays, crossing(BATCHES, found.exchange, found.computing_halves)


@dataclass(frozen=True)
class Observed:
    """DeepSeek's day of service: tokens of a chip in a step, speed of a user, and what its links would allow."""

    tokens: float
    speed: float
    bound_seconds: float

    @property
    def step_seconds(self) -> float:
        """The step that a user saw."""
        return 1 / self.speed


def observed() -> Observed:
    """The published day, with the middle of the speeds that it gives; the links out carry what leaves a node."""
    day = catalog.deployment("deepseek-day-6")
    tokens = day.decode_batch / day.decode_expert_parallel
    return Observed(tokens, day.user_tokens_per_second, float(day_step().scale_out_seconds))


def day_step() -> Step:
    """That day's step by `calc.step`: its unit of chips, attention and cache in 16 bits, a copy for each expert."""
    day = catalog.deployment("deepseek-day-6")
    return decode(Setting.decoding(day), day.decode_batch, day.mean_context)


def published_bound(link: float) -> float:
    """The step of DeepSeek's own estimate, with its rounding, on a link: all layers, two micro-batches."""
    given = {name: catalog.datum(f"comm-bound-{name}").value for name in ("tokens-per-device", "width", "copies")}
    sent = moe.exchange_bytes(given["tokens-per-device"], given["width"], given["copies"]).total
    layers = catalog.model("deepseek-v3").known("layers")  # it counts those without experts too
    return float(moe.exchange_bound_step(moe.exchange_seconds(sent, link), layers))


ROUTED_SHARE = 1 / 3  # every other feed-forward layer, and those hold two thirds of a block


@cache
def law(name: str, constants: str = "sharp") -> RoutedLaw:
    """A published law, with its rounded constant c set so that the published cut-off follows, or as printed."""
    fit = catalog.routing_fit(name)
    printed = RoutedLaw.published(fit)
    return printed if constants == "printed" else routed_scaling.with_paying_limit(printed, fit.params_cutoff)


def gain(size: Quantity, experts: Quantity, name: str, constants: str = "sharp") -> Quantity:
    """Effective size over that of the base."""
    return routed_scaling.effective_params(size, experts, law(name, constants)) / size


WAY = Choice(
    name="way",
    label="Way",
    default="both",
    options={"both": "there and back", "dispatch": "dispatch", "combine": "combine"},
    help="Dispatch sends tokens to their experts, combine brings the results back.",
)
THROW = Number(
    name="throw",
    label="Throw",
    default=1,
    low=1,
    high=1000,
    whole=True,
    help="Another number is another throw of the dice.",
)
EVEN = (
    "Every token chooses its experts evenly and on its own; trained routers are balanced on purpose or skewed by text."
)
PROMPT = Number(
    name="prompt",
    label="Prompt",
    default=4096,
    low=16,
    high=1e6,
    unit="tokens",
    log=True,
    whole=True,
    help="Tokens of a request that are read, those in a prefix cache included.",
)
ANSWER = Number(
    name="answer",
    label="Answer",
    default=1024,
    low=1,
    high=1e6,
    unit="tokens",
    log=True,
    whole=True,
    help="Tokens that are written.",
)
CACHED = Number(
    name="cached",
    label="Found in a cache",
    default=50,
    low=0,
    high=95,
    unit="%",
    help="Share of the prompt whose keys and values are still held, and which is not computed again.",
)
