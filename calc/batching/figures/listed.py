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
    sharing,
    step,
    stream,
    woken,
)
from calc.batching.figures.worked import (
    batches,
    example,
    forecasts,
    measured,
    models,
    near,
    promised,
    said,
    speeds,
    symbols,
)

FIGURES = (
    *lanes.FIGURES,
    stream.STREAM,
    *roofline.FIGURES,
    sharing.SHARING,
    step.STEP_TIME,
    context.CONTEXT_USE,
    cost.COST,
    woken.TOUCHED,
    *chips.FIGURES,
    *offers.FIGURES,
    *departures.FIGURES,
    *symbols.FIGURES,
    *example.FIGURES,
    *forecasts.FIGURES,
    *promised.FIGURES,
    *batches.FIGURES,
    *measured.FIGURES,
    *models.FIGURES,
    *said.FIGURES,
    *speeds.FIGURES,
    *near.FIGURES,
    *full.FIGURES,
    *exercises.FIGURES,
)
