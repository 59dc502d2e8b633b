"""Measurements of serving on chips of other makers than those that the forecast was fitted to.

`measurements/other-chips.csv` was gathered by hand, table by table, each with its source: recipes and results that AMD,
Google, vLLM, InferenceX, Oracle and AWS published (the code of the first four under MIT or Apache-2.0; AWS's pages
under CC BY-SA 4.0: figures alone). Nothing is fitted to any of them.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import cache

from calc.catalog.measurement import Drawn, read, text, written_at_once


@dataclass(frozen=True, kw_only=True, slots=True)
class OtherChipRun(Drawn):
    """One run without drafts: where it ran, in which format, how it was laid out and loaded, and what was measured.

    `products` and `cache` are formats that differ from what `precision` says of a checkpoint; empty if they do not.
    `prompts` of other requests are read "beside" the tokens, or all "before". `load` are requests at once. Lengths are
    the longest; they are drawn evenly from the `shortest` share of them on.
    `output_rate` are tokens written a second. The `date` is that of the run, or of the page where it is not said.
    """

    source: str
    model: str
    system: str
    engine: str
    date: dt.date | None
    precision: str
    products: str
    cache: str
    chips: int
    tensor: int
    groups: int
    prompts: str
    load: int
    input_tokens: int
    output_tokens: int
    shortest: float
    output_rate: float
    token_seconds: float

    @property
    def read_beside(self) -> float:
        """Tokens of the prompt that is read while this request and others are written, on average."""
        return self.mean_input if self.prompts == "beside" else 0.0

    @property
    def in_flight(self) -> float:
        """Sequences that are written at once, by Little's law; at least one."""
        return written_at_once(self.output_rate, self.token_seconds)


@cache
def other_chip_runs() -> tuple[OtherChipRun, ...]:
    """Every run of the table, in its order.

    >>> first = other_chip_runs()[0]
    >>> first.model, first.system, first.load, round(first.in_flight)
    ('deepseek-v3', 'mi300x-8', 128, 123)
    """
    return tuple(read(OtherChipRun, text("other-chips.csv")))
