"""How much of a mixture of experts a batch wakes, and so how many weights a step must read.

Tokens are taken to choose their experts evenly and independently. Real routers have favourites and tokens of one text
resemble each other, so a batch wakes fewer: this is an estimate from above. How uneven loads are is in
`calc.moe.routing`.

Symbols: B batch (sequences), E routed experts of a layer, E_a that a token uses, N_a and N_t active and total
parameters.
"""

from __future__ import annotations

import numpy as np

from calc.quantities.check import Count, Positive, Quantity, checked
from calc.quantities.errors import OutOfRange
from calc.step.woken import touched_share as touched_share


@checked
def touched_share_unshared(batch: Positive, experts: Count, experts_per_token: Count) -> Quantity:
    """The same if no two tokens ever chose one expert, the most that a batch can wake: min(1, B E_a / E).

    >>> touched_share_unshared(16, 256, 8)
    0.5
    """
    _at_most(experts, experts_per_token)
    return np.minimum(1.0, batch * experts_per_token / experts)


@checked
def touched_params(
    batch: Positive, total_params: Positive, active_params: Positive, experts: Count, experts_per_token: Count
) -> Quantity:
    """Expected parameters that a step must read when only the experts that the batch wakes are read.

    The part that every token uses (attention, shared experts, embeddings) follows from the two published counts: with
    N_t = s + E e and N_a = s + E_a e, an expert has e = (N_t - N_a) / (E - E_a) parameters over all layers.

    >>> [round(touched_params(batch, 100e9, 20e9, 9, 1) / 1e9) for batch in (1, 8, 1e9)]
    [20, 65, 100]
    """
    if np.any(np.asarray(active_params) > total_params):
        raise OutOfRange("active_params", active_params, f"at most the total, {total_params}")
    if np.any((np.asarray(experts_per_token) == experts) & (np.asarray(total_params) > active_params)):
        raise OutOfRange("experts_per_token", experts_per_token, "fewer than all experts where not all are active")
    share = touched_share(batch, experts, experts_per_token)
    one = (total_params - active_params) / np.maximum(np.asarray(experts) - experts_per_token, 1)
    return active_params - experts_per_token * one + experts * one * share


def _at_most(experts: Quantity, experts_per_token: Quantity) -> None:
    if np.any(np.asarray(experts_per_token) > experts):
        raise OutOfRange("experts_per_token", experts_per_token, f"at most the number of experts, {experts}")
