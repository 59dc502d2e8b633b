"""The consequences of the lecture's round figures."""

from __future__ import annotations

from calc import catalog
from calc.batching.figures.shared import BLACKBOARD
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import MODELS
from calc.memory_wall import attention
from calc.memory_wall.figures.setting import state_bytes
from calc.pricing import context_price
from calc.pricing.figures.shared import CROSSOVER, step_of

ACTIVE = 100e9
LONG = 1_000_000.0
HEADS, WIDTH = 8, 128
LINEAR = "kimi-k3"  # most of its layers keep a state and no cache
FAMILY = "deepseek-v4"  # told apart from other public models, for it compresses along the sequence


def blackboard() -> Answer:
    """The consequences of the lecture's round figures."""
    implied = {
        width: context_price.implied_kv_bytes(CROSSOVER.default, ACTIVE, BLACKBOARD, size)
        for width, size in {"fp4": 0.5, "fp8": 1.0, "bf16": 2.0}.items()
    }
    _, step = step_of(catalog.price("gemini-3.1-pro-preview"))
    cost = context_price.decode_cost(LONG, CROSSOVER.default)
    models = [catalog.model(name) for name in MODELS]
    public = [model.kv_bytes_per_token("fp8") for model in models]
    crossovers = [
        context_price.crossover_context(size, model.active_params, BLACKBOARD)
        for size, model in zip(public, models, strict=True)
    ]
    others = [place for place, name in enumerate(MODELS) if not name.startswith(FAMILY)]
    character = catalog.datum("character-ai-reduction").value
    return Answer(
        finding="Pope's round figures",
        values={
            "crossover": Value(CROSSOVER.default, "tokens", "Crossover", 9),
            "active": Value(ACTIVE, "parameters", "Active parameters, assumed"),
            "ratio": Value(BLACKBOARD, "", "Ratio"),
            "budget": Value(ACTIVE / BLACKBOARD, "B", "Delivered while a token is multiplied", 4),
            **{f"bytes_{width}": Value(size, "B", f"Implied, {width}", 4) for width, size in implied.items()},
            "layer": Value(attention.grouped_elements(HEADS, WIDTH), "B", "One layer of eight heads", 4),
            "heads": Value(HEADS, "", "Heads"),
            "width": Value(WIDTH, "", "Width of a head"),
            "longest": Value(context_price.longest_profitable_context(CROSSOVER.default, step), "tokens", "Up to"),
            "cost_million": Value(cost, "x", "Cost at a million tokens"),
            "sold": Value(cost / step, "x", "Price over cost that covers a million"),
            "fair": Value(context_price.fair_step(CROSSOVER.default, CROSSOVER.default, LONG), "x", "Fair step"),
            "public_low": Value(min(public), "B", "Leanest public model"),
            "public_high": Value(max(public), "B", "Richest public model"),
            "others_low": Value(min(public[place] for place in others), "B", "Leanest public model, V4 left out"),
            "cross_low": Value(min(crossovers[place] for place in others), "tokens", "First crossover of them", 2),
            "cross_high": Value(max(crossovers[place] for place in others), "tokens", "Last crossover of them", 3),
            "shared": Value(catalog.model("llama-3-8b").kv_bytes_per_token("fp8") / character, "B", "Shared"),
            "sharing": Value(character, "x", "Character.AI's saving"),
            "llama_8b": Value(catalog.model("llama-3-8b").kv_bytes_per_token("fp8"), "B", "Llama 3 8B"),
            **_linear(),
            **{
                name.removeprefix("lecture-drain-"): Value(catalog.datum(name).value, "s", "As said")
                for name in ("lecture-drain-hbm", "lecture-drain-flash", "lecture-drain-disk")
            },
        },
    )


def _linear() -> dict[str, Value]:
    """A model with linear attention: what a token keeps, its crossover by (4), and the state that (4) leaves out."""
    row = catalog.model(LINEAR)
    kept = row.kv_bytes_per_token("fp8")
    return {
        "linear_kept": Value(kept, "B", f"Cache of a token, {row.name}", 5),
        "linear_full": Value(row.known("full_attention_layers") / row.known("layers"), "%", "Layers with a cache", 2),
        "linear_cross": Value(
            context_price.crossover_context(kept, row.active_params, BLACKBOARD), "tokens", "Crossover by (4)", 3
        ),
        "linear_state": Value(state_bytes(row), "B", "State of its other layers"),
        "linear_budget": Value(row.active_params / BLACKBOARD, "B", "Delivered while one of its tokens is multiplied"),
    }


FIGURES = (Figure(name="pricing/blackboard", compute=blackboard, sources=("lecture", "character-ai")),)
