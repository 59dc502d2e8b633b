"""The quality that experts buy. The routed scaling law, and the rule of thumb that is drawn from it.

The law gives the validation loss of a transformer of N parameters per token whose every other feed-forward layer picks
one of E experts, after 130 billion tokens (Clark et al., 2022, "Unified scaling laws for routed language models"). Its
published constants are rounded to three decimals, which moves results by several per cent and the cut-off by far more:
`paying_limit_range` says by how much. Newer mixtures (finer experts, several per token, more data) follow other laws.

Symbols: N parameters of the dense base, which is also what a token uses; E experts; loss in nats per token; log is to
base ten.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Protocol

import numpy as np

from calc.quantities.arithmetic import quotient
from calc.quantities.check import AtLeastOne, Count, Positive, Quantity, Range, Share, checked, number, single
from calc.quantities.errors import OutOfRange
from calc.quantities.fields import of_kind


class PublishedRouting(Protocol):
    """A published fit, such as the catalogue's: the law's constants under its names."""

    @property
    def a(self) -> float: ...

    @property
    def b(self) -> float: ...

    @property
    def c(self) -> float: ...

    @property
    def d(self) -> float: ...

    @property
    def experts_start(self) -> float: ...

    @property
    def experts_most(self) -> float: ...


@dataclass(frozen=True)
class RoutedLaw:
    """Constants of log L = a log N + b log Ê + c log N log Ê + d, with Ê between `start` and `ceiling`."""

    a: float
    b: float
    c: float
    d: float
    start: float
    ceiling: float

    def __post_init__(self) -> None:
        for constant in fields(self):
            single(constant.name, number(constant.name, getattr(self, constant.name), Range()))
        for name in ("a", "b"):
            if getattr(self, name) >= 0:
                raise OutOfRange(name, getattr(self, name), "a finite number below 0")
        if self.c <= 0:
            raise OutOfRange("c", self.c, "a finite number above 0")
        if not 0 < self.start < self.ceiling:
            raise OutOfRange("start", self.start, f"above 0 and below the ceiling, {self.ceiling}")
        if self.slope >= 0:
            raise OutOfRange("c", self.c, "so small that a larger dense model is better: a + c log(start) below 0")

    @classmethod
    def published(cls, fit: PublishedRouting) -> RoutedLaw:
        """The law with the constants of a published fit, such as `catalog.routing_fit("s-base")`."""
        return cls(fit.a, fit.b, fit.c, fit.d, fit.experts_start, fit.experts_most)

    @property
    def slope(self) -> float:
        """Gain of a tenfold dense model, in log loss: a + c log Ê(1)."""
        return self.a + self.c * math.log10(self.start)

    @property
    def offset(self) -> float:
        """The part of Ê that stands for the first expert: 1 / (1 / start - 1 / ceiling)."""
        return 1 / (1 / self.start - 1 / self.ceiling)


@checked
def saturated_experts(experts: AtLeastOne, law: RoutedLaw) -> Quantity:
    """Ê, experts after saturation: 1/Ê = 1/(E - 1 + 1/(1/start - 1/ceiling)) + 1/ceiling (Clark et al., Eq. 1).

    >>> round(saturated_experts(1, RoutedLaw(-0.1, -0.1, 0.01, 1, start=2, ceiling=300)), 6)
    2.0
    """
    of_kind(RoutedLaw, "law", law)
    return 1 / (1 / (experts - 1 + law.offset) + 1 / law.ceiling)


@checked
def routed_loss(params: Positive, experts: AtLeastOne, law: RoutedLaw) -> Quantity:
    """Predicted loss: 10^(a log N + b log Ê + c log N log Ê + d) nats per token (Clark et al., Eq. 1).

    >>> round(routed_loss(1e9, 1, RoutedLaw(-0.1, -0.1, 0.01, 1, start=1, ceiling=300)), 6)
    1.258925
    """
    size, choice = np.log10(params), np.log10(saturated_experts(experts, law))
    return np.asarray(10 ** (law.a * size + law.b * choice + law.c * size * choice + law.d))


@checked
def effective_params(params: Positive, experts: AtLeastOne, law: RoutedLaw) -> Quantity:
    """Dense model with the same loss: the N' for which L(N', 1) = L(N, E), in parameters (Clark et al., Eq. 11).

    >>> law = RoutedLaw(-0.082, -0.108, 0.009, 1.104, 1.847, 314.478)
    >>> round(effective_params(370e6, 64, law) / 370e6, 1), round(effective_params(5e6, 128, law) / 1e6)
    (3.7, 52)
    """
    size, choice = np.log10(params), np.log10(saturated_experts(experts, law))
    gained = size * (law.a + law.c * choice) + law.b * (choice - np.log10(law.start))
    return np.asarray(10 ** (gained / law.slope))


@checked
def paying_limit(law: RoutedLaw) -> float:
    """Size of the base model from which on experts no longer lower the loss: 10^(-b / c) parameters.

    >>> paying_limit(RoutedLaw(-0.1, -0.11, 0.01, 1, 2, 300))
    100000000000.0
    """
    return float(10 ** (-of_kind(RoutedLaw, "law", law).b / law.c))


@checked
def paying_limit_range(law: RoutedLaw, half_unit: Positive = 0.0005) -> tuple[Quantity, Quantity]:
    """Lowest and highest limit that the rounding of b and c leaves open: each may be off by `half_unit`.

    >>> [f"{limit:.0e}" for limit in paying_limit_range(RoutedLaw(-0.083, -0.126, 0.012, 1.111, 1.88, 469.982))]
    ['1e+10', '1e+11']
    """
    if np.any(np.asarray(half_unit) >= min(-of_kind(RoutedLaw, "law", law).b, law.c)):
        raise OutOfRange("half_unit", half_unit, f"below c = {law.c} and below -b = {-law.b}")
    low = 10 ** -((law.b + half_unit) / (law.c + half_unit))
    return low, 10 ** -((law.b - half_unit) / (law.c - half_unit))


@checked
def with_paying_limit(law: RoutedLaw, limit: Positive) -> RoutedLaw:
    """The same law with c = -b / log(limit), so that a published cut-off undoes the rounding of c.

    >>> round(with_paying_limit(RoutedLaw(-0.083, -0.126, 0.012, 1.111, 1.88, 469.982), 85e9).c, 5)
    0.01153
    """
    if np.any(np.asarray(limit) <= 1):
        raise OutOfRange("limit", limit, "above 1 parameter")
    return replace(of_kind(RoutedLaw, "law", law), c=float(-law.b / np.log10(limit)))


@checked
def experts_for_gain(params: Positive, gain: AtLeastOne, law: RoutedLaw) -> Quantity:
    """Experts that make the effective size `gain` times the base; infinite where no number of experts does.

    >>> law = RoutedLaw(-0.082, -0.108, 0.009, 1.104, 1.847, 314.478)
    >>> experts_for_gain(370e6, 1, law), round(experts_for_gain(370e6, 3.7, law)), experts_for_gain(370e6, 10, law)
    (1.0, 64, inf)
    """
    size = np.log10(params)
    per_choice = np.asarray(of_kind(RoutedLaw, "law", law).b + law.c * size)
    needed = law.slope * np.log10(gain) + size * (law.slope - law.a) + law.b * np.log10(law.start)
    choice = quotient(-needed, -per_choice)
    room = 10**-choice - 1 / law.ceiling
    return np.asarray(np.where(np.equal(gain, 1), 1.0, 1 - law.offset + quotient(1.0, room)))


@checked
def expansion_exponent(params: Positive, experts: AtLeastOne, law: RoutedLaw) -> Quantity:
    """Exponent p of E ~ N'^p along the law: how fast experts must grow for effective size, d log E / d log N'.

    The rule of thumb has p = 3 everywhere. Infinite from the paying limit on.

    >>> round(expansion_exponent(370e6, 64, RoutedLaw(-0.082, -0.108, 0.009, 1.104, 1.847, 314.478)), 1)
    3.2
    """
    shifted = np.asarray(experts - 1 + of_kind(RoutedLaw, "law", law).offset)
    saturation = saturated_experts(experts, law) / shifted * (experts / shifted)
    rise = np.asarray((law.b + law.c * np.log10(params)) / law.slope * saturation)
    return quotient(1.0, rise)


@checked
def rule_of_thumb(expansion: AtLeastOne, known_expansion: AtLeastOne = 64.0, known_gain: AtLeastOne = 4.0) -> Quantity:
    """Gain in effective size if one known pair is taken for a power law: expansion^(log gain / log expansion).

    The lecture's pair, 64 times the experts for 4 times the dense size, makes it a cube root.

    >>> round(rule_of_thumb(64), 6), round(rule_of_thumb(8), 6)
    (4.0, 2.0)
    """
    if np.any(np.asarray(known_expansion) <= 1):
        raise OutOfRange("known_expansion", known_expansion, "above 1: from 1 no exponent follows")
    return np.asarray(np.power(expansion, np.log(known_gain) / np.log(known_expansion)))


@checked
def expanded_params(params: Positive, experts: Count, routed_share: Share) -> Quantity:
    """All parameters when the routed share of a dense base is repeated in E experts: N (1 + (E - 1) s).

    >>> expanded_params(300e6, 64, 1 / 3)
    6600000000.0
    """
    return params * (1 + (experts - 1) * routed_share)
