"""A plan of racks in the four parts of lecture 2's table: experts, other work, the exchange and its starts."""

from __future__ import annotations

from calc import moe
from calc.figure.inputs import Choice
from calc.figure.scenario import BATCH, CONTEXT
from calc.moe.figures.in_parts import in_turn, over_racks
from calc.moe.figures.setting import links, sent_bytes
from calc.quantities.arithmetic import MICRO, whole_up
from calc.setting import Scenario

SIZES = {0.5: "half a rack", 1: "one rack", 2: "two racks"}
EQUAL = 1 + 1e-6  # as long as another
OVER, MISSED = 2.4, 10e-3  # the nearest runs over their count, and what one rack misses by it in seconds
RACK = Choice(
    name="rack",
    label="Rack",
    default="gb200-nvl72",
    options={"gb200-nvl72": "GB200 NVL72", "gb300-nvl72": "GB300 NVL72, faster links out"},
    help="Its network cards carry what leaves it.",
)


def plan_parts(racks: float, system: str, batch: float, start: float, copies: str) -> tuple[float, float, float, float]:
    """Seconds of experts, of a chip's other work, of the exchange and of its starts, one after another.

    With a copy for each expert all copies are sent, those for a chip's own experts too, as the lecture's (2) counts.

    >>> [round(1e3 * seconds, 2) for seconds in plan_parts(2, "gb200-nvl72", 2048, 25.6, "expert")]
    [0.64, 2.75, 2.89, 2.97]
    """
    step = over_racks(racks, system, batch, CONTEXT.default)
    routed = [each for each in step.operations if each.name == "experts"]
    rate = step.weights_seconds / sum(each.weights for each in step.operations)
    experts = sum(max(float(rate * each.weights), float(each.compute_seconds)) for each in routed)
    work, exchange, starts = in_turn(step, start)
    if copies == "expert":
        where = Scenario.named("deepseek-v3", system, "fp8")
        inside, outside = links(where)
        sent = sent_bytes(where.model, float(whole_up(batch / where.system.chips)))
        layers = where.model.expert_layers
        exchange = float(layers * sent / inside * moe.spread_slowdown(max(racks, 1), inside / outside))
        starts = 2 * layers * start * MICRO
    return experts, work - experts, exchange, starts


def lead_seconds(start: float) -> list[float]:
    """Seconds of a step on half a rack, one and two, as the lecture counts them."""
    return [sum(plan_parts(racks, "gb200-nvl72", BATCH.default, start, "expert")) for racks in (0.5, 1, 2)]
