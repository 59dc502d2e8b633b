"""Chinchilla and Llama 3 8B by the rule of thumb, and one H100."""

from __future__ import annotations

from calc import catalog, overtraining
from calc.figure.declared import Answer, Figure, Value
from calc.overtraining.figures.shared import CHINCHILLA, EXAMPLE_CHIP


def worked() -> Answer:
    """Chinchilla and Llama 3 8B, one H100 and the rule of thumb."""
    params, tokens = CHINCHILLA
    chinchilla = overtraining.training_operations(params, tokens)
    small = catalog.model("llama-3-8b")
    trained = small.known("train_tokens")
    chip = catalog.chip(EXAMPLE_CHIP)
    rate = chip.known("bf16_flops")
    return Answer(
        finding="Chinchilla and Llama 3 8B",
        values={
            "rule": Value(overtraining.TOKENS_PER_PARAM, "", "Tokens per parameter"),
            "params": Value(params, "parameters", "Chinchilla"),
            "tokens": Value(tokens, "tokens", "Chinchilla"),
            "operations": Value(chinchilla, "operations", "Chinchilla"),
            "rate": Value(rate, "FLOP/s", "16-bit rate of an H100"),
            "small_tokens": Value(trained, "tokens", small.name),
            "small_over": Value(
                overtraining.overtraining_factor(small.active_params, trained), "x", "Over the rule", 2
            ),
        },
    )


FIGURES = (
    Figure(name="overtraining/worked", compute=worked, sources=("chinchilla-paper", "llama-3-paper", "aiconfigurator")),
)
