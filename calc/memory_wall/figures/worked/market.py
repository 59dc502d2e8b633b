"""Memory's share of what data centres cost, as reported."""

from __future__ import annotations

from calc import catalog, memory_wall
from calc.figure.declared import Answer, Figure, Value


def market() -> Answer:
    """Reports of memory's share in data centres, none of them confirmed."""
    before, after = (catalog.datum(name).value for name in ("memory-share-of-capex", "memory-share-of-capex-2027"))
    return Answer(
        finding="Memory's share of what data centres cost",
        values={
            "said": Value(catalog.datum("lecture-memory-share-of-capex").value, "%", "As said"),
            "before": Value(before, "%", "Analysts, for 2023 and 2024"),
            "after": Value(after, "%", "Analysts, for 2027"),
            "growth": Value(memory_wall.memory_price_growth(before, after), "x", "Memory dearer by"),
            "phones_said": Value(-catalog.datum("lecture-smartphones").value, "%", "Smartphones, as said"),
            "phones": Value(-catalog.datum("smartphones-2026").value, "%", "Smartphones, forecast"),
        },
    )


FIGURES = (Figure(name="memory_wall/market", compute=market),)
