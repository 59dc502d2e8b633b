"""The pictures of lecture 8, in the order of the page."""

from __future__ import annotations

from calc.serving.figures import frontier, own, sheet, step, tornado, worked

FIGURES = (*sheet.FIGURES, *own.FIGURES, *step.FIGURES, *frontier.FIGURES, *tornado.FIGURES, *worked.FIGURES)
