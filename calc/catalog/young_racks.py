"""Runs of DeepSeek-V4-Pro on racks, four weeks after its release.

`measurements/young-racks.csv` has the fourteen runs without drafts that InferenceX published on 26 May 2026 from one
run of its tests on 22 May (figures alone; its code is under Apache-2.0). The layouts of those that write stand in the
configuration of the day before. Its tests draw lengths evenly from four fifths of the longest on.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import cache

from calc.catalog.measurement import Drawn, read, text, written_at_once

YOUNG_RACKS_SOURCE, YOUNG_LAYOUTS_SOURCE = "inferencex-v4-racks", "inferencex-v4-layouts"
YOUNG_RACKS_MODEL, YOUNG_RACKS_DAY = "deepseek-v4-pro", dt.date(2026, 5, 22)


@dataclass(frozen=True, kw_only=True, slots=True)
class YoungRackRun(Drawn):
    """A run: chips that read prompts, `workers` of so many `chips` that write, and what was measured.

    A worker's chips form so many `groups` with an attention of their own, which share the experts; or one group, cut
    over all of them. `load` are requests at once, waiting ones included. A chip gave `chip_rate` tokens a second,
    those of prompts counted, averaged over all chips.
    """

    system: str
    load: int
    reading: int
    workers: int
    chips: int
    groups: int
    input_tokens: int
    output_tokens: int
    shortest: float
    chip_rate: float
    token_seconds: float

    @property
    def writing(self) -> int:
        """Chips that write."""
        return self.workers * self.chips

    @property
    def output_rate(self) -> float:
        """Tokens written a second by a worker: the answers' share of all tokens."""
        share = self.mean_output / (self.mean_input + self.mean_output)
        return self.chip_rate * (self.reading + self.writing) * share / self.workers

    @property
    def in_flight(self) -> float:
        """Sequences that a worker writes at once, by Little's law; at least one."""
        return written_at_once(self.output_rate, self.token_seconds)


@cache
def young_rack_runs() -> tuple[YoungRackRun, ...]:
    """Every run, in the order of the file.

    >>> last = young_rack_runs()[-1]
    >>> last.system, last.writing, round(last.in_flight), round(last.in_flight / last.chips)
    ('gb300-nvl72', 8, 3059, 382)
    """
    return tuple(read(YoungRackRun, text("young-racks.csv")))
