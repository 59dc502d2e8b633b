"""Lecture 6 in pictures and numbers: what can be read off a price list. Each idea has a sibling of its own."""

from __future__ import annotations

from calc.pricing.figures import (
    bill,
    break_even,
    cost,
    exercises,
    holding,
    implied,
    ratio,
    sheets,
    shelf,
    steps,
    surplus,
    tiers,
)
from calc.pricing.figures.worked import blackboard, day, family, keeping, limits, long_request, price_list, symbols

FIGURES = (
    *steps.FIGURES,
    *implied.FIGURES,
    *surplus.FIGURES,
    *ratio.FIGURES,
    *tiers.FIGURES,
    *shelf.FIGURES,
    *break_even.FIGURES,
    *holding.FIGURES,
    *cost.FIGURES,
    *sheets.FIGURES,
    *bill.FIGURES,
    *symbols.FIGURES,
    *blackboard.FIGURES,
    *price_list.FIGURES,
    *long_request.FIGURES,
    *day.FIGURES,
    *keeping.FIGURES,
    *family.FIGURES,
    *limits.FIGURES,
    *exercises.FIGURES,
)
