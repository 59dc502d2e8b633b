"""Whole racks in MLPerf Inference v6.1: how their chips were grouped, and how long requests took.

`measurements/mlperf-racks.csv` has five entries of DeepSeek-R1 in FP4 on the 72 chips of a GB200 NVL72: requests that
came in all, those that came and were done in a second, tokens written in a second, and seconds of a request, which are
printed in the logs of LoadGen. Groups are those of the entrants' configurations, or of the report that one of them
handed in, on earlier runs of the same rack; of one entry no layout is in the copy that was read. `drafts` are guesses
that a step checks: zero where a configuration has none, and empty where no file says.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calc.catalog.measurement import MlperfResult, mlperf, read, text

RACKS_SOURCE = "mlperf-racks"
MODEL, SYSTEM = "deepseek-r1", "GB200 NVL72"


@dataclass(frozen=True, kw_only=True, slots=True)
class RackRun:
    """One entry: its layout, its traffic and the seconds of its requests, from the first to the last token.

    `requests` came in all, so many `scheduled` a second. `first` is the mean time to a first token. `p50` to `p999` are
    shares of requests that took no longer.
    """

    organization: str
    scenario: str
    reading_chips: int
    group_chips: float | None
    drafts: float | None
    layout_from: str
    requests: int
    scheduled: float
    completed: float
    tokens: float
    mean: float
    first: float
    least: float
    p50: float
    p90: float
    p95: float
    p97: float
    p99: float
    p999: float
    most: float

    @property
    def result(self) -> MlperfResult:
        """The entry's row in the table of results."""
        asked = (self.organization, SYSTEM, MODEL, self.scenario)
        (row,) = [each for each in mlperf() if (each.organization, each.system, each.model, each.scenario) == asked]
        return row

    @property
    def answer(self) -> float:
        """Tokens of an answer, on average."""
        return self.tokens / self.completed

    @property
    def arriving(self) -> float:
        """Seconds in which requests came."""
        return self.requests / self.scheduled

    @property
    def token_seconds(self) -> float:
        """Seconds from token to token, over all tokens: derived, and no metric of MLPerf."""
        return (self.mean - self.first) / self.answer

    @property
    def quantiles(self) -> tuple[tuple[float, float], ...]:
        """Shares of the requests, and the seconds that they took at most."""
        found = (self.least, self.p50, self.p90, self.p95, self.p97, self.p99, self.p999, self.most)
        return tuple(zip((0.0, 0.5, 0.9, 0.95, 0.97, 0.99, 0.999, 1.0), found, strict=True))


@cache
def rack_runs() -> tuple[RackRun, ...]:
    """Every entry, in the order of the file.

    >>> first = rack_runs()[0]
    >>> first.organization, first.group_chips, round(first.answer), round(1e3 * first.token_seconds, 1)
    ('Azure', 8.0, 3757, 47.6)
    """
    return tuple(read(RackRun, text("mlperf-racks.csv")))
