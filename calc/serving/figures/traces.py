"""Requests as three published traces have them, the rack's costs for such a one, and how long a large sweep takes."""

from __future__ import annotations

from types import MappingProxyType

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.figure.rent import RENT
from calc.figure.scenario import BATCH, PRECISION, SYSTEM
from calc.quantities.arithmetic import MILLION
from calc.quantities.units import show
from calc.serving.figures.setting import CACHED, MODEL, TEXT, described
from calc.serving.sheet import Request, Sheet, sheet

POINTS, CORES = 1e8, 16.0
TRACES = MappingProxyType({"code": "azure-code", "talk": "azure-conversation", "kimi": "mooncake"})


def traces() -> Answer:
    """Lengths of each trace, mean and middle, what its means say that a sequence holds, and its costs."""
    values: dict[str, Value] = {}
    for key, name in TRACES.items():
        fact = {each: catalog.datum(f"trace-{name}-{each}").value for each in ("input", "output", "held")}
        middle = {each: catalog.datum(f"trace-{name}-{each}-median").value for each in ("input", "output")}
        known = f"trace-{name}-cached" in catalog.data()
        cached = catalog.datum(f"trace-{name}-cached").value if known else CACHED.default / 100
        found = _rack(Request(fact["input"], fact["output"], cached))
        of_request = found.forecast.of(found.request)
        values |= {
            f"{key}_input": Value(fact["input"], "tokens", "Input"),
            f"{key}_input_middle": Value(middle["input"], "tokens", "Input, the middle one"),
            f"{key}_output": Value(fact["output"], "tokens", "Answer"),
            f"{key}_output_middle": Value(middle["output"], "tokens", "Answer, the middle one"),
            f"{key}_cached": Value(cached, "%", "Found in a cache"),
            f"{key}_held": Value(fact["held"], "tokens", "Held while it is written"),
            f"{key}_off": Value(found.request.held / fact["held"] - 1, "%", "Its means are off by", 2),
            f"{key}_written": Value(MILLION * found.forecast.output, "$", "Output"),
            f"{key}_request": Value(of_request, "$", "A request"),
            f"{key}_share": Value(found.forecast.output * fact["output"] / of_request, "%", "Output, of a request"),
        }
    return Answer(finding="Requests as published traces have them", values=values)


def _rack(request: Request) -> Sheet:
    """The sheet of a request at what the page shows first."""
    setting = described(MODEL.default, TEXT.default, SYSTEM.default, PRECISION.default)
    return sheet(setting, request, BATCH.default, RENT.default)


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
