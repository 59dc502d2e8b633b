"""Lecture 7 in pictures: a network run forwards and backwards, what rounding does to it, and what a nudge becomes."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import reversible
from calc.figure import look
from calc.figure.declared import Answer, Figure, Number, Value
from calc.figure.guides import DECADES, POWERS, ends, labelled_lines
from calc.quantities.units import plain, show
from calc.reversible import feistel
from calc.reversible.figures.setting import BIT, FORMAT, FORMATS, STEP, STEPS, STRENGTH, YOURS, drawn
from calc.reversible.figures.shared import DEPTHS, SAMPLES, errors

MOST_POINTS = 49
LOST = 0.1  # error, over the largest number, that an eye sees
NOTHING: dict[str, list[Any]] = {"layer": [], "error": [], "label": []}
LAYERS = 24  # of the comparison with the cipher
PAIRS = 200
CHANGES = {"cipher": "Cipher", "network": "Neural net"}
HALFWAY = 0.5

DEPTH = Number(name="depth", label="Depth", default=64, low=2, high=512, unit="layers", log=True, whole=True)
SIZE = Number(name="size", label="Nudge", default=1e-3, low=1e-6, high=1, log=True, help="Added to one number.")


def mirror(*, depth: float, step: str, strength: str, format: str) -> Answer:
    """How far the way back has left the way there, layer by layer."""
    layers = int(depth)
    net = drawn(layers, step, format, strength)
    seen = list(reversible.states(net, *reversible.inputs(net, 1)))
    undone = list(reversible.undone(net, *seen[-1]))[::-1]
    there, back = ([y[0, 0] for _, y in way] for way in (seen, undone))
    apart = np.array([_error(one, other) for one, other in zip(undone, seen, strict=True)])
    error = apart[0]
    layer = 2 * np.unique(np.linspace(0, layers // 2, MOST_POINTS).astype(int))  # every other: the halves take turns
    left = layer[apart[layer] > 0]
    rounding = np.finfo(format).eps
    missed = (
        f"the network comes back somewhere else: an error of {show(error, 'x', 2)} the largest number of the start"
        if error > LOST
        else f"the network misses the start by {show(error, digits=2)} of its largest number"
    )
    ending = "ends where nothing is left of the start" if error > LOST else "stays far below the numbers themselves"
    return Answer(
        finding=f"Run back through {plain(depth, 9)} layers in {FORMATS[format]}, {missed}",
        description=(
            f"Line chart on a logarithmic axis: how far the way back lies from the way there, over the largest number "
            f"of the state, against the layer, 0 to {plain(depth, 9)}. Read from right to left the line rises from "
            f"about a rounding, {show(rounding, digits=2)}, and {ending}, at {show(error, digits=2)}."
        ),
        tables={
            "apart": {"layer": left, "error": apart[left]},
            "rounding": {"error": [rounding], "label": ["one rounding"]},
            "lost": {"error": [1.0], "label": ["nothing left"]},
            "here": {"layer": [0], "error": [error], "label": [show(error, digits=2)]} if error else NOTHING,
            "both": {
                "layer": layer,
                "there": np.array(there)[layer],
                "back": np.array(back)[layer],
                "error": apart[layer],
            },
        },
        values={
            "error": Value(error, "", "Error at the start", 2),
            "first": Value(there[0], "", "A number at the start", 7),
            "again": Value(back[0], "", "The same, come back", 7),
        },
    )


def _error(found: Any, start: Any) -> float:
    return float(np.abs(np.stack(found) - np.stack(start)).max() / np.abs(np.stack(start)).max())


def mirror_chart() -> Any:
    """The distance between the two ways, from a rounding at the right to whatever has become of it at the left."""
    import altair as alt

    x = alt.X("layer:Q", title="Layer (the way back runs from right to left)").scale(nice=False).axis(format="d")
    y = alt.Y("error:Q", title="Apart, over the largest number")
    y = y.scale(type="log", domainMax=10, nice=False).axis(**POWERS)
    line = alt.Chart(alt.NamedData("apart")).mark_line().encode(x=x, y=y)
    low, high = (alt.Chart(alt.NamedData(name)).encode(y="error:Q") for name in ("rounding", "lost"))
    below = low.mark_text(align="left", baseline="top", dx=3, dy=4, color=look.MUTED, fontSize=11.5, x=0)
    above = high.mark_text(align="right", baseline="bottom", dy=-4, color=look.MUTED, fontSize=11.5, x="width")
    dot = alt.Chart(alt.NamedData("here")).encode(x="layer:Q", y="error:Q")
    return (
        low.mark_rule(strokeDash=[2, 3])
        + high.mark_rule(strokeDash=[2, 3])
        + below.encode(text="label:N")
        + above.encode(text="label:N")
        + line
        + dot.mark_point(**look.HERE)
        + dot.mark_text(align="left", dx=10, dy=-8, fontWeight=600, color=look.ACCENT).encode(text="label:N")
    )


def rounding(*, step: str, strength: str) -> Answer:
    """The error of a state after the way there and back, against depth."""
    found = errors(step, strength)
    single, double = found["float32"], found["float64"]
    grown = single[-1] / single[0]
    curve = {"layers": list(DEPTHS)} | {dtype: list(found[dtype]) for dtype in FORMATS}
    return Answer(
        finding=(
            f"In 32 bits the error grows {show(grown, 'x')} from {DEPTHS[0]} to {DEPTHS[-1]} layers, to "
            f"{show(single[-1], digits=2)}; in 64 bits it ends at {show(double[-1], digits=2)}"
        ),
        description=(
            f"Line chart, both axes logarithmic: largest error of a reconstructed state, over its largest number, "
            f"against depth from {DEPTHS[0]} to {DEPTHS[-1]} layers, steps {STEPS[step]}. In 32 bits it goes from "
            f"{show(single[0], digits=2)} to {show(single[-1], digits=2)}, in 64 bits from "
            f"{show(double[0], digits=2)} to {show(double[-1], digits=2)}."
        ),
        tables={"curve": curve, "ends": ends(curve, "layers", FORMATS)},
        values={
            "single": Value(single[-1], "", "Error in 32 bits, deepest", 2),
            "double": Value(double[-1], "", "Error in 64 bits, deepest", 2),
            "grown": Value(grown, "x", "Growth in 32 bits"),
        },
    )


def rounding_chart() -> Any:
    """Two lines, some nine orders of magnitude apart, named at their ends."""
    import altair as alt

    x = alt.X("layers:Q", title="Depth (layers)").scale(type="log", base=2, nice=False).axis(values=list(DEPTHS))
    y = alt.Y("error:Q", title="Error of the start").scale(type="log")
    y = y.axis(**POWERS)
    return labelled_lines(alt, FORMATS, x, y, point=True)


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
        else f"a nudge of the network grows {show(gain, 'x')} in {LAYERS} layers and stays recognisable"
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


DRAWN = "Layers are tanh of a drawn matrix, weights of deviation “weights” / √8; halves are eight numbers wide."

MIRROR = Figure(
    name="reversible/mirror",
    inputs=(DEPTH, STEP, STRENGTH, FORMAT),
    compute=mirror,
    chart=mirror_chart,
    table="both",
    columns={
        "layer": "Layer",
        "there": "One number, forward",
        "back": "The same, back again",
        "error": "Apart, over the largest number",
    },
    assumptions=(
        DRAWN,
        YOURS,
        "One drawn input. All layers are computed, at most 50 are drawn; where not a bit differs, nothing is drawn.",
    ),
    sources=("lecture", "revnet-paper"),
    measures_rounding=True,
)
ROUNDING = Figure(
    name="reversible/rounding",
    inputs=(STEP, STRENGTH),
    compute=rounding,
    chart=rounding_chart,
    table="curve",
    columns={"layers": "Depth (layers)", "float32": "Error in 32 bits", "float64": "Error in 64 bits"},
    assumptions=(DRAWN, YOURS, "Largest error of any number of four drawn inputs."),
    sources=("revnet-paper",),
    measures_rounding=True,
)
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
        "Network: mean distance of twins over that of unrelated states; 16 drawn inputs.",
    ),
    sources=("lecture",),
    measures_rounding=True,
)

FIGURES = (MIRROR, ROUNDING, DIFFERENCES)
