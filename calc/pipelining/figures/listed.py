"""A pipeline of racks: what it buys, and what not."""

from __future__ import annotations

from calc.pipelining.figures import boundary, bubble, decode, exercises, latency, memory, schedule, ways
from calc.pipelining.figures.worked import blackboard, example, held, measured, spread, symbols, training

FIGURES = (
    *decode.FIGURES,
    *schedule.FIGURES,
    *bubble.FIGURES,
    *boundary.FIGURES,
    *latency.FIGURES,
    *memory.FIGURES,
    *ways.FIGURES,
    *symbols.FIGURES,
    *example.FIGURES,
    *spread.FIGURES,
    *blackboard.FIGURES,
    *held.FIGURES,
    *training.FIGURES,
    *measured.FIGURES,
    *exercises.FIGURES,
)
