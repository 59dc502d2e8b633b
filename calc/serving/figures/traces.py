"""Requests as three published traces have them, the rack's costs for such a one, and how long a large sweep takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.figure.rent import RENT
from calc.figure.scenario import BATCH, PRECISION, SYSTEM
from calc.quantities.arithmetic import MILLION
from calc.quantities.units import show
from calc.serving.figures.cases import TRACES, case
from calc.serving.figures.setting import CACHED, MODEL, TEXT, described
from calc.serving.request import Request, TokenDollars
from calc.serving.sheet import Sheet, of_steps, passes, sheet
from calc.setting import Setting
from calc.step import decode
from calc.step.forecasting import forecast

POINTS, CORES = 1e8, 16.0


def traces() -> Answer:
    """Lengths of each trace, and what its requests cost on the rack, beside what their means would."""
    values: dict[str, Value] = {}
    few: dict[str, float] = {}
    here = case("rack")
    traffic = here.traffic
    a_request = here.dollars_per_chip_second * here.writing.setting.layout.chips / traffic  # rent of the rack for one
    for key, name in TRACES.items():
        fact = {each: catalog.datum(f"trace-{name}-{each}").value for each in ("input", "output", "held")}
        request = Request(fact["input"], fact["output"], _in_cache(name))
        few[key] = in_flight(traffic, fact["output"], fact["held"])
        costs = of_trace(request, *_seen(name, request), fact["held"])
        slack = replace(costs, output=a_request / fact["output"])
        cost, by_means = costs.of(request), _rack(request).forecast
        values |= {
            f"{key}_input": Value(fact["input"], "", "Tokens of input"),
            f"{key}_output": Value(fact["output"], "", "Tokens of the answer"),
            f"{key}_cached": Value(request.cached_share, "%", "Found in a cache"),
            f"{key}_held": Value(fact["held"], "", "Tokens held while it is written"),
            f"{key}_seen": Value(sum(_seen(name, request)), "", "Tokens of input around a fresh token"),
            f"{key}_written": Value(MILLION * costs.output, "$", "Output"),
            f"{key}_request": Value(cost, "$", "A request"),
            f"{key}_share": Value(costs.output * fact["output"] / cost, "%", "Output, of a request"),
            f"{key}_rate": Value(_rate(BATCH.default, fact), "", "Requests a second that keep the batch in flight"),
            f"{key}_few_request": Value(slack.of(request), "$", "A request at the case's traffic"),
            f"{key}_by_means": Value(by_means.of(request), "$", "A request, by its means alone"),
            f"{key}_cost_off": Value(by_means.of(request) / cost - 1, "%", "That is off by", 2),
        }
    values["code_few"] = Value(few["code"], "sequences", "Of code, in flight at the case's traffic")
    return Answer(finding="Requests as published traces have them", values=values)


def _in_cache(name: str) -> float:
    """The share of a trace's input that a cache holds; where it is not known, the one that a sheet begins with."""
    known = f"trace-{name}-cached" in catalog.data()
    return catalog.datum(f"trace-{name}-cached").value if known else CACHED.default / 100


def _seen(name: str, request: Request) -> tuple[float, float]:
    """Tokens, fresh and cached, of the request to which a fresh token belongs on average."""
    if f"trace-{name}-seen" in catalog.data():  # every request then has the same share in a cache
        seen, share = catalog.datum(f"trace-{name}-seen").value, float(request.cached_share)
        return (1 - share) * seen, share * seen
    return catalog.datum(f"trace-{name}-fresh-seen").value, catalog.datum(f"trace-{name}-cached-seen").value


def _rate(batch: float, fact: Mapping[str, float]) -> float:
    """Requests a second of which so many are in flight: B / (n t), by Little's law."""
    return batch / (fact["output"] * float(forecast(_setting(), batch, fact["held"]).seconds))


def in_flight(traffic: float, output: float, held: float) -> float:
    """The fewest sequences whose step keeps up with a traffic of answers: B / t is at least r n.

    >>> in_flight(140, 28, 2000) < in_flight(140, 1000, 4596) <= BATCH.default
    True
    """
    sizes = np.arange(1.0, BATCH.default + 1)
    seconds = np.asarray(forecast(_setting(), sizes, held).seconds)
    return float(sizes[np.argmax(sizes / seconds >= traffic * output)])


def of_trace(request: Request, fresh_seen: float, cached_seen: float, held: float) -> TokenDollars:
    """Dollars of the tokens of a whole trace of requests, of which this one is the mean.

    A fresh token attends to the request that it belongs to, and long requests have more tokens. So the pass is one of
    requests as a fresh token sees them; its cached tokens stand for all of the trace's.
    """
    setting, both = _setting(), fresh_seen + cached_seen
    seen = Request(both, request.output_tokens, cached_seen / both)
    found = of_steps(seen, passes(setting, seen), decode(setting, BATCH.default, held), RENT.default).forecast
    return replace(found, cached=found.cached * (seen.cached / seen.fresh) / (request.cached / request.fresh))


def _setting() -> Setting:
    """The setting that the page shows first."""
    return described(MODEL.default, TEXT.default, SYSTEM.default, PRECISION.default)


def _rack(request: Request) -> Sheet:
    """The sheet of a request there."""
    return sheet(_setting(), request, BATCH.default, RENT.default)


def sweeps() -> Answer:
    """How long a sweep of a hundred million combinations takes, by the rate that was measured on one core."""
    rate = catalog.datum("sweep-rate").value
    return Answer(
        finding=f"{show(POINTS)} combinations take a core {show(POINTS / rate, 's')}",
        values={
            "rate": Value(rate, "", "Combinations that a core serves in a second"),
            "points": Value(POINTS, "", "Combinations"),
            "seconds": Value(POINTS / rate, "s", "On one core"),
            "several": Value(CORES, "cores", "Cores"),
            "several_seconds": Value(POINTS / rate / CORES, "s", "On several, if nothing is lost"),
        },
    )


FIGURES = (Figure(name="serving/traces", compute=traces), Figure(name="serving/sweeps", compute=sweeps))
