"""The pictures of lecture 1, in the order of the page."""

from __future__ import annotations

from calc.batching.figures import chips, cost, exercises, full, lanes, offers, roofline, step, stream, trains, worked

FIGURES = (
    *lanes.FIGURES,
    stream.STREAM,
    *roofline.FIGURES,
    step.STEP_TIME,
    step.CONTEXT_USE,
    *cost.FIGURES,
    *chips.FIGURES,
    *offers.FIGURES,
    *trains.FIGURES,
    *worked.FIGURES,
    *full.FIGURES,
    *exercises.FIGURES,
)
