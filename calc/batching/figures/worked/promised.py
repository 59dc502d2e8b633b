"""The example below its critical context, and the users whom it may serve if a speed is promised."""

from __future__ import annotations

import numpy as np

from calc import batching, catalog
from calc.batching.figures.setting import CROWD, EXAMPLE_CONTEXT, OPENING, balanced_batch, largest_batch
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.arithmetic import MILLION
from calc.setting import Scenario
from calc.step.forecasting import forecast

SHORT = 500  # tokens, well below the critical context


def spare() -> Answer:
    """A context that leaves a part of each sequence's arithmetic for reading the weights."""
    where = Scenario.named(*OPENING)
    one = batching.step_time(1, SHORT, **where.step_arguments())
    return Answer(
        finding="The example below its critical context",
        values={
            "context": Value(SHORT, "tokens", "A short context"),
            "cache": Value(one.cache, "s", "Reading its cache"),
            "time": Value(one.compute - one.cache, "s", "Arithmetic left for the weights"),
            "batch": Value(balanced_batch(where, SHORT), "sequences", "Balanced batch"),
        },
    )


def promised() -> Answer:
    """The most users of whom each still gets a token in Pope's period: by bound, by forecast and at its slow end."""
    where = Scenario.named(*OPENING)
    period = catalog.datum("lecture-drain-hbm").value
    batches = np.arange(1.0, largest_batch(where, EXAMPLE_CONTEXT) + 1)
    every = forecast(where.setting, batches, EXAMPLE_CONTEXT)
    seconds, slow = np.asarray(every.seconds), np.asarray(every.band_80[1])
    over = slow[CROWD - 1] / seconds[CROWD - 1]
    rent = catalog.rent(where.system.id).dollars_per_chip_hour * where.system.chips
    sure = (slow <= period).sum()
    cost = batching.dollars_per_token(sure, seconds[sure - 1], rent)
    kept = batching.batch_within(period, EXAMPLE_CONTEXT, **where.step_arguments())
    return Answer(
        finding="The example under a promise",
        values={
            "speed": Value(1 / period, "tokens/s", "Promised to each user"),
            "bound": Value(kept, "users", "By the bound"),
            "further": Value((seconds[CROWD - 1] - seconds[0]) / (CROWD - 1), "s", "Each further user, forecast"),
            "likely": Value((seconds <= period).sum(), "users", "By the forecast"),
            "slow": Value(over, "x", "Slow end over forecast"),
            "allowed": Value(period / over, "s", "Forecast that the promise allows"),
            "sure": Value(sure, "users", "At its slow end"),
            "cost": Value(cost * MILLION, "$/Mtok", "A token of these, forecast"),
        },
    )


FIGURES = (
    Figure(name="batching/spare", compute=spare, sources=("llama-models", "aiconfigurator")),
    Figure(name="batching/promised", compute=promised, sources=("lecture", "llama-models", "aiconfigurator")),
)
