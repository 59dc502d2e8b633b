"""Calls of coding agents on lecture 8's rack: inputs far longer than those of its other traces."""

from __future__ import annotations

from dataclasses import replace

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH
from calc.quantities.arithmetic import HOUR, MILLION
from calc.serving.figures.cases import case
from calc.serving.figures.setting import PROMISE
from calc.serving.modes import modes
from calc.serving.request import Request
from calc.serving.sheet import Sheet, sheet
from calc.step import most_sequences

TRACE = "trace-tracelab"


def called() -> Sheet:
    """The mean call of a coding agent on the case's rack, at its batch and rent."""
    here = case("rack")
    fact = {each: catalog.datum(f"{TRACE}-{each}").value for each in ("input", "output", "cached")}
    request = Request(fact["input"], fact["output"], fact["cached"])
    return sheet(here.writing.setting, request, BATCH.default, here.dollars_per_chip_second * HOUR)


def agents() -> Answer:
    """The cost of a call by its means, and how many have room at the promised speed."""
    found, usual = called(), case("rack").forecast
    request, costs = found.request, found.forecast
    cost, setting = costs.of(request), found.writing.setting
    less = replace(setting, machine=replace(setting.machine, hbm_bytes=0.9 * setting.machine.hbm_bytes))
    return Answer(
        finding="A call of a coding agent on the rack of the case",
        values={
            "input": Value(request.input_tokens, "", "Tokens of input"),
            "output": Value(request.output_tokens, "", "Tokens of the answer"),
            "cached": Value(request.cached_share, "%", "Found in a cache"),
            "written": Value(MILLION * costs.output, "$", "Output"),
            "request": Value(cost, "$", "A call"),
            "share": Value(costs.output * request.output_tokens / cost, "%", "Output, of a call"),
            "cached_part": Value(costs.cached * request.cached / cost, "%", "Cached input, of a call", 2),
            "fits": Value(most_sequences(less, request.held), "", "Calls that fit beside a tenth kept back", 4),
            "rate": Value(found.traffic, "", "Calls for the batch"),
            "times": Value(costs.output / usual.output, "x", "Output, over that of the case", 2),
            "dearer": Value(costs.cached / usual.cached, "x", "Cached input, over that of the case", 2),
            "room": Value(modes(found, float(PROMISE.default)).promised.batch, "", "Calls with room at the promise", 3),
        },
    )


FIGURES = (Figure(name="serving/agents", compute=agents),)
