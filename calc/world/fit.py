"""Fit the forecast of a step to the measurements of the catalogue and judge it: `python -m calc.world.fit`.

It prints the constants with their standard errors, how far the forecast is off where it was not fitted (with a
configuration, model, system, engine, precision or year left out), the band and what it covers, and what each part buys.
The last lines are the row of `forecast_fits.toml`. It takes about a minute.

Time to first token is not forecast: it is set by arrivals and by what an engine admits when, not by work; a study of
the same rows came no nearer than 49 % (median) and 70 % (mean).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from calc.world.candidates import candidates
from calc.world.fitting import Fitted, Score, by_group, covered, fit, fitted, left_out, range_of_quantile, score
from calc.world.sample import GROUPINGS, Sample, sample
from calc.world.work import NAMES

FOLDS = 10


def judged(held: Sample, grouping: str = "configuration", folds: int | None = None) -> Score:
    """Errors where each group is forecast by constants that were fitted without it."""
    return score(left_out(held.parts, held.times, held.grouped(grouping), folds), held.times)


def forward(held: Sample, last: int) -> Score:
    """Errors on what was measured after the year `last` by constants that were fitted to that year and before."""
    years = np.array([row.date.year if row.date else 0 for row in held.rows])
    before, after = held.only((years > 0) & (years <= last)), held.only(years > last)
    return score(after.parts @ fit(before.parts, before.times), after.times)


def coverage(held: Sample, share: float = 0.8) -> float:
    """Share that a band covers of configurations that had no part in drawing it or in the fit behind it."""
    groups = held.grouped("configuration")
    forecast = left_out(held.parts, held.times, groups, FOLDS)
    number = {name: place for place, name in enumerate(dict.fromkeys(groups))}
    fold = np.array([number[name] % FOLDS for name in groups])
    inside = 0.0
    for one in range(FOLDS):
        out = fold == one
        ratio = held.times[~out] / forecast[~out]
        low, high = np.quantile(ratio, [(1 - share) / 2, (1 + share) / 2])
        inside += covered(forecast[out], held.times[out], float(low), float(high)) * int(out.sum())
    return inside / len(held.times)


def without(held: Sample) -> Iterator[tuple[str, Score]]:
    """Errors with each part taken away in turn: what its constant buys."""
    for column, name in enumerate(NAMES):
        fewer = Sample(held.rows, np.delete(held.parts, column, axis=1), held.times)
        yield name, judged(fewer, folds=FOLDS)


def tried(held: Sample) -> Iterator[tuple[str, Score]]:
    """Errors with one more constant, for parts that might have helped."""
    for name, column in candidates(held).items():
        yield name, judged(Sample(held.rows, np.column_stack([held.parts, column]), held.times), folds=FOLDS)


def said(found: Score) -> str:
    """A score in a line."""
    return (
        f"median {found.median:6.1%}  mean {found.mean:6.1%}  measured over forecast, 80 %: "
        f"{found.low_80:.2f} to {found.high_80:.2f}  ({found.count} points)"
    )


def constants(found: Fitted) -> dict[str, float]:
    """The fields of a `ForecastFit`; a share of a published rate is the inverse of its part's constant."""
    fields: dict[str, float] = {}
    for name, value, error in zip(NAMES, found.constants, found.errors, strict=True):
        share = name in ("moving", "arithmetic", "sending")
        key = {"moving": "memory", "sending": "link"}.get(name, name.removesuffix("s") if not share else name)
        label = f"{key}_share" if share else f"{key}_seconds"
        fields[label] = 1 / value if share else value
        fields[f"{label}_error"] = error / value**2 if share else error
    return fields


def row(held: Sample) -> dict[str, Any]:
    """All that a row of `forecast_fits.toml` says of the fit.

    Deployments of one model on one system are off together, so errors allow for that.
    """
    configurations, alike = held.grouped("configuration"), held.grouped("model and system")
    forecast = left_out(held.parts, held.times, configurations)
    out = score(forecast, held.times)
    fields = constants(fitted(held.parts, held.times, alike))
    bands = {name: getattr(out, name) for name in ("low_80", "high_80", "low_90", "high_90")}
    bands["high_80_least"], bands["high_80_most"] = range_of_quantile(held.times / forecast, alike, 0.9)
    errors = {"median_error": out.median, "mean_error": out.mean}
    rounded = {name: float(f"{value:.4g}") for name, value in {**fields, **bands, **errors}.items()}
    systems = " ".join(sorted({each.system for each in held.rows}))
    return {**rounded, "rows": len(held.rows), "configurations": len(set(configurations)), "systems": systems}


def report(held: Sample) -> Iterator[str]:
    """The report, line by line."""
    fields = row(held)
    yield f"Fitted to {fields['rows']} points of {fields['configurations']} configurations."
    for name in [name for name in fields if f"{name}_error" in fields]:
        yield f"  {name:20s} {fields[name]:10.4g} ± {fields[f'{name}_error']:.2g}"
    yield "Left out, each in turn:"
    for grouping in GROUPINGS:
        yield f"  {grouping:14s} {said(judged(held, grouping))}"
    yield f"  fitted up to 2025, judged on 2026: {said(forward(held, 2025))}"
    yield f"A band of 80 % covers {coverage(held):.1%} of configurations that had no part in it."
    for grouping in ("model", "system", "engine"):
        names = held.grouped(grouping)
        forecast = left_out(held.parts, held.times, names)
        for group, found in sorted(by_group(forecast, held.times, names).items(), key=str):
            yield f"  {grouping} {group!s:22s} {said(found)}"
    yield "Without a part:"
    for name, found in without(held):
        yield f"  {name:14s} {said(found)}"
    yield "With one more constant, which helps only if the error falls:"
    for name, found in tried(held):
        yield f"  {name:50s} {said(found)}"
    yield "[[row]]"
    yield from (f"{name} = {value!r}" for name, value in fields.items())


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report."""
    argparse.ArgumentParser(prog="python -m calc.world.fit", description=__doc__).parse_args(arguments)
    for line in report(sample()):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
