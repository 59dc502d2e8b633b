"""Measurements of real serving: operating points of deployments, and rows of MLPerf Inference.

They are facts like the rest of the catalogue, in files of their own: `measurements/serving.csv`, `first-days.csv` and
`mlperf-v6.1.csv`. A page that shows none of them carries none.

`serving.csv` comes from the sample of the source `aiconfigurator-silicon` (Apache-2.0; most rows are runs of
InferenceX, Apache-2.0), after the repairs of `calc.world.repairs`. `first-days.csv` comes from `inferencex-first-days`
(Apache-2.0), by `calc.world.first_days`; nothing is fitted to it. `mlperf-v6.1.csv` comes from the source
`mlperf-inference-v6.1`; MLCommons asks that an entry is named with its result and that a derived number is called so.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import os.path
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, TypeVar, get_type_hints

from calc.quantities.errors import CalcError

SERVING_SOURCE, MLPERF_SOURCE = "aiconfigurator-silicon", "mlperf-inference-v6.1"
FIRST_DAYS_SOURCE = "inferencex-first-days"
FOLDER = os.path.join(os.path.dirname(__file__), "measurements")  # noqa: PTH118, PTH120  (as in tables.py)
R = TypeVar("R")


@dataclass(frozen=True, kw_only=True, slots=True)
class Measurement:
    """One measured operating point of one replica: where it ran, what it was given, and the two times.

    `precision`, `projections` and `experts` are formats as the source names them. `chips`, `tensor` and
    `attention_groups` are of the chips that decode. `batch` is the load of a replica and `in_flight` the sequences
    that were being decoded at once, by Little's law. Means are of the lengths really drawn. `set_aside` says why a
    row cannot be compared with a model of a plain step, and is empty if it can.
    """

    id: str
    model: str
    system: str
    engine: str
    engine_version: str
    precision: str
    projections: str
    experts: str
    mode: str
    chips: int
    tensor: int
    attention_groups: int
    batch: float
    concurrency: float | None
    input_tokens: int
    output_tokens: int
    mean_input: float
    mean_output: float
    in_flight: float
    speculation: str
    date: dt.date | None
    token_seconds: float
    first_token_seconds: float
    layout_from: str
    set_aside: str

    @property
    def context(self) -> float:
        """Tokens that a sequence has on average while it is written: its prompt and half its answer."""
        return self.mean_input + self.mean_output / 2

    @property
    def configuration(self) -> tuple[object, ...]:
        """All that stays the same while load and lengths vary: a forecast is judged on whole configurations."""
        deployed = (self.model, self.system, self.engine, self.engine_version, self.precision, self.projections)
        return (*deployed, self.mode, self.chips, self.tensor, self.attention_groups, self.speculation)


class Drawn:
    """Lengths of requests that are drawn evenly, from the `shortest` share of the longest on."""

    __slots__ = ()
    input_tokens: int
    output_tokens: int
    shortest: float

    @property
    def mean_input(self) -> float:
        """Tokens of a prompt, on average."""
        return self.input_tokens * (1 + self.shortest) / 2

    @property
    def mean_output(self) -> float:
        """Tokens of an answer, on average."""
        return self.output_tokens * (1 + self.shortest) / 2

    @property
    def context(self) -> float:
        """Tokens that a sequence has on average while it is written: its prompt and half its answer."""
        return self.mean_input + self.mean_output / 2


def written_at_once(rate: float, token_seconds: float) -> float:
    """Sequences that are written at once, by Little's law: tokens a second times the time of each; at least one.

    >>> written_at_once(4000, 0.03), written_at_once(36, 0.02)
    (120.0, 1.0)
    """
    return max(1.0, rate * token_seconds)


@dataclass(frozen=True, kw_only=True, slots=True)
class MlperfResult:
    """One row of MLPerf Inference v6.1, closed division, datacenter: an entry's result in one scenario."""

    organization: str
    system: str
    accelerator: str
    accelerators: int
    model: str
    scenario: str
    result: float
    units: str
    tokens_per_sample: float | None
    precision: str

    @property
    def entry(self) -> str:
        """The entry by name, as MLCommons asks for beside its result."""
        return f"MLPerf Inference v6.1 closed, {self.organization}, {self.system}, {self.model}, {self.scenario}"

    @property
    def per_accelerator(self) -> float:
        """Result over accelerators: derived from the entry, not a metric of MLPerf."""
        return self.result / self.accelerators


@cache
def measurements() -> tuple[Measurement, ...]:
    """Every measured operating point, in the order of the file.

    >>> first = measurements()[0]
    >>> first.model, first.system, first.chips, first.batch
    ('qwen3.5-397b-a17b', 'hgx-b300', 2, 32.0)
    """
    return tuple(read(Measurement, text("serving.csv")))


def clean_measurements() -> tuple[Measurement, ...]:
    """Those without speculation, with the load of one replica and most of its requests in flight, on chips with room.

    >>> len(measurements()) > len(clean_measurements()) > 2000
    True
    """
    return tuple(row for row in measurements() if not row.set_aside)


@cache
def first_days() -> tuple[Measurement, ...]:
    """Runs of models in the days in which they appeared, kept apart: the forecast's constants have not seen them.

    >>> len(first_days()), {row.system for row in first_days()}
    (169, {'hgx-h200'})
    """
    return tuple(read(Measurement, text("first-days.csv")))


@cache
def mlperf() -> tuple[MlperfResult, ...]:
    """Every row of a language model in MLPerf Inference v6.1, closed division, datacenter.

    >>> row = mlperf()[0]
    >>> row.entry
    'MLPerf Inference v6.1 closed, AMD, 8xMI355X, gpt-oss-120b, Offline'
    >>> row.per_accelerator, row.units
    (15227.25, 'Tokens/s')
    """
    return tuple(read(MlperfResult, text("mlperf-v6.1.csv")))


def read(kind: type[R], text: str) -> Iterator[R]:
    """The rows of a table as records; a row that lacks what is not optional is refused by its line.

    >>> next(read(MlperfResult, "organization,result\\nACME,many\\n"))
    Traceback (most recent call last):
    calc.quantities.errors.CalcError: line 2: result must be a number; it was “many”.
    """
    table = csv.reader(io.StringIO(text))
    hints = get_type_hints(kind)
    readers = [(name, _READERS[hints[name]]) for name in next(table)]
    for line, values in enumerate(table, start=2):
        row = {}
        for (name, of), value in zip(readers, values, strict=True):
            try:
                row[name] = of(value)
            except ValueError:
                raise CalcError(f"line {line}: {name}", value, _EXPECTED[of]) from None
        yield kind(**row)


def write(rows: Iterable[Any], kind: type[Any]) -> str:
    """Records as a table that `read` reads: times and tokens in full, an empty field for what is not known."""
    names = [f.name for f in fields(kind)]
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(names)
    table.writerows([_shown(getattr(row, name)) for name in names] for row in rows)
    return out.getvalue()


def _date(value: str) -> dt.date | None:
    return dt.date.fromisoformat(value) if value else None


def _maybe(value: str) -> float | None:
    return float(value) if value else None


_READERS: Mapping[Any, Callable[[str], Any]] = {
    str: str,
    int: int,
    float: float,
    float | None: _maybe,
    dt.date | None: _date,
}
_EXPECTED = {int: "a whole number", float: "a number", _maybe: "a number", _date: "a date"}


def _shown(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return str(int(value)) if value == int(value) else repr(value)
    return str(value)


def text(name: str) -> str:
    """A table of measurements as it lies beside the catalogue."""
    data: bytes = __spec__.loader.get_data(f"{FOLDER}/{name}")  # type: ignore[union-attr]
    return data.decode()
