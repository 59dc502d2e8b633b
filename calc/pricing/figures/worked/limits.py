"""Where the model of a price list stops."""

from __future__ import annotations

from calc import catalog
from calc.batching.figures.shared import chip_ratio
from calc.figure import registry
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, MODELS
from calc.pricing.figures.reading import reading_times
from calc.pricing.figures.setting import attention_context
from calc.pricing.figures.shared import ANYWHERE, CROSSOVER, meeting, ratio_of, step_of
from calc.setting import Scenario

FULLER = 4 * BATCH.default
WHOLE = "gb200-aws"  # the list price of a chip where whole racks are rented
RACK = ("forecast", "over", "host", "step", "chips", "batch", "rent", "context")


def where_it_ends() -> Answer:
    """Where the model stops: attention, records of prices that moved, and the flat window."""
    flash = {row.since: row for row in catalog.history(catalog.Price, "prices", "deepseek-v4-flash")}
    rows = [flash[when] for when in sorted(flash)]
    first, second = rows[0].known("cached_input"), rows[1].known("cached_input")
    stepped = [row for row in catalog.history(catalog.Price, "prices") if row.above_tokens]
    steps = [row.known("above_tokens") for row in stepped]
    twice = [length for row, length in zip(stepped, steps, strict=True) if step_of(row, "input")[1] == 2]
    small = catalog.price("claude-haiku-5.5")
    opening, fuller = (registry.find("pricing/four").answer(**given).values for given in ({}, {"batch": FULLER}))
    asked, more, dear = (
        registry.find("serving/lists").answer(**given).values
        for given in ({}, {"batch": FULLER}, {"price": catalog.rents()[WHOLE].dollars_per_chip_hour})
    )
    implied = registry.find("pricing/implied-cache")
    plain, counted = (implied.answer(**given).values for given in ({}, {"arithmetic": "counted"}))
    attended = {name: attention_context(name) for name in ("llama-3-405b", "deepseek-v3")}
    return Answer(
        finding="Where the model stops",
        values={
            **{name.replace("-", "_"): Value(length, "tokens", MODELS[name], 4) for name, length in attended.items()},
            "v3_meet": Value(_meeting("deepseek-v3"), "tokens", "Crossover, attention counted, DeepSeek-V3"),
            **{
                f"{way}_{name}": Value(values[name].number, "x", f"{values[name].label}, attention {told}", 2)
                for way, values, told in (("plain", plain, "left out"), ("counted", counted, "counted"))
                for name in ("kept", "least", "most")
            },
            "asked_models": Value(asked["models"].number, "", "Models that are sold and fit"),
            "prompt_405b": Value(_prompt("llama-3-405b"), "x", "A token of a long prompt, Llama 3.1 405B"),
            "prompt_pro": Value(_prompt("deepseek-v4-pro"), "x", "A token of a long prompt, DeepSeek-V4-Pro"),
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
            "dear_lost": dear["lost"],
            "faster": Value(fuller["step"].number / opening["step"].number, "x", "As fast, opening over fuller"),
            "faster_cost": Value(opening["forecast"].number / fuller["forecast"].number, "x", "As dear"),
            "flash_first": Value(first, "$", "Hit, first record"),
            "flash_second": Value(second, "$", "Hit, second record"),
            "flash_fell": Value(first / second, "", "Fell by"),
            "steps_low": Value(min(steps), "tokens", "Shortest context with a step", 9),
            "steps_high": Value(max(steps), "tokens", "Longest context with a step", 9),
            "twice_low": Value(min(twice), "tokens", "Shortest at which reading doubles", 9),
            "twice_high": Value(max(twice), "tokens", "Longest at which reading doubles", 9),
            "steps_lengths": Value(len(set(steps)), "", "Lengths at which steps stand"),
            "small_above": Value(small.known("above_tokens"), "tokens", small.name, 9),
            "small_step": Value(step_of(small)[1], "x", small.name),
            "argon_ratio": Value(ratio_of(catalog.price("gemini-4-argon")), "x", "Output over input, Gemini 4 Argon"),
            "flat": Value(catalog.datum("window-claude").value, "tokens", "Window at one price", 9),
        },
    )


def _prompt(name: str) -> float:
    """Cost of a token that is read in a prompt as long as the step, over one of a short prompt."""
    return reading_times(name, CROSSOVER.default)


def _meeting(name: str) -> float:
    """Context at which fetching a model's cache takes as long as multiplying with attention, on a GB200."""
    return meeting(name, chip_ratio(Scenario.named(name, ANYWHERE, "fp8").chip, "fp8"))


def rack() -> Answer:
    """The cost side in its opening setting, for sentences that name its model: a reader's setting leaves them alone."""
    values = registry.find("pricing/four").answer().values
    middle = registry.find("world/young-racks").answer().values["middle"].number
    rent = catalog.rents()[WHOLE].dollars_per_chip_hour
    timed = middle * values["forecast"].number
    whole = timed * rent / values["rent"].number
    return Answer(
        finding="A model on a rack",
        values={
            **{name: values[name] for name in RACK},
            "maker": Value(catalog.price("deepseek-v4-pro").output, "$", "The maker, outside its peak hours"),
            "timed": Value(timed, "$", "At the pace of measured racks"),
            "timed_over": Value(values["least"].number / timed, "x", "Cheapest seller over that", 2),
            "timed_step": Value(middle * values["step"].number, "s", "Step at that pace"),
            "whole_rent": Value(rent, "$", "An hour of a chip in a whole rack, list price"),
            "whole": Value(whole, "$", "The same at that rent"),
        },
    )


FIGURES = (
    Figure(
        name="pricing/limits",
        compute=where_it_ends,
        sources=("llm-prices", "deepseek-pricing", "anthropic-fast-mode", "gemini-4-argon-guide"),
    ),
    Figure(name="pricing/rack", compute=rack, sources=("genai-prices", "deepseek-pricing", "capacity-blocks")),
)
