"""Where the model of a price list stops."""

from __future__ import annotations

from calc import batching, catalog
from calc.batching.figures.shared import chip_ratio
from calc.figure import registry
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, MODELS
from calc.memory_wall.figures.setting import slope
from calc.pricing import context_price
from calc.pricing.figures.setting import attention_context
from calc.pricing.figures.shared import ANYWHERE, CROSSOVER, meeting, ratio_of, step_of
from calc.quantities.units import bytes_per_element
from calc.setting import Scenario

FULLER = 4 * BATCH.default
HALF = 50  # per cent of the hours


def where_it_ends() -> Answer:
    """Where the model stops: attention, records of prices that moved, and the flat window."""
    flash = {row.since: row for row in catalog.history(catalog.Price, "prices", "deepseek-v4-flash")}
    rows = [flash[when] for when in sorted(flash)]
    first, second = rows[0].known("cached_input"), rows[1].known("cached_input")
    steps = [row.above_tokens for row in catalog.history(catalog.Price, "prices") if row.above_tokens]
    small = catalog.price("claude-haiku-5.5")
    fuller, idle = (
        registry.find("pricing/four").answer(**given).values for given in ({"batch": FULLER}, {"sold": HALF})
    )
    asked, more = (registry.find("serving/lists").answer(batch=batch).values for batch in (BATCH.default, FULLER))
    counted = registry.find("pricing/implied-cache").answer(arithmetic="counted").values
    attended = {name: attention_context(name) for name in ("llama-3-405b", "deepseek-v3")}
    return Answer(
        finding="Where the model stops",
        values={
            **{name.replace("-", "_"): Value(length, "tokens", MODELS[name], 4) for name, length in attended.items()},
            "v3_meet": Value(_meeting("deepseek-v3"), "tokens", "Crossover, attention counted, DeepSeek-V3"),
            **{
                f"counted_{name}": Value(counted[name].number, "x", f"{counted[name].label}, attention counted", 2)
                for name in ("kept", "least", "most")
            },
            "v3_wide": Value(_wide("deepseek-v3"), "tokens", "The same, cache and attention in BF16", 2),
            "asked_models": Value(asked["models"].number, "", "Models that are sold and fit"),
            "prompt_405b": Value(_prompt("llama-3-405b"), "x", "A token of a long prompt, Llama 3.1 405B"),
            "prompt_70b": Value(_prompt("llama-3-70b"), "x", "A token of a long prompt, Llama 3 70B"),
            **{
                name: Value(1 / (1 - left.number), "x", "Asked over the forecast", 2)
                for name, left in {
                    "asked_low": asked["worst"],
                    "asked_high": asked["best"],
                    "fuller_high": more["best"],
                }.items()
            },
            "fuller_batch": Value(FULLER, "", "Four times the batch", 9),
            "fuller": fuller["forecast"],
            "fuller_step": fuller["step"],
            "idle_over": idle["over"],
            "flash_first": Value(first, "$", "Hit, first record"),
            "flash_second": Value(second, "$", "Hit, second record"),
            "flash_fell": Value(first / second, "", "Fell by"),
            "steps_low": Value(min(steps), "tokens", "Shortest context with a step", 9),
            "steps_high": Value(max(steps), "tokens", "Longest context with a step", 9),
            "steps_lengths": Value(len(set(steps)), "", "Lengths at which steps stand"),
            "small_above": Value(small.known("above_tokens"), "tokens", small.name, 9),
            "small_step": Value(step_of(small)[1], "x", small.name),
            "argon_ratio": Value(ratio_of(catalog.price("gemini-4-argon")), "x", "Output over input, Gemini 4 Argon"),
            "flat": Value(catalog.datum("window-claude").value, "tokens", "Window at one price", 9),
        },
    )


def _prompt(name: str) -> float:
    """Cost of a token that is read in a prompt as long as the step, over one of a short prompt."""
    return context_price.prompt_cost(CROSSOVER.default, attention_context(name))


def _meeting(name: str) -> float:
    """Context at which fetching a model's cache takes as long as multiplying with attention, on a GB200."""
    return meeting(name, chip_ratio(Scenario.named(name, ANYWHERE, "fp8").chip, "fp8"))


def _wide(name: str) -> float:
    """The same with two bytes for each number of the cache, and attention multiplying at the rate of such numbers."""
    where = Scenario.named(name, ANYWHERE, "fp8")
    chip, wide = where.chip, bytes_per_element("bf16")
    slower = chip.flops("fp8") / chip.flops("bf16")
    kept = where.kv_bytes_per_token * wide / bytes_per_element("fp8")
    rates = chip.flops("fp8"), chip.hbm_bandwidth
    return float(batching.critical_context(where.model.active_params, kept, *rates, slope(where.model) * slower))


FIGURES = (
    Figure(
        name="pricing/limits",
        compute=where_it_ends,
        sources=("llm-prices", "deepseek-pricing", "anthropic-fast-mode", "gemini-4-argon-guide"),
    ),
)
