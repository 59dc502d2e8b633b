"""The pictures of lecture 2, in the order of the page, and its numbers."""

from __future__ import annotations

from calc.moe.figures import (
    awake,
    batches,
    chips,
    exchange,
    exercises,
    fleet,
    layouts,
    measured,
    quality,
    rack,
    racks,
    sizes,
    slices,
    timed,
    travel,
    way,
)
from calc.moe.figures.worked import blackboard, day, domains, example, ours, overlap, routed_law, spans, symbols, throws

FIGURES = (
    rack.RACK,
    slices.SLICES,
    awake.AWAKE,
    travel.TRAVEL,
    exchange.EXCHANGE,
    racks.ACROSS,
    sizes.SIZED,
    chips.SUMS,
    layouts.LAYOUTS,
    chips.CHIPS,
    chips.TENSOR,
    *fleet.FIGURES,
    way.WAY,
    *measured.FIGURES,
    timed.TIMED,
    *quality.FIGURES,
    *symbols.FIGURES,
    *example.FIGURES,
    *spans.FIGURES,
    *ours.FIGURES,
    *overlap.FIGURES,
    *batches.FIGURES,
    *throws.FIGURES,
    *blackboard.FIGURES,
    *domains.FIGURES,
    *day.FIGURES,
    *routed_law.FIGURES,
    *exercises.FIGURES,
)
