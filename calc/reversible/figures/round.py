"""Lecture 7 in pictures: one round of a cipher as its wires run, there and back, with halves small enough to check."""

from __future__ import annotations

from typing import Any

from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.inputs import Number
from calc.reversible.figures.setting import SBOX, TABLES

BITS = 4
LARGEST = 2**BITS - 1
COLUMNS = (0, 15, 30)  # where the state stands before the round, after it, and undone
TURN = 7.5  # from a column to where f is computed
UPPER, MIDDLE, LOWER = 0, 3, 6  # lanes: left half, f, right half
CELL = 0.42  # half the height of a bit
EDGE = 0.12  # from a bit's place to its box
LINE = 0.62  # from a name to the line above or below it
KINDS = ("x", "y", "f(y)", "x ⊕ f(y)")


def _nibble(name: str, label: str, default: int, help: str = "") -> Number:
    return Number(name=name, label=label, default=default, low=0, high=LARGEST, whole=True, help=help)


LEFT = _nibble("left", "Left half x", 6, "Four bits, as a number.")
RIGHT = _nibble("right", "Right half y", 9)
KEY = _nibble("key", "Key", 5)


def one_round(*, left: float, right: float, key: float, sbox: str) -> Answer:
    """A block of two halves of four bits through one round, and back through the same round."""
    x, y = int(left), int(right)
    made = _branch(y, key, sbox)
    code = (y, x ^ made)
    again = _branch(code[0], key, sbox)
    back = (code[1] ^ again, code[0])
    ending = ", though no table leads back from f(y) to y" if sbox == "lossy" else ""
    return Answer(
        finding=f"{_pair(x, y)} becomes {_pair(*code)}; adding {again:04b} once more gives {_pair(*back)} back{ending}",
        description=(
            f"Wiring of a round from left to right and of its undoing. The halves x = {x:04b} and y = {y:04b} enter. "
            f"A branch from y meets the key {int(key):04b} and the S-box, which make {made:04b} of it, and is added to "
            f"x; then the wires cross, "
            f"so that {_pair(*code)} stands in the middle. On the way back the wires cross again, the same f makes "
            f"{again:04b} of the same y, and adding it leaves {_pair(*back)}."
        ),
        tables={
            "bits": _bits(
                (COLUMNS[0], UPPER, x, 0),
                (COLUMNS[0], LOWER, y, 1),
                (COLUMNS[0] + TURN - BITS / 2, MIDDLE, made, 2),
                (COLUMNS[1], UPPER, code[0], 1),
                (COLUMNS[1], LOWER, code[1], 3),
                (COLUMNS[2] - TURN + BITS / 2, MIDDLE, again, 2),
                (COLUMNS[2], UPPER, back[0], 0),
                (COLUMNS[2], LOWER, back[1], 1),
            ),
            "wires": _wires(),
            "names": _names(x, y, code[1], made, int(key)),
            "sums": {"x": _turns(), "y": [UPPER, UPPER]},
            "heads": {"x": [TURN + 2, COLUMNS[2] - TURN + 2], "label": ["There", "And back"]},
            "states": {
                "state": ["Before", "After the round", "Undone"],
                "left": [f"{half:04b}" for half in (x, code[0], back[0])],
                "right": [f"{half:04b}" for half in (y, code[1], back[1])],
                "added": ["", f"{made:04b}", f"{again:04b}"],
            },
        },
        values={
            "branch": Value(made, "", "f(y), as a number"),
            "code_left": Value(code[0], "", "Left half after the round, as a number"),
            "code_right": Value(code[1], "", "Right half after it, as a number"),
            "back_left": Value(back[0], "", "Left half, undone, as a number"),
            "back_right": Value(back[1], "", "Right half, undone, as a number"),
        },
    )


def _branch(half: int, key: float, sbox: str) -> int:
    """The round function in small: add the key, look up what the S-box makes of it."""
    return int(TABLES[sbox][half ^ int(key)])


def _pair(left: int, right: int) -> str:
    return f"{left:04b} {right:04b}"


def _turns() -> list[float]:
    return [COLUMNS[0] + TURN, COLUMNS[2] - TURN + BITS]


def _bits(*words: tuple[float, float, int, int]) -> dict[str, list[Any]]:
    """One box for each bit of each word, the highest first."""
    rows = [
        (
            start + place + EDGE,
            start + place + 1 - EDGE,
            lane - CELL,
            lane + CELL,
            KINDS[kind],
            (word >> (3 - place)) & 1,
        )
        for start, lane, word, kind in words
        for place in range(BITS)
    ]
    return dict(zip(("x", "x2", "y", "y2", "kind", "one"), map(list, zip(*rows, strict=True)), strict=True))


def _names(x: int, y: int, sum_: int, made: int, key: int) -> dict[str, list[Any]]:
    """Each word's name and bits: over the upper lane, under the lower one, and beside f what is done to a half."""
    above, below = UPPER - CELL - 0.4, LOWER + CELL + 0.45
    said = dict(zip(KINDS, (f"{word:04b}" for word in (x, y, made, sum_)), strict=True))
    places = ((COLUMNS[0] + EDGE, "left"), (COLUMNS[1] + EDGE, "left"), (COLUMNS[2] + BITS - EDGE, "right"))
    lanes = ((above, "left half, ", (0, 1, 0)), (below, "right half, ", (1, 3, 1)))
    words = [
        (column, lane, f"{half if column == places[0][0] else ''}{KINDS[kind]} = {said[KINDS[kind]]}", align)
        for lane, half, kinds in lanes
        for (column, align), kind in zip(places, kinds, strict=True)
    ]
    words += [
        (places[1][0], above - LINE, "new left half", "left"),
        (places[1][0], below + LINE, "new right half", "left"),
    ]
    steps = (LOWER - 1.05, f"⊕ key {key:04b}"), (LOWER - 1.75, "S-box")
    there = [(COLUMNS[0] + TURN - 0.5, at, step, "right") for at, step in steps]
    back = [(COLUMNS[2] - TURN + BITS + 0.5, at, step, "left") for at, step in steps]
    outcome = ((MIDDLE - 0.3, KINDS[2]), (MIDDLE + 0.35, said[KINDS[2]]))
    there += [(COLUMNS[0] + TURN - BITS / 2 - 0.4, at, name, "right") for at, name in outcome]
    back += [(COLUMNS[2] - TURN + BITS * 1.5 + 0.4, at, name, "left") for at, name in outcome]
    columns = map(list, zip(*words, *there, *back, strict=True))
    return dict(zip(("x", "y", "name", "align"), columns, strict=True))


def _wires() -> dict[str, list[float]]:
    """The same for every message: two lanes, a branch through f to the sum, and a crossing, there and mirrored."""
    cross = (COLUMNS[0] + TURN + 3, COLUMNS[1] + EDGE)
    there = [
        (BITS - EDGE, UPPER, cross[0], UPPER),
        (BITS - EDGE, LOWER, cross[0], LOWER),
        (TURN, LOWER, TURN, MIDDLE + CELL),
        (TURN, MIDDLE - CELL, TURN, UPPER),
        (cross[0], UPPER, cross[1], LOWER),
        (cross[0], LOWER, cross[1], UPPER),
    ]
    width = COLUMNS[2] + BITS
    back = [(width - x, y, width - x2, y2) for x, y, x2, y2 in there]
    return dict(zip(("x", "y", "x2", "y2"), map(list, zip(*there, *back, strict=True)), strict=True))


def one_round_chart() -> Any:
    """Boxes for bits, filled where the bit is 1; wires between them."""
    import altair as alt

    x = alt.X("x:Q", title=None).scale(domain=[-0.5, COLUMNS[2] + BITS + 0.5], nice=False, zero=False).axis(None)
    y = alt.Y("y:Q", title=None).scale(domain=[-2.2, LOWER + 1.8], reverse=True, nice=False, zero=False).axis(None)
    colours: dict[str, Any] = {"domain": list(KINDS), "range": [*look.FREE, look.INK]}
    words = alt.Chart(alt.NamedData("bits"))
    boxes = words.mark_rect(strokeWidth=1.5).encode(
        x=x,
        x2="x2:Q",
        y=y,
        y2="y2:Q",
        fill=alt.Fill("kind:N").scale(**colours).legend(None),
        stroke=alt.Stroke("kind:N").scale(**colours).legend(None),
        fillOpacity=alt.FillOpacity("one:Q").scale(domain=[0, 1], range=[0, 1]).legend(None),
    )
    names = alt.Chart(alt.NamedData("names")).encode(x="x:Q", y="y:Q", text="name:N")
    sums = alt.Chart(alt.NamedData("sums")).encode(x="x:Q", y="y:Q")
    heads = alt.Chart(alt.NamedData("heads")).mark_text(color=look.MUTED, baseline="top", y=0)
    wires = alt.Chart(alt.NamedData("wires")).mark_rule().encode(x=x, x2="x2:Q", y=y, y2="y2:Q")
    return (
        wires
        + boxes
        + names.mark_text(align=alt.expr("datum.align"), baseline="middle")
        + sums.mark_point(size=420, color=look.PAPER, opacity=1)
        + sums.mark_text(text="⊕", fontSize=22, baseline="middle")
        + heads.encode(x="x:Q", text="label:N")
    )


FIGURES = (
    Figure(
        name="reversible/round",
        inputs=(LEFT, RIGHT, KEY, SBOX),
        compute=one_round,
        chart=one_round_chart,
        table="states",
        columns={"state": "State", "left": "Left half", "right": "Right half", "added": "Added on the way"},
        assumptions=(
            "Halves of four bits. Round function: add the key, look the sum up in the S-box.",
            "Filled boxes are bits that are 1; ⊕ is 1 where two bits differ.",
        ),
        sources=("lecture",),
    ),
)
