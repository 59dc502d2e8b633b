"""The routed law where the lecture quotes it, and at the size of models of today."""

from __future__ import annotations

import math

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.moe import routed_scaling
from calc.moe.figures.shared import ROUTED_SHARE, gain, law


def quality() -> Answer:
    """The routed law where the lecture quotes it, and at the size of today's models."""
    base, many, quoted = 370e6, 64, 1.3e9  # the pair, as quoted
    names, best = ("s-base", "hash", "rl-r"), law("s-base")
    small = {name: gain(base, many, name) for name in names}
    v3 = catalog.model("deepseek-v3")
    large = {name: gain(v3.active_params, v3.routed[0], name) for name in names}
    rounded = gain(v3.active_params, v3.routed[0], "rl-r", "printed")
    limits = {name: routed_scaling.paying_limit(law(name)) for name in names}
    printed = routed_scaling.paying_limit(law("rl-r", "printed"))
    low, high = routed_scaling.paying_limit_range(law("rl-r", "printed"))
    damped = routed_scaling.saturated_experts(many, best)
    power = (best.b + best.c * math.log10(base)) / best.slope
    total = routed_scaling.expanded_params(base, many, ROUTED_SHARE)
    return Answer(
        finding="What experts buy by the routed law",
        values={
            "base": Value(base, "parameters", "Base"),
            "many": Value(many, "", "Experts"),
            "gain": Value(small["s-base"], "x", "S-BASE"),
            "quoted": Value(quoted, "parameters", "Dense model that it matches, as quoted", 2),
            "dense": Value(small["s-base"] * base, "parameters", "Dense model of the same loss"),
            "gain_hash": Value(small["hash"], "x", "HASH"),
            "gain_rl_r": Value(small["rl-r"], "x", "RL-R"),
            "total": Value(total, "parameters", "All parameters, about", 2),
            "growth": Value(total / base, "x", "Over the base, about", 2),
            "law_a": Value(best.a, "", "S-BASE, a"),
            "law_b": Value(best.b, "", "S-BASE, b"),
            "law_c": Value(best.c, "", "S-BASE, c, so that its cut-off follows"),
            "law_start": Value(best.start, "", "S-BASE, damped number of one expert", 4),
            "law_ceiling": Value(best.ceiling, "", "S-BASE, most that it can be", 6),
            "law_damped": Value(damped, "", "Damped number of these experts"),
            "law_more": Value(damped / best.start, "x", "Over that of one expert"),
            "law_power": Value(power, "", "Exponent of the effective size, at the base"),
            "active": Value(v3.active_params, "parameters", "Size of DeepSeek-V3's token"),
            "large": Value(large["s-base"], "x", "S-BASE at that size"),
            "large_hash": Value(large["hash"], "x", "HASH"),
            "large_rl_r": Value(large["rl-r"], "x", "RL-R"),
            "rounded": Value(rounded, "x", "RL-R as printed"),
            "limit_rl_r": Value(limits["rl-r"], "parameters", "Cut-off, RL-R"),
            "printed": Value(printed, "parameters", "Cut-off of RL-R as printed", 2),
            "low": Value(low, "parameters", "RL-R: rounding allows from", 2),
            "high": Value(high, "parameters", "RL-R: to", 2),
        },
    )


FIGURES = (Figure(name="moe/quality", compute=quality, sources=("clark-paper",)),)
