"""Lecture 5 in pictures and numbers: a model's three lives, what over-training costs, and the reader's own run."""

from __future__ import annotations

from calc.figures import (
    overtraining_exercises,
    overtraining_life,
    overtraining_memory,
    overtraining_optimum,
    overtraining_public,
    overtraining_run,
    overtraining_runs,
    overtraining_worked,
)

FIGURES = (
    *overtraining_life.FIGURES,
    *overtraining_optimum.FIGURES,
    *overtraining_public.FIGURES,
    *overtraining_memory.FIGURES,
    *overtraining_run.FIGURES,
    *overtraining_runs.FIGURES,
    *overtraining_worked.FIGURES,
    *overtraining_exercises.FIGURES,
)
