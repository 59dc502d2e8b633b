"""Lecture 5 in pictures: the price of training longer, at one loss."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import overtraining
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import PLAIN, guide_layer, guides, here_layer
from calc.figure.line_names import ends, labelled_lines, uncrowded
from calc.overtraining import lifetime, scaling_law
from calc.overtraining.figures.setting import FIT, by_fit, fit_note, law
from calc.overtraining.figures.shared import BASE, BASE_TOKENS, RATIO, smaller_pays
from calc.overtraining.scaling_law import Allocation
from calc.quantities.units import plain, show

DECADES = 4  # of operations, from a tenth to a thousand times
LINES = {"training": "training, same loss", "size": "times smaller", "same_size": "training, same size"}
PRICES = {
    "training": "Training, same loss",
    "size": "Smaller, same loss",
    "same_size": "Training, same size",
}
RATIOS = np.geomspace(5, 20000, 31)


def price(*, fit: str, params: float, tokens: float, ratio: float) -> Answer:
    """The cost of training for longer, at the same loss and at the same size."""
    held = law(fit)
    curve = lifetime.price_at_equal_loss(held, params, tokens, RATIOS)
    here = lifetime.price_at_equal_loss(held, params, tokens, ratio)
    pays = smaller_pays(Allocation(params, tokens), here.allocation)
    same_size = ratio * params / tokens
    before = float(scaling_law.loss(held, params, tokens))
    after = float(scaling_law.loss(held, params, ratio * params))
    smaller = float(here.size_ratio)
    times = {"training": float(here.training_ratio), "size": smaller, "same_size": same_size}
    drawn = {
        "ratio": RATIOS,
        "training": curve.training_ratio,
        "size": curve.size_ratio,
        "same_size": RATIOS * params / tokens,
        "params": curve.allocation.params,
    }
    size = f"{show(smaller, 'x')} smaller" if smaller >= 1 else f"{show(1 / smaller, 'x')} larger"
    if np.isclose(smaller, 1, rtol=0.005):
        size = "as large"
    return Answer(
        finding=(
            f"{by_fit(fit)}, at {plain(ratio, 9)} tokens per parameter the same loss takes "
            f"{show(here.training_ratio, 'x')} the operations in a model {size}; "
            f"the same size takes {show(same_size, 'x')}"
        ),
        description=(
            f"Line chart, both axes logarithmic, against tokens per parameter: operations of training over those of "
            f"{show(params, 'parameters')} on {show(tokens, 'tokens')}, at the same loss and at the same size, and how "
            f"many times smaller the model of the same loss is. At {plain(ratio, 9)} they are "
            f"{show(here.training_ratio, 'x')}, {show(same_size, 'x')} and {show(smaller, 'x')}."
        ),
        tables={
            "curve": drawn,
            "ends": ends(drawn, "ratio", LINES),
            "here": {
                "ratio": [ratio] * len(LINES),
                "times": list(times.values()),
                "label": uncrowded(
                    np.log10(list(times.values())), [show(each, "x") for each in times.values()], DECADES
                ),
            },
            "guides": guides("ratio", {"Chinchilla": overtraining.TOKENS_PER_PARAM}, 5, 20000),
        },
        values={
            "training": Value(here.training_ratio, "x", "Same loss, training"),
            "size": Value(smaller, "x", "Same loss, smaller by"),
            "same_size": Value(same_size, "x", "Same size, training"),
            "pays": Value(pays, "passes", "The smaller has paid after"),
            "params": Value(here.allocation.params, "parameters", "Same loss, parameters"),
            "tokens": Value(here.allocation.tokens, "tokens", "Same loss, tokens"),
            "before": Value(before, "nats", "Loss before"),
            "after": Value(after, "nats", "Loss at the same size"),
        },
        notes=[fit_note(fit)],
    )


def price_chart() -> Any:
    """Three lines that part at the model to compare with."""
    import altair as alt

    lines = labelled_lines(
        alt,
        LINES,
        alt.X("ratio:Q", title="Tokens per parameter").scale(type="log", nice=False).axis(format="~s"),
        alt.Y("times:Q", title="Training (×), or times smaller at the same loss")
        .scale(type="log")
        .axis(values=[0.1, 1, 10, 100, 1000], **PLAIN),
        clip=True,
    )
    here = here_layer(alt, "ratio", "times", label="label")
    return guide_layer(alt, "ratio") + lines + here


PRICE = Figure(
    name="overtraining/price",
    inputs=(FIT, BASE, BASE_TOKENS, RATIO),
    compute=price,
    chart=price_chart,
    foremost=4,
    table="curve",
    columns={
        "ratio": "Tokens per parameter",
        "training": PRICES["training"] + " (×)",
        "size": PRICES["size"] + " (×)",
        "same_size": PRICES["same_size"] + " (×)",
        "params": "Parameters, same loss",
    },
    assumptions=(
        "Training takes 6 operations per parameter and token. Loss is that of the scaling law, extrapolated.",
        "Data are new and equally good however many are used.",
    ),
    sources=("lecture", "chinchilla-paper", "chinchilla-refit-paper"),
)


FIGURES = (PRICE,)
