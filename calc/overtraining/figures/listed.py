"""Lecture 5 in pictures and numbers: a model's three lives, what over-training costs, and the reader's own run."""

from __future__ import annotations

from calc.overtraining.figures import exercises, life, memory, optimum, plans, public, runs, served
from calc.overtraining.figures.worked import (
    chinchilla,
    decoding,
    fits,
    guess,
    reported,
    rollouts,
    scatter,
    sizes,
    splits,
    steps,
)

FIGURES = (
    *life.FIGURES,
    *served.FIGURES,
    *optimum.FIGURES,
    *plans.FIGURES,
    *public.FIGURES,
    *memory.FIGURES,
    *runs.FIGURES,
    *guess.FIGURES,
    *rollouts.FIGURES,
    *chinchilla.FIGURES,
    *decoding.FIGURES,
    *fits.FIGURES,
    *reported.FIGURES,
    *scatter.FIGURES,
    *sizes.FIGURES,
    *splits.FIGURES,
    *steps.FIGURES,
    *exercises.FIGURES,
)
