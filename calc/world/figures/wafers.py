"""Memory on the chip: two models on wafers, measured, beside reading and beside chips with memory next to them."""

from __future__ import annotations

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import show
from calc.world.wafers import LARGE, SMALL, Wafers, broader, emptied_seconds


def wafers() -> Answer:
    """Both models: a token, its reading, and what a layer takes here and elsewhere."""
    return Answer(
        finding=(
            f"From memory on the chip a token took at least {show(_over_most(SMALL), 'x', 2)} what its weights take to "
            "read"
        ),
        values={
            "memory": Value(catalog.datum("wse3-memory").value, "B", "Memory on a wafer"),
            "bandwidth": Value(catalog.datum("wse3-bandwidth").value, "B/s", "Its bandwidth"),
            "emptied": Value(emptied_seconds(), "s", "In which a core reads its memory", 2),
            "broader": Value(broader(), "x", "That bandwidth over an H100's", 2),
            **_values("small", SMALL),
            **_values("large", LARGE),
        },
    )


def _over(each: Wafers) -> float:
    return each.token_seconds / each.reading_seconds


def _over_most(each: Wafers) -> float:
    return each.token_seconds / each.reading_seconds_at_most


def _values(name: str, each: Wafers) -> dict[str, Value]:
    elsewhere = each.elsewhere
    return {
        f"{name}_reading": Value(each.reading_seconds, "s", "Reading a token's weights, on wafers"),
        f"{name}_filled": Value(each.reading_seconds_at_most, "s", "Reading, each layer on cores of its own", 2),
        f"{name}_over_filled": Value(_over_most(each), "x", "That token over this reading", 2),
        f"{name}_token": Value(each.token_seconds, "s", "A token, on wafers"),
        f"{name}_over": Value(_over(each), "x", "That token over its reading", 2),
        f"{name}_layer": Value(each.token_seconds / each.layers, "s", "A layer of it", 2),
        f"{name}_starts": Value(elsewhere.kernel_seconds / each.layers, "s", "Starts and ends in a layer, on H100", 2),
        f"{name}_elsewhere": Value(elsewhere.seconds, "s", "A lone user's token on H100, forecast"),
        f"{name}_sooner": Value(elsewhere.seconds / each.token_seconds, "x", "That forecast over the wafers' token", 2),
    }


FIGURES = (
    Figure(
        name="world/wafers",
        compute=wafers,
        sources=("cerebras-inference", "register-cerebras", "spurlock-cerebras", "cerebras-october"),
    ),
)
