"""Which loss a size and a number of tokens reach, and how to spend operations of training on the two.

The law is the one that Hoffmann et al. (2022) fitted: loss = E + A / N^alpha + B / D^beta. Videau et al. (2026) raise
the sum of both terms to a power k, so that tokens are worth more to a large model; k is 1 unless a law says otherwise.
The changes that serving brings are in `calc.overtraining.lifetime`. The law was fitted to dense models of up to 16
billion parameters and up to a few dozen tokens per parameter; beyond that it extrapolates, and two fits to the same
runs already disagree.

Symbols: N parameters, D training tokens, C operations, L loss in nats per token, g = (L - E)^(1/k) the sum of both
terms, which training can remove. Left out: experts, quality of data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from calc.overtraining.budget import TOKENS_PER_PARAM
from calc.quantities.arithmetic import quotient
from calc.quantities.check import AtLeastOne, Positive, Quantity, Range, checked
from calc.quantities.errors import OutOfRange
from calc.quantities.fields import accept, of_kind

FADING = 15.387756  # readings after the first at which the gain of the next has fallen e-fold (Muennighoff et al.)


class PublishedLaw(Protocol):
    """A published fit, such as the catalogue's: the law's constants under its names."""

    @property
    def irreducible(self) -> float: ...

    @property
    def params_factor(self) -> float: ...

    @property
    def tokens_factor(self) -> float: ...

    @property
    def params_exponent(self) -> float: ...

    @property
    def tokens_exponent(self) -> float: ...


@dataclass(frozen=True)
class ScalingLaw:
    """Constants of loss = E + (A / N^alpha + B / D^beta)^k, as a paper fitted them."""

    irreducible: Quantity
    params_factor: Quantity
    tokens_factor: Quantity
    params_exponent: Quantity
    tokens_exponent: Quantity
    joint_exponent: Quantity = 1.0

    def __post_init__(self) -> None:
        accept(self, Range(0, open_low=True), irreducible=Range(0))

    @classmethod
    def published(cls, fit: PublishedLaw) -> ScalingLaw:
        """The law with the constants of a published fit, such as `catalog.loss_fit("chinchilla")`."""
        return cls(fit.irreducible, fit.params_factor, fit.tokens_factor, fit.params_exponent, fit.tokens_exponent)

    def params_term(self, params: Quantity) -> Quantity:
        """A finite size's term: A / N^alpha, the loss that it adds if k is 1."""
        term: Quantity = self.params_factor * np.power(params, -np.asarray(self.params_exponent))
        return term

    def tokens_term(self, tokens: Quantity) -> Quantity:
        """Term of finite data: B / D^beta, the loss that they add if k is 1."""
        term: Quantity = self.tokens_factor * np.power(tokens, -np.asarray(self.tokens_exponent))
        return term

    def removable(self, target_loss: Quantity) -> Quantity:
        """The sum of both terms at a loss, (L - E)^(1/k): the part of it that training can remove, above 0."""
        if np.any(np.asarray(target_loss) <= self.irreducible):
            floor = f"above {self.irreducible}, which no size and no data remove"
            raise OutOfRange("target_loss", target_loss, floor)
        terms: Quantity = np.power(target_loss - self.irreducible, 1 / np.asarray(self.joint_exponent))
        return terms


@dataclass(frozen=True)
class Allocation:
    """A size and a number of tokens."""

    params: Quantity
    tokens: Quantity

    @property
    def tokens_per_param(self) -> Quantity:
        """D / N; the rule of thumb says 20."""
        return self.tokens / self.params

    @property
    def training_operations(self) -> Quantity:
        """6 N D."""
        return 6 * self.params * self.tokens

    def lifetime_operations(self, forward_tokens: Quantity) -> Quantity:
        """Training and serving together: N (6 D + 2 T)."""
        return self.params * (6 * self.tokens + 2 * np.asarray(forward_tokens))


@checked
def loss(law: ScalingLaw, params: Positive, tokens: Positive) -> Quantity:
    """Loss that the law expects: E + (A / N^alpha + B / D^beta)^k nats per token (Hoffmann et al., 2022, with k = 1).

    >>> loss(ScalingLaw(1, 10, 20, 0.5, 0.5), 100, 400)
    3.0
    >>> loss(ScalingLaw(1, 20, 40, 0.5, 0.5, joint_exponent=0.5), 100, 400)
    3.0
    """
    law = of_kind(ScalingLaw, "law", law, params=params, tokens=tokens)
    return law.irreducible + np.power(law.params_term(params) + law.tokens_term(tokens), law.joint_exponent)


@checked
def chinchilla_allocation(operations: Positive, tokens_per_param: Positive = TOKENS_PER_PARAM) -> Allocation:
    """Size and tokens that spend `operations` at 20 tokens per parameter: N = (C / 120)^(1/2).

    >>> chinchilla_allocation(120e18)
    Allocation(params=1000000000.0, tokens=20000000000.0)
    """
    params = (operations / (6 * tokens_per_param)) ** 0.5
    return Allocation(params, tokens_per_param * params)


@checked
def compute_optimal(law: ScalingLaw, operations: Positive) -> Allocation:
    """Size and tokens that reach the lowest loss for C operations of training (Hoffmann et al., 2022, equation 4).

    N = G (C / 6)^(beta / (alpha + beta)) with G = (alpha A / (beta B))^(1 / (alpha + beta)), and D = C / (6 N).

    >>> best = compute_optimal(ScalingLaw(1, 10, 10, 0.5, 0.5), 6e6)
    >>> f"{best.params:.6g} parameters, {best.tokens:.6g} tokens"
    '1000 parameters, 1000 tokens'
    """
    law = of_kind(ScalingLaw, "law", law, operations=operations)
    both = law.params_exponent + law.tokens_exponent
    balance = law.params_exponent * law.params_factor / (law.tokens_exponent * law.tokens_factor)
    params = np.power(balance, 1 / both) * np.power(operations / 6, law.tokens_exponent / both)
    return Allocation(params, operations / 6 / params)


@checked
def params_for_loss(law: ScalingLaw, target_loss: Positive, tokens: Positive) -> Quantity:
    """Parameters that reach a loss with D tokens: (A / (g - B / D^beta))^(1 / alpha), the line of equal loss.

    Infinite where no size reaches it, because the tokens are too few.

    >>> params_for_loss(ScalingLaw(1, 10, 20, 0.5, 0.5), 3, 400)
    100.0
    """
    law = of_kind(ScalingLaw, "law", law, target_loss=target_loss, tokens=tokens)
    left = np.asarray(law.removable(target_loss) - law.tokens_term(tokens))
    return np.asarray(np.power(quotient(law.params_factor, left), 1 / np.asarray(law.params_exponent)))


@checked
def worth_in_new_tokens(tokens: Positive, readings: AtLeastOne, fading: Positive = FADING) -> Quantity:
    """New tokens that do as much as U tokens read n times: U + U R (1 - e^(-(n - 1) / R)) (Muennighoff et al., 2023).

    R is 15.4 by runs of up to 9 billion parameters. Larger sizes than the U tokens can use are left out.

    >>> round(worth_in_new_tokens(100, 4))
    373
    """
    return tokens * (1 - fading * np.expm1(-(np.asarray(readings) - 1) / fading))
