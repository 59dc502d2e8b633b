"""Lecture 7 in pictures: what a nudge becomes, in a cipher and in a network."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import reversible
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import DECADES
from calc.figure.inputs import Number
from calc.figure.line_names import ends, labelled_lines
from calc.quantities.units import show
from calc.reversible import feistel
from calc.reversible.figures.setting import BIT, STEP, STRENGTH, drawn
from calc.reversible.figures.shared import DRAWN, SAMPLES

LAYERS = 24  # of the comparison with the cipher
PAIRS = 200
CHANGES = {"cipher": "Cipher", "network": "Neural net"}
HALFWAY = 0.5
SIZE = Number(name="size", label="Nudge", default=1e-3, low=1e-6, high=1, log=True, help="Added to one number.")


def differences(*, bit: float, size: float, step: str, strength: str) -> Answer:
    """A flipped bit in the cipher and a nudge in the network, on one scale."""
    flips = 2 * feistel.avalanche(LAYERS, samples=PAIRS, bit=int(bit))
    found = reversible.spread(drawn(LAYERS, step, strength=strength), size, samples=SAMPLES * 4)
    end, gain = found.unrelated[-1], found.gain[-1]
    lost = next((place for place, value in enumerate(flips) if value >= 0.95), LAYERS)
    curve = {"round": np.arange(LAYERS + 1), "cipher": flips, "network": found.unrelated}
    network = (
        "in the network too, a nudge ends as far from its twin as a stranger"
        if end > HALFWAY
        else f"a nudge of the network stays recognisable, at {show(end, '%')} of their distance"
    )
    return Answer(
        finding=f"After {lost} rounds a flipped bit has made the blocks strangers; {network}",
        description=(
            f"Line chart on a logarithmic axis: distance between twins over that between strangers, after 0 to "
            f"{LAYERS} rounds or layers. The cipher goes from {show(flips[0], '%')} to "
            f"{show(flips[-1], '%')}, the network from {show(found.unrelated[0], '%')} to "
            f"{show(end, '%')}. A level line marks strangers."
        ),
        tables={
            "curve": curve,
            "ends": ends(curve, "round", CHANGES),
            "strangers": {"share": [1.0], "label": ["strangers"]},
        },
        values={
            "gain": Value(gain, "x", "Nudge at the end, over its size"),
            "network": Value(end, "%", "Network: of the distance of strangers"),
            "cipher": Value(flips[-1], "%", "Cipher: of the distance of strangers"),
            "rounds": Value(lost, "rounds", "Rounds until strangers"),
        },
    )


def differences_chart() -> Any:
    """One curve that climbs to strangers within a few rounds, one that should stay low."""
    import altair as alt

    x = alt.X("round:Q", title="Rounds or layers").scale(domain=[0, LAYERS], nice=False).axis(format="d")
    y = alt.Y("share:Q", title="Distance of twins, over strangers").scale(type="log", domainMax=2, nice=False)
    lines = labelled_lines(alt, CHANGES, x, y.axis(format="~%", values=DECADES))
    level = alt.Chart(alt.NamedData("strangers")).encode(y="share:Q")
    words = level.mark_text(align="right", baseline="top", dy=5, color=look.MUTED, fontSize=11.5, x="width")
    return level.mark_rule(strokeDash=[2, 3]) + words.encode(text="label:N") + lines


DIFFERENCES = Figure(
    name="reversible/differences",
    inputs=(BIT, SIZE, STEP, STRENGTH),
    compute=differences,
    chart=differences_chart,
    table="curve",
    columns={"round": "Rounds or layers", "cipher": "Cipher", "network": "Neural net"},
    assumptions=(
        DRAWN,
        "Cipher: twice the mean share of flipped bits over 200 random messages, since strangers differ in half.",
        "Network: mean distance of twins over that of unrelated states; 16 random inputs.",
    ),
    sources=("lecture",),
    measures_rounding=True,
)


FIGURES = (DIFFERENCES,)
