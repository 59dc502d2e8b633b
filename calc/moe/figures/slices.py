"""Lecture 2 in pictures: one layer's experts cut over all chips, or whole on some, and one token's way to them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from calc import moe
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO
from calc.figure.line_names import pushed_apart
from calc.figure.scenario import MODEL, SYSTEM
from calc.moe import routing
from calc.moe.figures.setting import sharing_chips
from calc.moe.figures.shared import EVEN, THROW
from calc.quantities.units import plain, show
from calc.setting import Scenario

WAYS = SLICED, WHOLE = ("Slices", "Whole experts")
MOST_LINES, MOST_LEVELS = 96, 16  # chips told apart, and lines to them; experts of a chip told apart
LINES, TOKEN, TOP, BOTTOM = (0.05, 0.16), 0.26, 0.52, 0.96  # of a way's half of the drawing, from its top
TOKEN_AT, THIN, NARROW = 0.5, 0.035, 0.006  # of the width; the least of a chip's height and of the width to be seen
CLEAR = 1.4  # of its thickness, from a row to the next


def slices(*, model: str, system: str, throw: float) -> Answer:
    """One layer's experts cut over the chips or counted out among them: what a chip holds, and where a token goes."""
    where = Scenario.named(model, system, "bf16")
    (experts, picks), chips = where.model.routed, sharing_chips(where)
    held = moe.place_experts(experts, chips)
    each, used = int(held.experts_per_chip), int(held.chips_used)
    chosen = np.flatnonzero(routing.drawn_choices(1, experts, picks, int(throw))[0])
    seats = np.unique(chosen // each)
    times = chips / picks  # a copy of the token for each chip, or for each of its experts
    columns = float(where.model.d_ff_expert or where.model.known("d_ff_dense"))
    visited = f"{plain(len(seats))} chip{'' if len(seats) == 1 else 's'}"
    block = "its one block lies" if experts == 1 else f"each of {plain(experts)} experts lies"
    whole_ones = f"{plain(each)} expert{'' if each == 1 else 's'}"
    without = f", none on {plain(held.chips_idle)}" if held.chips_idle else ""
    deep = "its one expert" if experts == 1 else f"{plain(experts)} experts top to bottom"
    return Answer(
        finding=_finding(chips, picks, times, dense=where.model.dense),
        description=(
            f"Two drawings of one layer of {where.model.name} on {plain(chips, 9)} chips, one under the other. Above, "
            f"{block} in slices on all chips, and lines lead from a token to every chip. "
            f"Below, {whole_ones} whole on {'one chip' if used == 1 else f'each of {plain(used)} chips'}, "
            f"and lines lead to {visited} for {show(picks, 'experts')} of the token."
        ),
        tables={
            "held": _boxes([(0, 0.0, 1.0, 0.0, 1.0), (1, 0.0, used / chips, 0.0, 1.0)]),
            "chosen": _boxes(_blocks(experts, chosen, each, chips)),
            "empty": _empty(chips, used),
            "cuts": _cuts(chips, each),
            "ways": _ways(chips, seats),
            "tokens": {"x": [TOKEN_AT] * 2, "y": [half + TOKEN for half in range(2)], "label": ["a token"] * 2},
            "words": {
                "y": [half + line for half in range(2) for line in LINES],
                "label": [
                    f"{SLICED}: a token goes to all {plain(chips, 9)} chips",
                    f"{plain(chips, 9)} chips side by side, {deep}",
                    f"{WHOLE}: a token goes to {visited}",
                    f"{whole_ones} a chip{without}",
                ],
                "weight": [600, 400] * 2,
            },
            "kinds": {
                "way": list(WAYS),
                "experts": [experts / chips, float(each)],
                "columns": [columns / chips, columns],
                "visits": [float(chips), float(len(seats))],
            },
        },
        values={
            "chips": Value(chips, "chips", "Chips that share the layer", 9),
            "visits": Value(len(seats), "chips", "Chips that the token visits"),
            "times": Value(times, "x", "Bytes of slices over those of whole experts"),
            "columns": Value(columns, "", "Hidden width of an expert", 9),
            "thin": Value(columns / chips, "", "Hidden width of a slice"),
            "picks": Value(picks, "", "Experts of a token"),
        },
    )


def _finding(chips: int, picks: int, times: float, *, dense: bool) -> str:
    if dense:
        return (
            f"A dense layer is one block: whole, it would have all tokens on one chip; it is cut over {plain(chips, 9)}"
        )
    visits = f"Experts cut over {plain(chips, 9)} chips call every token to all of them; whole ones call it to {picks}"
    if times == 1:
        return f"{visits}, so both send the same"
    return f"{visits}, so slices send {show(times, 'x')} the bytes"


def _blocks(experts: int, chosen: Any, each: int, chips: int) -> list[tuple[int, float, float, float, float]]:
    """The token's experts: a thin row over all chips above, a block on one chip below."""
    thick, high = max(1 / experts, THIN), max(1 / each, THIN)
    wanted = (1 - thick) * np.sort(np.asarray(chosen, dtype=float)) / max(experts - 1, 1)
    crowded = 1 / experts < thick and CLEAR * thick * len(wanted) < 1
    places = pushed_apart(wanted, CLEAR * thick, 0.0, 1 - thick) if crowded else wanted
    rows = [(0, 0.0, 1.0, float(place), float(place) + thick) for place in places]
    wide = max(1 / chips, NARROW)
    seats = [((int(expert) // each + 0.5) / chips, int(expert) % each / max(each - 1, 1)) for expert in chosen]
    return rows + [(1, at - wide / 2, at + wide / 2, (1 - high) * low, (1 - high) * low + high) for at, low in seats]


def _boxes(found: list[tuple[int, float, float, float, float]]) -> dict[str, list[Any]]:
    """Boxes of a half, given from the left and from the top of its chips."""
    deep = BOTTOM - TOP
    return {
        "way": [WAYS[half] for half, *_ in found],
        "x": [box[1] for box in found],
        "x2": [box[2] for box in found],
        "y": [box[0] + TOP + deep * box[3] for box in found],
        "y2": [box[0] + TOP + deep * box[4] for box in found],
    }


def _cuts(chips: int, each: int) -> dict[str, list[float]]:
    """Between the chips of both halves, and between the experts of a chip in the lower."""
    upright = [
        (place / chips, place / chips, TOP, 1 + BOTTOM)  # on the ground between the halves they are not seen
        for place in range(1, chips if chips <= MOST_LINES else 0)
    ]
    parts = each if each <= MOST_LEVELS else 0
    level = [1 + TOP + (BOTTOM - TOP) * place / each for place in range(1, parts)]
    rows = upright + [(0.0, 1.0, height, height) for height in level]
    return {name: [row[place] for row in rows] for place, name in enumerate(("x", "x2", "y", "y2"))}


def _empty(chips: int, used: int) -> dict[str, list[Any]]:
    """The chips of the lower half that hold no experts, one by one where chips are told apart."""
    ends = range(used, chips + 1) if chips <= MOST_LINES else [used, chips][: 2 if used < chips else 1]
    return _boxes([(1, left / chips, right / chips, 0.0, 1.0) for left, right in pairwise(ends)])


def _ways(chips: int, seats: Any) -> dict[str, list[Any]]:
    """Lines from the token to the middle of each chip that it visits, in both halves."""
    drawn = min(chips, MOST_LINES)
    ends = [(0, (place + 0.5) / drawn) for place in range(drawn)] + [(1, (int(seat) + 0.5) / chips) for seat in seats]
    return {
        "x": [TOKEN_AT] * len(ends),
        "x2": [place for _, place in ends],
        "y": [half + TOKEN for half, _ in ends],
        "y2": [half + TOP for half, _ in ends],
        "way": [WAYS[half] for half, _ in ends],
    }


def slices_chart() -> Any:
    """Two rows of chips under a token: blue where its experts lie, purple lines where it must go."""
    import altair as alt

    x = alt.X("x:Q", title=None).scale(domain=[0, 1], nice=False).axis(None)
    y = alt.Y("y:Q", title=None).scale(domain=[0, 2], nice=False, reverse=True).axis(None)
    box = {"x": x, "x2": "x2:Q", "y": y, "y2": "y2:Q"}
    held = alt.Chart(alt.NamedData("held")).mark_rect(color=look.WEIGHTS, opacity=0.2).encode(**box)
    chosen = alt.Chart(alt.NamedData("chosen")).mark_rect(color=look.WEIGHTS, opacity=1).encode(**box)
    empty = alt.Chart(alt.NamedData("empty")).mark_rect(fill="transparent", stroke=look.MUTED, strokeWidth=0.8)
    cuts = alt.Chart(alt.NamedData("cuts")).mark_rule(color=look.GROUND, strokeWidth=1, opacity=1).encode(**box)
    ways = [
        alt.Chart(alt.NamedData("ways"))
        .transform_filter(f"datum.way == '{way}'")
        .mark_rule(color=look.LINKS, strokeWidth=thick, opacity=1)
        .encode(**box)
        for way, thick in ((SLICED, 0.5), (WHOLE, 1.8))
    ]
    tokens = alt.Chart(alt.NamedData("tokens")).encode(x=x, y=y)
    dots = tokens.mark_point(filled=True, size=70, color=look.LINKS, opacity=1)
    named: dict[str, Any] = {"align": "left", "dx": 9, "dy": -4, "fontSize": 12}
    told = tokens.mark_text(**named, **HALO) + tokens.mark_text(**named, color=look.LINKS)
    said: dict[str, Any] = {"align": "left", "x": 0, "fontSize": 12.5, "fontWeight": alt.expr("datum.weight")}
    words = alt.Chart(alt.NamedData("words")).mark_text(**said).encode(y=y, text="label:N")
    return alt.layer(held, chosen, cuts, empty.encode(**box), *ways, dots, told.encode(text="label:N"), words)


SLICES = Figure(
    name="moe/slices",
    inputs=(MODEL, SYSTEM, THROW),
    compute=slices,
    chart=slices_chart,
    table="kinds",
    columns={
        "way": "Way",
        "experts": "Experts' worth on a chip",
        "columns": "Hidden width of what a chip has of one",
        "visits": "Chips that the token visits",
    },
    assumptions=(
        EVEN,
        "For slices every chip gathers all tokens, and parts of results are summed where each token lives; for whole "
        "experts a copy goes to each. Numbers take as many bytes in both.",
        f"At most {MOST_LINES} chips are told apart; the token's experts are drawn no thinner than can be seen.",
    ),
    foremost=3,
    sources=("lecture", "deepseek-v3-config"),
)
