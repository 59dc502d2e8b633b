"""An exercise: users of the rack with half the context, by the forecast, at its slow end and to plan with."""

from __future__ import annotations

import numpy as np

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.figure.slips import Slip
from calc.memory_wall.figures.kept import PROMISED, SAFE, line, whole_rounds
from calc.memory_wall.figures.setting import token_operations
from calc.memory_wall.figures.shared import LONG, RACK
from calc.setting import Scenario
from calc.step.forecasting import FIT

HALF = LONG / 2


def halved() -> Answer:
    """A user's time with half the context, and how many have time in what weights and kernels leave."""
    bound, rack = Scenario.named("deepseek-v3", RACK, "fp8"), whole_rounds("deepseek-v3")[0]
    chips, fit = float(rack.machine.domain_chips), catalog.forecast_fit(FIT)
    fixed, each = line(rack, chips, context=HALF)
    operations = token_operations(bound.model, HALF)
    read = HALF * bound.kv_bytes_per_token / bound.chip.hbm_bandwidth / fit.memory_share
    multiplied = chips * operations / bound.flops / fit.arithmetic_share
    users, late = (float((PROMISED / over - fixed) / each) for over in (1.0, fit.high_80))
    least = float((PROMISED / SAFE - fixed) / each)
    alone = Slip((read + multiplied) / each, "Sending is missing, which takes as long with any context.")
    ends = Slip(users / late, "This is the forecast: at the slow end a step must be forecast shorter.")
    divided = Slip(
        users / fit.high_80 / late, "A slow end lengthens all of a step: divide the step by it, not the users."
    )
    later = Slip(users / SAFE / least, divided.sentence)
    return Answer(
        finding="Users with half the context",
        values={
            "context": Value(HALF, "tokens", "Context"),
            "read": Value(read, "s", "Reading a user's cache"),
            "operations": Value(operations, "FLOP", "Operations for its token"),
            "multiplied": Value(multiplied, "s", "Multiplying for it"),
            "each": Value(each, "s", "A user", slips=(alone,)),
            "chip": Value(users, "", "Users of a chip, by the forecast"),
            "late_chip": Value(late, "", "Users of a chip, at its slow end", 2, slips=(ends, divided)),
            "least_chip": Value(least, "", "Users of a chip, to plan with", 2, slips=(later,)),
            "fewest": Value(chips * np.floor(late), "", "Users of the rack then"),
        },
    )


FIGURES = (Figure(name="memory_wall/halved", compute=halved),)
