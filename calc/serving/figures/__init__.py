"""The pictures of lecture 8, in the order of the page."""

from __future__ import annotations

from calc.serving.figures import (
    agents,
    busier,
    engine,
    exercises,
    fleet,
    frontier,
    ladder,
    lists,
    moved,
    own,
    parts,
    questions,
    roofline,
    sheet,
    speed,
    stairs,
    step,
    tornado,
    traces,
    worked,
)

FIGURES = (
    *sheet.FIGURES,
    *stairs.FIGURES,
    *speed.FIGURES,
    *tornado.FIGURES,
    *frontier.FIGURES,
    *lists.FIGURES,
    *own.FIGURES,
    *step.FIGURES,
    *roofline.FIGURES,
    *worked.FIGURES,
    *questions.FIGURES,
    *fleet.FIGURES,
    *ladder.FIGURES,
    *moved.FIGURES,
    *exercises.FIGURES,
    *parts.FIGURES,
    *traces.FIGURES,
    *agents.FIGURES,
    *busier.FIGURES,
    *engine.FIGURES,
)
