"""A step in parts, as the pictures of ways to spread a model show it: over chips, groups of chips and whole racks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calc import catalog
from calc.batching.figures.setting import laid_out
from calc.figure.guides import SECONDS, guide_layer, here_layer
from calc.figure.inputs import Number
from calc.figure.line_names import labelled_lines
from calc.moe.figures.timings import rack_start
from calc.quantities.arithmetic import MICRO
from calc.quantities.check import Array, Quantity
from calc.quantities.units import plain, show
from calc.setting import Layout
from calc.step import Step, decode

PARTS = {
    "weights": "Weights",
    "cache": "Cache",
    "arithmetic": "Arithmetic",
    "network": "Links",
    "starting": "Starts",
    "step": "Whole step",
}
STARTUP = Number(
    name="startup",
    label="Start of a message",
    default=5,
    low=0,
    high=100,
    unit="µs",
    help=(
        f"From the call to the first byte at the other end. NVIDIA's library counts on "
        f"{show(catalog.datum('nccl-start').value, 's')}, and {show(catalog.datum('nccl-hop').value, 's')} a step over "
        "NVLink. No bandwidth shortens it."
    ),
)
AS_TIMED = replace(
    STARTUP,
    default=round(rack_start(), 1),
    help="Half of what an exchange takes beside its bytes: packing, waiting, the first byte. Timed on a GB200 rack.",
)
WITH_STARTS = "With starts: operation after operation, each at its own roofline, and the start of every message added."
COLUMNS = {
    "weights": "Reading weights (s)",
    "cache": "Reading cache (s)",
    "arithmetic": "Multiplying (s)",
    "network": "On the links (s)",
    "starting": "Start of messages (s)",
    "step": "Whole step, with starts (s)",
}
SOURCES = ("lecture", "aiconfigurator", "deepseek-v3-config", "nccl-tuning")


def parts(step: Step, startup: float) -> dict[str, Any]:
    """Seconds of a step by what they go to, and with operations in turn and start-up times added.

    An operation on links within and out waits for the slower, as the step does.
    """
    return {
        "weights": step.weights_seconds,
        "cache": step.cache_seconds,
        "arithmetic": step.compute_seconds,
        "network": sum(np.maximum(each.scale_up_seconds, each.scale_out_seconds) for each in step.operations),
        "starting": starting(step, startup),
        "step": step.in_turn_seconds + starting(step, startup),
    }


def starting(step: Step, startup: float) -> Quantity:
    """Seconds of the starts of a step, each of `startup` microseconds."""
    taken: Quantity = step.rounds * startup * MICRO
    return taken


def with_starts(step: Step, startup: float) -> float:
    """Seconds of a step of a single setting, operations in turn and starts added."""
    return float(step.in_turn_seconds + starting(step, startup))


def over_racks(racks: float, system: str, batch: Quantity, context: float, *, relay: bool = True) -> Step:
    """DeepSeek-V3's step in FP8 over so many racks: `batch` is that of one, and each chip has as many sequences.

    >>> float(over_racks(2, "gb200-nvl72", 720, 4096).rounds)  # each message starts twice
    232.0
    """
    where = laid_out("deepseek-v3", system, "fp8", "usual")
    layout = Layout(data=where.machine.domain_chips * racks, relay=relay)
    return decode(where.with_layout(layout), batch * racks, context)


def in_turn(step: Step, start: float) -> tuple[float, float, float]:
    """Seconds of all that a chip does for itself, of what it sends, and of the starts, one after another."""
    work = float(sum(each.roofline_seconds for each in step.operations if not each.sends))
    taken = parts(step, start)
    starts = float(taken["starting"])
    return work, float(taken["step"]) - work - starts, starts


def shortest(total: Array, fits: NDArray[np.bool_]) -> int:
    """Where the step is shortest among those that have room, or among all if none has."""
    return int(np.argmin(np.where(fits, total, np.inf) if np.any(fits) else total))


def drawn(part: Quantity, places: Array) -> Array:
    """A logarithmic axis has no place for nothing."""
    wide = np.asarray(part, dtype=float) * np.ones(len(places))
    return np.where(wide > 0, wide, np.nan)


def room_notes(places: Array, fits: NDArray[np.bool_]) -> list[str]:
    """Which places on the axis the memory of a chip rules out."""
    if np.all(fits):
        return []
    without = ", ".join(plain(place, 9) for place in places[~fits])
    return [f"Weights and cache do not fit at {without}: the times there are those of chips with more memory."]


def parts_chart(field: str, title: str, *, falling: bool = False, guided: bool = False) -> Any:
    """The parts of a step as lines that are named at their ends, and the reader's setting with its time.

    Where it is `guided`, the table `guides` has places to mark.
    """

    def chart() -> Any:
        import altair as alt

        lines = labelled_lines(
            alt,
            PARTS,
            alt.X(f"{field}:Q", title=title).scale(type="log", base=2, nice=False).axis(format="d", tickCount=6),
            alt.Y("seconds:Q", title="Time in a step")
            .scale(type="log")
            .axis(**SECONDS | {"values": [10.0**power for power in range(-7, 4)]}),
            point={"size": 30},
        )
        own = here_layer(alt, field, "seconds", label="label", over="seconds", falling=falling)
        return guide_layer(alt, field) + lines + own if guided else lines + own

    return chart
