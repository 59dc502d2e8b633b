"""The users whom the example may serve if a speed is promised."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calc import batching, catalog
from calc.batching.figures.promise import promised_period, promised_users, users_in_time
from calc.batching.figures.setting import CROWD, EXAMPLE_CONTEXT, OPENING, largest_batch
from calc.figure.declared import Answer, Figure, Value
from calc.setting import Scenario
from calc.step.forecasting import decode_work, forecast


def promised() -> Answer:
    """The most users of whom each still gets a token in Pope's period: by the bound, and by the forecast's slow end."""
    where = Scenario.named(*OPENING)
    period = promised_period()
    alone, crowd = (forecast(where.setting, batch, EXAMPLE_CONTEXT) for batch in (1, CROWD))
    over = crowd.band_80[1] / crowd.seconds
    own = own_slow()
    sure, kept = promised_users()
    further = (crowd.seconds - alone.seconds) / (CROWD - 1)
    expected = (period - alone.seconds) // further
    half, _ = promised_users(where.chips / 2)
    return Answer(
        finding="The example under a promise",
        values={
            "speed": Value(1 / period, "tokens/s", "Promised to each user"),
            "bound": Value(kept, "users", "By the bound"),
            "multiplied": Value(batching.batch_within(period, 1, **where.step_arguments()), "users", "By arithmetic"),
            "further": Value(further, "s", "Each further user, forecast", 4),
            "expected": Value(1 + expected, "users", "By the forecast"),
            "stays": Value(alone.seconds - further, "s", "In any batch, forecast", 2),
            "slow": Value(over, "x", "Slow end over forecast"),
            "allowed": Value(period / over, "s", "Forecast that the promise allows"),
            "sure": Value(sure, "users", "At its slow end"),
            "own_slow": Value(own, "x", "Slow end of this model's own runs", 4),
            "own_sure": Value(1 + (period / own - alone.seconds) // further, "users", "At that slow end"),
            "wide_sure": Value(wide_users(where, period), "users", "At its slow end, caches of two bytes"),
            "half": Value(half, "users", "On half the chips, at its slow end"),
        },
    )


def own_slow() -> float:
    """The slow end of this model's own runs: nine in ten took no longer, over forecasts that had not seen them.

    >>> round(own_slow(), 3)
    1.085
    """
    from calc.measured.runs import runs

    every = runs()
    return float(np.quantile(every.over_forecast[every.are("model", OPENING[0])], 0.9))


def wide_users(where: Scenario, period: float) -> float:
    """The same at the slow end, with caches of two bytes a number.

    >>> wide_users(Scenario.named(*OPENING), 0.02)
    34.0
    """
    two = replace(where.setting, precisions=replace(where.setting.precisions, cache="bf16"))
    return users_in_time(two, period, largest_batch(where, 2 * EXAMPLE_CONTEXT))[1]


def parts() -> Answer:
    """The forecast of one user's step, part by part, and what each further user adds."""
    where = Scenario.named(*OPENING)
    alone, crowd = (forecast(where.setting, batch, EXAMPLE_CONTEXT) for batch in (1, CROWD))
    started = float(decode_work(where.setting, CROWD, EXAMPLE_CONTEXT).kernels)
    return Answer(
        finding="The parts of a forecast",
        values={
            "reading": Value(alone.moving_seconds, "s", "Reading, alone"),
            "further": Value((crowd.moving_seconds - alone.moving_seconds) / (CROWD - 1), "s", "Reading, each further"),
            "kernels": Value(alone.kernel_seconds, "s", "Starts and ends of kernels, in any batch"),
            "multiplying": Value(alone.arithmetic_seconds, "s", "Multiplying, each user"),
            "sending": Value(alone.sending_seconds, "s", "Sending, each user"),
            "users": Value(alone.sequence_seconds, "s", "Delay of each user"),
            "rate": Value(catalog.forecast_fit("decode").memory_share, "%", "Bandwidth reached, of that published", 2),
            "programs": Value(started, "", "Kernels of a step", 9),
            "program": Value(alone.kernel_seconds / started, "s", "Start and end of one"),
        },
    )


FIGURES = (
    Figure(name="batching/parts", compute=parts, sources=("aiconfigurator",)),
    Figure(name="batching/promised", compute=promised, sources=("lecture", "llama-models", "aiconfigurator")),
)
