"""How sparse a model is, and how its experts lie on chips."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.quantities.check import Count, Positive, Quantity, Whole, as_plain, checked
from calc.quantities.errors import OutOfRange


@checked
def sparsity(total_params: Positive, active_params: Positive) -> Quantity:
    """How many parameters a model has for each one that a token uses: N_t / N_a, at least 1.

    >>> sparsity(600e9, 30e9)
    20.0
    """
    if np.any(np.asarray(active_params) > total_params):
        raise OutOfRange("active_params", active_params, f"at most the total, {total_params}")
    return total_params / active_params


@dataclass(frozen=True)
class Placement:
    """Experts laid out so that every chip in use holds the same number, or as nearly as they divide."""

    experts_per_chip: Quantity
    chips_used: Quantity
    chips_idle: Quantity
    idle_share: Quantity
    copies_to_fill: Quantity


@checked
def place_experts(experts: Count, chips: Count, redundant: Whole = 0.0) -> Placement:
    """Lay out E experts and some redundant copies: ceil(copies / n) on a chip, on as few chips as that takes.

    `copies_to_fill` is how many further copies would give every chip, the idle ones too, the same number.

    >>> place_experts(256, 72)
    Placement(experts_per_chip=4.0, chips_used=64.0, chips_idle=8.0, idle_share=0.1111111111111111, copies_to_fill=32.0)
    """
    copies = np.asarray(experts + redundant)
    per_chip = np.ceil(copies / chips)
    used = np.ceil(copies / per_chip)
    idle = chips - used
    values = (per_chip, used, idle, idle / chips, per_chip * chips - copies)
    return Placement(*map(as_plain, values))
