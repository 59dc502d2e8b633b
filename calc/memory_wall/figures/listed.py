"""Lecture 4 in pictures and numbers: speed and size, memory, attention, and the road to long contexts."""

from __future__ import annotations

from calc.memory_wall.figures import attended, bar, domain, exercises, floor, kv, largest, latent, reuse, road, sparse
from calc.memory_wall.figures.worked import (
    caches,
    crossings,
    cut,
    domains,
    far,
    halved,
    indexed,
    ladder,
    millions,
    published,
    slow_end,
    symbols,
    thread,
)

FIGURES = (
    *floor.FIGURES,
    *largest.FIGURES,
    *domain.FIGURES,
    *bar.FIGURES,
    *kv.FIGURES,
    *latent.FIGURES,
    *attended.FIGURES,
    *reuse.FIGURES,
    *sparse.FIGURES,
    *road.FIGURES,
    *symbols.FIGURES,
    *domains.FIGURES,
    *caches.FIGURES,
    *crossings.FIGURES,
    *indexed.FIGURES,
    *far.FIGURES,
    *cut.FIGURES,
    *thread.FIGURES,
    *ladder.FIGURES,
    *slow_end.FIGURES,
    *millions.FIGURES,
    *published.FIGURES,
    *exercises.FIGURES,
    *halved.FIGURES,
)
