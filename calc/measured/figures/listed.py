"""The page against the world, live: runs against their bounds and forecasts, with the reader's setting among them."""

from calc.measured.figures import batch, bound, residuals

FIGURES = (*bound.FIGURES, *residuals.FIGURES, *batch.FIGURES)
