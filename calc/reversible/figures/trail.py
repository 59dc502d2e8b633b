"""Lecture 7 in pictures: the difference that a cipher hides, round after round."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.inputs import Number
from calc.quantities.units import plain, show
from calc.reversible import feistel
from calc.reversible.figures.setting import BIT, SEED

ROUNDS = 8  # of the differential
LOST = 2  # pairs that share a difference by accident
SAMPLES = Number(
    name="pairs",
    label="Pairs",
    default=2000,
    low=100,
    high=4000,
    log=True,
    whole=True,
    help="Random messages, each with its twin one bit away.",
)


def trail(*, bit: float, pairs: float, seed: float) -> Answer:
    """How often the commonest output difference occurs, round by round."""
    share = feistel.differential(ROUNDS, samples=int(pairs), bit=int(bit), seed=int(seed))
    chance = LOST / pairs
    lost = next((place for place, value in enumerate(share) if value <= chance), None)
    best = feistel.difference_table()[1:].max() / len(feistel.SBOX)
    where = f"from round {lost} on it is an accident" if lost else f"it is still there after {ROUNDS} rounds"
    return Answer(
        finding=(
            f"The commonest difference is shared by {show(share[1], '%')} of the pairs after one round and "
            f"{show(share[2], '%')} after two; {where}"
        ),
        description=(
            f"Points joined by a line on a logarithmic axis: share of {plain(pairs, 9)} pairs of blocks, one bit apart "
            f"at first, that show the commonest difference after 0 to {ROUNDS} rounds: "
            f"{', '.join(show(value, '%') for value in share)}. A level line marks two pairs."
        ),
        tables={
            "curve": {"round": np.arange(ROUNDS + 1), "share": share},
            "chance": {"share": [chance], "label": ["two pairs: chance"]},
        },
        values={
            "one": Value(share[1], "%", "After one round"),
            "two": Value(share[2], "%", "After two"),
            "three": Value(share[3], "%", "After three"),
            "best": Value(best, "%", "Best that one S-box allows"),
            "chance": Value(chance, "%", "Two pairs of all"),
        },
    )


def trail_chart() -> Any:
    """A falling line and the level at which chance begins."""
    import altair as alt

    curve = alt.Chart(alt.NamedData("curve")).encode(
        x=alt.X("round:Q", title="Rounds").scale(domain=[0, ROUNDS], nice=False).axis(format="d", tickCount=ROUNDS),
        y=alt.Y("share:Q", title="Pairs with the commonest difference")
        .scale(type="log", domainMax=1)
        .axis(format="~%", tickCount=4),
    )
    level = alt.Chart(alt.NamedData("chance")).encode(y="share:Q")
    words = level.mark_text(align="right", baseline="bottom", dy=-4, color=look.MUTED, fontSize=11.5, x="width")
    return curve.mark_line() + curve.mark_point() + level.mark_rule(strokeDash=[2, 3]) + words.encode(text="label:N")


TRAIL = Figure(
    name="reversible/trail",
    inputs=(BIT, SAMPLES, SEED),
    compute=trail,
    chart=trail_chart,
    table="curve",
    columns={"round": "Rounds", "share": "Pairs with the commonest difference"},
    assumptions=(
        "Measured, not bounded: random messages, one random key; a search over differences would find better ones.",
        "A sample scatters: its commonest difference may be a little above the best that one S-box allows.",
        "Differences shared by two pairs or fewer are taken for chance.",
    ),
    sources=("lecture",),
)
