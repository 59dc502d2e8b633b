"""A pipeline of racks: what it buys, and what not."""

from __future__ import annotations

from calc.pipelining.figures import boundary, bubble, drawn, exercises, latency, memory, price
from calc.pipelining.figures.worked import blackboard, example, held, symbols, training

FIGURES = (
    *drawn.FIGURES,
    *bubble.FIGURES,
    *price.FIGURES,
    *boundary.FIGURES,
    *latency.FIGURES,
    *memory.FIGURES,
    *symbols.FIGURES,
    *example.FIGURES,
    *blackboard.FIGURES,
    *held.FIGURES,
    *training.FIGURES,
    *exercises.FIGURES,
)
