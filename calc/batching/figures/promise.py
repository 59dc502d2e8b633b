"""How many users a promise of speed allows the example, by the bound and by the forecast."""

from __future__ import annotations

import numpy as np

from calc import batching, catalog
from calc.batching.figures.setting import EXAMPLE_CONTEXT, OPENING, largest_batch
from calc.batching.figures.shared import ANSWER
from calc.setting import Scenario, Setting
from calc.step import prefill
from calc.step.forecasting import forecast

PROMPT = EXAMPLE_CONTEXT - ANSWER / 2  # so that with half an answer it is the context
SEARCHED = 100  # users


def promised_period() -> float:
    """Seconds in which each user is promised a token: Pope's.

    >>> promised_period()
    0.02
    """
    return float(catalog.datum("lecture-drain-hbm").value)


def promised_users(chips: float | None = None) -> tuple[float, float]:
    """The most users of the example with a token each in a period (Pope's): by the forecast's slow end, by the bound.

    >>> sure, kept = promised_users()
    >>> bool(0 < sure < kept), bool(promised_users(4)[0] < sure / 2)
    (True, True)
    """
    where, period = Scenario.named(*OPENING, chips=chips), promised_period()
    _, sure = users_in_time(where.setting, period, largest_batch(where, EXAMPLE_CONTEXT))
    return sure, float(batching.batch_within(period, EXAMPLE_CONTEXT, **where.step_arguments()))


def users_in_time(
    setting: Setting, period: float, room: float, prompt: float = 0.0, output: float | None = None
) -> tuple[float, float]:
    """The most users of such a context, of those who have room, with a token in time: by the forecast, its slow end.

    With a prompt for each answer of `output` tokens, it is read on the same chips.

    >>> likely, sure = users_in_time(Scenario.named(*OPENING).setting, 0.02, 374)
    >>> bool(sure == promised_users()[0] < likely)
    True
    """
    steps = forecast(setting, np.arange(1.0, room + 1), EXAMPLE_CONTEXT, prompt=prompt, output=output)
    likely, sure = ((np.asarray(each) <= period).sum() for each in (steps.seconds, steps.band_80[1]))
    return float(likely), float(sure)


def users_beside_prompts(setting: Setting) -> float:
    """The most users whose mean step, with their prompts, keeps the promise at the forecast's slow end.

    >>> users_beside_prompts(Scenario.named(*OPENING).setting) < promised_users()[0] / 2
    True
    """
    return users_in_time(setting, promised_period(), SEARCHED, PROMPT, ANSWER)[1]


def read_seconds(tokens: float, cached: float, chips: float | None = None) -> float:
    """Seconds that tokens of a prompt add to a step, at the forecast's rates, with those before them in the cache.

    >>> bool(read_seconds(1024, 0) < read_seconds(1024, 8000) < read_seconds(2048, 0))
    True
    """
    return sum(prompt_parts(tokens, cached, chips))


def prompt_parts(tokens: float, cached: float, chips: float | None = None) -> tuple[float, float, float]:
    """The same in parts: seconds of moving, of multiplying and of sending.

    The step reads the weights anyway; the prompt's own cache is read with every chunk.

    >>> moving, multiplying, sending = prompt_parts(PROMPT, 0)
    >>> bool(sending > multiplying > moving), bool(sending > (moving + multiplying + sending) / 2)
    (True, True)
    """
    setting, fit = Scenario.named(*OPENING, chips=chips).setting, catalog.forecast_fit("decode")
    reading, first = (prefill(setting, 1, tokens, cached=before) for before in (cached, 0.0))
    own = reading.memory_seconds - first.memory_seconds
    moving = (reading.activation_seconds + own) / fit.memory_share
    sending = (reading.scale_up_seconds + reading.scale_out_seconds) / fit.link_share
    return float(moving), float(reading.compute_seconds / fit.arithmetic_share), float(sending)


def beside(setting: Setting, prompt: float) -> tuple[float, float]:
    """The most users beside their prompts, and their mean step, if one prompt takes so many seconds.

    >>> where = Scenario.named(*OPENING)
    >>> beside(where.setting, read_seconds(PROMPT, 0))[0] == users_beside_prompts(where.setting)
    True
    """
    users = np.arange(1.0, SEARCHED + 1)
    found = forecast(setting, users, EXAMPLE_CONTEXT)
    slow = np.asarray(found.band_80[1]) / np.asarray(found.seconds)
    steps = found.seconds + users * prompt / ANSWER
    most = int((steps * slow <= promised_period()).sum())
    return float(most), float(steps[most - 1])
