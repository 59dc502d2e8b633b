"""Long contexts as makers and engines published them: a cache, an index that layers share, kernels, a lone user."""

from __future__ import annotations

import numpy as np

from calc import catalog
from calc.catalog.long_contexts import long_context_runs
from calc.figure.declared import Answer, Figure, Value
from calc.memory_wall import attention
from calc.memory_wall.figures.kept import ANSWER, PROMISED, SAFE, most_of_a_rack, prompt_chips
from calc.memory_wall.figures.setting import slope
from calc.memory_wall.figures.shared import FAR, RACK, prompt_seconds
from calc.setting import Scenario
from calc.step.speculation import expected_tokens

TIMED, SCANNED = 128_000, 200_000  # tokens of the kernel that was timed, and of the index
WRITTEN, GUESSES = 4.0, 3.0  # users to whom a chip writes, and guesses of a step


def published() -> Answer:
    """A newer cache and index, and times that were measured, beside those of the lecture's case."""
    cache = catalog.datum("deepseek-v4.1-flash-cache").value
    before, after = (catalog.datum(f"index-cache-{when}").value for when in ("before", "after"))
    usual, ultra = (catalog.datum(f"attention-kernel-{chip}").value for chip in ("gb200", "gb300"))
    sharing, own = catalog.datum("glm-5.2-index-layers").value, catalog.model("deepseek-v3.2")
    where = Scenario.named("deepseek-v3", RACK, "fp8")
    scan = scan_seconds(before, after, 1 - 1 / sharing)
    least = kernel_seconds(where)
    return Answer(
        finding="Long contexts, as published",
        values={
            "cache": Value(cache, "B", "Cache of a token in DeepSeek-V4.1-Flash"),
            "cache_far": Value(cache * FAR, "B", "that of a hundred million"),
            "cache_times": Value(where.kv_bytes_per_token / cache, "x", "less than that of DeepSeek-V3", 2),
            "grow": Value(catalog.datum("deepseek-v4.1-flash-flops-grow").value - 1, "%", "More operations", 2),
            "active": Value(catalog.datum("deepseek-v4.1-flash-active").value, "parameters", "Used in decoding"),
            "prompt": Value(catalog.datum("deepseek-v4.1-flash-prompt-active").value, "parameters", "in a prompt"),
            "sharing": Value(sharing, "layers", "Layers that share a scan", 1),
            "limit": Value(
                sharing * own.known("attended_kv_bytes") / own.known("index_key_bytes"), "x", "Reading saved at most"
            ),
            "scanned": Value(SCANNED, "tokens", "Context of an index that was timed", 9),
            "scan": Value(scan * before, "%", "Of a step, an index in every layer", 2),
            "scan_over": Value(scan / _keys_seconds(), "x", "over the reading of its keys", 2),
            "timed": Value(TIMED, "tokens", "Prompt of a kernel that was timed", 9),
            "kernel": Value(usual, "s", "Attention of a layer over it on GB200"),
            "ultra": Value(ultra, "s", "on GB300"),
            "least": Value(least, "s", "Its multiplying at the rated speed"),
            "at_kernel": Value(far_prompt_seconds(where, usual / least), "s", "A hundred million at that rate"),
            "alone": Value(1 / catalog.datum("tilert-short").value, "s", "A lone user's token in another engine"),
            **_lone_prompt(where),
            **_guesses(),
            "memory_share": Value(catalog.datum("sglang-long-memory-share").value, "%", "For weights and caches"),
        },
    )


def scan_seconds(before: float, after: float, spared: float) -> float:
    """Seconds of a step in which all layers scan an index, from the tokens a second that sparing a share of it gains.

    >>> round(1000 * scan_seconds(58, 86, 0.75), 2)
    7.48
    """
    return (1 / before - 1 / after) / spared


def _keys_seconds() -> float:
    """Seconds in which an H100 reads the keys of the index that was timed."""
    keys = catalog.datum("index-cache-layers").value * catalog.model("deepseek-v3.2").known("index_key_bytes")
    return SCANNED * keys / catalog.chip("h100-sxm").hbm_bandwidth


def kernel_seconds(where: Scenario) -> float:
    """Seconds in which a chip multiplies for the attention of one layer over the prompt that was timed."""
    each = slope(where.model, prompt=True) / where.model.known("layers")
    return float(each * attention.attended_tokens(TIMED) / where.chip.flops("fp8"))


def far_prompt_seconds(where: Scenario, longer: float) -> float:
    """Seconds of a prompt of a hundred million on the rack, if attention takes so many times its multiplying."""
    products = attention.prefill_flops(FAR, where.model.active_params, 0.0) / where.flops
    return float(products + (prompt_seconds(where, FAR) - products) * longer)


def _lone_prompt(where: Scenario) -> dict[str, Value]:
    """A prompt that was timed alone, if of its full length or of the runs' mean, and what follows at its speed."""
    seconds = catalog.datum("sglang-long-prompt-alone").value
    lengths = TIMED * (1 + long_context_runs()[0].shortest) / 2, TIMED
    shares = [float(where.system.chips * prompt_seconds(where, tokens)) / seconds for tokens in lengths]
    rated = prompt_chips(ANSWER * PROMISED), prompt_chips(WRITTEN)
    wait, needed = ([each / share for share in reversed(shares)] for each in rated)
    found = (
        ("share", shares, "%", "Share of the rated speed that it had"),
        ("wait", wait, "s", "At it, the lecture's prompt on a chip"),
        ("chips", needed, "", "Chips for prompts, if none waits"),
        ("rack", [most_of_a_rack(share, over=SAFE) for share in shares], "", "Users of a rack, if none waits"),
    )
    return {
        "lone_prompt": Value(seconds, "s", "First token after a prompt alone"),
        **{
            f"lone_{name}_{end}": Value(number, unit, text, 2)
            for name, both, unit, label in found
            for end, number, text in zip(("low", "high"), both, (f"{label}, least", "the most"), strict=True)
        },
    }


def _guesses() -> dict[str, Value]:
    """Guesses at long contexts: the share kept, if as large of each that is reached, and a chip's gain."""
    written, grid = catalog.datum("sglang-long-accepted").value, np.linspace(0, 1, 10_001)
    kept = float(np.interp(written, np.asarray(expected_tokens(GUESSES, grid)), grid))
    gain = catalog.datum("sglang-long-guessed").value / long_context_runs()[0].chip_rate
    return {
        "guess_tokens": Value(written, "tokens", "Of a step with three guesses"),
        "guess_kept": Value(kept, "%", "Kept, if each is as often", 2),
        "guess_gain": Value(gain, "x", "Tokens of a GB200 with guesses"),
    }


FIGURES = (Figure(name="memory_wall/published", compute=published),)
