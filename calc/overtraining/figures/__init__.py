"""Lecture 5 in pictures and numbers: a model's three lives, what over-training costs, and the reader's own run."""

from __future__ import annotations

from calc.overtraining.figures import exercises, life, memory, optimum, public, run, runs, worked

FIGURES = (
    *life.FIGURES,
    *optimum.FIGURES,
    *public.FIGURES,
    *memory.FIGURES,
    *run.FIGURES,
    *runs.FIGURES,
    *worked.FIGURES,
    *exercises.FIGURES,
)
