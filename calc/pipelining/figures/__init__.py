"""A pipeline of racks: what it buys, and what not."""

from __future__ import annotations

from calc.pipelining.figures import boundary, bubble, drawn, exercises, latency, memory, price, worked

FIGURES = (
    *drawn.FIGURES,
    *bubble.FIGURES,
    *price.FIGURES,
    *boundary.FIGURES,
    *latency.FIGURES,
    *memory.FIGURES,
    *worked.FIGURES,
    *exercises.FIGURES,
)
