"""The pictures of lecture 7, in the order of the page."""

from __future__ import annotations

from calc.reversible.figures import (
    budget,
    cipher,
    differences,
    exercises,
    held,
    mirror,
    round,
    rounding,
    sending,
    trail,
    training,
    worked,
)

FIGURES = (
    *round.FIGURES,
    cipher.CIPHER,
    trail.TRAIL,
    *mirror.FIGURES,
    *rounding.FIGURES,
    *differences.FIGURES,
    *held.FIGURES,
    *training.FIGURES,
    *budget.FIGURES,
    *sending.FIGURES,
    *worked.FIGURES,
    *exercises.FIGURES,
)
