"""Lecture 2 in pictures: a prompt's way on one clock, from chips that read it over the links to those that write."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc.batching.figures.setting import laid_out
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO, SECONDS
from calc.figure.scenario import BATCH, MODEL, PRECISION, SYSTEM
from calc.moe.figures.in_parts import AS_TIMED, starting, with_starts
from calc.moe.figures.jobs import jobs
from calc.moe.figures.shared import ANSWER, CACHED, PROMPT
from calc.quantities.units import plain, show
from calc.setting import Scenario
from calc.step import Step, all_to_all_rate, prefill

READ, HAND, WRITE = LANES = ("read", "hand over", "write")
PIECES = 48  # tokens that can still be told apart; of more, each piece stands for several
LEAST = 8  # tokens that are drawn at least
SHADES = (1.0, 0.72)  # of one piece and the next
PARTS = {"compute": "arithmetic", "weights": "weights", "cache": "cache", "exchange": "links", "starts": "starts"}
INSIDE = 0.55  # of the clock: a bar that ends later has its words inside
WITHIN = "No link out of this domain is published: the cache goes over the links within, at the rate of an exchange."


def way(
    *,
    model: str,
    system: str,
    precision: str,
    batch: float,
    prompt: float,
    answer: float,
    cached: float,
    startup: float,
) -> Answer:
    """One request on a clock: its prompt is read, its cache handed over, its answer written token by token."""
    where, scenario = laid_out(model, system, precision, "usual"), Scenario.named(model, system, precision)
    reading, writing, held, groups, chips, crowded = jobs(where, batch, prompt, answer, cached)
    read, token = with_starts(reading, startup), with_starts(writing, startup)
    fresh = with_starts(prefill(where, groups, prompt), startup)
    machine = where.machine
    leaves = float(np.max(machine.scale_out)) > 0
    way_over = machine.scale_out if leaves else all_to_all_rate(machine, chips)
    link = float(np.max(way_over)) * chips / groups
    later = answer - 1  # the pass that reads a prompt yields the first token
    carried = prompt * scenario.kv_bytes_per_token
    over = carried / link * (later > 0)
    whole = read + over + later * token
    shown = min(later, max((read + over) // token, LEAST))
    clock = read + over + shown * token
    limits = {READ: _limit(reading, startup), HAND: "exchange", WRITE: _limit(writing, startup)}
    spans = {READ: (0.0, read), HAND: (read, read + over), WRITE: (read + over, clock)}
    said = {
        READ: f"{show(prompt - held, 'tokens', 7)}, {show(read, 's')}",
        HAND: f"{show(carried, 'B')}, {show(over, 's')}",
        WRITE: f"{show(later, 'tokens', 7)} until {show(whole, 's')}" + (" →" if shown < later else ""),
    }
    begins = (
        "This does not fit; if it did, the first token would at best come"
        if crowded
        else "At best the first token comes"
    )
    return Answer(
        finding=(
            f"{begins} after {show(read, 's')}, the last after {show(whole, 's')}: reading is "
            f"{show(read / whole, '%', 2)} of the wait, and handing over takes {show(over, 's')}"
        ),
        description=(
            f"Time line with three lanes, one below the other. The prompt is read in {show(read, 's')}, limited by "
            f"{PARTS[limits[READ]]}, which yields the first token. Then its cache of {show(carried, 'B')} crosses the "
            f"links in {show(over, 's')}. Then {show(later, 'tokens', 7)} are written, one every {show(token, 's')}, "
            f"limited by {PARTS[limits[WRITE]]}, until {show(whole, 's')}."
        ),
        tables={
            "bars": _bars(spans, limits, shown),
            "words": _words(spans, said, clock),
            "first": {"at": [read], "label": ["first token"], "side": ["right" if read > clock / 2 else "left"]},
            "lanes": {
                "lane": list(LANES),
                "from": [start for start, _ in spans.values()],
                "to": [read, read + over, whole],
                "limit": [PARTS[limit] for limit in limits.values()],
            },
        },
        values={
            "first": Value(read, "s", "First token, without a queue (TTFT)"),
            "over": Value(over, "s", "Handing over"),
            "token": Value(token, "s", "From token to token (TPOT)"),
            "context": Value(prompt + answer / 2, "tokens", "Context of a token, on average"),
            "whole": Value(whole, "s", "Whole answer"),
            "held": Value(held, "tokens", "Found in a cache", 7),
            "new": Value(prompt - held, "tokens", "Read", 7),
            "fresh": Value(fresh, "s", "First token, nothing in a cache"),
            "second": Value(read + over + token * (later > 0), "s", "Second token"),
            "carried": Value(carried, "B", "Cache that is handed over"),
            "busy_read": Value(read * chips / groups, "s", "Chip time of reading"),
            "busy_write": Value(later * token * chips / batch, "s", "Chip time of writing"),
        },
        notes=[
            *[crowded] * bool(crowded),
            *([f"Each piece of the writing stands for {plain(shown / PIECES)} tokens."] if shown > PIECES else []),
            *(
                ["The clock stops before the answer does: as much of the writing is drawn as reading took."]
                * (shown < later)
            ),
            *([] if leaves else [WITHIN]),
        ],
    )


def _limit(step: Step, startup: float) -> str:
    """The part that takes longest."""
    parts = {
        "compute": step.compute_seconds,
        "weights": step.weights_seconds,
        "cache": step.cache_seconds,
        "exchange": step.scale_up_seconds + step.scale_out_seconds,
        "starts": starting(step, startup),
    }
    return max(parts, key=lambda part: parts[part])


def _bars(spans: dict[str, tuple[float, float]], limits: dict[str, str], tokens: float) -> dict[str, list[Any]]:
    """A bar for reading, one for handing over, and a row of pieces for the tokens."""
    pieces = int(min(tokens, PIECES))
    edges = np.linspace(*spans[WRITE], pieces + 1).tolist()
    start, end = [spans[READ][0], spans[HAND][0], *edges[:-1]], [spans[READ][1], spans[HAND][1], *edges[1:]]
    lanes = [READ, HAND] + [WRITE] * pieces
    return {
        "lane": lanes,
        "from": start,
        "to": end,
        "part": [PARTS[limits[lane]] for lane in lanes],
        "shade": [SHADES[0], SHADES[0], *(SHADES[piece % 2] for piece in range(pieces))],
    }


def _words(spans: dict[str, tuple[float, float]], said: dict[str, str], clock: float) -> dict[str, list[Any]]:
    """The words for what each lane does, after its bar or, where that ends too late, before its end."""
    inside = {lane: end > INSIDE * clock for lane, (_, end) in spans.items()}
    return {
        "lane": list(LANES),
        "at": [clock if inside[lane] else spans[lane][1] for lane in LANES],
        "side": ["right" if inside[lane] else "left" for lane in LANES],
        "label": [said[lane] for lane in LANES],
    }


def way_chart() -> Any:
    """Three lanes on a linear clock; the colour says what limits a lane."""
    import altair as alt

    names = tuple(PARTS.values())
    x = alt.X("from:Q", title="Time").scale(nice=False, zero=True).axis(grid=True, tickCount=5, **SECONDS)
    y = alt.Y("lane:N", title=None, sort=list(LANES)).axis(labelFontSize=12.5, labelColor=look.INK, grid=False)
    color = alt.Color("part:N", title="Limited by").scale(**look.series(*names))
    bars = (
        alt.Chart(alt.NamedData("bars"))
        .mark_bar(height={"band": 0.42}, cornerRadius=0)
        .encode(
            x=x,
            x2="to:Q",
            y=y,
            color=color.legend(columns=5, offset=6),
            fillOpacity=alt.FillOpacity("shade:Q", legend=None).scale(None),
        )
    )
    text: dict[str, Any] = {
        "align": alt.expr("datum.side"),
        "dx": alt.expr("datum.side == 'left' ? 5 : 0"),  # beside the rule of the first token
        "dy": alt.expr("-0.21 * bandwidth('y') - 10"),
        "fontSize": 12,
    }
    words = alt.Chart(alt.NamedData("words")).encode(x="at:Q", y=y, text="label:N")
    said = words.mark_text(**text, **HALO) + words.mark_text(**text, color=look.INK)
    first = alt.Chart(alt.NamedData("first")).encode(x="at:Q")
    aside: dict[str, Any] = {"align": alt.expr("datum.side"), "dx": alt.expr("datum.side == 'left' ? 5 : -5")}
    word = first.mark_text(**aside, y=alt.expr("height - 5"), baseline="bottom", color=look.MUTED, fontSize=11.5)
    return bars + first.mark_rule(strokeDash=[2, 3]) + word.encode(text="label:N") + said


WAY = Figure(
    name="moe/way",
    inputs=(MODEL, SYSTEM, PRECISION, BATCH, PROMPT, ANSWER, CACHED, AS_TIMED),
    compute=way,
    chart=way_chart,
    table="lanes",
    columns={"lane": "Lane", "from": "From (s)", "to": "Until (s)", "limit": "Limited by"},
    assumptions=(
        "Both kinds of machines are alike, laid out as their makers do; operations in turn at full rates, with starts.",
        "A prompt is read alone by the chips of one group, and yields the first token; each later one takes a step.",
        "A bar's colour is the largest part of it: the exchange of a prompt is in its bar, sent in the open.",
        "The cache crosses on the links of the chips that hold it, when all of it has been read. No queues.",
    ),
    foremost=4,
    sources=("deepseek-day-6", "aiconfigurator", "deepseek-v3-config"),
)
