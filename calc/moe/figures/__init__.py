"""The pictures of lecture 2, in the order of the page."""

from __future__ import annotations

from calc.moe.figures import exchange, exercises, measured, quality, rack, racks, worked

FIGURES = (
    *rack.FIGURES,
    exchange.EXCHANGE,
    racks.ACROSS,
    *measured.FIGURES,
    *quality.FIGURES,
    *worked.FIGURES,
    *exercises.FIGURES,
)
