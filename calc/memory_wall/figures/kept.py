"""Users to whom the rack of the examples keeps a promise: by reading alone, and as the forecast expects."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calc import batching, catalog
from calc.batching.figures.shared import published_guess
from calc.memory_wall.figures.shared import LONG, PACE, RACK, awake, prompt_seconds
from calc.quantities.check import Quantity
from calc.setting import Scenario, Setting
from calc.step import decode, forecast_of
from calc.step.forecasting import FIT
from calc.step.speculation import NO_DRAFTS, Drafts

PROMISED = 1 / PACE
ANSWER = 1000.0  # tokens
KEPT = 0.9  # of a prompt, of a user who comes back
SAFE = 1.4  # of the forecast: in nineteen of twenty redraws of the measured runs the slow end is no later
CROWD = np.array([2000.0, 2001.0])  # users of a chip, so many that every expert is awake: each adds as much


def read_in_time(rack: Scenario, context: float, kv_bytes: float | None = None) -> float:
    """Users that memory holds and that are read in a promised step, with the weights that they wake."""
    kept = kv_bytes or rack.kv_bytes_per_token
    many = np.arange(1.0, 1 + batching.largest_batch(rack.hbm_bytes, rack.weight_bytes, context, kept))
    read = rack.weight_bytes * awake(rack.model)(many) + many * context * kept
    return float(np.count_nonzero(read <= rack.bandwidth / PACE))


def in_time(steps: Quantity, many: NDArray[np.float64], promised: float = PROMISED) -> float:
    """Users whose step lasts as long as was promised, between the numbers whose steps are known."""
    return float(np.interp(promised, steps, many))


def most_in_time(steps: Quantity, many: NDArray[np.float64], promised: float = PROMISED) -> float:
    """The most of these numbers of users whose step lasts no longer than was promised.

    >>> most_in_time(np.array([0.01, 0.02, 0.03]), np.array([72.0, 144.0, 216.0]))
    144.0
    """
    return float(np.max(many[np.asarray(steps) <= promised]))


def whole_rounds(model: str) -> tuple[Setting, NDArray[np.float64]]:
    """A model on the rack, and numbers of users that leave as many on every chip."""
    rack = Setting.published(model, RACK, "fp8")
    return rack, np.arange(rack.machine.domain_chips, 4000.0, rack.machine.domain_chips)


def planned(guess: bool = False) -> float:
    """Users of a chip to plan with: those at the slow end of the forecast, with a guess a step or without."""
    rack, many = whole_rounds("deepseek-v3")
    drafts = published_guess() if guess else NO_DRAFTS
    slow = forecast_of(decode(rack, many, LONG, drafts=drafts)).band_80[1]
    users = most_in_time(slow, many, PROMISED * float(drafts.tokens_per_pass))
    return float(users / rack.machine.domain_chips)


def most_of_a_rack(share: float, guess: bool = False, kept: float = 0.0, over: float | None = None) -> float:
    """Users of one rack of which some chips take prompts in, at a share of the rated speed, and the others write.

    Chips that write divide the experts among fewer, and read all of theirs; their number is the one with most users.
    Steps are as late as the slow end, or `over` their forecast.
    """
    drafts, chips = published_guess() if guess else NO_DRAFTS, whole_rounds("deepseek-v3")[0].machine.domain_chips
    brought, most = prompt_chips(1, kept) / share, 0.0
    late = PROMISED * float(drafts.tokens_per_pass) / (over or catalog.forecast_fit(FIT).high_80)
    for writing in range(1, int(chips)):
        fixed, each = line(Setting.published("deepseek-v3", RACK, "fp8", chips=writing), writing, drafts)
        written = writing * np.floor((late - fixed) / each)
        most = max(most, min(float(written), float(np.floor((chips - writing) / brought))))
    return most


def line(rack: Setting, chips: float, drafts: Drafts = NO_DRAFTS, context: float = LONG) -> tuple[float, float]:
    """Seconds of a forecast step before any user, every expert awake, and those that each user of a chip adds."""
    first, second = np.asarray(forecast_of(decode(rack, chips * CROWD, context, drafts=drafts)).seconds)
    return float(first - CROWD[0] * (second - first)), float(second - first)


def prompt_chips(users: float, kept: float = 0.0) -> float:
    """Chips that take prompts in at the rated speed, all but what was kept, for each that writes to so many users."""
    where = Scenario.named("deepseek-v3", RACK, "fp8")
    seconds = prompt_seconds(where, LONG) - (prompt_seconds(where, kept * LONG) if kept else 0.0)
    return float(where.system.chips * seconds) * users * PACE / ANSWER
