"""Lecture 2 in pictures: what experts buy in quality."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import DECADES, here_layer
from calc.figure.inputs import Number
from calc.figure.line_names import ends_of, labelled_series
from calc.moe import routed_scaling
from calc.moe.figures.shared import ROUTED_SHARE, gain, law
from calc.quantities.arithmetic import BILLION
from calc.quantities.units import show

LAWS = {"s-base": "S-BASE", "hash": "HASH", "rl-r": "RL-R"}
RULE = "Cube root"
EXPERT_COUNTS = np.logspace(0, 3, 25)

SIZE = Number(
    name="size",
    label="Dense base",
    default=0.37,
    low=0.001,
    high=10_000,
    unit="billion parameters",
    log=True,
    help="Parameters that a token uses: the dense model to which experts are added.",
)
EXPERTS = Number(
    name="experts",
    label="Experts",
    default=64,
    low=1,
    high=1000,
    log=True,
    whole=True,
    help="Experts in every other feed-forward layer, of which a token uses one.",
)


def gains(*, size: float, experts: float) -> Answer:
    """The worth of more experts, at one size of base."""
    size *= BILLION
    here = {name: gain(size, experts, name) for name in LAWS}
    rule = routed_scaling.rule_of_thumb(experts)
    curves = {LAWS[name]: np.asarray(gain(size, EXPERT_COUNTS, name)) for name in LAWS}
    curves[RULE] = np.asarray(routed_scaling.rule_of_thumb(EXPERT_COUNTS))
    total = routed_scaling.expanded_params(size, experts, ROUTED_SHARE)
    best = here["s-base"]
    said = ", ".join(f"{LAWS[name]} {show(each, 'x')}" for name, each in here.items())
    return Answer(
        finding=(
            f"{show(size, 'parameters')} with {show(experts, 'experts', 9)} are worth {show(best * size)} dense by the "
            f"law, {show(best, 'x')} the base; the cube root says {show(rule, 'x')}"
        ),
        description=(
            f"Line chart: effective size over that of the base, {show(size, 'parameters')}, against the number of "
            f"experts from 1 to 1,000 on a logarithmic axis, by three published fits. At {show(experts, 'experts', 9)} "
            f"they say {said}; a cube root, "
            f"drawn beside them, {show(rule, 'x')}. The fits flatten, the cube root does not."
        ),
        tables={
            "curve": {
                "experts": np.tile(EXPERT_COUNTS, len(curves)),
                "law": [name for name in curves for _ in EXPERT_COUNTS],
                "gain": np.concatenate(list(curves.values())),
            },
            "ends": ends_of({name: (EXPERT_COUNTS, worth) for name, worth in curves.items()}, "experts", log=False),
            "here": {"experts": [experts], "gain": [best], "label": [show(best, "x")]},
        },
        values={
            "gain": Value(best, "x", "Worth, S-BASE"),
            "dense": Value(best * size, "parameters", "Dense model of the same loss"),
            "rule": Value(rule, "x", "Worth, cube root"),
            "growth": Value(total / size, "x", "All parameters over the base, about"),
            "hash": Value(here["hash"], "x", "Worth, HASH"),
            "rl_r": Value(here["rl-r"], "x", "Worth, RL-R"),
            "total": Value(total, "parameters", "All parameters, about"),
            "exponent": Value(
                routed_scaling.expansion_exponent(size, experts, law("s-base")),
                "",
                "Exponent here; the rule has 3",
                endless="endless: more experts do no good",
            ),
        },
        notes=_size_notes(size),
    )


def _size_notes(size: float) -> list[str]:
    notes = []
    if size > 2e9:
        notes.append("The law was fitted to bases of up to about a billion parameters: this is an extrapolation.")
    if size > routed_scaling.paying_limit(law("s-base")):
        notes.append("The base is past the cut-off of every fit: by the law experts lower its quality.")
    return notes


def gains_chart() -> Any:
    """Three fits that flatten and a rule that does not."""
    import altair as alt

    names = (*LAWS.values(), RULE)
    x = alt.X("experts:Q", title="Experts").scale(type="log").axis(format="~s", values=DECADES)
    lines = labelled_series(alt, "law", names, x, alt.Y("gain:Q", title="Effective size, × base").scale(zero=True))
    return lines + here_layer(alt, "experts", "gain", label="label")


FITTED = (
    "The law of Clark et al. (2022): one expert a token, every other feed-forward layer routed, 130 billion tokens."
)
SHARPENED = "Its printed constants are rounded; c is set here so that the cut-off is the one that the paper prints."

GAIN = Figure(
    name="moe/gain",
    inputs=(SIZE, EXPERTS),
    compute=gains,
    chart=gains_chart,
    table="curve",
    columns={"experts": "Experts", "law": "Fit", "gain": "Effective size, × base"},
    assumptions=(
        FITTED,
        SHARPENED,
        "All parameters: a third of the base is repeated in each expert, embeddings aside.",
    ),
    foremost=4,
    sources=("clark-paper", "lecture"),
)

FIGURES = (GAIN,)
