"""Lecture 2 in pictures: one token's way in a layer, out to its experts and back, over the chips of a domain."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from calc import moe
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, MODEL, SYSTEM
from calc.moe import routing
from calc.moe.figures.setting import exchange_step, link_notes, links, sharing_chips
from calc.moe.figures.shared import EVEN, THROW
from calc.quantities.units import plain, show
from calc.setting import Scenario

TOKENS = 5  # that are drawn, the first of them in full colour
HOME, AWAY, AGAIN = 0.0, 1.0, 2.0  # columns: the token's chip, its experts' chips, its chip again
OUT, BACK = "out", "back"


def travel(*, model: str, system: str, batch: float, throw: float) -> Answer:
    """A few tokens' ways to their experts and back, and what they weigh."""
    where = Scenario.named(model, system, "bf16")
    experts, picks = where.model.routed
    chips = sharing_chips(where)
    tokens = max(batch / chips, 1.0)  # of a small batch some chips have none, and none has a part of one
    held = moe.place_experts(experts, chips)
    chosen = routing.drawn_choices(TOKENS, experts, picks, int(throw))
    seats = [np.unique(np.flatnonzero(row) // int(held.experts_per_chip)) for row in chosen]
    homes = [int((place + 0.5) * chips / TOKENS) for place in range(TOKENS)]
    each = moe.exchange_bytes(1.0, where.model.known("d_model"), picks)
    inside, outside = (
        math.nan if math.isnan(link) else float(exchange_step(where.model, tokens, link, chips))
        for link in links(where)
    )
    sent = (0.0, 0.0) if where.model.dense else (float(each.dispatch), float(each.combine))
    return Answer(
        finding=_finding(where, picks, len(seats[0]), sent),
        description=f"Drawing in three columns, each the {plain(chips, 9)} chips that share "
        + (
            f"{where.model.name}. No line leads from one to another."
            if where.model.dense
            else f"the experts of {where.model.name}. Lines lead from a token's chip on the left to the "
            f"{show(len(seats[0]), 'chips')} of its {picks} experts in the middle, and twice as thick back to its own "
            f"on the right: {show(sent[0], 'B')} out and {show(sent[1], 'B')} back in a layer. Four other tokens do "
            f"the same, faint."
        ),
        tables={
            "ways": _ways([] if where.model.dense else homes, seats, chips),
            "stops": _stops(homes, seats, chips, where.model.dense),
            "columns": {
                "x": [HOME, AWAY, AGAIN],
                "y": [0.0] * 3,
                "y2": [1.0] * 3,
                "label": ["its chip", "its experts", "its chip again"],
            },
            "bills": {"x": [0.5, 1.5], "label": [f"{show(sent[0], 'B')} out", f"{show(sent[1], 'B')} back"]},
            "tokens": {
                "token": [str(place + 1) for place in range(TOKENS)],
                "home": [float(home + 1) for home in homes],
                "chips": [", ".join(str(seat + 1) for seat in row) for row in seats],
            },
        },
        values={
            "chips": Value(len(seats[0]), "", "Chips that it visits"),
            "out": Value(sent[0], "B", "Out, a token and layer"),
            "back": Value(sent[1], "B", "Back"),
            "step": Value(sum(sent) * where.model.expert_layers, "B", "A token in a step"),
            "tokens": Value(tokens, "tokens", "Tokens of a chip that has any"),
            "inside": Value(inside, "s", "Exchanges of a step, links within"),
            "outside": Value(outside, "s", "The same on links out"),
        },
        notes=link_notes(where),
    )


def _finding(where: Scenario, picks: int, visited: int, sent: tuple[float, float]) -> str:
    if where.model.dense:
        return f"{where.model.name} is dense: its tokens stay where they are"
    return (
        f"In each layer a token goes to {picks} experts on {visited} chip{'' if visited == 1 else 's'}: "
        f"{show(sent[0], 'B')} out, {show(sent[1], 'B')} back"
    )


def _ways(homes: list[int], seats: list[Any], chips: int) -> dict[str, list[Any]]:
    """A line for each chip that each token visits, there and back; the first token's last, so that it lies on top."""
    rows = [
        (start, end, *((here, there) if start == HOME else (there, here)), place, way)
        for place in reversed(range(len(homes)))
        for start, end, way in ((HOME, AWAY, OUT), (AWAY, AGAIN, BACK))
        for here, there in ((_height(homes[place], chips), _height(int(seat), chips)) for seat in seats[place])
    ]
    return {
        "x": [row[0] for row in rows],
        "x2": [row[1] for row in rows],
        "y": [row[2] for row in rows],
        "y2": [row[3] for row in rows],
        "mine": [row[4] == 0 for row in rows],
        "way": [row[5] for row in rows],
    }


def _height(chip: int, chips: int) -> float:
    return (chip + 0.5) / chips


def _stops(homes: list[int], seats: list[Any], chips: int, dense: bool) -> dict[str, list[Any]]:
    """Where the first token is, goes and comes back to."""
    places = [(HOME, homes[0]), *((AWAY, int(seat)) for seat in seats[0]), (AGAIN, homes[0])] if not dense else []
    return {"x": [x for x, _ in places], "y": [_height(chip, chips) for _, chip in places]}


def travel_chart() -> Any:
    """Lines between three columns of chips; back they are twice as thick, as results are twice as heavy."""
    import altair as alt

    x = alt.X("x:Q", title=None).scale(domain=[-0.12, 2.12], nice=False).axis(None)
    y = alt.Y("y:Q", title=None).scale(domain=[-0.2, 1], nice=False, reverse=True).axis(None)
    ways = alt.Chart(alt.NamedData("ways"))
    lines = [
        ways.transform_filter(f"{'' if mine else '!'}datum.mine && datum.way == '{way}'")
        .mark_rule(color=look.LINKS if mine else look.FAINT, strokeWidth=width, opacity=1)
        .encode(x=x, x2="x2:Q", y=y, y2="y2:Q")
        for mine, way, width in ((False, OUT, 0.8), (False, BACK, 1.6), (True, OUT, 1.6), (True, BACK, 3.2))
    ]
    columns = alt.Chart(alt.NamedData("columns")).encode(x=x)
    uprights = columns.mark_rule(strokeWidth=5, color=look.GRID).encode(y=y, y2="y2:Q")
    heads = columns.mark_text(y=12, color=look.MUTED, fontSize=12).encode(text="label:N")
    stops = alt.Chart(alt.NamedData("stops")).encode(x=x, y=y)
    dots = stops.mark_point(filled=True, size=60, color=look.LINKS, opacity=1)
    said: dict[str, Any] = {"y": 31, "fontSize": 12.5, "fontWeight": 600, "color": look.LINKS}
    bills = alt.Chart(alt.NamedData("bills")).mark_text(**said).encode(x=x, text="label:N")
    return alt.layer(uprights, *lines, dots, heads, bills)


TRAVEL = Figure(
    name="moe/travel",
    inputs=(MODEL, SYSTEM, BATCH, THROW),
    compute=travel,
    chart=travel_chart,
    table="tokens",
    columns={"token": "Token", "home": "Its chip", "chips": "Chips of its experts"},
    assumptions=(
        EVEN,
        "A copy for each expert, one byte a number out and two bytes back; experts stand in order on the chips.",
        "One layer is drawn. Tokens stand on chips that are evenly apart; the table has the numbers of all chips.",
    ),
    foremost=4,
    sources=("lecture", "deepseek-v3-config"),
)
