"""Exchanges timed by others: how long a start takes over nodes, and from how many tokens on relaying pays."""

from __future__ import annotations

from typing import Any

from calc.catalog.node_exchanges import NODE_EXCHANGE_SOURCES
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH
from calc.moe.figures.in_parts import STARTUP
from calc.moe.figures.plans import plan_parts
from calc.moe.figures.timings import LIKE_OURS, RACK, rack_start
from calc.quantities.arithmetic import MICRO
from calc.quantities.units import show
from calc.world.exchange_starts import (
    B200,
    DIRECT,
    H100,
    RELAY,
    TimedRun,
    counted_meeting,
    meeting,
    spread_even,
    spread_nodes,
    start_ratio,
    timed_runs,
    two_racks,
)
from calc.world.figures.both_ends import both_ends

NAMES = {H100: "Hopper", B200: "B200"}
NODES = {1: "one node", 2: "two nodes", 4: "four nodes", 8: "eight nodes"}
KINDS = [(H100, 1), (H100, 2), (H100, 4), (H100, 8), (B200, 1), (B200, 2)]
COLOURS = {H100: look.FREE[0], B200: look.LINKS}
SHAPES = {1: "circle", 2: "square", 4: "triangle-up", 8: "diamond"}
WAYS = {DIRECT: "straight", RELAY: "one copy a node"}
MANY = 128  # tokens of a chip, the most that are drawn
TICKS = [1, 2, 4, 8, 16, 32, 64, 128, 256]


def starts() -> Answer:
    """Half of what an exchange took beyond its bytes, by the tokens of a chip."""
    found = {kind: timed_runs(kind[0], DIRECT, kind[1]) for kind in KINDS}
    ratios = [start_ratio(system) for system in NAMES]
    one = sum(plan_parts(1, RACK, BATCH.default, rack_start(), "expert"))
    racks = [two_racks(ratio) for ratio in ratios]
    return Answer(
        finding=(
            f"With {LIKE_OURS} tokens on each chip a start over two nodes took {show(min(ratios), 'x')} and "
            f"{show(max(ratios), 'x')} as long as one within"
        ),
        description=(
            f"Scatter plot: half of the time of an exchange beyond its bytes, against the tokens of a chip, on Hopper "
            f"over one to eight nodes and on B200 over one and two. With {LIKE_OURS} tokens it rises on Hopper from "
            f"{show(found[H100, 1][LIKE_OURS].start, 's')} in one node to {show(found[H100, 8][LIKE_OURS].start, 's')} "
            f"over eight, and on B200 from {show(found[B200, 1][LIKE_OURS].start, 's')} to "
            f"{show(found[B200, 2][LIKE_OURS].start, 's')} over two."
        ),
        tables={
            "starts": {
                "kind": [_name(*kind) for kind, runs in found.items() for _ in _drawn(runs)],
                "tokens": [run.row.tokens for runs in found.values() for run in _drawn(runs)],
                "start": [run.start / MICRO for runs in found.values() for run in _drawn(runs)],
                "timed": [run.seconds / MICRO for runs in found.values() for run in _drawn(runs)],
                "bytes": [run.bytes_seconds / MICRO for runs in found.values() for run in _drawn(runs)],
            }
        },
        values={
            **{
                f"{NAMES[system].lower()}_{nodes}": Value(
                    runs[LIKE_OURS].start, "s", f"A start, {_name(system, nodes)}, {LIKE_OURS} tokens a chip"
                )
                for (system, nodes), runs in found.items()
            },
            "tokens": Value(LIKE_OURS, "tokens", "Tokens of a chip"),
            **both_ends("ratio", ratios, "A start over two nodes, over one within", "x", 3),
            "eight": Value(start_ratio(H100, 8), "x", "over eight, Hopper", 2),
            "few": Value(start_ratio(H100, tokens=8), "x", "over two, 8 tokens a chip, Hopper", 2),
            "many": Value(start_ratio(H100, tokens=MANY), "x", f"over two, {MANY} tokens a chip, Hopper", 2),
            "many_eight": Value(start_ratio(H100, 8, MANY), "x", f"over eight, {MANY} tokens a chip, Hopper", 2),
            "relayed": Value(timed_runs(H100, RELAY, 2)[LIKE_OURS].start, "s", "A start, one copy a node", 2),
            "spread": Value(spread_nodes(found[H100, 4][LIKE_OURS].start), "s", "Lecture 3's spread layers, a token"),
            "spread_even": Value(spread_even(), "s", "A start, even with lecture 3's row", 2),
            **both_ends("racks", racks, "Two racks with such starts", "s", 3),
            **both_ends("less", [1 - one / each for each in racks], "A chip of two racks writes less by"),
        },
    )


def _drawn(runs: dict[int, TimedRun]) -> list[TimedRun]:
    return [run for tokens, run in runs.items() if tokens <= MANY]


def _name(system: str, nodes: int) -> str:
    return f"{NAMES[system]}, {NODES[nodes]}"


def starts_chart() -> Any:
    """Dots of six kinds: a colour for each chip, a shape for each number of nodes."""
    import altair as alt

    names = [_name(*kind) for kind in KINDS]
    x = alt.X("tokens:Q", title="Tokens of a chip").scale(type="log", base=2, nice=False).axis(values=TICKS)
    y = alt.Y("start:Q", title="A start, µs").scale(domain=[0, 60], nice=False)
    colour = alt.Color("kind:N", title=None).scale(domain=names, range=[COLOURS[system] for system, _ in KINDS])
    shape = alt.Shape("kind:N", title=None).scale(domain=names, range=[SHAPES[nodes] for _, nodes in KINDS])
    dots = alt.Chart(alt.NamedData("starts")).mark_point(size=60, filled=True, opacity=0.9)
    return dots.encode(x=x, y=y, color=colour, shape=shape)


def relays() -> Answer:
    """Over two nodes: a copy for each expert, straight, and one copy a node that is passed on."""
    found = {(system, way): timed_runs(system, way, 2) for system in NAMES for way in WAYS}
    last, first = meeting(B200)
    older, later = meeting(H100)
    direct, relay = found[B200, DIRECT], found[B200, RELAY]
    rows = [(f"{NAMES[system]}, {WAYS[way]}", run) for (system, way), runs in found.items() for run in runs.values()]
    return Answer(
        finding=(
            f"On two nodes of B200 copies that went straight were quicker up to {last} tokens a chip, one copy a node "
            f"from {first}"
        ),
        description=(
            f"Line chart, both axes logarithmic: time of an exchange over two nodes of eight against the tokens of a "
            f"chip. Straight copies begin lower and rise with their bytes; one copy a node begins higher and rises "
            f"later. They meet between {last} and {first} tokens on B200, between {older} and {later} on Hopper."
        ),
        tables={
            "relays": {
                "kind": [name for name, _ in rows],
                "tokens": [run.row.tokens for _, run in rows],
                "timed": [run.seconds / MICRO for _, run in rows],
                "bytes": [run.bytes_seconds / MICRO for _, run in rows],
            }
        },
        values={
            "last": Value(last, "tokens", "Straight is quicker up to"),
            "first": Value(first, "tokens", "One copy a node from"),
            "older_last": Value(older, "tokens", "Hopper: straight up to"),
            "older_first": Value(later, "tokens", "one copy a node from"),
            "direct": Value(direct[last].seconds, "s", f"{last} tokens, straight"),
            "relay": Value(relay[last].seconds, "s", "one copy a node"),
            "later_direct": Value(direct[first].seconds, "s", f"{first} tokens, straight"),
            "later_relay": Value(relay[first].seconds, "s", "one copy a node"),
            **both_ends("starts", _relayed(B200), "Starts over straight ones, B200", "x"),
            **both_ends("older_starts", _relayed(H100), "Starts over straight ones, Hopper", "x"),
            "counted": Value(counted_meeting(rack_start()), "tokens", "Two racks by our count: from", 2),
            "counted_short": Value(counted_meeting(STARTUP.default), "tokens", "with short starts", 2),
            "short": Value(STARTUP.default * MICRO, "s", "Short starts"),
        },
    )


def _relayed(system: str) -> list[float]:
    """Starts of one copy a node over straight ones, at the tokens that were timed both ways."""
    direct, relay = (_drawn(timed_runs(system, way, 2)) for way in WAYS)
    straight = {run.row.tokens: run.start for run in direct}
    return [run.start / straight[run.row.tokens] for run in relay if run.row.tokens in straight]


def relays_chart() -> Any:
    """Two pairs of lines that cross."""
    import altair as alt

    names = [f"{name}, {way}" for name in NAMES.values() for way in WAYS.values()]
    x = alt.X("tokens:Q", title="Tokens of a chip").scale(type="log", base=2, nice=False).axis(values=TICKS)
    y = alt.Y("timed:Q", title="An exchange over two nodes, µs").scale(type="log", nice=False)
    y = y.axis(values=[50, 100, 200, 400, 800])
    colour = alt.Color("kind:N", title=None).scale(domain=names, range=[COLOURS[each] for each in NAMES for _ in WAYS])
    dash = alt.StrokeDash("kind:N", title=None).scale(domain=names, range=[[1, 0], [6, 3], [1, 0], [6, 3]])
    lines = alt.Chart(alt.NamedData("relays")).mark_line()
    return lines.encode(x=x, y=y, color=colour, strokeDash=dash)


FIGURES = (
    Figure(
        name="world/exchange-starts",
        foremost=4,
        compute=starts,
        chart=starts_chart,
        table="starts",
        columns={
            "kind": "Chips",
            "tokens": "Tokens of a chip",
            "timed": "Timed (µs)",
            "bytes": "Bytes alone (µs)",
            "start": "A start (µs)",
        },
        assumptions=(
            "A copy for each expert, straight: eight of 256 on Hopper, in FP8 out and BF16 back; six of 384 on B200, "
            "in BF16 both ways.",
            "Bytes travel at the full rate of links within and of one network card a chip, both at once.",
        ),
        sources=NODE_EXCHANGE_SOURCES,
    ),
    Figure(
        name="world/exchange-relays",
        foremost=4,
        compute=relays,
        chart=relays_chart,
        table="relays",
        columns={"kind": "Chips", "tokens": "Tokens of a chip", "timed": "Timed (µs)", "bytes": "Bytes alone (µs)"},
        assumptions=("Programs for few tokens and for many differ in more than the copies that they send.",),
        sources=NODE_EXCHANGE_SOURCES,
    ),
)
