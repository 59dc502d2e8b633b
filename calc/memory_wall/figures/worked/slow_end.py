"""The slow end of the forecast is itself an estimate: the users of a chip at both ends of its range."""

from __future__ import annotations

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.memory_wall.figures.kept import PROMISED, line, whole_rounds
from calc.step.forecasting import FIT


def slow_end() -> Answer:
    """Where the slow end lies in 95 of 100 redraws, and for how many users of a chip it leaves time there."""
    rack = whole_rounds("deepseek-v3")[0]
    (fixed, each), fit = line(rack, float(rack.machine.domain_chips)), catalog.forecast_fit(FIT)
    most, least = ((PROMISED / over - fixed) / each for over in (fit.high_80_least, fit.high_80_most))
    return Answer(
        finding="The slow end, redrawn",
        values={
            "least": Value(fit.high_80_least, "x", "Least of the slow end"),
            "most": Value(fit.high_80_most, "x", "Most of it", 4),
            "most_users": Value(most, "", "Users of a chip at the least"),
            "least_users": Value(least, "", "at the most"),
            "three": Value(PROMISED / (fixed + 3 * each), "x", "Steps over forecast up to which three fit", 4),
        },
    )


FIGURES = (Figure(name="memory_wall/slow_end", compute=slow_end),)
