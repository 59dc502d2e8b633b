"""How near measured steps come to the bound: what prose says of it."""

from __future__ import annotations

from collections import Counter

import numpy as np

from calc.catalog.measurement import measurements
from calc.figure.declared import Answer, Figure, Value
from calc.world.against import over_bound, points
from calc.world.falsify import confronted


def measured() -> Answer:
    """Every clean measurement: its time over the bound, in all and by the number of chips."""
    found, aside = points(), Counter(row.set_aside for row in measurements())
    reads = sum(each.reads for each in confronted([point.row for point in found]))
    ratios, sizes = np.array([point.over_bound for point in found]), over_bound(found, "chips")
    return Answer(
        finding="Measured steps over the bound on them.",
        values={
            "count": Value(len(found), "", "Clean runs", 4),
            "recorded": Value(sum(aside.values()), "", "Runs on record", 4),
            "reads": Value(reads, "", "whose bound is that of memory", 4),
            "drafts": Value(aside["speculation"], "", "Set aside: with drafts, known or possible", 4),
            "repeats": Value(aside["repeat"], "", "Set aside: repeats of a run", 4),
            "unloaded": Value(aside["load"], "", "Set aside: no load written down", 4),
            "waiting": Value(aside["waiting"], "", "Set aside: requests mostly queued", 4),
            "impossible": Value(aside["impossible layout"], "", "Set aside: impossible layout", 4),
            "median": Value(np.median(ratios), "x", "Over the bound, median"),
            "least": Value(ratios.min(), "x", "Over the bound, nearest"),
            "twice": Value(np.mean(ratios < 2), "%", "Nearer than twice", 2),
            "one_chip": Value(sizes["1"][2], "x", "Over the bound on one chip, median", 2),
            "eight_chips": Value(sizes["8"][2], "x", "Over the bound on eight, median", 2),
        },
    )


FIGURES = (Figure(name="world/bound", compute=measured),)
