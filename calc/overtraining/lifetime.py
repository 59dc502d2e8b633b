"""How large a model should be, and how long it should be trained, if it will be served.

Serving costs 2 N T operations, where T counts tokens of plain inference at the efficiency of training
(`calc.overtraining.forward_tokens`), beside 6 N D of training. Models are compared at the same loss by a scaling law
(`calc.overtraining.scaling_law`), far beyond the tokens per parameter to which the law was fitted: read the trend, not
the digits.

Symbols: N parameters, D training tokens, T served tokens, L loss in nats per token, g = (L - E)^(1/k) the sum of the
law's two terms. A joint exponent k moves no line of equal loss. Left out: experts, data that repeats, quality of data,
a deadline.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from calc.overtraining.scaling_law import Allocation, ScalingLaw, loss, params_for_loss
from calc.quantities.arithmetic import quotient
from calc.quantities.check import Array, NonNegative, Positive, Quantity, checked
from calc.quantities.fields import of_kind

HALVINGS = 80


@checked
def cheapest_at_loss(law: ScalingLaw, target_loss: Positive, forward_tokens: NonNegative = 0.0) -> Allocation:
    """Size and tokens that reach a loss for the fewest operations of training and serving, N (6 D + 2 T).

    Solves 1 + T / (3 D) = alpha A N^-alpha / (beta B D^-beta) on the line of equal loss (Sardana et al., 2024). Without
    serving it is the compute-optimal model of that loss.

    >>> best = cheapest_at_loss(ScalingLaw(1, 10, 10, 0.5, 0.5), 3)
    >>> f"{best.params:.6g} parameters, {best.tokens:.6g} tokens"
    '100 parameters, 100 tokens'
    """
    law = of_kind(ScalingLaw, "law", law, target_loss=target_loss, forward_tokens=forward_tokens)
    gap = law.removable(target_loss)
    even = np.log(np.asarray(law.tokens_exponent) / law.params_exponent)

    def tokens(odds: Array) -> Array:
        return np.asarray(np.power(law.tokens_factor / gap * (1 + np.exp(odds)), 1 / np.asarray(law.tokens_exponent)))

    def excess(odds: Array) -> Array:
        return np.asarray(np.exp(odds - even) - 1 - forward_tokens / (3 * tokens(odds)))

    odds = _crossing(excess, even, even + np.log1p(forward_tokens / (3 * tokens(even))))
    params = np.power(law.params_factor / gap * (1 + np.exp(-odds)), 1 / np.asarray(law.params_exponent))
    return Allocation(params, tokens(odds)[()])


@checked
def equal_cost_at_loss(law: ScalingLaw, target_loss: Positive, forward_tokens: Positive) -> Allocation:
    """Size and tokens that reach a loss and are trained for what serving costs, 6 N D = 2 N T: the lecture's heuristic.

    Its price is the ratio of its `lifetime_operations` to those of `cheapest_at_loss`. The size is infinite where T / 3
    tokens are too few for the loss.

    >>> equal_cost_at_loss(ScalingLaw(1, 10, 20, 0.5, 0.5), 3, 1200)
    Allocation(params=100.0, tokens=400.0)
    """
    tokens = forward_tokens / 3
    return Allocation(params_for_loss(law, target_loss, tokens), tokens)


@checked
def at_tokens_per_param(law: ScalingLaw, target_loss: Positive, tokens_per_param: Positive) -> Allocation:
    """Size and tokens that reach a loss at a given D / N: how small a model becomes when it is trained for long.

    >>> small = at_tokens_per_param(ScalingLaw(1, 10, 20, 0.5, 0.5), 3, 4)
    >>> f"{small.params:.6g} parameters, {small.tokens:.6g} tokens"
    '100 parameters, 400 tokens'
    """
    law = of_kind(ScalingLaw, "law", law, target_loss=target_loss, tokens_per_param=tokens_per_param)
    gap = law.removable(target_loss)

    def least(share: float) -> Array:
        by_size = np.log(law.params_factor / (share * gap)) / law.params_exponent
        by_tokens = np.log(law.tokens_factor / (share * gap)) / law.tokens_exponent - np.log(tokens_per_param)
        return np.asarray(np.maximum(by_size, by_tokens))

    def spare(log_params: Array) -> Array:
        params = np.exp(log_params)
        return np.asarray(gap - law.params_term(params) - law.tokens_term(tokens_per_param * params))

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
    pays = quotient(extra, saved)
    return EqualLoss(there, there.training_operations / here.training_operations, here.params / there.params, pays[()])


@checked
def serving_that_justifies(law: ScalingLaw, params: Positive, tokens: Positive) -> Quantity:
    """Operations of serving over those of training for which a size and its tokens are the optimum.

    T / (3 D) = alpha A N^-alpha / (beta B D^-beta) - 1, the condition of `cheapest_at_loss` read the other way. The
    lecture's heuristic says 1. Below 0 no serving justifies the choice: the model is too large for its tokens.

    >>> serving_that_justifies(ScalingLaw(1, 10, 10, 0.5, 0.5), 100, 400)
    1.0
    """
    law = of_kind(ScalingLaw, "law", law, params=params, tokens=tokens)
    by_size = law.params_exponent * law.params_term(params)
    return by_size / (law.tokens_exponent * law.tokens_term(tokens)) - 1


def _crossing(rising: Callable[[Array], Array], low: Array, high: Array) -> Array:
    """Where a rising function crosses zero between two bounds, to the last bit that halving can find."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        above = rising(middle) > 0
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return (low + high) / 2
