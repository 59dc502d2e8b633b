"""The slow end of the forecast is itself an estimate: the users of a chip within its range, and where one plans."""

from __future__ import annotations

from dataclasses import replace

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.memory_wall.figures.kept import PROMISED, SAFE, line, whole_rounds
from calc.moe.figures.timings import rack_start
from calc.quantities.arithmetic import MICRO
from calc.setting import Setting
from calc.step.forecasting import FIT

MESSAGES = 2  # in each layer with experts
LONGER = 1.25
WRITERS = {"nine": 31, "six": 49}  # chips that write, where others take prompts in, by experts of a layer on each


def slow_end() -> Answer:
    """Where the slow end lies in 95 of 100 redraws, and for how many users of a chip it leaves time there."""
    rack, fit = whole_rounds("deepseek-v3")[0], catalog.forecast_fit(FIT)
    chips = float(rack.machine.domain_chips)
    fixed, each = line(rack, chips)
    wide = line(replace(rack, precisions=replace(rack.precisions, attention_products="bf16")), chips)[1]
    most, least = ((PROMISED / over - fixed) / each for over in (fit.high_80_least, fit.high_80_most))
    late, safe, longer = (PROMISED * times - fixed for times in (1 / fit.high_80, 1 / SAFE, LONGER / fit.high_80))
    messages = MESSAGES * catalog.model("deepseek-v3").expert_layers
    more = messages * (rack_start() * MICRO - fit.kernel_seconds)
    apart = {name: Setting.published("deepseek-v3", "gb200-nvl72", "fp8", chips=few) for name, few in WRITERS.items()}
    writing = {name: line(some, WRITERS[name]) for name, some in apart.items()}
    return Answer(
        finding="The slow end, redrawn",
        values={
            "least": Value(fit.high_80_least, "x", "Least of the slow end"),
            "most": Value(fit.high_80_most, "x", "Most of it", 4),
            "most_users": Value(most, "", "Users of a chip at the least"),
            "least_users": Value(least, "", "at the most"),
            "three": Value(PROMISED / (fixed + 3 * each), "x", "Steps over forecast up to which three fit", 4),
            "four": Value(PROMISED / (fixed + 4 * each), "x", "up to which four fit", 4),
            "safe": Value(SAFE, "x", "Steps over forecast to plan with"),
            "safe_step": Value(PROMISED / SAFE, "s", "Such a step, by the forecast", 4),
            "safe_left": Value(safe, "s", "Left for users in it", 4),
            "safe_chip": Value(safe / each, "", "Users of a chip in it"),
            "wide_late": Value(late / wide, "", "Users that attend in BF16, at the slow end", 2),
            "wide_safe": Value(safe / wide, "", "such users to plan with"),
            "more": Value(more, "s", "Starts as timed alone, beyond the kernels of messages", 2),
            "more_late": Value((late - more) / each, "", "Users beside them, at the slow end"),
            "more_safe": Value((safe - more) / each, "", "to plan with"),
            "longer_left": Value(longer, "s", "Left for users at the slow end of a step of a quarter more"),
            **{
                f"{name}_{end}": Value(value, unit, label)
                for name, (before, user) in writing.items()
                for end, value, unit, label in (
                    ("fixed", before, "s", f"Weights and kernels, {name} experts a layer"),
                    ("chip", (PROMISED / SAFE - before) / user, "", "Users of such a chip to plan with"),
                )
            },
        },
    )


FIGURES = (Figure(name="memory_wall/slow_end", compute=slow_end),)
