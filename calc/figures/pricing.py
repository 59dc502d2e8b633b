"""Lecture 6 in pictures and numbers: what can be read off a price list. Each idea has a sibling of its own."""

from __future__ import annotations

from calc.figures import (
    pricing_bill,
    pricing_cache,
    pricing_exercises,
    pricing_ratio,
    pricing_sheets,
    pricing_steps,
    pricing_tiers,
    pricing_worked,
)

FIGURES = (
    *pricing_steps.FIGURES,
    *pricing_ratio.FIGURES,
    *pricing_tiers.FIGURES,
    *pricing_cache.FIGURES,
    *pricing_sheets.FIGURES,
    *pricing_bill.FIGURES,
    *pricing_worked.FIGURES,
    *pricing_exercises.FIGURES,
)
