"""The models against the world in pictures. They are drawn when the site is built and carry no Python to the reader."""

from calc.world.figures import batch, bound, company, forecast

FIGURES = (*bound.FIGURES, *forecast.FIGURES, *batch.FIGURES, *company.FIGURES)
