"""The pictures of lecture 2, in the order of the page."""

from __future__ import annotations

from calc.moe.figures import exchange, exercises, fleet, measured, quality, rack, racks, spread, travel, way, worked

FIGURES = (
    *rack.FIGURES,
    travel.TRAVEL,
    exchange.EXCHANGE,
    racks.ACROSS,
    *spread.FIGURES,
    *fleet.FIGURES,
    way.WAY,
    *measured.FIGURES,
    *quality.FIGURES,
    *worked.FIGURES,
    *exercises.FIGURES,
)
