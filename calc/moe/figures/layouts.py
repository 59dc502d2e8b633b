"""A step against the ways to divide one domain: into larger and larger groups of chips that cut every matrix."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calc.batching.figures.setting import laid_out
from calc.figure.declared import Answer, Figure, Value
from calc.figure.line_names import ends
from calc.figure.scenario import BATCH, CONTEXT, MODEL, PRECISION, SYSTEM
from calc.moe.figures.in_parts import (
    COLUMNS,
    PARTS,
    SOURCES,
    STARTUP,
    WITH_STARTS,
    drawn,
    parts,
    parts_chart,
    room_notes,
    shortest,
)
from calc.quantities.check import Array
from calc.quantities.units import plain, show
from calc.setting import Layout
from calc.step import decode


def layouts(*, model: str, system: str, precision: str, context: float, batch: float, startup: float) -> Answer:
    """One domain, divided into groups of chips that cut every matrix among them and share their sequences."""
    usual = laid_out(model, system, precision, "usual")
    many = int(np.max(usual.layout.chips))
    ways = np.array(
        [each for each in range(1, many + 1) if many % each == 0 and (each & (each - 1) == 0 or each == many)]
    )
    layout = Layout(tensor=ways, data=many // ways, expert=many if usual.model.experts else 0)
    step = decode(usual.with_layout(layout), batch, context)
    positions = Layout(tensor=many, expert=many if usual.model.experts else 0, context=many)
    by_positions = parts(decode(usual.with_layout(positions), batch, context), startup)["step"]
    found = {key: drawn(part, ways) for key, part in parts(step, startup).items()}
    total = found["step"]
    reads = np.asarray(step.memory_bytes) * np.ones(len(ways))
    holds = np.asarray(step.chip_weight_bytes + step.chip_kept_bytes) * np.ones(len(ways))
    fits = holds <= np.max(usual.machine.hbm_bytes)
    best = shortest(total, fits)
    table = {"tensor": ways, "groups": many // ways} | found | {"reads": reads, "holds": holds}
    return Answer(
        finding=f"{usual.model.name} on {plain(many, 9)} chips: at best a step takes {_times(best, ways, total, fits)}",
        description=(
            f"Line chart, both axes logarithmic: seconds of a step of {usual.model.name} on {plain(many, 9)} chips of "
            f"{usual.machine.name} against the chips of a group that cuts every matrix. From the smallest "
            f"group to the largest a chip reads weights for {show(found['weights'][0], 's')} to "
            f"{show(found['weights'][-1], 's')}, and cache for {show(found['cache'][0], 's')} to "
            f"{show(found['cache'][-1], 's')}."
        ),
        tables={
            "curve": table,
            "ends": ends(table, "tensor", PARTS),
            "here": {"tensor": [ways[best]], "seconds": [total[best]], "label": [show(total[best], "s")]},
        },
        values={
            "single": Value(total[0], "s", "Step, attention on every chip (DP)"),
            "whole": Value(total[-1], "s", "Step, one group of all (TP)"),
            "positions": Value(by_positions, "s", "The same, cache cut by positions"),
            "best": Value(ways[best], "chips", "Best group", 9),
            "least": Value(total[best], "s", "Step with it"),
            "single_reads": Value(reads[0], "B", "A chip reads, DP"),
            "best_reads": Value(reads[best], "B", "A chip reads, best group"),
            "whole_reads": Value(reads[-1], "B", "A chip reads, TP"),
            "single_holds": Value(holds[0], "B", "A chip holds, DP"),
            "whole_holds": Value(holds[-1], "B", "A chip holds, TP"),
            "memory": Value(np.max(usual.machine.hbm_bytes), "B", "Memory of a chip"),
        },
        notes=room_notes(ways, fits),
    )


def _times(best: int, ways: Array, total: Array, fits: NDArray[np.bool_]) -> str:
    """The time of the best groups, then of copied attention and of one group of all, and whether each has room."""
    ends = {0: "with attention on each", len(total) - 1: "in one group of all"}
    places = [best, *(place for place in ends if place != best)]
    return ", ".join(
        f"{show(total[place], 's')} {ends.get(place, f'in groups of {plain(ways[place], 9)}')}"
        f"{'' if fits[place] else ', if it had room'}"
        for place in places
    )


LAYOUTS = Figure(
    name="moe/layouts",
    inputs=(MODEL, SYSTEM, PRECISION, CONTEXT, BATCH, STARTUP),
    compute=layouts,
    chart=parts_chart("tensor", "Chips of a group (TP)"),
    table="curve",
    columns={"tensor": "Chips of a group", "groups": "Groups"}
    | COLUMNS
    | {"reads": "A chip reads (B)", "holds": "A chip holds (B)"},
    assumptions=(
        "Groups serve sequences of their own (DP), the chips of a group cut attention and dense layers (TP), experts "
        "are spread whole over all chips (EP).",
        "A cache that heads share, as a latent does, cannot be cut by heads: every chip of the group keeps it all.",
        WITH_STARTS,
    ),
    foremost=4,
    sources=SOURCES,
)
