"""Fast modes: what their price and speed give away, and how far such an offer can be stretched.

A step that is limited by memory takes W + B k: weights once, and a cache for each of its B sequences. A token then
costs (W + B k) / B. A provider that sells at cost and only changes the batch moves along one curve, and a single offer
(c times the price, g times the speed) says which one. Compute, margins and speculative decoding are left out.

Symbols: c price and g speed, as multiples of the ordinary mode; x = B_0 k / W, the bytes of cache that the ordinary
mode reads for each byte of weights. Where other parts stay or grow with the batch, x is all that grows over all that
stays, and the curve is the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.quantities.check import AtLeastOne, NonNegative, Positive, Quantity, checked
from calc.quantities.errors import OutOfRange


@dataclass(frozen=True)
class FastMode:
    """Implications of an offer: the fast batch as a share of the ordinary one, x, and the speed that no price buys."""

    batch_share: Quantity
    cache_to_weights: Quantity
    speed_ceiling: Quantity


@checked
def fast_mode(price_ratio: AtLeastOne, speed_ratio: AtLeastOne) -> FastMode:
    """Read the batches off a fast mode that costs c times as much and is g times as fast.

    The fast batch is 1 / (c g) of the ordinary one, x = (g - 1) / (1 - 1 / c), and no price buys a speed above 1 + x.

    >>> fast_mode(2, 1.5)
    FastMode(batch_share=0.3333333333333333, cache_to_weights=1.0, speed_ceiling=2.0)
    """
    if np.any((np.asarray(price_ratio) <= 1) & (np.asarray(speed_ratio) > 1)):
        raise OutOfRange("price_ratio", price_ratio, "above 1 where the speed is: at cost, speed is not free")
    saved = 1 - 1 / price_ratio + (price_ratio == 1)  # nothing is bought for nothing: 0 / 1 instead of 0 / 0
    cache_to_weights = (speed_ratio - 1) / saved
    return FastMode(1 / (price_ratio * speed_ratio), cache_to_weights, 1 + cache_to_weights)


@checked
def speed_for_price(price_ratio: Positive, cache_to_weights: NonNegative) -> Quantity:
    """Speed that a price buys: 1 + x (1 - 1 / c), as a multiple of the ordinary mode's.

    Below the price of 1 this is the slow mode: it is 0 at the price of the cache alone.

    >>> speed_for_price(2, 1), speed_for_price(0.5, 1)
    (1.5, 0.0)
    """
    speed = 1 + cache_to_weights * (1 - 1 / price_ratio)
    if np.any(np.asarray(speed) < 0):
        raise OutOfRange("price_ratio", price_ratio, "at least x / (1 + x), the price of reading the cache alone")
    return speed


@checked
def price_for_speed(speed_ratio: Positive, cache_to_weights: NonNegative) -> Quantity:
    """Price of a speed: x / (1 + x - g), as a multiple of the ordinary mode's; the same curve read the other way.

    >>> price_for_speed(1.5, 1), price_for_speed(1, 1)
    (2.0, 1.0)
    """
    spare = 1 + cache_to_weights - speed_ratio
    if np.any(np.asarray(spare) <= 0):
        raise OutOfRange("speed_ratio", speed_ratio, "below 1 + x, the speed of a step that reads weights alone")
    return cache_to_weights / spare


@checked
def price_floor(cache_to_weights: NonNegative) -> Quantity:
    """Least price of a slow mode: x / (1 + x), what is left when an endless batch shares the weights.

    >>> price_floor(1)
    0.5
    """
    return cache_to_weights / (1 + cache_to_weights)


@checked
def price_with_prompts(price_ratio: AtLeastOne, prompts: NonNegative) -> Quantity:
    """The c of a mode that multiplies the price of prompts as well: c + (c - 1) rho.

    Ordinary users spend rho on prompts for each unit that they spend on answers. Prompts cost as much to read as
    before, so what they bring beyond that pays for writing.

    >>> price_with_prompts(6, 1), price_with_prompts(6, 0)
    (11.0, 6.0)
    """
    return price_ratio + (price_ratio - 1) * prompts
