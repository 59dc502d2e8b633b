"""A pipeline of racks: what it buys, and what not."""

from __future__ import annotations

from calc.pipelining.figures import bubble, drawn, exercises, memory, racks, worked

FIGURES = (
    *drawn.FIGURES,
    *bubble.FIGURES,
    *racks.FIGURES,
    *memory.FIGURES,
    *worked.FIGURES,
    *exercises.FIGURES,
)
