"""The batches and the steps that lectures 1 and 2 name, at the reader's setting: what each counts, side by side."""

from __future__ import annotations

import math

import numpy as np

from calc import batching, moe
from calc.batching.figures.setting import balanced_batch, laid_out
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, CONTEXT, MODEL, PRECISION, SYSTEM
from calc.moe.figures.in_parts import AS_TIMED, WITH_STARTS, parts
from calc.moe.figures.setting import exchange_step, hidden_batch, links
from calc.moe.figures.shared import ANSWER, BATCHES, Compositions, over, turning_points
from calc.setting import Scenario
from calc.step import decode
from calc.step.forecasting import forecast_of

WRITTEN = ANSWER.default / 2  # tokens of its answer that a sequence holds on average


def batches(*, model: str, system: str, precision: str, context: float) -> Answer:
    """Where one thing begins to outlast another, by the blackboard's sums and by the operations of a layout."""
    where = Scenario.named(model, system, precision)
    chips = where.system.chips
    experts, picks = where.model.routed
    inside, outside = links(where)
    each = float(exchange_step(where.model, 1 / chips, inside, chips))
    leads_out = math.isfinite(outside)  # a system without links out has no answer about them
    one = batching.step_time(1, context, **where.step_arguments())
    usual = laid_out(model, system, precision, "usual")
    pays = moe.halving_batch(each, one.weights) if each else math.inf
    simple = hidden_batch(where, context, outside, readings=2) if leads_out else math.nan
    laid = turning_points(Compositions.of(over(usual, "out"), BATCHES, context))[1] if leads_out else math.nan
    early = turning_points(Compositions.of(usual, BATCHES, context))[0]
    ratio = balanced_batch(where) / where.model.sparsity
    return Answer(
        finding=f"Batches of {where.model.name} at which one thing outlasts another",
        values={
            "balanced": Value(balanced_batch(where), "sequences", "Multiplying as long as reading the weights"),
            "experts": Value(ratio * experts / picks, "sequences", "The same, experts alone"),
            "pays_simple": Value(pays, "sequences", "Halves quicker, simple sums", endless="no batch"),
            "pays_laid": Value(early, "sequences", "Halves quicker, laid out", 2, endless="no batch"),
            "outlasts": Value(simple, "sequences", "Links out: halves hide up to, simple sums", endless="no batch"),
            "outlasts_laid": Value(laid, "sequences", "Links out: halves hide up to, laid out", 2, endless="no batch"),
        },
    )


def steps(*, model: str, system: str, precision: str, context: float, batch: float) -> Answer:
    """One step by all that the lectures count in it, at the context that is set and with half of an answer more."""
    where = Scenario.named(model, system, precision)
    usual = laid_out(model, system, precision, "usual")
    lengths = context + np.array([0.0, WRITTEN])
    step = decode(usual, batch, lengths)
    counted = {
        "simple": batching.step_time(batch, lengths, **where.step_arguments()).bound,
        "laid_out": step.bound_seconds,
        "turn": step.in_turn_seconds,
        "started": parts(step, AS_TIMED.default)["step"],
        "serial": step.serial_seconds,
        "halved": step.halves_seconds,
        "forecast": forecast_of(step).seconds,
    }
    values = {"written": Value(WRITTEN, "tokens", "Half of an answer", 9)}
    for key, both in counted.items():
        values |= {name + key: Value(each, "s", key) for name, each in zip(("", "later_"), both, strict=True)}
    return Answer(finding=f"One step of {where.model.name}, counted in several ways", values=values)


FIGURES = (
    Figure(name="moe/batches", inputs=(MODEL, SYSTEM, PRECISION, CONTEXT), compute=batches),
    Figure(
        name="moe/steps",
        inputs=(MODEL, SYSTEM, PRECISION, CONTEXT, BATCH),
        compute=steps,
        assumptions=(WITH_STARTS,),
    ),
)
