"""Whole racks in MLPerf Inference beside the forecast: a step of their groups of chips, from logs and layouts.

Little's law gives the sequences in flight, less those that were still to come at first. The tokens that they hold
follow from how unevenly long the requests were, for a sequence holds its prompt and, on average over its time, half of
its answer. No file that we could read has the lengths of prompts; so they are assumed, and varied.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from calc.catalog.racks import RackRun, rack_runs
from calc.setting import Layout, Setting
from calc.step import decode, requests_in_flight
from calc.step.forecasting import Forecast, forecast

CHIPS, GROUP = 72, 8  # of a rack; of a group, where the record has none: the two others of the scenario have eight
PROMPT, PROMPTS = 800.0, (0.0, 1500.0)  # tokens, assumed, and the range over which the assumption is varied
SAMPLES = 20_000
SEARCHED = 2_000  # sequences of a chip, at most


@dataclass(frozen=True)
class Rack:
    """An entry, and the forecast of a step of its groups."""

    row: RackRun

    @property
    def group(self) -> int:
        """Chips of a group that writes; eight where the record has no layout."""
        return GROUP if self.row.group_chips is None else int(self.row.group_chips)

    @property
    def writing_chips(self) -> int:
        """Chips that write."""
        return CHIPS - self.row.reading_chips

    @property
    def of_a_chip(self) -> float:
        """Sequences of a chip that writes, on average while requests come.

        By Little's law r T, if requests had come for ever. But a run begins empty, and of a request only that part
        counts which comes before the last one: over D seconds of arrivals that spares r E(T^2) / 2 D.
        """
        settled = float(requests_in_flight(self.row.scheduled, self.row.mean)) / self.writing_chips
        return settled * (1 - self.spread * self.row.mean / self.row.arriving)

    @property
    def setting(self) -> Setting:
        """One of its groups: attention copied to each chip, experts dealt out."""
        layout = Layout(tensor=1, data=self.group)
        return Setting.published("deepseek-v3", "gb200-nvl72", "fp4", layout=layout)

    @property
    def spread(self) -> float:
        """Half an answer as a token meets it, over the mean answer: E(T^2) / 2 E(T)^2; a half, were all alike.

        Between the printed shares the logarithm of the seconds lies on straight lines.
        """
        shares, seconds = zip(*self.row.quantiles, strict=True)
        drawn = np.exp(np.interp((np.arange(SAMPLES) + 0.5) / SAMPLES, shares, np.log(seconds)))
        return float((drawn**2).mean() / drawn.mean() ** 2 / 2)

    def held(self, prompt: float = PROMPT) -> float:
        """Tokens that a sequence holds, on average over all that are in flight."""
        return prompt + self.spread * self.row.answer

    def expected(self, prompt: float = PROMPT) -> Forecast:
        """The forecast of a step of a group, with the prompts that its own chips read."""
        here = prompt if self.row.reading_chips == 0 else 0.0
        batch = self.of_a_chip * self.group
        return forecast(self.setting, batch, self.held(prompt), prompt=here, output=self.row.answer)

    def over(self, prompt: float = PROMPT) -> float:
        """Measured over forecast."""
        return self.row.token_seconds / float(self.expected(prompt).seconds)

    @property
    def over_bound(self) -> float:
        """Measured over the bound of writing alone, with no prompt held."""
        step = decode(self.setting, self.of_a_chip * self.group, self.held(0.0))
        return self.row.token_seconds / float(step.bound_seconds)

    @property
    def undrafted(self) -> float:
        """Sequences of a chip that would have its speed by the forecast, with one token a step."""
        each = np.arange(1.0, SEARCHED)
        steps = np.asarray(forecast(self.setting, each * self.group, self.held()).seconds)
        return float(np.count_nonzero(steps <= self.row.token_seconds))

    def enough_kept(self) -> float:
        """Tokens that a step with guesses must keep to write as fast as measured, by the forecast.

        It is counted as a plain step of as many tokens as it checks, which share the caches of the sequences in flight.
        """
        if self.row.drafts is None:
            raise ValueError(f"no guesses are on record of {self.row.organization}'s rack")
        checked = 1 + self.row.drafts
        step = forecast(self.setting, checked * self.of_a_chip * self.group, self.held() / checked)
        return float(step.seconds) / self.row.token_seconds


@cache
def racks() -> tuple[Rack, ...]:
    """Every entry on record.

    >>> [round(each.of_a_chip) for each in racks()]
    [263, 278, 294, 43, 42]
    """
    return tuple(Rack(row) for row in rack_runs())


def plain_racks() -> tuple[Rack, ...]:
    """Those that fill a rack, taken to write one token of a sequence a step, with chips that read and write.

    >>> [each.row.organization for each in plain_racks()]
    ['Azure', 'NVIDIA', 'Google']
    """
    return tuple(each for each in racks() if each.row.scenario == "Server")


def dearer(organization: str) -> float:
    """Machine time of a token where the first of two scenarios is fast, over that of the other.

    >>> round(dearer("NVIDIA"), 2)
    1.65
    """
    found = {each.row.scenario: each.row.tokens for each in racks() if each.row.organization == organization}
    return found["Server"] / found["Interactive"]
