"""How each number of the price list follows, with the reader's own numbers put in."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from calc.catalog import Hosted, Price
from calc.figure.derivation import Derivation, Term
from calc.quantities.arithmetic import HOUR, MILLION
from calc.quantities.check import Array, Quantity
from calc.serving.modes import FASTER, NONE, Modes
from calc.serving.promised import WAITED
from calc.serving.public import token_dollars
from calc.serving.sheet import AFTER_CACHE, FRESH, LONE, PASS_TOKENS, Sheet
from calc.step import Forecast, Step, prefill
from calc.step.forecasting import at_measured_rates

RENTED = "{M} * {n} * {r} / {H} * "  # dollars a second of all chips, for a million tokens
FORECAST, DOLLARS = "serving#from-a-bound-to-a-forecast", "serving#from-seconds-to-dollars"
INPUT = "serving#input-fresh-and-cached"
WALK = "serving#one-case-eight-questions"
STEP, MEMORY, TOKEN = "batching#one-step-three-bills", "memory_wall#what-fits", "batching#what-a-token-costs"
APART, BILL, COSTS = "moe#reading-and-writing-apart", "pricing#your-own-bill", "pricing#a-cost-side"

BUSY = "max({@c}, {@m}, {@u}, {@o})"
SUM = "{@m} / {xm} + {@c} / {xc} + {@l} / {xl} + {N} * {tk} + {@s} * {ts}"
LARGEST = "min({Bb}, {@2B} - {@D})"
TRIED = " >= {@t} = " + SUM + "\n{@2t} = " + SUM.replace("@", "@2")
"""The largest batch whose step lasts no longer than a limit: its step, and that of the next batch."""

EXACT = 5  # digits, where a reader adds up to see which of two is larger

EXPRESSIONS: Mapping[str, tuple[str, ...]] = {
    "chips": ("{gn} * {G}", WALK),
    "memory": ("({w} + {k}) / {m}", MEMORY),
    "traffic": ("{B} / ({La} * {et})", WALK),
    "step": (BUSY.replace("@", "b"), STEP),
    "expected": (SUM.replace("@", "e"), FORECAST),
    "low": ("{et} * {low}", FORECAST),
    "high": ("{et} * {high}", FORECAST),
    "first": (BUSY.replace("@", "f"), STEP),
    "prompts": (
        "{G} * min(ceil({PT} / ((1 - {h}) * {Li})), {n2} - {nD})",
        INPUT,
        "{within} >= {wait} = {waited} * {tpe}\n{wait2} = {waited} * {t2pe}",
    ),
    "pass": ("{pm} / {xm} + {pc} / {xc} + {pl} / {xl} + {N} * {tk}", FORECAST),
    "wait": ("{waited} * {tpe}", INPUT),
    "user": ("1 / {et}", STEP),
    "user_most": ("1 / {t}", STEP),
    "throughput": ("{B} / ({n} * {et})", TOKEN),
    "throughput_most": ("{B} / ({n} * {t})", TOKEN),
    "readers": ("{tpe} / {Bp} / ({La} * {et} / {B})", APART),
    "fresh": (RENTED + "{tqe} / ({Bp} * (1 - {h}) * {Li})", INPUT),
    "cached": (RENTED + "max(0, {tpe} - {tqe}) / ({Bp} * {h} * {Li})", INPUT),
    "output": (RENTED + "{et} / {B}", DOLLARS),
    "fresh_least": (RENTED + "{tq} / ({Bp} * (1 - {h}) * {Li})", INPUT),
    "cached_least": (RENTED + "max(0, {tp} - {tq}) / ({Bp} * {h} * {Li})", INPUT),
    "output_least": (RENTED + "{t} / {B}", DOLLARS),
    "output_low": ("{Co} * {low}", FORECAST),
    "output_high": ("{Co} * {high}", FORECAST),
    "promised": (LARGEST.replace("@", "k"), FORECAST, "1 / {v}" + TRIED.replace("@", "k")),
    "promised_output": (RENTED + "{kt} / {kB}", DOLLARS),
    "batch_mode": (RENTED + "{teb} / {Bb}", DOLLARS),
    "batch_mode_batch": ("{G} * floor(({m} - {w}) / {one})", MEMORY),
    "fast_mode": (RENTED + "{zt} / {zB}", DOLLARS),
    "fast_mode_speed": ("{et} / {zt}", DOLLARS),
    "fast_mode_batch": (LARGEST.replace("@", "z"), FORECAST, "{et} / {faster}" + TRIED.replace("@", "z")),
    "request": ("({Cf} * (1 - {h}) * {Li} + {Ch} * {h} * {Li} + {Co} * {La}) / {M}", BILL),
    "margin": ("1 - {cost} / {asked}", COSTS),
    "margin_most": ("1 - {least} / {asked}", COSTS),
}
"""Numbers of the price list, as terms, where that is derived, and what holds of a number that was found by trying."""


def derived(
    found: Sheet, seller: Price | Hosted | None, had: Modes, promise: float, within: float
) -> dict[str, Derivation]:
    """The derivation of each number; what a seller leaves has none without one, nor what cannot be had or kept."""
    terms = {**_step(found), **_reading(found), **_prompts(found, within), **_money(found, seller)}
    terms |= _modes(found, had, promise)
    missing = {
        "margin": not seller,
        "cached": not found.request.cached,
        "prompts": found.longest_first_token_seconds > within,
        "promised": had.promised is NONE,
        "batch_mode": had.slow is NONE,
        "fast_mode": had.fast is NONE,
    }
    return {
        name: Derivation(expression, terms, *where)
        for name, (expression, *where) in EXPRESSIONS.items()
        if not any(name.startswith(key) and lacks for key, lacks in missing.items())
    }


def _step(found: Sheet) -> dict[str, Term]:
    """Chips, memory, and the times of a step and of its forecast."""
    step, expected, fit = found.writing, found.expected, found.expected.fit
    return {
        **_busy("b", step),
        **_parts("e", expected),
        "n": Term("n", step.setting.layout.chips),
        "B": Term("B", step.requests[0].batch),
        "w": Term("W on a chip", step.chip_weight_bytes, "B", EXACT),
        "k": Term("caches on a chip", step.chip_kept_bytes, "B"),
        "m": Term("memory of a chip", step.setting.machine.hbm_bytes, "B", EXACT),
        "t": Term("t", step.bound_seconds, "s"),
        "xm": Term("ξ_m", fit.memory_share, "%", EXACT),
        "xc": Term("ξ_c", fit.arithmetic_share, "%", EXACT),
        "xl": Term("ξ_l", fit.link_share, "%", EXACT),
        "N": Term("N_k", expected.kernel_seconds / fit.kernel_seconds),
        "tk": Term("t_k", fit.kernel_seconds, "s", EXACT),
        "ts": Term("t_s", fit.sequence_seconds, "s", EXACT),
        "low": Term("low end", fit.low_80),
        "high": Term("high end", fit.high_80),
    }


def _reading(found: Sheet) -> dict[str, Term]:
    """The passes of reading: a prompt alone, the pass behind a cache, the same tokens without one."""
    step, request = found.reading, found.request
    bound, groups = np.asarray(step.bound_seconds), step.setting.layout.data
    return {
        **_busy("f", step, LONE, " of a prompt"),
        **_parts("p", found.expected_reading, AFTER_CACHE, " of the pass"),
        "G": Term("groups", groups),
        "each": Term("prompts of a group", found.prompts / groups),
        "Bp": Term("B_p", found.prompts),
        "h": Term("h", request.cached_share, "%"),
        "waited": Term("passes", WAITED),
        "Li": Term("L_i", request.input_tokens),
        "La": Term("L_a", request.output_tokens),
        "tp": Term("t_p", bound[AFTER_CACHE], "s"),
        "tq": Term("t_q", bound[FRESH], "s"),
        "tpe": Term("t̂_p", found.reading_seconds[AFTER_CACHE], "s"),
        "tqe": Term("t̂_q", found.reading_seconds[FRESH], "s"),
    }


def _prompts(found: Sheet, within: float) -> dict[str, Term]:
    """The prompts that fill a pass, the wait that it makes, and that of a pass with one prompt of each group more."""
    request, setting = found.request, found.reading.setting
    groups = setting.layout.data
    more = found.prompts / groups + 1
    after = at_measured_rates(prefill(setting, groups * more, request.fresh, cached=request.cached), found.expected.fit)
    longer = float(after.seconds)
    return {
        "PT": Term("fresh tokens of a group", PASS_TOKENS),
        "within": Term("promised first token", within, "s", EXACT),
        "wait": Term("wait", found.longest_first_token_seconds, "s", EXACT),
        "n2": Term("prompts′", more),
        "nD": Term("added", 1),
        "wait2": Term("wait′", WAITED * longer, "s", EXACT),
        "t2pe": Term("t̂_p′", longer, "s", EXACT),
    }


def _money(found: Sheet, seller: Price | Hosted | None) -> dict[str, Term]:
    """Rent, costs for a million tokens, and the price of a request."""
    request, likely = found.request, found.forecast
    asked = token_dollars(seller).of(request) if seller else 0.0
    return {
        "M": Term("10⁶", MILLION),
        "H": Term("an hour", HOUR),
        "r": Term("rent", found.dollars_per_chip_second * HOUR, "$"),
        "Cf": Term("C_f", MILLION * likely.fresh, "$"),
        "Ch": Term("C_h", MILLION * likely.cached, "$"),
        "Co": Term("C_o", MILLION * likely.output, "$"),
        "cost": Term("cost", likely.of(request), "$"),
        "least": Term("least cost", found.bound.of(request), "$"),
        "asked": Term("price", asked, "$"),
    }


def _modes(found: Sheet, had: Modes, promise: float) -> dict[str, Term]:
    """Batches of the modes that can be had, and of those that a speed ends the parts of two steps: there and next."""
    setting = found.writing.setting
    one = setting.chip_kept_bytes(setting.layout.data, found.request.held)
    terms = {
        "gn": Term("chips of a group", setting.layout.tensor),
        "one": Term("cache of a sequence", one, "B", EXACT),
        "v": Term("promised speed", promise, "tokens/s"),
        "faster": Term("speed asked", FASTER),
        "Bb": Term("B that has room", had.slow.batch),
        "teb": Term("t̂ of the batch mode", had.slow.seconds, "s"),
    }
    for key, name, mode in (("z", "fast mode", had.fast), ("k", "promise", had.promised)):
        if mode is not NONE:
            after = had.tried[mode.place + 1]
            terms |= {
                **_parts(key, had.expected, mode.place, digits=EXACT),
                **_parts(f"{key}2", had.expected, mode.place + 1, "′", EXACT),
                f"{key}B": Term(f"B of the {name}", mode.batch),
                f"{key}t": Term(f"t̂ of the {name}", mode.seconds, "s", EXACT),
                f"{key}2B": Term("B′", after),
                f"{key}D": Term("added", after - mode.batch),
            }
    return terms


def _parts(key: str, expected: Forecast, place: int = 0, mark: str = "", digits: int = 3) -> dict[str, Term]:
    """A forecast and its parts at published rates, of one of several steps."""
    fit = expected.fit
    parts = {
        "t": ("t̂", expected.seconds),
        "m": ("(t_m + t_a)", expected.moving_seconds * fit.memory_share),
        "c": ("t_c", expected.arithmetic_seconds * fit.arithmetic_share),
        "l": ("t_l", expected.sending_seconds * fit.link_share),
    }
    sequences = Term("N_s" + mark, round(_of(expected.sequence_seconds, place) / fit.sequence_seconds, EXACT))
    return {key + "s": sequences} | _terms(key, parts, place, mark, digits)


def _busy(key: str, step: Step, place: int = 0, mark: str = "") -> dict[str, Term]:
    """The least seconds of one of several steps on each resource: those on links are of all operations."""
    up: Quantity = sum(each.least_scale_up_seconds for each in step.operations)
    out: Quantity = sum(each.least_scale_out_seconds for each in step.operations)
    parts = {
        "c": ("t_c", step.compute_seconds),
        "m": ("t_m", step.memory_seconds),
        "u": ("t_l in the domain", up),
        "o": ("t_l out of it", out),
    }
    return _terms(key, parts, place, mark)


def _terms(
    key: str, parts: Mapping[str, tuple[str, Quantity]], place: int, mark: str, digits: int = 3
) -> dict[str, Term]:
    return {key + part: Term(name + mark, _of(each, place), "s", digits) for part, (name, each) in parts.items()}


def _of(many: Quantity, place: int) -> float:
    """One of several numbers, or the one that all have in common."""
    every: Array = np.ravel(many)
    return float(every[min(place, every.size - 1)])
