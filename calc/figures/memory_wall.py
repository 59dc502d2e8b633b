"""Lecture 4 in pictures and numbers: speed and size, memory, attention, and the road to long contexts."""

from __future__ import annotations

from calc.figures import (
    memory_wall_attention,
    memory_wall_domain,
    memory_wall_exercises,
    memory_wall_floor,
    memory_wall_road,
    memory_wall_sparse,
    memory_wall_worked,
)

FIGURES = (
    *memory_wall_floor.FIGURES,
    *memory_wall_domain.FIGURES,
    *memory_wall_attention.FIGURES,
    *memory_wall_sparse.FIGURES,
    *memory_wall_road.FIGURES,
    *memory_wall_worked.FIGURES,
    *memory_wall_exercises.FIGURES,
)
