"""Runs with contexts of more than a hundred thousand tokens beside the bound and the forecast of their own settings.

No constant has seen them, nor any run with contexts as long. A run's text says in which range a user's speed lies, so
each is judged at both ends of it: a slower user means more users at once, and a longer forecast, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np

from calc import catalog
from calc.catalog.long_contexts import LongContextRun, long_context_runs
from calc.setting import Layout, Setting
from calc.setting.precisions import Precisions
from calc.step import decode
from calc.step.forecasting import forecast
from calc.world.overlapped import overlapped
from calc.world.settings import precisions_of

MODEL, PRECISION = "deepseek-v3", "fp4"  # DeepSeek-R1 has the shape of V3
PUBLISHED = precisions_of(MODEL, PRECISION)
"""Formats of the checkpoint: attention in 16 bits."""
SERVED = replace(PUBLISHED, attention_weights="fp8", attention_products="fp8")
"""Formats of the recipes, which turn attention's weights into FP8 and multiply in it."""


PLANNED = 1e5
"""Tokens of context for which lecture 4 plans."""


def setting_of_long(run: LongContextRun, formats: Precisions = SERVED) -> Setting:
    """The chips that write: each attends for its own users, and they share the experts."""
    return Setting.published(MODEL, run.system, formats, layout=Layout(tensor=1, data=run.writing, expert=run.writing))


@dataclass(frozen=True)
class LongRunJudged:
    """A run beside its forecast and its bound, at the slowest and at the fastest speed that its text allows."""

    run: LongContextRun

    @property
    def speeds(self) -> tuple[float, float]:
        """Tokens a second of a user: the slowest and the fastest."""
        return self.run.slowest, self.run.fastest

    @property
    def seconds(self) -> list[float]:
        """Seconds of a token, at these speeds."""
        return [1 / speed for speed in self.speeds]

    @property
    def users(self) -> list[float]:
        """Users of a chip that writes, at these speeds."""
        return [self.run.users(speed) / self.run.writing for speed in self.speeds]

    @cached_property
    def setting(self) -> Setting:
        """Where it ran."""
        return setting_of_long(self.run)

    @cached_property
    def forecast(self) -> list[float]:
        """Seconds that the forecast gives, at these speeds."""
        return self.expected(self.run.context)

    @property
    def over_forecast(self) -> list[float]:
        """Measured over forecast."""
        return [measured / said for measured, said in zip(self.seconds, self.forecast, strict=True)]

    @property
    def over_bound(self) -> list[float]:
        """Measured over the bound."""
        bounds = [decode(self.setting, self.run.users(speed), self.run.context).bound_seconds for speed in self.speeds]
        return [measured / float(bound) for measured, bound in zip(self.seconds, bounds, strict=True)]

    def expected(
        self, context: float, formats: Precisions = SERVED, *, full: bool = False, whole: bool = False
    ) -> list[float]:
        """The forecast at another context or in other formats; `full`: with all places taken.

        Users are a mean, and so need not be whole. With `whole` each chip has as many as the fullest.
        """
        where, writing = setting_of_long(self.run, formats), self.run.writing
        users = [float(self.run.most) if full else self.run.users(speed) for speed in self.speeds]
        counted = [writing * np.ceil(many / writing) if whole else many for many in users]
        return [float(forecast(where, many, context).seconds) for many in counted]

    def longer_of_both(self, formats: Precisions = SERVED) -> list[float]:
        """Seconds by the form in which each operation reads and multiplies at once, at these speeds."""
        where = setting_of_long(self.run, formats)
        counts = (self.run.users(speed) for speed in self.speeds)
        return [float(overlapped().seconds(where, many, self.run.context)) for many in counts]

    @property
    def promised(self) -> list[float]:
        """Users of a chip with which the forecast has a token take as long as it did, at these speeds."""
        many = np.arange(1.5, 2.0 * self.run.most)  # means, so that no chip has one more than the others
        steps = np.asarray(forecast(self.setting, many, self.run.context).seconds)
        assert steps[0] < min(self.seconds) <= max(self.seconds) < steps[-1], "a speed outside of all loads"
        return [float(np.interp(seconds, steps, many)) / self.run.writing for seconds in self.seconds]

    @property
    def kept(self) -> list[float]:
        """Users of a chip of a rack, between whole ones, if its steps are off by as much."""
        rack, each = Setting.published(MODEL, self.run.system, "fp8"), np.arange(1.0, 14.0)
        steps = np.asarray(forecast(rack, each * catalog.system(self.run.system).chips, PLANNED).seconds)
        return [float(np.interp(1 / self.run.slowest / over, steps, each)) for over in self.over_forecast]

    @property
    def stored(self) -> float:
        """Bytes of weights on the fullest chip that writes."""
        return float(np.max(self.setting.chip_weight_bytes))

    @property
    def places_with_room(self) -> float:
        """Users' contexts at full length that fit on a chip beside its weights, in the memory that the recipe gives."""
        longest = self.run.input_tokens + self.run.output_tokens
        left = self.run.memory_share * self.setting.machine.hbm_bytes - self.stored
        return float(left // (longest * catalog.model(MODEL).kv_bytes_per_token(SERVED.cache)))

    @property
    def places(self) -> float:
        """Users of a chip that the recipe allows."""
        return self.run.most / self.run.writing


@cache
def long_runs_judged() -> tuple[LongRunJudged, ...]:
    """Every run, judged.

    >>> [round(each, 2) for each in long_runs_judged()[0].over_forecast]
    [1.23, 1.08]
    """
    return tuple(LongRunJudged(run) for run in long_context_runs())


def over(runs: Sequence[LongRunJudged], said: Sequence[Sequence[float]]) -> list[float]:
    """Measured over what is said of each run, both ends of all of them."""
    return [
        measured / each
        for run, some in zip(runs, said, strict=True)
        for measured, each in zip(run.seconds, some, strict=True)
    ]
