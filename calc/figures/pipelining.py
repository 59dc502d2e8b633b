"""Lecture 3: what a pipeline of racks buys, and what not."""

from __future__ import annotations

from calc.figures import (
    pipelining_bubble,
    pipelining_drawn,
    pipelining_exercises,
    pipelining_memory,
    pipelining_racks,
    pipelining_worked,
)

FIGURES = (
    *pipelining_drawn.FIGURES,
    *pipelining_bubble.FIGURES,
    *pipelining_racks.FIGURES,
    *pipelining_memory.FIGURES,
    *pipelining_worked.FIGURES,
    *pipelining_exercises.FIGURES,
)
