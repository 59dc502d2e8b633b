"""Lecture 2 in pictures: a step over half a rack, one and two, in parts, with starts as long as timed ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc.catalog.exchanges import EXCHANGES_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import prefixed
from calc.figure.inputs import Choice
from calc.figure.named import name_layer, over_bars
from calc.figure.scenario import BATCH, CONTEXT
from calc.moe.figures.in_parts import AS_TIMED
from calc.moe.figures.plans import EQUAL, RACK, SIZES, plan_parts
from calc.quantities.arithmetic import whole_up
from calc.quantities.units import plain, show
from calc.setting import Scenario

PARTS = ("Experts", "Other work", "Bytes", "Starts")
COLOURS = (look.WEIGHTS, look.FREE[2], look.LINKS, look.FREE[0])
BAR, ROOM = 0.62, 1.12  # of its band, a bar; and of the longest bar, to say its length behind it

COPIES = Choice(
    name="copies",
    label="Copies of a token",
    default="expert",
    options={"expert": "one for each expert", "rack": "one for each chip, and for each other rack"},
    help="One copy can serve several experts; in another rack it is passed on and starts again.",
)


def sizes(*, rack: str, batch: float, startup: float, copies: str) -> Answer:
    """A step over half a rack, one and two, each chip with as many sequences, in parts."""
    found = {racks: plan_parts(racks, rack, batch, startup, copies) for racks in SIZES}
    total = {racks: sum(pieces) for racks, pieces in found.items()}
    edges = {racks: np.concatenate([[0.0], np.cumsum(pieces)]) for racks, pieces in found.items()}
    cells = [
        (SIZES[racks], PARTS[place], *edges[racks][place : place + 2]) for racks in found for place in range(len(PARTS))
    ]
    chips = Scenario.named("deepseek-v3", rack, "fp8").system.chips
    each = whole_up(batch / chips)
    least = min(total.values())
    half, one, two = found.values()
    return Answer(
        finding=_finding(total, show(each, "tokens")),
        description=(
            f"Three bars, a step of DeepSeek-V3 each, with {show(each, 'sequences')} on the fullest chip, over half a "
            f"rack, one and two, cut in experts, other work, bytes of the exchange and starts. They take "
            f"{', '.join(show(seconds, 's') for seconds in total.values())}."
        ),
        tables={
            "parts": {
                name: [cell[place] for cell in cells] for place, name in enumerate(("row", "part", "from", "to"))
            },
            "bars": {
                "row": list(SIZES.values()),
                **{name: [pieces[place] for pieces in found.values()] for place, name in enumerate(PARTS)},
                "total": list(total.values()),
            },
            "ends": {
                "row": list(SIZES.values()),
                "end": list(total.values()),
                "edge": [ROOM * seconds for seconds in total.values()],
                "label": [show(seconds, "s") for seconds in total.values()],
                "best": [seconds <= EQUAL * least for seconds in total.values()],
            },
            "named": over_bars(cells),
        },
        values={
            "one_step": Value(total[1], "s", "Step on one rack"),
            "half_less": Value(1 - total[1] / total[0.5], "%", "A chip of half a rack writes less by", 2),
            "two_less": Value(1 - total[1] / total[2], "%", "A chip of two racks writes less by", 2),
            "half_step": Value(total[0.5], "s", "Step on half a rack"),
            "two_step": Value(total[2], "s", "Step on two racks"),
            "half_experts": Value(half[0], "s", "Experts of half a rack"),
            "one_experts": Value(one[0], "s", "Experts of one rack"),
            "two_experts": Value(two[0], "s", "Experts of two racks"),
            "other": Value(one[1], "s", "Other work, in each"),
            "one_exchange": Value(one[2], "s", "Bytes of the exchange, one rack"),
            "two_exchange": Value(two[2], "s", "Bytes of the exchange, two racks"),
            "two_exchange_more": Value(two[2] - one[2], "s", "longer by"),
            "starts": Value(one[3], "s", "Starts of one rack"),
        },
    )


def _finding(total: dict[float, float], each: str) -> str:
    least = min(total.values())
    best = [racks for racks, seconds in total.items() if seconds <= EQUAL * least]
    others = ", ".join(f"{SIZES[racks]} {show(seconds, 's')}" for racks, seconds in total.items() if racks not in best)
    name = " and ".join(SIZES[racks] for racks in best)
    verb = "are" if len(best) > 1 or best == [2] else "is"
    return f"At {each} a chip {name} {verb} quickest, {show(least, 's')} as counted: {others}"


def sizes_chart() -> Any:
    """Three bars, each cut in its parts, with the length of the step behind it."""
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
    inputs=(BATCH, AS_TIMED, RACK, COPIES),
    compute=sizes,
    chart=sizes_chart,
    table="bars",
    columns={"row": "Over", **{name: f"{name} (s)" for name in PARTS}, "total": "Step (s)"},
    assumptions=(
        f"DeepSeek-V3 in FP8, attention on every chip, at a context of {plain(CONTEXT.default, 9)}. The batch is of "
        "one rack; half a rack has half of it, two racks twice, so each chip has as many sequences.",
        "One operation after another, each as long as its reading or its multiplying, whichever is longer. In a small "
        "batch some chip reads more experts than counted. Starts are counted alike; timed ones differed.",
        "With a copy for each expert all copies count as sent, though one in 72 is for the chip itself.",
    ),
    foremost=3,
    sources=("deepseek-v3-config", "aiconfigurator", EXCHANGES_SOURCE),
)
