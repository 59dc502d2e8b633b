"""How each number of the price list follows, with the reader's own numbers put in."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from calc.catalog import Hosted, Price
from calc.figure.derivation import Derivation, Term
from calc.quantities.arithmetic import HOUR, MILLION
from calc.quantities.check import Array, Quantity
from calc.serving.modes import Modes
from calc.serving.promised import WAITED
from calc.serving.public import token_dollars
from calc.serving.sheet import AFTER_CACHE, FRESH, LONE, Sheet
from calc.step import Step

RENTED = "{M} * {n} * {r} / {H} * "  # dollars a second of all chips, for a million tokens
FORECAST, DOLLARS = "serving#from-a-bound-to-a-forecast", "serving#from-seconds-to-dollars"
INPUT = "serving#input-fresh-and-cached"
STEP, MEMORY, TOKEN = "batching#one-step-three-bills", "memory_wall#what-fits", "batching#what-a-token-costs"
APART, BILL, COSTS = "moe#reading-and-writing-apart", "pricing#your-own-bill", "pricing#a-cost-side"

EXPRESSIONS: Mapping[str, tuple[str, str]] = {
    "memory": ("({w} + {k}) / {m}", MEMORY),
    "step": ("max({tc}, {tm}, {tu}, {to})", STEP),
    "expected": ("{moved} / {xm} + {tc} / {xc} + {sent} / {xl} + {N} * {tk} + {B1} * {ts}", FORECAST),
    "low": ("{te} * {low}", FORECAST),
    "high": ("{te} * {high}", FORECAST),
    "first": ("max({fc}, {fm}, {fu}, {fo})", STEP),
    "prompts": ("{G} * {each}", INPUT),
    "pass": ("{pm} / {xm} + {pc} / {xc} + {pl} / {xl} + {N} * {tk}", FORECAST),
    "wait": ("{waited} * {tpe}", DOLLARS),
    "user": ("1 / {te}", STEP),
    "user_most": ("1 / {t}", STEP),
    "throughput": ("{B} / ({n} * {te})", TOKEN),
    "throughput_most": ("{B} / ({n} * {t})", TOKEN),
    "readers": ("{tpe} / {Bp} / ({La} * {te} / {B})", APART),
    "fresh": (RENTED + "{tqe} / ({Bp} * (1 - {h}) * {Li})", INPUT),
    "cached": (RENTED + "max(0, {tpe} - {tqe}) / ({Bp} * {h} * {Li})", INPUT),
    "output": (RENTED + "{te} / {B}", DOLLARS),
    "fresh_least": (RENTED + "{tq} / ({Bp} * (1 - {h}) * {Li})", INPUT),
    "cached_least": (RENTED + "max(0, {tp} - {tq}) / ({Bp} * {h} * {Li})", INPUT),
    "output_least": (RENTED + "{t} / {B}", DOLLARS),
    "output_low": (RENTED + "{te} / {B} * {low}", DOLLARS),
    "output_high": (RENTED + "{te} / {B} * {high}", DOLLARS),
    "promised_output": (RENTED + "{tek} / {Bk}", DOLLARS),
    "batch_mode": (RENTED + "{teb} / {Bb}", DOLLARS),
    "fast_mode": (RENTED + "{tef} / {Bf}", DOLLARS),
    "request": ("({Cf} * (1 - {h}) * {Li} + {Ch} * {h} * {Li} + {Co} * {La}) / {M}", BILL),
    "margin": ("1 - {cost} / {asked}", COSTS),
    "margin_most": ("1 - {least} / {asked}", COSTS),
}
"""Numbers of the price list, as terms, and where that is derived."""


def derived(found: Sheet, seller: Price | Hosted | None, had: Modes) -> dict[str, Derivation]:
    """The derivation of each number; what a seller leaves has none without one, nor a mode that cannot be had."""
    terms = {**_step(found), **_reading(found), **_money(found, seller), **_modes(had)}
    missing = {
        "margin": not seller,
        "margin_most": not seller,
        "promised_output": not math.isfinite(had.promised.batch),
        "batch_mode": not math.isfinite(had.slow.batch),
        "fast_mode": not math.isfinite(had.fast.batch),
    }
    known = {name: way for name, way in EXPRESSIONS.items() if not missing.get(name)}
    return {name: Derivation(expression, terms, where) for name, (expression, where) in known.items()}


def _step(found: Sheet) -> dict[str, Term]:
    """Chips, memory, and the times of a step and of its forecast."""
    step, expected, fit = found.writing, found.expected, found.expected.fit
    up, out = _links(step)
    return {
        "n": Term("n", step.setting.layout.chips),
        "B": Term("B", step.requests[0].batch),
        "w": Term("W on a chip", step.chip_weight_bytes, "B"),
        "k": Term("caches on a chip", step.chip_kept_bytes, "B"),
        "m": Term("memory of a chip", step.setting.machine.hbm_bytes, "B"),
        "tc": Term("t_c", step.compute_seconds, "s"),
        "tm": Term("t_m", step.memory_seconds, "s"),
        "tu": Term("t_l in the domain", up, "s"),
        "to": Term("t_l out of it", out, "s"),
        "t": Term("t", step.bound_seconds, "s"),
        "te": Term("t̂", expected.seconds, "s"),
        "moved": Term("(t_m with activations)", expected.moving_seconds * fit.memory_share, "s"),
        "sent": Term("t_l", expected.sending_seconds * fit.link_share, "s"),
        "xm": Term("ξ_m", fit.memory_share, "%"),
        "xc": Term("ξ_c", fit.arithmetic_share, "%"),
        "xl": Term("ξ_l", fit.link_share, "%"),
        "N": Term("N_k", expected.kernel_seconds / fit.kernel_seconds),
        "tk": Term("t_k", fit.kernel_seconds, "s"),
        "B1": Term("B₁", expected.sequence_seconds / fit.sequence_seconds),
        "ts": Term("t_s", fit.sequence_seconds, "s"),
        "low": Term("low end", fit.low_80),
        "high": Term("high end", fit.high_80),
    }


def _reading(found: Sheet) -> dict[str, Term]:
    """The passes of reading: a prompt alone, the pass behind a cache, the same tokens without one."""
    step, request, expected, fit = found.reading, found.request, found.expected_reading, found.expected.fit
    bound, groups = np.asarray(step.bound_seconds), step.setting.layout.data
    parts = (
        expected.moving_seconds * fit.memory_share,
        expected.arithmetic_seconds * fit.arithmetic_share,
        expected.sending_seconds * fit.link_share,
    )
    shared = dict(zip(("pm", "pc", "pl"), (_of(each, AFTER_CACHE) for each in parts), strict=True))
    said = {"pm": "(t_m with activations)", "pc": "t_c", "pl": "t_l"}
    lone = (step.compute_seconds, step.memory_seconds, *_links(step))
    first = dict(zip(("fc", "fm", "fu", "fo"), (_of(each, LONE) for each in lone), strict=True))
    names = {"fc": "t_c", "fm": "t_m", "fu": "t_l in the domain", "fo": "t_l out of it"}
    return {
        **{name: Term(f"{names[name]} of a prompt", seconds, "s") for name, seconds in first.items()},
        **{name: Term(f"{said[name]} of the pass", seconds, "s") for name, seconds in shared.items()},
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


def _modes(had: Modes) -> dict[str, Term]:
    """Steps and batches of the modes that can be had."""
    named = (("b", "batch mode", had.slow), ("f", "fast mode", had.fast), ("k", "promise", had.promised))
    known = [(key, name, mode) for key, name, mode in named if mode.batch < math.inf]
    steps = {f"te{key}": Term(f"t̂ of the {name}", mode.seconds, "s") for key, name, mode in known}
    return steps | {f"B{key}": Term(f"B of the {name}", mode.batch) for key, name, mode in known}


def _links(step: Step) -> tuple[Quantity, Quantity]:
    """The least seconds on the links of the domain and out of it, of all operations."""
    up: Quantity = sum(each.least_scale_up_seconds for each in step.operations)
    out: Quantity = sum(each.least_scale_out_seconds for each in step.operations)
    return up, out


def _of(seconds: Quantity, place: int) -> float:
    """The seconds of one of several passes."""
    every: Array = np.broadcast_to(np.asarray(seconds, dtype=np.float64), (3,))
    return float(every[place])
