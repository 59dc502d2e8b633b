"""The lecture's ratio of links and the catalogue's, for two racks and three."""

from __future__ import annotations

from calc import catalog, moe
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH
from calc.moe.figures.plans import plan_parts
from calc.moe.figures.setting import BLACKBOARD_RATIO, link_ratio
from calc.moe.figures.timings import rack_start
from calc.setting import Scenario
from calc.step import visited_share

RATIOS = {"h100": "hgx-h100", "gb200": "gb200-nvl72"}


def blackboard() -> Answer:
    """The lecture's ratio and the catalogue's, for two racks and three."""
    ratios = {key: link_ratio(Scenario.named("deepseek-v3", name, "bf16")) for key, name in RATIOS.items()}
    values = {
        "ratio": Value(BLACKBOARD_RATIO, "", "Ratio"),
        "leaves_three": Value(moe.leaving_share(3), "%", "Leaves one of three racks"),
        "two": Value(moe.spread_slowdown(2, BLACKBOARD_RATIO), "x", "Two racks"),
    }
    values |= {f"ratio_{key}": Value(ratio, "", "Ratio") for key, ratio in ratios.items()}
    values["two_gb200"] = Value(moe.spread_slowdown(2, ratios["gb200"]), "x", "Two GB200 racks")
    experts, other, _, starts = plan_parts(2, "gb200-nvl72", BATCH.default, rack_start(), "expert")
    one = plan_parts(1, "gb200-nvl72", BATCH.default, rack_start(), "expert")
    two = experts + other + values["two"].number * one[2] + starts
    values["two_less"] = Value(
        1 - sum(one) / two, "%", "A chip of two GB200 racks, their links as Pope's, writes less by", 1
    )
    model = catalog.model("deepseek-v3")
    copies = visited_share(2, model.routed[1], *model.groups, experts=model.routed[0])
    values["saved_copies"] = Value(copies, "", "Copies that cross between two racks, one a rack")
    return Answer(finding="Pope's links and those on sale", values=values)


FIGURES = (Figure(name="moe/blackboard", compute=blackboard, sources=("lecture", "aiconfigurator")),)
