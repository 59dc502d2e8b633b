"""Lecture 7 in pictures: a cipher run forwards and backwards."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.inputs import Number
from calc.quantities.units import plain
from calc.reversible import feistel
from calc.reversible.figures.setting import BIT, SBOX, SEED, TABLES

HALF_BITS = feistel.BLOCK_BITS // 2
GAP = 3  # between the halves of a block, in bits
KINDS = ("Bit is 1", "Bit differs between the two messages")
GROUP = 4  # bits that an S-box takes together
HEIGHTS = (0.22, 0.42)  # half the height of a mark, in rounds: bits lie on top of flips
MESSAGE = Number(
    name="message",
    label="Message",
    default=2026,
    low=0,
    high=2**HALF_BITS - 1,
    whole=True,
    help="A number, written into the right half of the block.",
)
MOST_ROUNDS = Number(name="rounds", label="Rounds", default=8, low=0, high=16, whole=True)


def cipher(*, message: float, bit: float, rounds: float, seed: float, sbox: str) -> Answer:
    """A message and its twin one bit away, round by round, and the way back."""
    keys = feistel.round_keys(int(seed), max(int(rounds), 1))[: int(rounds)]
    block = np.array([int(message), int(message) ^ (1 << int(bit))], dtype=np.uint64)
    seen = [(block >> np.uint64(32), block & np.uint64(0xFFFFFFFF))]
    if rounds:
        seen = feistel.halves(seen[0][0], seen[0][1], keys, TABLES[sbox])
    back = feistel.decrypt(seen[-1][0], seen[-1][1], keys, TABLES[sbox])[1][0] if rounds else message
    bits = np.array([_bits(left[0], right[0]) for left, right in seen])
    flipped = bits ^ np.array([_bits(left[1], right[1]) for left, right in seen])
    counts = flipped.sum(axis=1)
    code = [f"{int(left[0]):08x} {int(right[0]):08x}" for left, right in seen]
    last = int(counts[-1])
    return Answer(
        finding=(
            f"After {plain(rounds, 9)} {'round' if rounds == 1 else 'rounds'} one flipped bit has become {last} of "
            f"{feistel.BLOCK_BITS}; undone, the block gives back {plain(int(back), 12)}"
            f"{', though the S-box cannot be undone' if sbox == 'lossy' else ''}"
        ),
        description=(
            f"Grid of bits: a row for each round from 0 to {plain(rounds, 9)}, a column for each of the 64 bits of a "
            f"block in two halves. Marks show the bits that are 1 for the message {plain(message, 12)}; bars behind "
            f"them the bits that differ for the same message with bit {plain(bit, 9)} flipped: "
            f"{', '.join(str(count) for count in counts)} from row to row. The last block is {code[-1]}."
        ),
        tables={
            "marks": _joined(_runs(flipped, 1), _runs(bits, 0)),
            "cells": _cells(len(seen)),
            "rounds": {
                "round": np.arange(len(seen)),
                "block": code,
                "flipped": counts,
                "share": counts / feistel.BLOCK_BITS,
                "first": np.full(len(seen), -1.5),
                "last": np.full(len(seen), 2 * HALF_BITS + GAP + 4.5),
            },
            "heads": {
                "x": [-1.2, HALF_BITS / 2, HALF_BITS * 1.5 + GAP, 2 * HALF_BITS + GAP + 5],
                "label": ["after", "Left half", "Right half", "differ"],
                "align": ["right", "center", "center", "right"],
            },
        },
        values={
            "flipped": Value(last, "bits", "Differ after the last round", 9),
            "share": Value(last / feistel.BLOCK_BITS, "%", "Of the block"),
            "back": Value(back, "", "Decrypted", 12),
        },
        notes=[f"The block after the last round is {code[-1]} in hexadecimal."],
    )


def _bits(left: Any, right: Any) -> Any:
    """The 64 bits of a block, the highest first."""
    word = (int(left) << HALF_BITS) | int(right)
    return np.array([(word >> place) & 1 for place in range(feistel.BLOCK_BITS - 1, -1, -1)])


def _runs(rows: Any, kind: int) -> dict[str, Any]:
    """Neighbouring ones of every row as one box each; a run never crosses from half to half."""
    halves = rows.reshape(len(rows), 2, HALF_BITS)
    edges = np.diff(np.pad(halves, ((0, 0), (0, 0), (1, 1))), axis=2)
    row, half, start = np.nonzero(edges == 1)
    _, _, end = np.nonzero(edges == -1)
    offset = half * (HALF_BITS + GAP)
    tall = HEIGHTS[kind]
    return {
        "x": start + offset + 0.06,
        "x2": end + offset - 0.06,
        "y": row - tall,
        "y2": row + tall,
        "kind": np.full(len(row), KINDS[kind]),
    }


def _cells(rows: int) -> dict[str, Any]:
    """A faint box for each group of four bits of every row: what one S-box takes."""
    group = np.arange(0, feistel.BLOCK_BITS, GROUP)
    start = np.tile(group + GAP * (group // HALF_BITS), rows)
    row = np.repeat(np.arange(rows), len(group))
    tall = HEIGHTS[1]
    return {"x": start + 0.06, "x2": start + GROUP - 0.06, "y": row - tall, "y2": row + tall}


def _joined(*parts: dict[str, Any]) -> dict[str, Any]:
    return {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}


def cipher_chart() -> Any:
    """Rows of bits in faint groups: small marks for ones, tall bars for bits that differ, their number at the end."""
    import altair as alt

    across: dict[str, Any] = {"domain": [-5, 2 * HALF_BITS + GAP + 6], "nice": False, "zero": False}
    x = alt.X("x:Q", title=None).scale(**across).axis(None)
    y = alt.Y("y:Q", title=None).scale(reverse=True, nice=False, zero=False, padding=4).axis(None)
    colours = (
        alt.Fill("kind:N", title=None)
        .scale(domain=list(KINDS), range=[look.MUTED, look.FREE[0]])
        .legend(offset=22, symbolType="square")
    )
    rows = alt.Chart(alt.NamedData("rounds"))
    above: dict[str, Any] = {"color": look.MUTED, "fontSize": 11.5, "baseline": "bottom", "y": -1}
    above |= {"align": alt.expr("datum.align")}
    heads = alt.Chart(alt.NamedData("heads")).mark_text(**above)
    number = rows.mark_text(fontSize=11.5, baseline="middle", align="right")
    cells = alt.Chart(alt.NamedData("cells")).mark_rect(color=look.GRID, opacity=0.7, strokeWidth=0)
    return (
        cells.encode(x=x, x2="x2:Q", y=y, y2="y2:Q")
        + alt.Chart(alt.NamedData("marks"))
        .mark_rect(strokeWidth=0)
        .encode(x=x, x2="x2:Q", y=y, y2="y2:Q", fill=colours)
        + number.encode(x="first:Q", y="round:Q", text="round:Q")
        + number.encode(x="last:Q", y="round:Q", text="flipped:Q")
        + heads.encode(x="x:Q", text="label:N")
    )


CIPHER = Figure(
    name="reversible/cipher",
    inputs=(MESSAGE, BIT, MOST_ROUNDS, SEED, SBOX),
    compute=cipher,
    chart=cipher_chart,
    table="rounds",
    columns={"round": "Round", "block": "Block (hexadecimal)", "flipped": "Bits that differ", "share": "Share"},
    assumptions=(
        "A cipher to look into, nothing to protect data with: keys are random, not scheduled.",
        "Round function: add the key, substitute eight groups of four bits by the S-box, rotate by 11 bits. "
        "Each faint box is a group.",
    ),
    sources=("lecture",),
)
