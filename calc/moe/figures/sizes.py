"""Lecture 2 in pictures: a step over half a rack, one and two, in parts, with short starts and with timed ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import catalog
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import prefixed
from calc.figure.inputs import Choice
from calc.figure.named import name_layer, over_bars
from calc.figure.scenario import BATCH, CONTEXT
from calc.moe.figures.in_parts import STARTUP, four_parts, over_racks
from calc.moe.figures.timings import rack_start
from calc.quantities.arithmetic import MICRO
from calc.quantities.units import plain, show
from calc.step.forecasting import forecast_of

SIZES = {0.5: "half a rack", 1: "one rack", 2: "two racks"}
PARTS = ("Experts", "Other work", "Exchange", "Starts")
COLOURS = (look.WEIGHTS, look.FREE[2], look.LINKS, look.FREE[0])
BETWEEN = " "  # an empty row between the two groups
BAR, ROOM = 0.62, 1.12  # of its band, a bar; and of the longest bar, to say its length behind it

RACK = Choice(
    name="rack",
    label="Rack",
    default="gb200-nvl72",
    options={"gb200-nvl72": "GB200 NVL72", "gb300-nvl72": "GB300 NVL72, faster links out"},
    help="Its network cards carry what leaves it.",
)


def sizes(*, rack: str, batch: float, startup: float) -> Answer:
    """A step over half a rack, one and two, each chip with as many sequences: its parts, at two lengths of a start."""
    starts = {"": startup, "_slow": rack_start()}
    found = {(racks, at): four_parts(racks, rack, batch, starts[at]) for at in starts for racks in SIZES}
    total = {bar: sum(pieces) for bar, pieces in found.items()}
    rows = {(racks, at): f"{SIZES[racks]}, {show(starts[at] * MICRO, 's')}" for racks, at in found}
    if len(set(rows.values())) < len(rows):  # the reader's start is the timed one
        rows = {(racks, at): f"{row} (timed)" if at else row for (racks, at), row in rows.items()}
    best = {at: min(SIZES, key=lambda racks, at=at: total[racks, at]) for at in starts}  # type: ignore[misc]
    edges = {bar: np.concatenate([[0.0], np.cumsum(pieces)]) for bar, pieces in found.items()}
    cells = [(rows[bar], PARTS[place], *edges[bar][place : place + 2]) for bar in found for place in range(len(PARTS))]
    cells.insert(len(cells) // 2, (BETWEEN, PARTS[0], 0.0, 0.0))
    each = batch / catalog.system(rack).chips
    steps = {racks: over_racks(racks, rack, batch, CONTEXT.default) for racks in SIZES}
    likely = {racks: float(forecast_of(step).seconds) for racks, step in steps.items()}
    again = float(steps[2].rounds - steps[1].rounds) * starts["_slow"] * MICRO
    band = forecast_of(steps[1]).fit
    return Answer(
        finding=f"{_finding(best, total, starts)}; {plain(each)} tokens a chip",
        description=(
            f"Six bars, a step of DeepSeek-V3 each, with {plain(each)} sequences on each chip, over half a rack, one "
            f"and two, cut in experts, other work, exchange and starts. With starts of "
            f"{show(startup * MICRO, 's')} they take {_three(total, '')}, with starts of "
            f"{show(starts['_slow'] * MICRO, 's')} {_three(total, '_slow')}."
        ),
        tables={
            "parts": {
                name: [cell[place] for cell in cells] for place, name in enumerate(("row", "part", "from", "to"))
            },
            "bars": {
                "row": list(rows.values()),
                **{name: [pieces[place] for pieces in found.values()] for place, name in enumerate(PARTS)},
                "total": list(total.values()),
            },
            "ends": {
                "row": list(rows.values()),
                "end": list(total.values()),
                "edge": [ROOM * seconds for seconds in total.values()],
                "label": [show(seconds, "s") for seconds in total.values()],
                "best": [best[at] == racks for racks, at in total],
            },
            "named": over_bars(cells),
        },
        values={
            "experts_more": Value(found[0.5, ""][0] - found[1, ""][0], "s", "Experts of half a rack, longer by"),
            "half_longer": Value(total[0.5, ""] - total[1, ""], "s", "Half a rack's step, longer by"),
            "two_longer": Value(total[2, ""] - total[1, ""], "s", "Two racks' step, longer by"),
            "two_longer_slow": Value(total[2, "_slow"] - total[1, "_slow"], "s", "The same, starts as timed"),
            "exchange_more": Value(found[2, ""][2] / found[1, ""][2], "x", "Two racks' exchange, over one rack's", 2),
            "half_less": Value(1 - total[1, ""] / total[0.5, ""], "%", "A chip of half a rack writes less by", 2),
            "half_less_slow": Value(1 - total[1, "_slow"] / total[0.5, "_slow"], "%", "The same, starts as timed", 2),
            "two_less": Value(1 - total[1, ""] / total[2, ""], "%", "A chip of two racks writes less by", 2),
            "two_less_slow": Value(1 - total[1, "_slow"] / total[2, "_slow"], "%", "The same, starts as timed", 2),
            "half_likely": Value(likely[0.5], "s", "Forecast of half a rack's step"),
            "one_likely": Value(likely[1], "s", "Forecast of one rack's"),
            "two_likely": Value(likely[2], "s", "Forecast of two racks', without second starts"),
            "half_less_likely": Value(1 - likely[1] / likely[0.5], "%", "By it half a rack writes less by", 2),
            "two_less_likely": Value(1 - likely[1] / likely[2], "%", "By it two racks write less by", 2),
            "two_less_again": Value(1 - likely[1] / (likely[2] + again), "%", "The same, second starts as timed", 2),
            "low": Value(band.low_80, "x", "Four of five runs over their forecast, from", 2),
            "high": Value(band.high_80, "x", "Four of five runs over their forecast, to", 2),
        },
    )


def _finding(best: dict[str, float], total: dict[tuple[float, str], float], starts: dict[str, float]) -> str:
    short, slow = (show(starts[at] * MICRO, "s") for at in starts)
    said = {at: f"{SIZES[best[at]]} {show(total[best[at], at], 's')}" for at in starts}
    name = SIZES[best[""]].capitalize()
    if best[""] == best["_slow"]:
        first, second = (show(total[best[at], at], "s") for at in starts)
        times = f"{first} with starts of {short}, {second} with {slow}"
        verb = "have" if best[""] == 2 else "has"
        return f"{name} {verb} the shortest step: {times}"
    return f"The shortest step: with starts of {short}, {said['']}; with {slow}, {said['_slow']}"


def _three(total: dict[tuple[float, str], float], at: str) -> str:
    return ", ".join(show(total[racks, at], "s") for racks in SIZES)


def sizes_chart() -> Any:
    """Two groups of three bars, each cut in its parts, with the length of the step behind it."""
    import altair as alt

    colours: dict[str, Any] = {"domain": list(PARTS), "range": list(COLOURS)}
    y = alt.Y("row:N", title=None, sort=None).scale(paddingInner=0)
    y = y.axis(labelColor=look.INK, labelFontSize=12.5, domain=False, ticks=False, grid=False)
    x = alt.X("from:Q", title="Time of a step").scale(nice=False, zero=True).axis(**prefixed("s"))
    bars = alt.Chart(alt.NamedData("parts")).mark_bar(cornerRadiusEnd=0, height={"band": BAR})
    drawn = bars.encode(x=x, x2="to:Q", y=y, color=alt.Color("part:N", legend=None).scale(**colours))
    ends = alt.Chart(alt.NamedData("ends")).encode(x="end:Q", y=y, text="label:N")
    words: dict[str, Any] = {"align": "left", "baseline": "middle", "dx": 6}
    words |= {"fontWeight": alt.expr("datum.best ? 700 : 400")}
    edge = alt.Chart(alt.NamedData("ends")).mark_rule(opacity=0).encode(x="edge:Q")
    return drawn + edge + ends.mark_text(**words) + name_layer(alt, colours, y, over=BAR)


SIZED = Figure(
    name="moe/sizes",
    inputs=(BATCH, STARTUP, RACK),
    compute=sizes,
    chart=sizes_chart,
    table="bars",
    columns={"row": "Over, with starts of", **{name: f"{name} (s)" for name in PARTS}, "total": "Step (s)"},
    assumptions=(
        f"DeepSeek-V3 in FP8, attention on every chip, at a context of {plain(CONTEXT.default, 9)}. The batch is of "
        "one rack; half a rack has half of it, two racks twice, so each chip has as many sequences.",
        "One operation after another, each as long as its reading or its multiplying, whichever is longer. Experts "
        "include the passing on of their tokens' numbers.",
        "Over two racks a token crosses once and is passed on within: each message starts twice. The lower bars have "
        "starts as NVIDIA timed them on a rack.",
    ),
    foremost=4,
    sources=("deepseek-v3-config", "aiconfigurator", "aiconfigurator-silicon"),
)
