"""Lecture 5: which size and which number of tokens reach a loss for the least operations, serving included.

The law is the one that Hoffmann et al. (2022) fitted: loss = E + A / N^alpha + B / D^beta. Training costs 6 N D
operations and serving 2 N T, where T counts tokens of plain inference at the efficiency of training
(`calc.overtraining.forward_tokens`). The law was fitted to dense models of up to 16 billion parameters and up to a few
dozen tokens per parameter; beyond that it extrapolates, and two fits to the same runs already disagree.

Symbols: N parameters, D training tokens, T served tokens, L loss in nats per token, g = L - E the part of it that
training can remove. Left out: experts, data that repeats, quality of data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from calc.check import Array, NonNegative, Positive, Quantity, Range, checked
from calc.errors import OutOfRange
from calc.fields import accept, of_kind, together
from calc.overtraining import TOKENS_PER_PARAM

HALVINGS = 80


@dataclass(frozen=True)
class ScalingLaw:
    """Constants of loss = E + A / N^alpha + B / D^beta, as a paper fitted them."""

    irreducible: Quantity
    size_scale: Quantity
    token_scale: Quantity
    size_exponent: Quantity
    token_exponent: Quantity

    def __post_init__(self) -> None:
        accept(self, Range(0, open_low=True), irreducible=Range(0))


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
    """Loss that the law expects: E + A / N^alpha + B / D^beta nats per token (Hoffmann et al., 2022, equation 10).

    >>> loss(ScalingLaw(1, 10, 20, 0.5, 0.5), 100, 400)
    3.0
    """
    law = _law(law, params=params, tokens=tokens)
    return law.irreducible + _size_term(law, params) + _token_term(law, tokens)


@checked
def rule_of_thumb(operations: Positive, tokens_per_param: Positive = TOKENS_PER_PARAM) -> Allocation:
    """Size and tokens that spend `operations` at 20 tokens per parameter: N = (C / 120)^(1/2).

    >>> rule_of_thumb(120e18)
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
    law = _law(law, operations=operations)
    both = law.size_exponent + law.token_exponent
    balance = law.size_exponent * law.size_scale / (law.token_exponent * law.token_scale)
    params = np.power(balance, 1 / both) * np.power(operations / 6, law.token_exponent / both)
    return Allocation(params, operations / 6 / params)


@checked
def params_for_loss(law: ScalingLaw, target_loss: Positive, tokens: Positive) -> Quantity:
    """Parameters that reach a loss with D tokens: (A / (g - B / D^beta))^(1 / alpha), the line of equal loss.

    Infinite where no size reaches it, because the tokens are too few.

    >>> params_for_loss(ScalingLaw(1, 10, 20, 0.5, 0.5), 3, 400)
    100.0
    """
    law = _law(law, target_loss=target_loss, tokens=tokens)
    left = np.asarray(_gap(law, target_loss) - _token_term(law, tokens))
    scale, left = np.broadcast_arrays(law.size_scale, left)
    ratio = np.divide(scale, left, out=np.full(left.shape, np.inf), where=left > 0)
    return np.asarray(np.power(ratio, 1 / np.asarray(law.size_exponent)))


@checked
def cheapest_at_loss(law: ScalingLaw, target_loss: Positive, forward_tokens: NonNegative = 0.0) -> Allocation:
    """Size and tokens that reach a loss for the fewest operations of training and serving, N (6 D + 2 T).

    Solves 1 + T / (3 D) = alpha A N^-alpha / (beta B D^-beta) on the line of equal loss (Sardana et al., 2024). Without
    serving it is the compute-optimal model of that loss.

    >>> best = cheapest_at_loss(ScalingLaw(1, 10, 10, 0.5, 0.5), 3)
    >>> f"{best.params:.6g} parameters, {best.tokens:.6g} tokens"
    '100 parameters, 100 tokens'
    """
    law = _law(law, target_loss=target_loss, forward_tokens=forward_tokens)
    gap = _gap(law, target_loss)
    even = np.log(np.asarray(law.token_exponent) / law.size_exponent)

    def tokens(odds: Array) -> Array:
        return np.asarray(np.power(law.token_scale / gap * (1 + np.exp(odds)), 1 / np.asarray(law.token_exponent)))

    def excess(odds: Array) -> Array:
        return np.asarray(np.exp(odds - even) - 1 - forward_tokens / (3 * tokens(odds)))

    odds = _crossing(excess, even, even + np.log1p(forward_tokens / (3 * tokens(even))))
    params = np.power(law.size_scale / gap * (1 + np.exp(-odds)), 1 / np.asarray(law.size_exponent))
    return Allocation(params, tokens(odds)[()])


@checked
def at_tokens_per_param(law: ScalingLaw, target_loss: Positive, tokens_per_param: Positive) -> Allocation:
    """Size and tokens that reach a loss at a given D / N: how small a model becomes when it is trained for long.

    >>> small = at_tokens_per_param(ScalingLaw(1, 10, 20, 0.5, 0.5), 3, 4)
    >>> f"{small.params:.6g} parameters, {small.tokens:.6g} tokens"
    '100 parameters, 400 tokens'
    """
    law = _law(law, target_loss=target_loss, tokens_per_param=tokens_per_param)
    gap = _gap(law, target_loss)

    def least(share: float) -> Array:
        by_size = np.log(law.size_scale / (share * gap)) / law.size_exponent
        by_tokens = np.log(law.token_scale / (share * gap)) / law.token_exponent - np.log(tokens_per_param)
        return np.asarray(np.maximum(by_size, by_tokens))

    def spare(log_params: Array) -> Array:
        params = np.exp(log_params)
        return np.asarray(gap - _size_term(law, params) - _token_term(law, tokens_per_param * params))

    params = np.exp(_crossing(spare, least(1), least(0.5)))
    return Allocation(params, tokens_per_param * params)


@dataclass(frozen=True)
class EqualLoss:
    """A model trained for longer against one of the same loss: what it costs, what it saves."""

    allocation: Allocation
    training_ratio: Quantity
    size_ratio: Quantity
    pays_after: Quantity


@checked
def price_at_equal_loss(law: ScalingLaw, params: Positive, tokens: Positive, tokens_per_param: Positive) -> EqualLoss:
    """Train a smaller model at `tokens_per_param` to the loss of N parameters and D tokens: the price of over-training.

    `training_ratio` is how many times the operations of training it takes, `size_ratio` how many times smaller it is,
    and `pays_after` the tokens of inference from which on it has cost less in all: 6 (N' D' - N D) / (2 (N - N')).
    Zero where training is cheaper too, infinite where the model is not smaller.

    >>> longer = price_at_equal_loss(ScalingLaw(1, 10, 10, 0.5, 0.5), 100, 100, 25)
    >>> f"{longer.size_ratio:.4f} times smaller for {longer.training_ratio:.4f} times the operations"
    '2.7778 times smaller for 3.2400 times the operations'
    """
    here = Allocation(params, tokens)
    there = at_tokens_per_param(law, loss(law, params, tokens), tokens_per_param)
    extra = np.maximum(0.0, there.training_operations - here.training_operations)
    saved = np.asarray(2 * (here.params - there.params))
    extra, saved = np.broadcast_arrays(extra, saved)
    pays = np.divide(extra, saved, out=np.full(saved.shape, np.inf), where=saved > 0)
    return EqualLoss(there, there.training_operations / here.training_operations, here.params / there.params, pays[()])


@checked
def serving_that_justifies(law: ScalingLaw, params: Positive, tokens: Positive) -> Quantity:
    """Operations of serving over those of training for which a size and its tokens are the optimum.

    T / (3 D) = alpha A N^-alpha / (beta B D^-beta) - 1, the condition of `cheapest_at_loss` read the other way. The
    lecture's heuristic says 1. Below 0 no serving justifies the choice: the model is too large for its tokens.

    >>> serving_that_justifies(ScalingLaw(1, 10, 10, 0.5, 0.5), 100, 400)
    1.0
    """
    law = _law(law, params=params, tokens=tokens)
    by_size = law.size_exponent * _size_term(law, params)
    return by_size / (law.token_exponent * _token_term(law, tokens)) - 1


def _law(law: object, **others: Quantity) -> ScalingLaw:
    accepted = of_kind(ScalingLaw, "law", law)
    together(law=accepted, **others)
    return accepted


def _size_term(law: ScalingLaw, params: Quantity) -> Quantity:
    term: Quantity = law.size_scale * np.power(params, -np.asarray(law.size_exponent))
    return term


def _token_term(law: ScalingLaw, tokens: Quantity) -> Quantity:
    term: Quantity = law.token_scale * np.power(tokens, -np.asarray(law.token_exponent))
    return term


def _gap(law: ScalingLaw, target_loss: Quantity) -> Quantity:
    if np.any(np.asarray(target_loss) <= law.irreducible):
        raise OutOfRange("target_loss", target_loss, f"above {law.irreducible}, which no size and no data remove")
    return target_loss - law.irreducible


def _crossing(rising: Callable[[Array], Array], low: Array, high: Array) -> Array:
    """Where a rising function crosses zero between two bounds, to the last bit that halving can find."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        above = rising(middle) > 0
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return (low + high) / 2
