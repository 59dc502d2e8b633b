"""The numbers of the frontier by name, with their units and what they are called."""

from __future__ import annotations

import math

from calc.figure.declared import Value

VALUES = {
    "cost": ("$", "A million tokens of output, expected"),
    "paid": ("$", "The same, with chips that it leaves free"),
    "cheapest": ("$", "Without a promise"),
    "premium": ("x", "What the promise multiplies the cost by"),
    "speed": ("tokens/s", "Speed of a user there"),
    "rate": ("tokens/s", "Written by a chip there"),
    "batch": ("sequences", "Batch there"),
    "chips": ("", "Chips that write together there"),
    "fastest": ("tokens/s", "The fastest that is expected"),
    "fastest_most": ("tokens/s", "The fastest that the bound allows"),
    "tried": ("", "Combinations tried"),
    "runs": ("", "Measured runs"),
    "alike": ("", "Of these, of this precision"),
    "beyond": ("", "Of those, faster than the forecast's fastest"),
    "own_under": ("x", "The forecast's best over what the middle one of these wrote, at its speed and context"),
    "own": ("x", "The middle run over the forecast of its own batch and layout"),
    "run_cost": ("$", "Nearest run: a million tokens"),
    "run_flight": ("sequences", "Nearest run: in flight"),
    "run_context": ("tokens", "Nearest run: tokens of each"),
    "run_tensor": ("chips", "Nearest run: chips of a group"),
    "run_groups": ("groups", "Nearest run: groups for attention"),
    "run_over": ("x", "Nearest run: its time over its own forecast"),
}


def values(**numbers: float) -> dict[str, Value]:
    """The numbers of a frontier; what is not given has none, for nothing fits."""
    return {
        name: Value(
            numbers.get(name, math.inf),
            unit,
            label,
            endless="nothing is measured" if name.startswith(("own", "run_")) else "nothing fits",
        )
        for name, (unit, label) in VALUES.items()
    }
