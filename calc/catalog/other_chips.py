"""Measurements of serving on chips of other makers than those that the forecast was fitted to.

`measurements/other-chips.csv` was gathered by hand, table by table, each with its source: recipes and results that AMD,
Google, vLLM, InferenceX and Oracle published (the code of the first four under MIT or Apache-2.0). Nothing is fitted to
any of them.
"""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass
from functools import cache

from calc.catalog.measurement import Measurement, read, text


@dataclass(frozen=True, kw_only=True, slots=True)
class OtherChipRun:
    """One run without drafts: where it ran, in which format, how it was laid out and loaded, and what was measured.

    `load` are requests at once. Lengths are the longest; they are drawn evenly from the `shortest` share of them on.
    `output_rate` are tokens written a second. The `date` is that of the run, or of the page where it is not said.
    """

    source: str
    model: str
    system: str
    engine: str
    date: dt.date | None
    precision: str
    chips: int
    tensor: int
    groups: int
    load: int
    input_tokens: int
    output_tokens: int
    shortest: float
    output_rate: float
    token_seconds: float

    @property
    def in_flight(self) -> float:
        """Sequences that are written at once, by Little's law; at least one."""
        return max(1.0, self.output_rate * self.token_seconds)

    @property
    def measurement(self) -> Measurement:
        """The run as a row of the sample of serving; the time to its first token is not known."""
        drawn = (1 + self.shortest) / 2
        return Measurement(
            id=f"{self.source}/{self.chips}-{self.input_tokens}-{self.load}",
            model=self.model,
            system=self.system,
            engine=self.engine,
            engine_version="",
            precision=self.precision,
            projections=self.precision,
            experts=self.precision,
            mode="agg",
            chips=self.chips,
            tensor=self.tensor,
            attention_groups=self.groups,
            batch=float(self.load),
            concurrency=float(self.load),
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            mean_input=self.input_tokens * drawn,
            mean_output=self.output_tokens * drawn,
            in_flight=self.in_flight,
            speculation="none",
            date=self.date,
            token_seconds=self.token_seconds,
            first_token_seconds=math.nan,
            layout_from="row",
            set_aside="",
        )


@cache
def other_chip_runs() -> tuple[OtherChipRun, ...]:
    """Every run of the table, in its order.

    >>> first = other_chip_runs()[0]
    >>> first.model, first.system, first.load, round(first.in_flight)
    ('deepseek-v3', 'mi300x-8', 128, 123)
    """
    return tuple(read(OtherChipRun, text("other-chips.csv")))
