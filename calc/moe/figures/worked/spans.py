"""Half a rack, one and two: a step with starts, as the figures begin them and as long as measured ones."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace

import numpy as np

from calc import catalog
from calc.batching.figures.setting import laid_out
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, CONTEXT
from calc.moe.figures.in_parts import STARTUP, over_racks, parts, starting
from calc.moe.figures.plans import MISSED, OVER, plan_parts
from calc.moe.figures.shared import Compositions, crossing
from calc.moe.figures.timings import LIKE_OURS, MANY, MOST_TIMED, rack_exchange, rack_start
from calc.quantities.arithmetic import MICRO, whole_up
from calc.quantities.check import Quantity
from calc.setting import Precisions
from calc.step import decode, visited_share
from calc.step.forecasting import Forecast, forecast_of

START, RACK, FAST = STARTUP.default, "gb200-nvl72", "gb300-nvl72"
FINE = np.geomspace(1e3, 1e5, 401).astype(np.float64)  # batches close enough for two digits of where lines meet
FEWER_TIMED = 32  # chips of those timed, the nearest to half a rack
FEW = range(1, 100)  # tokens of a chip, beyond where two racks are as good as one
EQUAL = 1e-6  # of a step
MOST_TOKENS = 1000  # of a chip, when a narrow plan is as good for long
MORE = 200  # tokens of a chip
SPANS = {
    "half": (0.5, RACK, "half a rack"),
    "one": (1, RACK, "one rack"),
    "two": (2, RACK, "two racks, one copy a rack"),
    "fast": (2, FAST, "two GB300 racks, one copy a rack"),
}


def step(racks: float, system: str, start: float, *, relay: bool = True, batch: Quantity = BATCH.default) -> Quantity:
    """Seconds of a step of DeepSeek-V3 in FP8 over so many racks, with as many sequences on each chip."""
    found: Quantity = parts(over_racks(racks, system, batch, CONTEXT.default, relay=relay), start)["step"]
    return found


def halves_pay(start: float) -> float:
    """Batch from which halves are quicker than the step with starts, if those of both halves queue on the link.

    In turn all starts stand in the open. In halves each half has as many, and waits for them while the other computes.
    """
    found, waits = _on_one_rack(start, FINE)
    halved = np.maximum(found.computing_halves, found.exchange + 2 * waits)
    return crossing(FINE, found.opened + waits, halved * (1 + 1e-9))


def _on_one_rack(start: float, batch: Quantity) -> tuple[Compositions, Quantity]:
    """A step on one rack, whole and in halves, and what its starts take, one after another."""
    where = laid_out("deepseek-v3", RACK, "fp8", "usual")
    return Compositions.of(where, batch, CONTEXT.default), starting(decode(where, batch, CONTEXT.default), start)


def is_enough(racks: float) -> int:
    """Tokens of a chip from which a part of a rack writes as much as all, with as many starts; a copy for an expert."""
    chips, tokens = catalog.system(RACK).chips, range(1, MOST_TOKENS)

    def enough(each: int) -> bool:
        return _plan(racks, each * chips, 0) <= _plan(1, each * chips, 0) * (1 + EQUAL)

    return tokens[bisect_left(tokens, True, key=enough)]


def _parts(racks: float, batch: float, start: float) -> tuple[float, float, float, float]:
    """Seconds of the parts of a step of the three plans, the reading of experts first; a start in microseconds."""
    return plan_parts(racks, RACK, batch, start, "expert")


def _plan(racks: float, batch: float, start: float) -> float:
    """Seconds of such a step."""
    return sum(_parts(racks, batch, start))


def spans() -> Answer:
    """Each span of chips beside a whole rack, with starts as the figures begin them and as measured."""
    slow, timed = rack_start(), rack_exchange(LIKE_OURS)
    values = {
        "start": Value(START * MICRO, "s", "Start of a message"),
        "slow": Value(slow * MICRO, "s", "A start, as timed"),
        "timed": Value(timed.measured, "s", "An exchange, as timed"),
        "timed_bytes": Value(timed.bound, "s", "Its bytes alone", 2),
        "timed_tokens": Value(LIKE_OURS, "tokens", "Tokens of each chip"),
        "timed_chips": Value(MOST_TIMED, "", "Chips"),
    }
    values["half_even"] = Value(is_enough(0.5), "tokens", "Tokens of a chip from which half a rack writes as much", 2)
    values["pays"] = Value(halves_pay(START), "sequences", "Halves pay from, with starts", 2)
    values["pays_slow"] = Value(halves_pay(slow), "sequences", "Halves pay from, with measured starts", 2)
    for key, (many, name, label) in SPANS.items():
        for at, start in (("", START), ("_slow", slow)):
            taken = step(many, name, start)
            values[f"{key}{at}_step"] = Value(taken, "s", f"Step on {label}")
    taken = sum(plan_parts(2, FAST, BATCH.default, slow, "expert"))
    values["fast_slow_step"] = Value(taken, "s", "Step on two GB300 racks, copies straight to experts")
    values["fast_slow"] = Value(1 - _plan(1, BATCH.default, slow) / taken, "%", "A chip of them writes less by", 2)
    found = values | _fewer_timed(slow) | _narrow(slow) | _copies() | _between(slow) | _few(slow) | _likely()
    found |= _other_rates(found, slow)
    return Answer(finding="Half a rack, one and two", values=found)


def _copies() -> dict[str, Value]:
    """Copies that a token sends to other chips of a rack, one to a chip, and between two racks, one a rack."""
    model, chips = catalog.model("deepseek-v3"), catalog.system(RACK).chips
    within, across = ((places - 1) * visited_share(places, model.routed[1], *model.groups) for places in (chips, 2))
    return {
        "copies": Value(within, "", "Copies of a token to other chips, one to a chip"),
        "crossing": Value(across, "", "Copies of a token that cross between two racks, one a rack"),
    }


def _fewer_timed(slow: float) -> dict[str, Value]:
    """Starts as timed on fewer chips, and half a rack with experts in four bits."""
    four = replace(Precisions.named("nvfp4"), block_scales=True).weight_bytes("experts")  # beside one byte in FP8
    few = rack_start(FEWER_TIMED)
    half, one = (_parts(racks, BATCH.default, slow) for racks in (0.5, 1))
    half_four, one_four = (sum(each) - each[0] * (1 - four) for each in (half, one))
    level = slow * MICRO * (1 - (sum(half) - sum(one)) / half[3])
    return {
        "few_chips": Value(FEWER_TIMED, "", "Fewer chips"),
        "few_start": Value(few * MICRO, "s", "A start, as timed on them"),
        "level_start": Value(level, "s", "Half a rack as good with starts of"),
        "half_four": Value(1 - one_four / half_four, "%", "Less, its experts in four bits", 2),
    }


def _narrow(slow: float) -> dict[str, Value]:
    """The three plans with more tokens, on fewer chips still, and the sequences for which chips have room."""
    whole = catalog.system(RACK).chips
    found = over_racks(1, RACK, BATCH.default, CONTEXT.default)
    (routed,) = (each for each in found.operations if each.name == "experts")
    half, one = (_plan(racks, MORE * whole, slow) for racks in (0.5, 1))
    return {
        "less_200": Value(1 - one / half, "%", "Less", 2),
        "more_200": Value(MORE, "tokens", "More tokens of a chip", 2),
        "multiplied": Value(routed.compute_seconds * whole / BATCH.default, "s", "A token multiplies"),
        "rate": Value(found.setting.machine.flops("fp8"), "FLOP/s", "Arithmetic of a chip"),
        "passed_bytes": Value(routed.activations * whole / BATCH.default, "B", "in bytes"),
        "passed": Value(routed.activation_seconds * whole / BATCH.default, "s", "A token passes"),
        "memory": Value(found.setting.machine.hbm_bytes, "B", "Memory of a chip"),
        "sixteen_even": Value(is_enough(16 / whole), "tokens", "of sixteen, as much from", 2),
        "eight_room": Value(_room(8 / whole), "sequences", "of eight has room for", 2),
        "room": Value(_room(1), "sequences", "A chip of a rack has room for", 2),
        "slow_cap": Value(1 / _parts(1, BATCH.default, slow)[3], "tokens/s", "Starts alone leave a user"),
    }


def _room(racks: float) -> float:
    """Sequences for which a chip has room beside its weights."""
    found = over_racks(racks, RACK, BATCH.default, CONTEXT.default)
    each = found.chip_kept_bytes / (BATCH.default / catalog.system(RACK).chips)
    return float((found.setting.machine.hbm_bytes - found.chip_weight_bytes) / each)


def _between(slow: float) -> dict[str, Value]:
    """Parts of two racks with one copy a rack beside those of one rack as in the three plans."""
    one = _parts(1, BATCH.default, slow)
    two = plan_parts(2, RACK, BATCH.default, slow, "rack")
    return {
        "two_longer": Value(sum(two) - sum(one), "s", "Step of two racks, longer by"),
        "two_slow": Value(1 - sum(one) / sum(two), "%", "A chip of them writes less by", 2),
        "exchange_more": Value(two[2] / one[2], "x", "Two racks' exchange, over one rack's", 2),
        "two_exchange": Value(two[2], "s", "Exchange of two racks"),
        "two_exchange_more": Value(two[2] - one[2], "s", "Exchange of two racks, longer by", 2),
    }


def _likely() -> dict[str, Value]:
    """The three plans by the forecast, and how far runs lie from theirs."""

    def forecast(racks: float, batch: float = BATCH.default) -> Forecast:
        return forecast_of(over_racks(racks, RACK, batch, CONTEXT.default, relay=False))

    found = {key: forecast(racks) for key, racks in (("half", 0.5), ("one", 1), ("two_apart", 2))}
    one, fit, chips = found["one"].seconds, found["one"].fit, catalog.system(RACK).chips
    seconds = [forecast(1, each * chips).seconds for each in range(1, 99)]
    return {
        **{f"{key}_less": Value(1 - one / found[key].seconds, "%", "Less, by it", 2) for key in ("half", "two_apart")},
        "forecast_users": Value(bisect_right(seconds, found["half"].seconds), "", "Users on a chip of one rack"),
        "low": Value(fit.low_80, "x", "Four of five runs over their forecast, from", 2),
        "high": Value(fit.high_80, "x", "Four of five runs over their forecast, to", 3),
    }


def _few(slow: float) -> dict[str, Value]:
    """Up to how many tokens on each chip two racks write as much as one, copies straight to experts, starts alike."""

    def most(system: str) -> int:
        chips = catalog.system(system).chips
        steps = ([sum(plan_parts(racks, system, each * chips, slow, "expert")) for racks in (1, 2)] for each in FEW)
        return next(each for each, (one, two) in zip(FEW, steps, strict=True) if two > one) - 1

    return {
        "two_most": Value(most(RACK), "tokens", "Tokens of a chip up to which two racks are as good"),
        "fast_most": Value(most(FAST), "", "The same of two GB300 racks"),
    }


def _other_rates(found: dict[str, Value], slow: float) -> dict[str, Value]:
    """Tokens with which half a rack is as good at lower rates, two racks at those, and starts with many."""
    multiplying, reading, chips = 0.6, 0.8, catalog.system(RACK).chips
    reads, fewer = _parts(0.5, BATCH.default, slow)[0], step(0.5, RACK, slow, batch=2 * BATCH.default)
    four = replace(Precisions.named("nvfp4"), block_scales=True).weight_bytes("experts")
    faster = catalog.system(RACK).flops("fp4") / catalog.system(RACK).flops("fp8")
    multiplied, passed, even = (found[key].number for key in ("multiplied", "passed", "half_even"))
    behind = {
        f"{key}_{at}": 1 - _plan(1, each * chips, slow) / sum(plan_parts(2, RACK, each * chips, slow, copies))
        for key, copies in (("two", "expert"), ("copy", "rack"))
        for at, each in (("200", MORE), ("even", even))
    }
    ours = float(whole_up(BATCH.default / chips))
    counted = {at: _plan(0.5, each * chips, slow) for at, each in (("ours", ours), ("even", even))}
    users = {f"factor_{at}": 1 / (OVER * each) for at, each in counted.items()}
    users |= {f"equal_{at}": 1 / (MISSED + each) for at, each in counted.items()}
    return {
        **{key: Value(speed, "tokens/s", "A user, with extra time", 2) for key, speed in users.items()},
        **{key: Value(less, "%", "Two racks, less", 2) for key, less in behind.items()},
        "even_speed": Value(1 / _plan(0.5, even * chips, slow), "tokens/s", "A user has then", 2),
        "fewer_chips": Value(chips / 2, "chips", "Half the chips"),
        "twice": Value(1 - step(1, RACK, slow) / fewer, "%", "Twice the chips, one batch: a step shorter by", 2),
        "even_multiplying": Value(reads / (multiplied / multiplying - passed), "tokens", "As good from", 2),
        "even_four": Value(four * reads / (multiplied / faster - passed), "tokens", "in four bits, from", 2),
        "even_reading": Value(reads / (reading * multiplied - passed), "tokens", "As good from", 2),
        "many": Value(MANY, "tokens", "Many tokens of a chip"),
        "many_start": Value(rack_start(tokens=MANY) * MICRO, "s", "A start with so many", 2),
    }


FIGURES = (Figure(name="moe/spans", compute=spans, sources=("deepseek-v3-config", "deepep-legacy", "aiconfigurator")),)
