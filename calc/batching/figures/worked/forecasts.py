"""The bounds of the example once more, by the forecast: what prompts add, and what sharing, waiting and speed are."""

from __future__ import annotations

import numpy as np

from calc import batching
from calc.batching.figures.setting import CROWD, EXAMPLE_CONTEXT, OPENING, balanced_batch
from calc.batching.figures.shared import ANSWER
from calc.figure.declared import Answer, Figure, Value
from calc.setting import Scenario
from calc.step.forecasting import Forecast, forecast

PROMPT = EXAMPLE_CONTEXT - ANSWER / 2  # so that with half an answer it is the context
ENDLESS = 1e9  # sequences, of which no fixed part of a step can be seen any more
PAST = 3  # balanced batches


def forecasts() -> Answer:
    """The example by the forecast, with prompts elsewhere and on the node; and batches past the balanced one."""
    where = Scenario.named(*OPENING)
    crowd = batching.step_time(CROWD, EXAMPLE_CONTEXT, **where.step_arguments())
    each, endless = (seconds_each(where, batch, EXAMPLE_CONTEXT) for batch in (CROWD, ENDLESS))
    among, least = (seconds_each(where, batch, EXAMPLE_CONTEXT, prompts=True) for batch in (CROWD, ENDLESS))
    longer = overlapped_past(where)
    stays, prompted_stays = 1 - endless / each, 1 - least / among
    return Answer(
        finding="The example by the forecast",
        values={
            "prompt": Value(PROMPT, "tokens", "Prompt"),
            "answer": Value(ANSWER, "tokens", "Answer", 9),
            "ceiling": Value(1 / stays, "x", "A hundred's forecast over the part that stays"),
            "prompted_ceiling": Value(1 / prompted_stays, "x", "The same with prompts"),
            "penalty": Value(seconds_each(where, 1, 0) / seconds_each(where, ENDLESS, 0), "x", "Alone, no context"),
            "saving_bound": Value(crowd.weights / crowd.memory, "%", "A slow mode saves at most, by the bound"),
            "saving": Value(stays, "%", "The same by the forecast"),
            "prompted_saving": Value(prompted_stays, "%", "The same with prompts"),
            "node_past": Value(saved_past(where), "%", "Saved past the balanced batch, the node", 2),
            "node_overlapped": Value(1 - longer / PAST, "%", "Saved there, if reading overlaps multiplying", 2),
            "node_longer": Value(longer, "x", "A step there, if they overlap: as long"),
        },
    )


def seconds_each(where: Scenario, batch: float, context: float, prompts: bool = False) -> float:
    """Seconds of the system that a token takes in a batch, by the forecast, with prompts read elsewhere or here.

    >>> node = Scenario.named(*OPENING)
    >>> seconds_each(node, 1, 0) > 100 * seconds_each(node, ENDLESS, 0)
    True
    """
    prompt, output = (PROMPT, ANSWER) if prompts else (0.0, None)
    return float(forecast(where.setting, batch, context, prompt=prompt, output=output).seconds) / batch


def saved_past(where: Scenario) -> float:
    """The share of a token's cost that three balanced batches save of one's, without a context, by the forecast.

    >>> round(saved_past(Scenario.named(*OPENING)), 1)
    0.2
    """
    balanced = balanced_batch(where)
    return 1 - seconds_each(where, PAST * balanced, 0) / seconds_each(where, balanced, 0)


def overlapped_past(where: Scenario) -> float:
    """A step of three balanced batches over one's, by the parts of the forecast, reading behind multiplying.

    >>> node = Scenario.named(*OPENING)
    >>> 0 < 1 - overlapped_past(node) / PAST < saved_past(node)
    True
    """
    balanced = balanced_batch(where)
    one, past = (overlapped(forecast(where.setting, times * balanced, 0)) for times in (1, PAST))
    return past / one


def overlapped(each: Forecast) -> float:
    """Seconds of a forecast whose reading and multiplying run at the same time, the rest in turn.

    >>> expected = forecast(Scenario.named(*OPENING).setting, 1, 0)
    >>> bool(0 < overlapped(expected) < expected.seconds)
    True
    """
    return float(each.seconds - np.minimum(each.moving_seconds, each.arithmetic_seconds))


FIGURES = (Figure(name="batching/forecasts", compute=forecasts, sources=("aiconfigurator",)),)
