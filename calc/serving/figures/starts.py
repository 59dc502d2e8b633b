"""Lecture 8's plan if messages start as slowly as timed alone, with a chip's step as lecture 4 fills it."""

from __future__ import annotations

import math

from calc.figure import registry
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH
from calc.memory_wall.figures.kept import line
from calc.moe.figures.in_parts import AS_TIMED
from calc.moe.figures.plans import RACK, plan_parts
from calc.quantities.arithmetic import MICRO
from calc.serving.figures.cases import case, room_at_peak
from calc.serving.figures.setting import PROMISE

SPEED = float(PROMISE.default)


def starts() -> Answer:
    """A step's starts beyond what the forecast counts for them, and the racks and dollars that follow."""
    here = case("rack")
    setting, fit = here.writing.setting, here.expected.fit
    chips, need = float(setting.layout.chips), room_at_peak(here, SPEED)
    timed = plan_parts(1, RACK.default, BATCH.default, AS_TIMED.default, "expert")[3]
    more = timed * (1 - fit.kernel_seconds / (AS_TIMED.default * MICRO))
    fixed, each = line(setting, chips, context=float(here.request.held))
    read = registry.find("serving/questions").answer().values["alike_chips"].number

    def cost(left: float) -> float:
        """Dollars for a thousand requests, if a forecast step has so many seconds for its sequences."""
        racks = math.ceil(need / (chips * math.floor(left / each)))
        return 1000 * (racks * chips + read) * float(here.dollars_per_chip_second) / here.traffic

    return Answer(
        finding="The plan if messages start as slowly as timed alone",
        values={
            "more": Value(more, "s", "Starts of a step as timed, beyond a kernel's time for each", 2),
            "cost": Value(cost(1 / SPEED / fit.high_80 - fixed - more), "$", "A thousand requests then"),
            "once": Value(cost((1 / SPEED - more) / fit.high_80 - fixed), "$", "The same, with starts just as timed"),
        },
    )


FIGURES = (Figure(name="serving/starts", compute=starts),)
