"""Shared by lecture 5's figures: the lecture's guesses, the two fits, the inputs of a plan, and a chip that trains."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from calc import catalog, overtraining
from calc.catalog import Chip
from calc.figure.inputs import Choice, Number
from calc.figure.scenario import SYSTEM
from calc.overtraining.budget import TokenBudget
from calc.overtraining.scaling_law import ScalingLaw
from calc.quantities.check import Quantity
from calc.quantities.errors import CalcError

GUESSED_PARAMS = 100e9  # Pope's guesses of a frontier model; no maker has confirmed any of them
GUESSED_TOKENS = 200e12  # read in training, and served: with an efficiency of a third, equal bills make them one number
GUESSED_EFFICIENCY = 1 / 3  # “30 %, a third”
GUESSED_FACTOR = 4.0  # the middle of Pope's range of 2 to 6
COUNTED: dict[str, Any] = {  # an axis of tokens or parameters: a billion is not a giga, a quadrillion no peta
    "format": "~s",
    "labelExpr": "datum.value ? replace(replace(replace(datum.label, 'G', 'B'), 'P', ',000T'), 'E', ',000,000T') : '0'",
}

FITS = {name: catalog.loss_fit(name).name for name in ("chinchilla-refit", "chinchilla")}  # with standard errors first
FIT = Choice(
    name="fit",
    label="Scaling law",
    default="chinchilla-refit",
    options=FITS,
    help="Two fits to the same runs: the refit, with standard errors, and the original, whose fitting stopped early.",
)
PARAMS = Number(
    name="params",
    label="Active parameters",
    default=GUESSED_PARAMS,
    low=1e6,
    high=1e14,
    unit="parameters",
    log=True,
    help="Those that one token uses. The default is Pope's guess.",
)
TOKENS = Number(
    name="tokens",
    label="Trained on",
    default=GUESSED_TOKENS,
    low=1e8,
    high=1e17,
    unit="tokens",
    log=True,
    help="Tokens of pre-training. The default is Pope's guess.",
)
SLOWER = Number(
    name="slower",
    label="Decoding is slower by",
    default=1 / GUESSED_EFFICIENCY,
    low=1,
    high=100,
    unit="times",
    help="Operations a second while training, over those while decoding: 1/ε. The default is Pope's estimate.",
)
TRAINING_SYSTEM = replace(SYSTEM, default="hgx-h100", help="Its chips train, each for itself.")


def law(fit: str) -> ScalingLaw:
    """The scaling law that a fit of the catalogue describes."""
    return ScalingLaw.published(catalog.loss_fit(fit))


def even_plan(tokens: float = GUESSED_TOKENS) -> TokenBudget:
    """Tokens of all three lives if each costs as much as the others, with the lecture's factor and efficiency."""
    return overtraining.equalised_tokens(
        tokens,
        rl_factor=GUESSED_FACTOR,
        rl_efficiency=GUESSED_EFFICIENCY,
        serving_efficiency=GUESSED_EFFICIENCY,
    )


def later_tokens(served: Quantity, reinforced: Quantity, factor: float, efficiency: float) -> Quantity:
    """All of a model's later life in tokens of plain inference at the efficiency of training; efficiency as a share."""
    return overtraining.forward_tokens(
        served, efficiency, rl_tokens=reinforced, rl_factor=factor, rl_efficiency=efficiency
    )


def training_chip(system: str) -> tuple[Chip, float]:
    """A chip of the system and its 16-bit rate, at which training multiplies here."""
    chip = catalog.system(system).chip
    if chip.bf16_flops is None:
        raise CalcError("system", system, "one whose chips have a published 16-bit rate")
    return chip, chip.bf16_flops


def by_fit(fit: str) -> str:
    """The fit that a title speaks by."""
    return "By the refit" if fit == FIT.default else "By the original fit"


def fit_note(fit: str) -> str:
    """How far the runs of the scaling law reach, and what the other fit is for."""
    others = ", ".join(name for key, name in FITS.items() if key != fit)
    return f"The law's runs reach 16B parameters; few pass 100 tokens for each. Compare with the other fit: {others}."
