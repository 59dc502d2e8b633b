"""Lecture 4 in pictures and numbers: speed and size, memory, attention, and the road to long contexts."""

from __future__ import annotations

from calc.memory_wall.figures import attention, domain, exercises, floor, reuse, road, sparse, worked

FIGURES = (
    *floor.FIGURES,
    *domain.FIGURES,
    *attention.FIGURES,
    *reuse.FIGURES,
    *sparse.FIGURES,
    *road.FIGURES,
    *worked.FIGURES,
    *exercises.FIGURES,
)
