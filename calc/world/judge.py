"""Judge the forecast by measurements that it was not fitted to: `python -m calc.world.judge FILE`.

FILE is a table like `catalog/measurements/serving.csv`, or like the sample that this was made from, with its own names
and with times in milliseconds. Nothing is fitted: the constants and bands are those of the catalogue. Rows that are set
aside, or that the constants were fitted to, are counted and not judged; `--all` judges those that were fitted to, too.
"""

from __future__ import annotations

import argparse
import csv
import io
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np

from calc import catalog
from calc.catalog import ForecastFit
from calc.catalog.measurement import Measurement, clean_measurements, measurements, read
from calc.quantities.errors import CalcError
from calc.step.forecasting import FIT
from calc.world.falsify import confronted
from calc.world.fitting import Array, by_group, covered, score
from calc.world.repairs import MODELS, SYSTEMS, does_not_fit, without_repeats
from calc.world.sample import GROUPINGS
from calc.world.work import parts

SAMPLE = MappingProxyType(
    {
        "gemm": "projections",
        "experts_format": "experts",
        "attention_dp": "attention_groups",
        "tpot_ms": "token_seconds",
        "ttft_ms": "first_token_seconds",
        "clean": "set_aside",
    }
)
"""Columns of the sample that have another name in the catalogue."""
NAMED = {name.partition("/")[2]: model for name, model in MODELS.items()} | {"DeepSeek-V3/R1": "deepseek-v3"}
"""Models by the names of their repositories, which the sample shortens."""


@dataclass(frozen=True)
class Judged:
    """Rows with their forecasts by the constants in force, and what was not judged, by the reason."""

    rows: tuple[Measurement, ...]
    forecast: Array
    fit: ForecastFit
    not_judged: Mapping[str, int]

    @property
    def times(self) -> Array:
        """The measured times of a token."""
        return np.array([row.token_seconds for row in self.rows])

    def lines(self) -> Iterator[str]:
        """The report."""
        times, fit = self.times, self.fit
        aside = ", ".join(f"{count} {reason}" for reason, count in sorted(self.not_judged.items())) or "none"
        yield f"{len(times)} rows judged by the fit of {fit.effective}; not judged: {aside}."
        if not len(times):
            return
        whole = score(self.forecast, times)
        yield f"error: median {whole.median:.1%}, mean {whole.mean:.1%}"
        yield f"  where the fit left configurations out: {fit.median_error:.1%}, {fit.mean_error:.1%}"
        yield f"measured over forecast, median: {np.median(times / self.forecast):.3f}"
        for share, low, high in ((80, fit.low_80, fit.high_80), (90, fit.low_90, fit.high_90)):
            inside = covered(self.forecast, times, low, high)
            yield f"band of {share} %: {low:.2f} to {high:.2f} covers {inside:.1%}"
        faster = [each.row.id for each in confronted(self.rows) if each.refutes]
        yield f"faster than the bound: {', '.join(faster) or 'none'}"
        for grouping in ("model", "system", "engine", "year"):
            names = [GROUPINGS[grouping](row) for row in self.rows]
            for name, its in sorted(by_group(self.forecast, times, names).items(), key=str):
                yield f"  {grouping} {name!s:20s} median {its.median:6.1%}  mean {its.mean:6.1%}  ({its.count} points)"


def rows_of(text: str) -> list[Measurement]:
    """The rows of a table of either form.

    >>> rows_of("id,model\\nx,Qwen3-32B\\n")
    Traceback (most recent call last):
    calc.quantities.errors.CalcError: table must be with the columns of a Measurement; it was “id, model”.
    """
    table = csv.DictReader(io.StringIO(text))
    raw = list(table)
    names = [SAMPLE.get(name, name) for name in table.fieldnames or ()]
    if set(names) != set(Measurement.__dataclass_fields__):
        raise CalcError("table", ", ".join(table.fieldnames or ()), "with the columns of a Measurement")
    if "tpot_ms" not in (table.fieldnames or ()):
        return list(read(Measurement, text))
    out = io.StringIO()
    written = csv.DictWriter(out, names)
    written.writeheader()
    written.writerows(_renamed(row) for row in raw)
    return list(read(Measurement, out.getvalue()))


def judge(rows: Sequence[Measurement], *, fitted_too: bool = False) -> Judged:
    """Forecasts of the clean rows of a table that the constants do not know."""
    ours = {row.id: row for row in measurements()}
    asked = [ours.get(row.id, row) for row in rows]  # what the catalogue says of its own rows holds
    known = set() if fitted_too else {row.id for row in clean_measurements()}
    apart = {each.id for each in without_repeats([row for row in asked if not row.set_aside])[1]}
    why = [_why_not(row, apart, known) for row in asked]
    kept = tuple(row for row, reason in zip(asked, why, strict=True) if not reason)
    fit = catalog.forecast_fit(FIT)
    return Judged(kept, expected(parts(kept), fit), fit, Counter(reason for reason in why if reason))


def expected(work: Array, fit: ForecastFit) -> Array:
    """Forecasts of steps by their parts."""
    shares = (fit.memory_share, fit.arithmetic_share, fit.link_share)
    constants: Array = np.array([*(1 / share for share in shares), fit.kernel_seconds, fit.sequence_seconds])
    return work @ constants


def _why_not(row: Measurement, repeats: Container[str], fitted: Container[str]) -> str:
    """Why a row is not judged, by the rules that hold for the catalogue's own; empty if it is."""
    if row.set_aside:
        return "set aside"
    if row.model not in catalog.models() or row.system not in catalog.systems():
        return "of an unknown model or system"
    if row.id in repeats:
        return "repeated"
    if does_not_fit(row.model, row.system, row.precision, row.chips):
        return "without room"
    return "fitted to" if row.id in fitted else ""


def _renamed(row: Mapping[str, str]) -> dict[str, str]:
    """A row of the sample in the catalogue's names and units."""
    found = {SAMPLE.get(name, name): value for name, value in row.items()}
    whole = {name: str(int(float(found[name]))) for name in ("chips", "tensor", "attention_groups")}
    seconds = {name: repr(float(found[name]) / 1e3) for name in ("token_seconds", "first_token_seconds")}
    model = next((of for name, of in NAMED.items() if name.startswith(row["model"])), row["model"])
    system = SYSTEMS.get(row["system"], row["system"])
    aside = "" if float(row["clean"]) else "not clean"
    return found | whole | seconds | {"model": model, "system": system, "set_aside": aside}


def main(arguments: Sequence[str] | None = None) -> int:
    """Read a table and print how far the forecast is off."""
    parser = argparse.ArgumentParser(prog="python -m calc.world.judge", description=__doc__)
    parser.add_argument("file", type=Path, help="a table of measurements")
    parser.add_argument("--all", action="store_true", help="judge rows that the constants were fitted to as well")
    given = parser.parse_args(arguments)
    print(*judge(rows_of(given.file.read_text("utf-8")), fitted_too=given.all).lines(), sep="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
