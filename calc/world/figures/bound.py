"""How near measured steps come to the bound: what prose says of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from calc import catalog
from calc.catalog.measurement import measurements
from calc.figure.declared import Answer, Figure, Value
from calc.world.against import over_bound, points
from calc.world.falsify import Confronted, confronted

ONE_MODEL = "llama-3-70b"
FEW, MANY = 8, 64
"""Sequences in flight: up to so many are few, more than so many are many."""


def measured() -> Answer:
    """Every clean measurement: its time over the bound, in all and by the number of chips."""
    found, aside = points(), Counter(row.set_aside for row in measurements())
    faced = confronted([point.row for point in found])
    ratios, sizes = np.array([point.over_bound for point in found]), over_bound(found, "chips")
    alike = over_bound([point for point in found if point.row.model == ONE_MODEL], "chips")
    name = catalog.model(ONE_MODEL).name
    return Answer(
        finding="Measured steps over the bound on them.",
        values={
            "count": Value(len(found), "", "Clean runs", 4),
            "recorded": Value(sum(aside.values()), "", "Runs on record", 4),
            "reads": Value(sum(each.reads for each in faced), "", "whose bound is that of memory", 4),
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
            "alike_one": Value(alike["1"][2], "x", f"{name}: over the bound on one chip, median", 2),
            "alike_eight": Value(alike["8"][2], "x", f"{name}: over the bound on eight, median", 2),
            "dense_least": Value(
                min(each.ratio for each in faced if _dense(each)), "x", "Over the bound, dense, nearest"
            ),
            **_by_load(faced),
            **_prompted(faced),
        },
    )


def _by_load(faced: Sequence[Confronted]) -> dict[str, Value]:
    """Over the bound, the median, in dense models and in mixtures, with few sequences in flight and with many."""

    def middle(dense: bool, low: float, high: float) -> float:
        return float(
            np.median([each.ratio for each in faced if _dense(each) is dense and low < each.row.in_flight <= high])
        )

    return {
        f"{kind}_{load}": Value(middle(kind == "dense", *edges), "x", f"Over the bound, {kind}, {load} in flight", 2)
        for kind in ("dense", "mixture")
        for load, edges in {"few": (0, FEW), "many": (MANY, np.inf)}.items()
    }


def _dense(each: Confronted) -> bool:
    return catalog.model(each.row.model).dense


def _prompted(faced: Sequence[Confronted]) -> dict[str, Value]:
    """The bound with the prompts that a step reads."""
    ratios = [each.prompted_ratio for each in faced]
    return {
        "beside": Value(sum(each.row.mode == "agg" for each in faced), "", "that read prompts beside", 4),
        "prompted_least": Value(min(ratios), "x", "Over the bound with prompts, nearest"),
        "prompted_median": Value(np.median(ratios), "x", "Over the bound with prompts, median"),
        "dense_many_prompted": Value(
            np.median([each.prompted_ratio for each in faced if _dense(each) and each.row.in_flight > MANY]),
            "x",
            "Over the bound with prompts, dense, many in flight",
            2,
        ),
        "multiply": Value(sum(each.multiplies for each in faced), "", "whose bound with prompts is of products", 4),
        "products": Value(min(each.row.token_seconds / each.products for each in faced), "x", "Over products, least"),
    }


FIGURES = (Figure(name="world/bound", compute=measured),)
