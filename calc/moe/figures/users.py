"""Lecture 2 in pictures: users that a chip serves at one speed, on half a rack, one and two."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any

import numpy as np

from calc import catalog
from calc.catalog.exchanges import EXCHANGES_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.inputs import Choice, Number
from calc.figure.line_names import ends, labelled_lines
from calc.figure.scenario import BATCH, CONTEXT
from calc.moe.figures.plans import EQUAL, MISSED, OVER, RACK, SIZES, plan_parts
from calc.moe.figures.timings import rack_start
from calc.quantities.arithmetic import whole_up
from calc.quantities.units import plain, show

CHIPS = catalog.system(RACK.default).chips
OURS = int(whole_up(BATCH.default / CHIPS))  # users of the fullest chip in the lecture's batch
FEWEST, MOST = 10, 1000  # drawn
PLACES = np.unique(np.round(np.geomspace(FEWEST, MOST, 25)))
PLANS = {"half": 0.5, "one": 1, "two": 2}
LINES = {key: SIZES[PLANS[key]] for key in ("one", "two", "half")}  # in the order of their colours
ROW, ROOM = 16, 1.2  # pixels between words in the corner, and the axis over its highest line, for them

USERS = Number(
    name="users",
    label="Users on a chip of half a rack",
    default=OURS,
    low=FEWEST,
    high=MOST,
    log=True,
    whole=True,
    help="Their speed is the one at which the plans are compared.",
)
EXTRA = Choice(
    name="extra",
    label="Extra time",
    default="none",
    options={
        "none": "none, as counted",
        "factor": f"steps {OVER} times as long",
        "equal": f"{show(MISSED, 's')} more in each plan",
    },
    help="Measured steps take longer than their parts.",
)


def seconds(racks: float, users: float, extra: str, rack: str) -> float:
    """A step with so many users on each chip of the plan, and what the count leaves out.

    >>> round(1e3 * seconds(0.5, 29, "equal", "gb200-nvl72"), 1)
    18.6
    """
    counted = sum(plan_parts(racks, rack, users * CHIPS, rack_start(), "expert"))
    return counted * (OVER if extra == "factor" else 1) + (MISSED if extra == "equal" else 0)


def users(*, users: float, extra: str, rack: str) -> Answer:
    """Speeds of the three plans by the users of a chip, and how many each serves at that of half a rack."""
    step, many = seconds(0.5, users, extra, rack) * EQUAL, range(1, 2 * MOST)

    def most(racks: float) -> int:
        return bisect_right(many, step, key=lambda each: seconds(racks, each, extra, rack))

    def level(each: int) -> bool:
        return seconds(0.5, each, extra, rack) <= seconds(1, each, extra, rack) * EQUAL

    found = {"half": int(users), "one": most(1), "two": most(2)}
    even = many[bisect_left(many, True, key=level)]
    curve = {"users": PLACES} | {
        key: np.array([1 / seconds(part, each, extra, rack) for each in PLACES]) for key, part in PLANS.items()
    }
    roof = ROOM * max(float(curve[key].max()) for key in PLANS)
    speed, ranked = 1 / step, sorted(found, key=lambda key: -found[key])
    at, served = show(speed, "tokens/s"), {key: plain(number, 4) for key, number in found.items()}
    drawn = [key for key in ranked if FEWEST <= found[key] <= MOST]
    start, more = ("As counted, at", "") if extra == "none" else ("At", f", with {EXTRA.options[extra]}")
    return Answer(
        finding=(
            f"{start} {at} a chip serves {served['half']} users on half a rack, {served['one']} on one and "
            f"{served['two']} on two{more}"
        ),
        description=(
            f"Line chart: tokens a second of each user against users on a chip, from {FEWEST} to {MOST:,} on a "
            f"logarithmic axis, over half a rack, one and two. All fall. A level line at {at} meets them at "
            f"{served['half']}, {served['one']} and {served['two']} users. Half a rack and one are equal from "
            f"about {plain(even, 2)}."
        ),
        tables={
            "curve": curve,
            "ends": ends(curve, "users", LINES, log=False, top=roof),
            "level": {"speed": [speed], "least": [FEWEST], "most": [float(min(max(found.values()), MOST))]},
            "dots": {
                "users": [float(found[key]) for key in drawn],
                "speed": [speed] * len(drawn),
                "ground": [0.0] * len(drawn),
                "part": [LINES[key] for key in drawn],
            },
            "served": {
                "row": [0, 1, 2, 3, 4],
                "part": ["", *(LINES[key] for key in ranked), ""],
                "label": [
                    f"users at {at}",
                    *(f"{LINES[key]} {served[key]}" for key in ranked),
                    f"meet at {plain(even, 2)}",
                ],
            },
            "even": {"users": [float(even)], "speed": [1 / seconds(1, even, extra, rack)]},
            "roof": {"speed": [roof]},
        },
        values={
            "speed": Value(speed, "tokens/s", "A user's speed"),
            "half_users": Value(found["half"], "", "Users on a chip of half a rack", 4),
            "one_users": Value(found["one"], "", "of one rack", 4),
            "two_users": Value(found["two"], "", "of two racks", 4),
        },
    )


def users_chart() -> Any:
    """Three lines that fall, a level line through half a rack's dot to the others', and their users in the corner."""
    import altair as alt

    x = alt.X("users:Q", title="Users on a chip").scale(type="log", domain=[FEWEST, MOST], nice=False)
    x = x.axis(values=[10, 30, 100, 300, 1000], format="d")
    y = alt.Y("speed:Q", title="Speed of each user, tokens a second").scale(zero=True).axis(grid=False)
    names = tuple(LINES.values())
    color = alt.Color("part:N", legend=None).scale(**look.series(*names))
    level = alt.Chart(alt.NamedData("level")).mark_rule(color=look.INK, strokeDash=[5, 3])
    level = level.encode(x="least:Q", x2="most:Q", y="speed:Q")
    dots = alt.Chart(alt.NamedData("dots")).encode(x="users:Q", y="speed:Q")
    drops = dots.mark_rule(color=look.INK, strokeDash=[2, 3]).encode(y2="ground:Q")
    served = alt.Chart(alt.NamedData("served")).encode(x=alt.value("width"), text="label:N")
    said: dict[str, Any] = {"align": "right", "baseline": "top", "fontSize": 12, "y": alt.expr(f"{ROW} * datum.row")}
    named = served.transform_filter("datum.part").mark_text(**said, fontWeight=600).encode(color=color)
    plainly = served.transform_filter("!datum.part").mark_text(**said, color=look.INK)
    even = alt.Chart(alt.NamedData("even")).encode(x="users:Q", y="speed:Q", y2=alt.value(5 * ROW))
    roof = alt.Chart(alt.NamedData("roof")).mark_rule(opacity=0).encode(y="speed:Q")
    marks = roof + drops + level + even.mark_rule(color=look.MUTED, strokeDash=[2, 3])
    over = dots.mark_point(filled=True, size=70, opacity=1).encode(color=color)
    return marks + labelled_lines(alt, LINES, x, y) + plainly + named + over


SERVED = Figure(
    name="moe/users",
    inputs=(USERS, EXTRA, RACK),
    compute=users,
    chart=users_chart,
    table="curve",
    columns={"users": "Users on a chip", **{key: f"{SIZES[part]} (tokens/s)" for key, part in PLANS.items()}},
    assumptions=(
        f"Steps as in the figure above, at a context of {plain(CONTEXT.default, 9)}: a user gets a token a step.",
        "Starts are as timed with few tokens; with hundreds they are longer, so users of each plan get less.",
    ),
    foremost=2,
    sources=("deepseek-v3-config", "aiconfigurator", EXCHANGES_SOURCE),
)
