"""The pictures of lecture 7, in the order of the page."""

from __future__ import annotations

from calc.reversible.figures import budget, cipher, exercises, memory, network, round, worked

FIGURES = (
    *round.FIGURES,
    cipher.CIPHER,
    cipher.TRAIL,
    *network.FIGURES,
    *memory.FIGURES,
    *budget.FIGURES,
    *worked.FIGURES,
    *exercises.FIGURES,
)
