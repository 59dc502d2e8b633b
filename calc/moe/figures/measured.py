"""Lecture 2 in pictures: what was measured. Exchanges over up to 32 nodes, and the speed that links leave a user."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from calc import catalog
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import DECADES, HALO, PLAIN, here_layer
from calc.figure.line_names import ends, labelled_lines
from calc.figure.scenario import BATCH, MODEL, SYSTEM
from calc.moe.figures.in_parts import AS_TIMED
from calc.moe.figures.setting import exchange_step, link_notes, links, sharing_chips
from calc.moe.figures.shared import WAY, observed
from calc.moe.figures.timings import MEASURED_CHIPS, MEASURED_TOKENS, NEWER_CHIPS, OLDER_CHIPS, measured_exchange
from calc.quantities.arithmetic import MICRO
from calc.quantities.check import Quantity
from calc.quantities.units import plain, show
from calc.setting import Scenario

SEEN = ("Bound", "Measured")
FAINT = 0.4  # of the colour, for dots that compare with the others only in part
LINKS = {"inside": "all on links within", "outside": "all on links out"}
TOKENS, TENS = np.logspace(0, 4, 17), [10**power for power in range(5)]  # the lines are straight


def measured(*, way: str) -> Answer:
    """Measured exchanges against the number of chips."""
    found = {chips: measured_exchange(chips, way) for chips in MEASURED_CHIPS}
    newer = [found[chips] for chips in NEWER_CHIPS]
    first, last = newer[0], newer[-1]
    names = [str(chips) for chips in MEASURED_CHIPS]
    shades = [FAINT if chips in OLDER_CHIPS else 1.0 for chips in MEASURED_CHIPS]
    return Answer(
        finding=(
            f"From one node to eight, {WAY.options[way]}, measured times rise from {show(first.measured, 's')} to "
            f"{show(last.measured, 's')}, as much as the bound; in the end they are {show(last.miss, 'x', 3)} the bound"
        ),
        description=(
            f"Dot chart over 8 to 256 chips in nodes of eight: the bound on an exchange rises from "
            f"{show(first.bound, 's')} in one node to {show(last.bound, 's')} over eight; measured times rise with it, "
            f"from {show(first.measured, 's')} to {show(last.measured, 's')}. Faint dots over 16 and 32 nodes are of "
            f"older programs, {show(found[MEASURED_CHIPS[-1]].measured, 's')} over 32."
        ),
        tables={
            "points": {
                "chips": names * 2,
                "seen": [seen for seen in SEEN for _ in names],
                "seconds": [each.bound for each in found.values()] + [each.measured for each in found.values()],
                "shade": shades * 2,
            },
            "names": {"chips": names[:1] * 2, "seen": list(SEEN), "seconds": [first.bound, first.measured]},
            "older": {
                "chips": [str(OLDER_CHIPS[0])],
                "seconds": [found[OLDER_CHIPS[0]].measured],
                "label": ["older programs"],
            },
            "spans": {
                "chips": names,
                "bound": [each.bound for each in found.values()],
                "measured": [each.measured for each in found.values()],
                "miss": [each.miss for each in found.values()],
            },
        },
        values={
            "first": Value(first.measured, "s", "In one node"),
            "last": Value(last.measured, "s", "Over eight nodes"),
            "bound": Value(last.bound, "s", "Bound over eight nodes"),
            "miss": Value(last.miss, "x", "Over the bound, eight nodes", 3),
            "ratio": Value(_inner_over_outer(), "", "Inner link over outer"),
            "first_miss": Value(first.miss, "x", "Over the bound, one node", 2),
            "worst": Value(max(each.miss for each in newer), "x", "Furthest from the bound", 2),
            "least": Value(min(each.miss for each in newer), "x", "Nearest to the bound", 3),
        },
        notes=[
            "The faint dots, of 128 and 256 chips, are of older programs: they send every copy over the network card, "
            "and so does their bound."
        ],
    )


def _inner_over_outer() -> float:
    """How many times faster the links of those nodes are within."""
    node = catalog.system("hgx-h800")
    return node.known("scale_up_bandwidth") / node.known("scale_out_bandwidth")


def measured_chart() -> Any:
    """Two rows of dots that rise together, with the distance between them."""
    import altair as alt

    x = alt.X("chips:O", title="Chips, in nodes of eight", sort=None).axis(labelAngle=0, grid=False)
    colour = alt.Color("seen:N", legend=None).scale(**look.series(*SEEN))
    spans = alt.Chart(alt.NamedData("spans")).mark_rule().encode(x=x, y="bound:Q", y2="measured:Q")
    dots = (
        alt.Chart(alt.NamedData("points"))
        .mark_point(size=110)
        .encode(
            opacity=alt.Opacity("shade:Q", legend=None).scale(None),
            x=x,
            y=alt.Y("seconds:Q", title=f"Time of an exchange in one layer, {MEASURED_TOKENS} tokens a chip")
            .scale(zero=True)
            .axis(labelExpr="format(datum.value * 1e6, 'd') + ' µs'"),
            color=colour,
            shape=alt.Shape("seen:N", legend=None).scale(**look.shapes(*SEEN)),
        )
    )
    named = alt.Chart(alt.NamedData("names")).mark_text(align="left", dx=11, fontSize=12)
    older = alt.Chart(alt.NamedData("older")).mark_text(dy=-14, fontSize=12, color=look.MUTED)
    return (
        spans
        + dots
        + named.encode(x=x, y="seconds:Q", text="seen:N", color=colour)
        + older.encode(x=x, y="seconds:Q", text="label:N")
    )


def speed(*, model: str, system: str, batch: float) -> Answer:
    """The speed of a user that the exchange alone leaves, against the tokens that each chip has in a step."""
    where = Scenario.named(model, system, "bf16")
    chips, (within, out) = sharing_chips(where), links(where)
    dense = where.model.dense

    def capped(tokens: Quantity, link: float) -> Quantity:
        if dense or math.isnan(link):
            return np.full_like(np.asarray(tokens, dtype=np.float64), np.nan)
        return 1 / exchange_step(where.model, tokens, link, chips)

    tokens = max(batch / chips, 1.0)
    inside, outside = (float(capped(tokens, link)) for link in (within, out))
    day = observed()
    drawn = not dense and TOKENS[0] <= tokens <= TOKENS[-1]
    curve = {"tokens": TOKENS, "inside": capped(TOKENS, within), "outside": capped(TOKENS, out)}
    known = [each for each in (inside, outside) if drawn and not math.isnan(each)]
    return Answer(
        finding=_speed_finding(where.model.name, dense, tokens, inside, outside),
        description=(
            f"Line chart, both axes logarithmic: tokens a second of one user against the tokens of a chip in a step, "
            f"as far as the exchange of {where.model.name} allows. {_fallen(tokens, inside, outside)} A point "
            f"marks DeepSeek's day: {show(day.tokens, 'tokens')} a chip, {show(day.speed, 'tokens/s')}."
        ),
        tables={
            "curve": curve,
            "ends": ends(curve, "tokens", LINKS),
            "here": {"tokens": [tokens] * len(known), "speed": known, "label": [plain(each) for each in known]},
            "seen": {
                "tokens": [day.tokens],
                "speed": [day.speed],
                "label": [f"DeepSeek's service, on H800: {plain(day.speed)} a second"],
            },
        },
        values={
            "inside": Value(inside, "tokens/s", "Each user, links within, at most"),
            "outside": Value(outside, "tokens/s", "Each user, links out, at most"),
            "tokens": Value(tokens, "tokens", "Tokens of a chip that has any"),
        },
        notes=[*_left_out(where), *link_notes(where)],
    )


def _left_out(where: Scenario) -> list[str]:
    """The cap that starts alone put on a user: one out and one back of each half in every layer."""
    if where.model.dense:
        return []
    start = AS_TIMED.default * MICRO
    return [
        "Only the bytes of the exchange are counted; reading and multiplying lower the speed further. Starts alone, "
        f"{show(start, 's')} each as timed on a GB200 rack, leave a user at most "
        f"{show(1 / (2 * 2 * where.model.expert_layers * start), 'tokens/s')} if both halves wait for them in turn."
    ]


def _speed_finding(name: str, dense: bool, tokens: float, inside: float, outside: float) -> str:
    if dense:
        return f"{name} is dense: no exchange of experts limits its speed"
    within = f"With {show(tokens, 'tokens')} on a chip, bytes alone leave a user at most {show(inside, 'tokens/s')} "
    within += "on links within"
    return within if math.isnan(outside) else f"{within}, {show(outside, 'tokens/s')} on links out"


def _fallen(tokens: float, inside: float, outside: float) -> str:
    """The lines that are drawn, and where they are."""
    if math.isnan(inside):
        return "No line is drawn."
    at = f"in inverse proportion; at {show(tokens, 'tokens')} a chip"
    if math.isnan(outside):
        return f"One line, of the links within, falls {at} it is at {show(inside, 'tokens/s')}."
    return f"Both lines fall {at} they are at {show(inside, 'tokens/s')} and {show(outside, 'tokens/s')}."


def speed_chart() -> Any:
    """Two lines that fall side by side, and what one operator observed."""
    import altair as alt

    lines = labelled_lines(
        alt,
        LINKS,
        alt.X("tokens:Q", title="Tokens of a chip in a step")
        .scale(type="log")
        .axis(format="~s", values=[1, 10, 100, 1000, 10_000]),
        alt.Y("speed:Q", title="Tokens a second of a user, at most").scale(type="log").axis(values=DECADES, **PLAIN),
    )
    seen = alt.Chart(alt.NamedData("seen")).encode(x="tokens:Q", y="speed:Q")
    mark = seen.mark_point(shape="square", color=look.INK, size=80, opacity=1)
    words: dict[str, Any] = {"align": "center", "dy": 17, "fontSize": 11.5}
    halo = seen.mark_text(**words, **HALO).encode(text="label:N")
    label = halo + seen.mark_text(**words, color=look.INK).encode(text="label:N")
    here = here_layer(alt, "tokens", "speed", label="label", falling=True)
    return lines + mark + label + here


MEASURED = Figure(
    name="moe/measured",
    inputs=(WAY,),
    compute=measured,
    chart=measured_chart,
    table="spans",
    columns={"chips": "Chips", "bound": "Bound (s)", "measured": "Measured (s)", "miss": "Measured / bound"},
    assumptions=(
        "128 tokens a chip, width 7,168, 8 experts a token, FP8 out with a scale for every 128 numbers, BF16 back.",
        "The bound: the share that leaves a node goes over the network card, the rest over NVLink, both at once. "
        "Copies for a chip's own experts need no link.",
        "Up to 64 chips the times were printed in June 2025, those beyond in February 2025, says the table's history.",
    ),
    foremost=4,
    sources=("deepep-legacy", "deepseek-v3-report"),
)

SPEED = Figure(
    name="moe/speed",
    inputs=(MODEL, SYSTEM, BATCH),
    compute=speed,
    chart=speed_chart,
    table="curve",
    columns={"tokens": "Tokens of a chip", "inside": "Links within (tokens/s)", "outside": "Links out (tokens/s)"},
    assumptions=(
        "Two halves of the batch take turns on the link; a step writes a token of each sequence. The rest is free.",
        "One byte a number out and two back, once for each expert of a token; links at their full rate.",
        "The observed point is DeepSeek-V3 on H800, 144 chips over InfiniBand, whatever model and system are chosen.",
    ),
    sources=("deepseek-day-6", "deepseek-insights", "aiconfigurator"),
)

FIGURES = (MEASURED, SPEED)
