"""How near measured steps come to the bound: what prose says of it."""

from __future__ import annotations

import numpy as np

from calc.figure.declared import Answer, Figure, Value
from calc.world.against import over_bound, points


def measured() -> Answer:
    """Every clean measurement: its time over the bound, in all and by the number of chips."""
    found = points()
    ratios, sizes = np.array([point.over_bound for point in found]), over_bound(found, "chips")
    return Answer(
        finding="Measured steps over the bound on them.",
        values={
            "count": Value(len(found), "", "Measured steps", 4),
            "median": Value(np.median(ratios), "x", "Over the bound, median"),
            "least": Value(ratios.min(), "x", "Over the bound, nearest"),
            "twice": Value(np.mean(ratios < 2), "%", "Nearer than twice", 2),
            "one_chip": Value(sizes["1"][2], "x", "Over the bound on one chip, median", 2),
            "eight_chips": Value(sizes["8"][2], "x", "Over the bound on eight, median", 2),
        },
    )


FIGURES = (Figure(name="world/bound", compute=measured),)
