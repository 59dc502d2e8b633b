"""A second rack: how much longer an exchange takes over several domains than inside one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from calc import moe
from calc.catalog import Model
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO, here_layer
from calc.figure.inputs import Number
from calc.figure.line_names import dashed_only, end_labels, ends_of
from calc.figure.scenario import MODEL, SYSTEM
from calc.moe.figures.setting import BLACKBOARD_RATIO, link_notes, link_ratio
from calc.quantities.check import Array
from calc.quantities.units import show
from calc.setting import Scenario
from calc.step import visited_share

MOST_RACKS, ALONG = 8, 5  # and where the links' ratio is written
WAYS = ("This system's links", "Pope's links, 8× slower", "One copy a rack")
RATED = "Links run at their full rate, all chips send and receive equally much, and a message takes no time to start."

RACKS = Number(
    name="racks",
    label="Racks",
    default=2,
    low=1,
    high=MOST_RACKS,
    whole=True,
    help="Scale-up domains over which the experts of a layer are spread.",
)


def racks(*, model: str, system: str, racks: float) -> Answer:
    """How much longer an exchange takes over several domains than inside one."""
    where = Scenario.named(model, system, "bf16")
    ratio = link_ratio(where)
    known = not math.isnan(ratio)
    spread = np.arange(1.0, MOST_RACKS + 1)
    board = np.asarray(moe.spread_slowdown(spread, BLACKBOARD_RATIO))
    yours = np.asarray(moe.spread_slowdown(spread, ratio)) if known else np.full(MOST_RACKS, np.nan)
    saved = _one_copy(where.model, spread, ratio)
    at = int(racks) - 1
    leaves = moe.leaving_share(racks)
    shown = yours[at] if known else board[at]
    slower = f"links {show(ratio, 'x')} slower" if known else f"Pope's links, {show(BLACKBOARD_RATIO, 'x')} slower"
    return Answer(
        finding=f"{where.model.name} is dense: it has no experts to spread over racks"
        if where.model.dense
        else _racks_finding(int(racks), leaves, shown, slower),
        description=(
            f"Line chart with points: time of an exchange over 1 to {MOST_RACKS} racks, as a multiple of its time in "
            f"one. On Pope's links it is {show(board[1], 'x')} for two and rises towards "
            f"{show(BLACKBOARD_RATIO, 'x')}; at your setting, {show(racks, 'racks')}, it is {show(shown, 'x')}."
        ),
        tables={
            "curve": {
                "racks": np.tile(spread, len(WAYS)),
                "way": [way for way in WAYS for _ in spread],
                "slowdown": np.concatenate([yours, board, saved]),
            },
            "ends": ends_of(
                {way: (spread, times) for way, times in zip(WAYS, (yours, board, saved), strict=True)},
                "racks",
                log=False,
            ),
            "here": {"racks": [racks], "slowdown": [shown], "label": [show(shown, "x")]},
            "slower": {
                "racks": [ALONG] * known,
                "slowdown": [yours[ALONG - 1]] * known,
                "label": [f"{show(ratio, 'x')} slower"] * known,
            },
        },
        values={
            "leaves": Value(leaves, "%", "Traffic that leaves a rack"),
            "slowdown": Value(yours[at], "x", "This system's links"),
            "board": Value(board[at], "x", "Pope's links"),
            "saved": Value(saved[at], "x", "A copy a rack, on this system's links", 2),
            "ratio": Value(ratio, "x", "Its links within over links out"),
        },
        notes=link_notes(where),
    )


def _racks_finding(racks: int, leaves: float, slowdown: float, slower: str) -> str:
    if racks == 1:
        return f"In one rack nothing leaves, and {slower} do not matter"
    times = f"{show(slowdown, 'x')} as long as in one"
    return f"Over {racks} racks {show(leaves, '%')} of the traffic leaves, by {slower}: the exchange takes {times}"


def _one_copy(model: Model, racks: Array, ratio: float) -> Array:
    """The same with one copy to each rack, from where it is passed on within: bytes of the average rack's links."""
    picks = math.nan if model.dense else model.routed[1]
    copies = (racks - 1) * visited_share(racks, model.routed[1], *model.groups, experts=model.routed[0])
    found: Array = np.maximum(1, ratio * copies / picks)
    return found


def racks_chart() -> Any:
    """Three rows of points that leave 1 as soon as there is a second rack."""
    import altair as alt

    x = alt.X("racks:Q", title="Racks").scale(domain=[1, MOST_RACKS], nice=False).axis(format="d", tickCount=8)
    base = (
        alt.Chart(alt.NamedData("curve"))
        .transform_filter("isValid(datum.slowdown)")
        .encode(
            x=x,
            y=alt.Y("slowdown:Q", title="Time of an exchange, × one rack").scale(zero=True),
            color=alt.Color("way:N", legend=None).scale(**look.series(*WAYS)),
        )
    )
    dots = base.mark_point(size=45).encode(shape=alt.Shape("way:N", legend=None).scale(**look.shapes(*WAYS)))
    lines = base.mark_line().encode(strokeDash=dashed_only(alt, "way", WAYS))
    slower = alt.Chart(alt.NamedData("slower")).encode(x=x, y="slowdown:Q", text="label:N")
    said: dict[str, Any] = {"dy": -13, "fontSize": 12}
    along = slower.mark_text(**said, **HALO) + slower.mark_text(**said, color=look.series(*WAYS)["range"][0])
    return lines + dots + along + end_labels(alt, WAYS, x) + here_layer(alt, "racks", "slowdown", label="label")


ACROSS = Figure(
    name="moe/racks",
    inputs=(MODEL, SYSTEM, RACKS),
    compute=racks,
    chart=racks_chart,
    table="curve",
    columns={"racks": "Racks", "way": "Way", "slowdown": "Time, × one rack"},
    assumptions=(
        RATED,
        "Each chip sends as many bytes as in one rack: the batch grows with the racks.",
        "Both networks work at once, so the slower of the two is what takes the time.",
        "One copy a rack: a token crosses once to each rack with experts of its own, and returns summed. Racks hold "
        "equal parts of the experts, DeepSeek-V3's groups of them side by side.",
    ),
    sources=("lecture", "aiconfigurator"),
)
