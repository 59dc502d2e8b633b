"""The pictures of lecture 1, in the order of the page."""

from __future__ import annotations

from calc.batching.figures import (
    chips,
    context,
    cost,
    departures,
    exercises,
    full,
    lanes,
    offers,
    roofline,
    step,
    stream,
    traffic,
    worked,
)

FIGURES = (
    *lanes.FIGURES,
    stream.STREAM,
    *roofline.FIGURES,
    step.STEP_TIME,
    context.CONTEXT_USE,
    *cost.FIGURES,
    *chips.FIGURES,
    *offers.FIGURES,
    *departures.FIGURES,
    *traffic.FIGURES,
    *worked.FIGURES,
    *full.FIGURES,
    *exercises.FIGURES,
)
