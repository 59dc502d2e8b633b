"""A step on the roofline of its chip: operations as points, the roof for each format, and the chart of both."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from calc.figure import look
from calc.figure.guides import HALO, prefixed
from calc.quantities.units import plain, show
from calc.step import Operation, Step, roofline_flops

INTENSITIES = (0.2, 3e4)
KINDS = {  # what is multiplied and read alike, under one name
    "Projections": ("projections", "output projection"),
    "Attention": ("attention", "index"),
    "Dense layers": ("feed-forward", "shared experts", "router"),
    "Experts": ("experts",),
    "Head": ("head",),
}
STEP = "Your step"
READ = {"Attention": "cache", STEP: "all"}
TURNED = 100  # operations a byte, from which a name stands left of its point
STEP_MARK = {"color": look.INK, "shape": "diamond"}  # the accent is too near to the hue of a cache
COLOURS = {"weights": look.WEIGHTS, "cache": look.CACHE, "all": look.INK}


COLUMNS = {
    "name": "Operation",
    "intensity": "Operations a byte",
    "rate": "Operations a second, at most",
    "milliseconds": "Time in a step (ms)",
    "limit": "Limited by",
}
ASSUMPTIONS = (
    "One chip, the busiest, at full rates. A larger dot takes more of the step.",
    "Each operation moves its weights, its cache and the numbers that it takes in and hands on, once.",
    "Your step does one operation after another, and each overlaps its own arithmetic with its own reading. Its dot "
    "lies below the roof where chips send, too, or where operations wait for different things.",
)


@dataclass(frozen=True)
class OnRoofline:
    """The operations of a step as points under the roof of its chip."""

    step: Step

    @cached_property
    def points(self) -> dict[str, dict[str, Any]]:
        """The kinds of operations that the step has, each as one point."""
        return {name: found for name, parts in KINDS.items() if (found := joint_point(self.step, parts))}

    @cached_property
    def whole(self) -> dict[str, Any]:
        """All operations, one after another: on the roof only if none sends and all wait for one thing."""
        step = self.step
        return {
            "intensity": step.flops / sum(_moved(each) for each in step.operations),
            "rate": step.flops / step.in_turn_seconds,
            "milliseconds": 1000 * step.in_turn_seconds,
            "limit": step.limit,
        }

    @property
    def ridge(self) -> float:
        """Operations a byte at which the arithmetic of the step's products takes as long as its reading."""
        machine = self.step.setting.machine
        return float(machine.flops(self.step.setting.precisions.products) / machine.bandwidth)

    @property
    def limits(self) -> str:
        """The kinds that wait for arithmetic, and those that wait for memory, as a sentence begins."""
        bound = [name for name, point in self.points.items() if point["limit"] == "compute"]
        if not bound:
            return "All that multiplies waits for memory"
        if len(bound) == len(self.points):
            return "Every operation is limited by arithmetic"
        *others, last = (name.lower() for name in bound)
        names = f"{', '.join(others)} and {last}" if others else last
        plural = others or last.endswith("s")
        return f"{names.capitalize()} {'are' if plural else 'is'} limited by arithmetic, the rest by memory"

    def tables(self) -> dict[str, dict[str, Any]]:
        """All that the chart draws."""
        whole = self.whole
        return {
            "roof": roof(self.step, [point["intensity"] for point in self.points.values()]),
            "points": labelled(self.points | {STEP: whole}),
            "ridge": {"intensity": [self.ridge], "left": ["memory-bound"], "right": ["compute-bound"]},
            "here": {"intensity": [whole["intensity"]], "rate": [whole["rate"]]},
        }

    def described(self, chip: str) -> str:
        """The picture in words."""
        setting = self.step.setting
        flops = show(setting.machine.flops(setting.precisions.products), "FLOP/s")
        each = ", ".join(f"{name.lower()} at {plain(point['intensity'])}" for name, point in self.points.items())
        return (
            f"Roofline of one {chip}, both axes logarithmic: operations a second against operations for each byte "
            f"moved. The roof rises with the bandwidth of {show(setting.machine.bandwidth, 'B/s')} up to "
            f"{plain(self.ridge)} operations a byte and is level at {flops} from there. On it lie the operations of a "
            f"step of {setting.model.name}: {each}. The whole step does {show(self.whole['rate'], 'FLOP/s')}."
        )


def joint_point(step: Step, parts: tuple[str, ...]) -> dict[str, Any]:
    """Operations of these names as one point: their work and bytes added, each at its own roofline in turn."""
    chosen = [each for each in step.operations if each.name in parts and np.any(np.asarray(each.flops) > 0)]
    if not chosen:
        return {}
    flops, seconds = (sum(each) for each in zip(*((o.flops, o.roofline_seconds) for o in chosen), strict=True))
    longest = max(chosen, key=lambda each: each.roofline_seconds)
    return {
        "intensity": flops / sum(_moved(each) for each in chosen),
        "rate": flops / seconds,
        "milliseconds": 1000 * seconds,
        "limit": longest.limit,
    }


def _moved(each: Operation) -> Any:
    return each.memory_bytes + each.activations


def roof(step: Step, shown: list[float]) -> dict[str, Any]:
    """The roof for every format that the step multiplies in, as far as its operations lie."""
    machine, precisions = step.setting.machine, step.setting.precisions
    low, high = min([INTENSITIES[0], *shown]), max([INTENSITIES[-1], *(2 * x for x in shown)])
    formats = dict.fromkeys((precisions.products, precisions.attention_products))
    rates = {machine.flops(name): name for name in reversed(formats)}
    rows = [
        (x, roofline_flops(x, rate, machine.bandwidth), show(rate, "FLOP/s"))
        for rate in rates
        for x in sorted([low, high, rate / machine.bandwidth])  # straight between, as both axes are logarithmic
    ]
    return {
        "intensity": [x for x, _, _ in rows],
        "rate": [y for _, y, _ in rows],
        "roof": [name for _, _, name in rows],
    }


def labelled(found: dict[str, dict[str, Any]]) -> dict[str, list[Any]]:
    """The points with their names below them, from the left; names near the right end stand to the left."""
    order = sorted(found, key=lambda name: found[name]["intensity"])
    shown = [found[name] for name in order]
    return {
        "name": order,
        "label": [f"{name} {plain(point['intensity'])}" for name, point in zip(order, shown, strict=True)],
        "reads": [READ.get(name, "weights") for name in order],
        "limit": [point["limit"] for point in shown],
        "row": list(range(len(order))),
        "side": ["left" if point["intensity"] < TURNED else "right" for point in shown],
        **{key: [point[key] for point in shown] for key in ("intensity", "rate", "milliseconds")},
    }


def roofline_chart() -> Any:
    """A slope that becomes a ceiling; operations on it with their names below, the whole step under it."""
    import altair as alt

    title = "Arithmetic intensity (operations a byte)"
    x = alt.X("intensity:Q", title=title).scale(type="log", nice=False).axis(format="~s")
    rates = prefixed("FLOP/s") | {"values": [10.0**decade for decade in range(6, 19)]}
    y = alt.Y("rate:Q", title="Operations a second, of one chip").scale(type="log").axis(**rates)
    roofs = alt.Chart(alt.NamedData("roof")).mark_line(color=look.INK).encode(x=x, y=y, detail="roof:N")
    ridge = alt.Chart(alt.NamedData("ridge")).encode(x=x)
    frame = alt.Chart(alt.NamedData("ridge"))
    sides = ridge.mark_rule(strokeDash=[2, 3])
    for name, align, place in (("left", "left", 6), ("right", "right", alt.expr("width + 8"))):
        words: dict[str, Any] = {"align": align, "baseline": "bottom", "x": place, "y": alt.expr("height - 5")}
        sides += frame.mark_text(**words, **HALO).encode(text=f"{name}:N")
        sides += frame.mark_text(**words, color=look.MUTED).encode(text=f"{name}:N")
    color = alt.Color("reads:N", legend=None).scale(domain=list(COLOURS), range=list(COLOURS.values()))
    points = alt.Chart(alt.NamedData("points")).encode(x=x, color=color)
    size = alt.Size("milliseconds:Q", legend=None).scale(range=[60, 500])
    row = alt.expr("height - 32 - 16 * datum.row")
    drops = points.mark_rule(y2=row, opacity=0.45, strokeWidth=1).encode(y=y)
    text: dict[str, Any] = {
        "align": alt.expr("datum.side"),
        "dx": alt.expr("datum.side == 'left' ? 5 : -5"),
        "fontSize": 12,
        "y": row,
    }
    halo = points.mark_text(**text, **HALO).encode(text="label:N")
    names = halo + points.mark_text(**text).encode(text="label:N")
    dots = points.transform_filter(f"datum.name != '{STEP}'").mark_circle(opacity=0.9).encode(y=y, size=size)
    step = alt.Chart(alt.NamedData("here")).encode(x=x, y=y).mark_point(**look.HERE | STEP_MARK)
    return sides + roofs + drops + dots + step + names
