"""All-to-all: what a layer sends to its experts and back, how long that takes, and which batch hides it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.quantities.arithmetic import quotient
from calc.quantities.check import Count, NonNegative, Positive, Quantity, Share, checked


@dataclass(frozen=True)
class Exchange:
    """Bytes that a chip sends, and on average receives, in the all-to-all of one layer."""

    dispatch: Quantity
    combine: Quantity

    @property
    def total(self) -> Quantity:
        """Bytes of both passes, one after the other."""
        return self.dispatch + self.combine


@checked
def exchange_bytes(
    tokens: NonNegative,
    width: Positive,
    copies: NonNegative,
    *,
    dispatch_bytes: NonNegative = 1.0,
    combine_bytes: NonNegative = 2.0,
) -> Exchange:
    """Bytes that a chip sends for its tokens in one layer: tokens x d x copies x bytes per element, there and back.

    `copies` is the experts per token where each is sent its own, or the expected number of destinations where one copy
    serves all experts behind it (`calc.moe.routing`). The usual precisions are one byte out and two bytes back.

    >>> exchange_bytes(100, 5000, 8)
    Exchange(dispatch=4000000.0, combine=8000000.0)
    """
    elements = tokens * width * copies
    return Exchange(elements * dispatch_bytes, elements * combine_bytes)


@checked
def exchange_seconds(sent_bytes: NonNegative, bandwidth: Positive, latency: NonNegative = 0.0) -> Quantity:
    """Least time to send them: bytes / bandwidth + latency, in seconds; sending and receiving go on at once.

    >>> exchange_seconds(9e6, 900e9)
    1e-05
    """
    return sent_bytes / bandwidth + latency


@checked
def exchange_bound_step(seconds_per_layer: NonNegative, layers: Count, micro_batches: Count = 2.0) -> Quantity:
    """Step time when nothing but the all-to-all takes time: layers x micro-batches x seconds.

    With two micro-batches one computes while the other sends; if computing is free, both wait for the link in turn.
    This is the bound of DeepSeek-AI (2025), "Insights into DeepSeek-V3", section on interconnects.

    >>> round(exchange_bound_step(100e-6, 50), 6)
    0.01
    """
    return seconds_per_layer * layers * micro_batches


@checked
def hidden_batch(
    exchange_each: Positive,
    weights_seconds: NonNegative,
    cache_each: NonNegative,
    compute_each: NonNegative,
    readings: Count = 1.0,
) -> Quantity:
    """Batch up to which an exchange hides behind the rest of the step: h w / (e - k), of e, k and c seconds a sequence.

    The exchange takes e B, the rest at least max(c B, h w + k B): w for the weights, read h times, once for each part
    of the batch that computes while another is sent. Infinite where e is at most c or k: it hides in every batch.

    >>> hidden_batch(3, 1000, 1, 2), hidden_batch(3, 1000, 1, 2, readings=2), hidden_batch(1, 1000, 1, 2)
    (500.0, 1000.0, inf)
    """
    spare = np.asarray(exchange_each - cache_each)
    return quotient(readings * weights_seconds, spare, np.greater(exchange_each, compute_each))


@checked
def halving_batch(exchange_each: Positive, weights_seconds: NonNegative) -> Quantity:
    """Batch from which two halves that take turns are quicker than sending in the open: w / e.

    In the open a step takes w + k B + e B; in halves, whose exchange hides, 2 w + k B: the weights are read twice.

    >>> halving_batch(0.001, 0.5)
    500.0
    """
    return weights_seconds / exchange_each


@checked
def staged_layer(attention: NonNegative, experts: NonNegative, dispatch: NonNegative, combine: NonNegative) -> Quantity:
    """Seconds of a layer in two halves, stage by stage: max(a, c) + max(a, d) + max(x, d) + max(x, c).

    All four times are of one half. While one half has its attention a or its experts x on the chips, the links carry a
    dispatch d or a combine c of the other; a stage lasts as long as the longer of its two. All is hidden where neither
    transfer outlasts either computation. The sums may be equal, and a part stick out all the same.

    >>> staged_layer(20, 40, 10, 20), staged_layer(20, 40, 20, 40)
    (120.0, 140.0)
    """
    stages = (np.maximum(on_chip, sent) for on_chip in (attention, experts) for sent in (dispatch, combine))
    return 1.0 * sum(stages)


@checked
def leaving_share(domains: Count) -> Quantity:
    """Share of evenly routed traffic whose expert is elsewhere: (m - 1) / m, for m domains or for m chips.

    >>> leaving_share(4)
    0.75
    """
    return (domains - 1) / domains


@dataclass(frozen=True)
class LinkTimes:
    """Seconds that one exchange occupies the links inside a domain and those out of it, each a lower bound."""

    scale_up: Quantity
    scale_out: Quantity

    @property
    def bound(self) -> Quantity:
        """Seconds if both networks carry their part at once: the slower of the two."""
        return np.maximum(self.scale_up, self.scale_out)

    @property
    def serial(self) -> Quantity:
        """Seconds if the parts go one after the other."""
        return self.scale_up + self.scale_out


@checked
def link_seconds(
    sent_bytes: NonNegative, leaving: Share, scale_up_bandwidth: Positive, scale_out_bandwidth: Positive
) -> LinkTimes:
    """Time on each network when a share of the bytes leaves the domain: inside / b_up and leaving / b_out seconds.

    >>> link_seconds(9e6, 0.5, 900e9, 50e9)
    LinkTimes(scale_up=5e-06, scale_out=9e-05)
    """
    outside = sent_bytes * leaving
    return LinkTimes((sent_bytes - outside) / scale_up_bandwidth, outside / scale_out_bandwidth)


@checked
def spread_slowdown(domains: Count, bandwidth_ratio: Positive) -> Quantity:
    """How much longer an even all-to-all takes over m domains than inside one: max(1 / m, r (m - 1) / m).

    Each expert is sent its own copy, and both networks work at once. The limit for many domains is r itself.

    >>> spread_slowdown(1, 8), spread_slowdown(2, 8), spread_slowdown(4, 8)
    (1.0, 4.0, 6.0)
    """
    return np.maximum(1 / domains, bandwidth_ratio * leaving_share(domains))
