"""The links: the exchange inside a domain, out of it, and over several."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from calc import batching, moe
from calc.figure import look
from calc.figure.declared import Answer, Figure, Number, Value
from calc.figure.guides import SECONDS, dashed_only, guide_layer, guides, here_layer, named_lines
from calc.figure.scenario import BATCH, CONTEXT, MODEL, PRECISION, SYSTEM, Setting, setting
from calc.moe import routing
from calc.moe.figures.setting import (
    BLACKBOARD_RATIO,
    exchange_step,
    hidden_batch,
    is_dense,
    link_notes,
    link_ratio,
    links,
    routed,
    sent_bytes,
)
from calc.quantities.units import plain, show

BATCHES: Any = np.logspace(0, 6, 97)
PARTS = {"rest": "The rest of the step", "inside": "Exchange, links within", "outside": "Exchange, links out"}
MOST_RACKS = 8
WAYS = ("Your links", "Blackboard: 8", "Yours, a copy a rack")

RACKS = Number(
    name="racks",
    label="Racks",
    default=2,
    low=1,
    high=MOST_RACKS,
    whole=True,
    help="Scale-up domains over which the experts of a layer are spread.",
)


def exchange(*, model: str, system: str, precision: str, context: float, batch: float) -> Answer:
    """The all-to-all of a step against the batch, by the links within the domain and by those out of it."""
    where = setting(model, system, precision)
    chips, (within, out) = where.system.chips, links(where)

    def times(sequences: Any) -> tuple[Any, Any, Any]:
        rest: Any = batching.step_time(sequences, context, **where.step_arguments())
        tokens = sequences / chips
        away = (
            np.full_like(np.asarray(tokens), np.nan)
            if math.isnan(out)
            else exchange_step(where.model, tokens, out, chips)
        )
        return rest.bound, exchange_step(where.model, tokens, within, chips), away

    rest, inside, outside = times(BATCHES)
    rest_here, inside_here, outside_here = (float(part) for part in times(batch))
    hidden = hidden_batch(where, context, within)
    hidden_out = math.nan if math.isnan(out) else hidden_batch(where, context, out)
    return Answer(
        finding=_exchange_finding(where, batch, rest_here, inside_here, outside_here),
        description=(
            f"Line chart, both axes logarithmic: seconds of a decode step of {where.model.name} on "
            f"{where.system.name} against the batch. The exchange rises in proportion to the batch: at "
            f"{plain(batch, 9)} it takes {show(inside_here, 's')} on the links within, {show(outside_here, 's')} "
            f"on the links out; the rest of the step, level at first, takes at least {show(rest_here, 's')}."
        ),
        tables={
            "curve": {
                "batch": BATCHES,
                "rest": rest,
                "inside": _drawn(inside),
                "outside": _drawn(outside),
            },
            "here": {"batch": [batch], "seconds": [_drawn(inside_here)]},
            "guides": guides("batch", {"hidden, links out": hidden_out, "hidden, within": hidden}, 1, 1e6),
        },
        values={
            "inside": Value(inside_here, "s", "Exchange, links within, at least"),
            "outside": Value(outside_here, "s", "Exchange, links out, at least"),
            "rest": Value(rest_here, "s", "The rest of the step, at least"),
            "inside_share": Value(inside_here / rest_here, "%", "Links within, against the rest"),
            "outside_share": Value(outside_here / rest_here, "x", "Links out, against the rest"),
            "hidden": Value(hidden, "sequences", "Hidden up to, links within", endless="any size"),
            "hidden_out": Value(hidden_out, "sequences", "Hidden up to, links out", endless="any size"),
            "tokens": Value(batch / chips, "tokens", "Tokens of a chip"),
            "bytes": Value(float(sent_bytes(where.model, batch / chips)), "B", "A chip sends in a layer"),
            "ratio": Value(within / out, "x", "Links within over links out"),
        },
        notes=[*where.notes(), *link_notes(where)],
    )


def _drawn(seconds: Any) -> Any:
    """A logarithmic axis has no place for nothing."""
    shown = np.where(np.asarray(seconds) > 0, seconds, np.nan)
    return shown if shown.ndim else float(shown)


def _exchange_finding(where: Setting, batch: float, rest: float, inside: float, outside: float) -> str:
    if is_dense(where.model):
        return f"{where.model.name} is dense: it has no experts, and so no such exchange"
    hides = "hides behind" if inside <= rest else "outlasts"
    within = f"At a batch of {plain(batch, 9)} the exchange takes {show(inside, 's')} within and {hides} the rest"
    if math.isnan(outside):
        return f"{within}, {show(rest, 's')}"
    return f"{within}, {show(rest, 's')}; by the links out it takes {show(outside, 's')}"


def exchange_chart() -> Any:
    """Two lines in proportion to the batch, and the step that they must not outlast."""
    import altair as alt

    lines = named_lines(
        alt,
        PARTS,
        alt.X("batch:Q", title="Batch (sequences)").scale(type="log").axis(format="~s"),
        alt.Y("seconds:Q", title="Time in a step").scale(type="log").axis(**SECONDS),
    ).transform_filter("isValid(datum.seconds)")
    return guide_layer(alt, "batch") + lines + here_layer(alt, "batch", "seconds")


def racks(*, model: str, system: str, racks: float) -> Answer:
    """How much longer an exchange takes over several domains than inside one."""
    where = setting(model, system, "bf16")
    ratio, experts = link_ratio(where), routed(where.model)
    known = not math.isnan(ratio)
    spread: Any = np.arange(1, MOST_RACKS + 1)
    board = np.asarray(moe.spread_slowdown(spread, BLACKBOARD_RATIO))
    yours = np.asarray(moe.spread_slowdown(spread, ratio)) if known else np.full(MOST_RACKS, np.nan)
    saved = np.array([_one_copy(experts, each, ratio) for each in spread])
    at = int(racks) - 1
    leaves = float(moe.leaving_share(racks))
    shown = float(yours[at] if known else board[at])
    slower = (
        f"links {show(ratio, 'x')} slower" if known else f"the blackboard's links, {show(BLACKBOARD_RATIO, 'x')} slower"
    )
    return Answer(
        finding=f"{where.model.name} is dense: it has no experts to spread over racks"
        if is_dense(where.model)
        else _racks_finding(int(racks), leaves, shown, slower),
        description=(
            f"Line chart with points: time of an exchange over 1 to {MOST_RACKS} racks, as a multiple of its time in "
            f"one. On the blackboard's links it is {show(board[1], 'x')} for two and rises towards "
            f"{show(BLACKBOARD_RATIO, 'x')}; at your setting, {plain(racks)} racks, it is {show(shown, 'x')}."
        ),
        tables={
            "curve": {
                "racks": np.tile(spread, len(WAYS)),
                "way": [way for way in WAYS for _ in spread],
                "slowdown": np.concatenate([yours, board, saved]),
            },
            "here": {"racks": [racks], "slowdown": [shown]},
        },
        values={
            "leaves": Value(leaves, "%", "Traffic that leaves a rack"),
            "slowdown": Value(float(yours[at]), "x", "Your links, slower than one rack"),
            "board": Value(float(board[at]), "x", "The blackboard's links"),
            "saved": Value(float(saved[at]), "x", "Yours, with one copy a rack"),
            "ratio": Value(ratio, "x", "Your links within over links out"),
        },
        notes=[*link_notes(where), *_copy_notes(experts, int(racks))],
    )


def _racks_finding(racks: int, leaves: float, slowdown: float, slower: str) -> str:
    if racks == 1:
        return f"In one rack nothing leaves, and {slower} do not matter"
    times = f"{show(slowdown, 'x')} as long as in one"
    return f"Over {racks} racks {show(leaves, '%')} of the traffic leaves, by {slower}: the exchange takes {times}"


def _one_copy(experts: tuple[int, int], racks: int, ratio: float) -> float:
    """The same with one copy to each rack, from where it is passed on within; not known where experts do not divide."""
    if math.isnan(ratio) or experts[0] % racks:
        return math.nan
    if experts[1] > experts[0]:
        return math.nan
    copies = float(routing.remote_groups(*experts, racks))
    return max(1.0, ratio * copies / experts[1])


def _copy_notes(experts: tuple[int, int], racks: int) -> list[str]:
    if experts[0] > 1 and experts[0] % racks:
        return [f"{experts[0]} experts do not divide evenly over {racks} racks: no figure for one copy a rack."]
    return []


def racks_chart() -> Any:
    """Three rows of points that leave 1 as soon as there is a second rack."""
    import altair as alt

    base = (
        alt.Chart(alt.NamedData("curve"))
        .transform_filter("isValid(datum.slowdown)")
        .encode(
            x=alt.X("racks:Q", title="Racks").scale(domain=[1, MOST_RACKS], nice=False).axis(format="d", tickCount=8),
            y=alt.Y("slowdown:Q", title="Time of an exchange, × one rack").scale(zero=True),
            color=alt.Color("way:N", title=None).scale(**look.series(*WAYS)),
        )
    )
    dots = base.mark_point(size=45).encode(shape=alt.Shape("way:N", title=None).scale(**look.shapes(*WAYS)))
    return (
        base.mark_line().encode(strokeDash=dashed_only(alt, "way", WAYS)) + dots + here_layer(alt, "racks", "slowdown")
    )


BOTH_WAYS = "A token goes out in one byte a number and comes back in two, once for each of its experts."
RATED = "Links run at their full rate, all chips send and receive equally much, and a message takes no time to start."

EXCHANGE = Figure(
    name="moe/exchange",
    inputs=(MODEL, SYSTEM, PRECISION, CONTEXT, BATCH),
    compute=exchange,
    chart=exchange_chart,
    table="curve",
    columns={
        "batch": "Batch (sequences)",
        "rest": "The rest of the step (s)",
        "inside": "Exchange, links within (s)",
        "outside": "Exchange, links out (s)",
    },
    assumptions=(
        BOTH_WAYS,
        RATED,
        "Experts, with copies where they do not divide, are spread evenly over all chips of the domain.",
        "“Links out” is the same exchange on the same chips, if they had only those.",
        "Hidden: two micro-batches take turns, one computing while the other is sent.",
    ),
    sources=("lecture", "aiconfigurator", "deepseek-insights"),
)

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
        "One copy a rack: a token crosses once to each rack with experts of its own, and returns summed.",
    ),
    sources=("lecture", "aiconfigurator"),
)
