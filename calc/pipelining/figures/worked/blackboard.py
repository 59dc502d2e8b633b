"""The lecture's round figures, and the ratios of links on sale."""

from __future__ import annotations

from calc import catalog, pipelining
from calc.figure.declared import Answer, Figure, Value
from calc.moe.figures.setting import BLACKBOARD_RATIO, link_ratio
from calc.pipelining.figures.setting import OPENING, SLOW_HOP, STAGES, copies, free_layers, margin
from calc.setting import Scenario

STEP = 0.02
SOLD = {"hgx": "hgx-h100", "rack": "gb200-nvl72"}


def blackboard() -> Answer:
    """The lecture's links and those on sale; its hop, and a measured one."""
    picks = catalog.model("deepseek-v3").routed[1]
    values = {
        "ratio": Value(BLACKBOARD_RATIO, "", "Ratio"),
        "picks": Value(picks, "", "Experts of a token"),
        "margin": Value(pipelining.boundary_margin(picks, 1, BLACKBOARD_RATIO), "x", "Margin, one layer"),
        "step": Value(STEP, "s", "Step"),
        "slow_hop": Value(SLOW_HOP, "s", "Hop of a few milliseconds"),
        "slow": Value(_cycle(SLOW_HOP).seconds, "s", "with such hops"),
        "waits": Value(pipelining.decode_cycle(STEP, STAGES, 1).idle_share, "%", "Four racks, one batch"),
    }
    for key, name in SOLD.items():
        where = Scenario.named(OPENING[0], name, OPENING[2])
        values |= {
            f"ratio_{key}": Value(link_ratio(where), "", "Ratio"),
            f"copies_{key}": Value(copies(where), "", "Copies of a token that leave its chip"),
            f"margin_{key}": Value(margin(where, 1.0, 1.0), "x", "Margin, one layer"),
            f"free_{key}": Value(free_layers(where, 1.0), "", "Fewest layers"),
        }
    return Answer(finding="Pope's links and those on sale", values=values)


def _cycle(each: float) -> pipelining.DecodeCycle:
    return pipelining.decode_cycle(STEP, STAGES, STAGES, each)


FIGURES = (Figure(name="pipelining/blackboard", compute=blackboard, sources=("lecture", "aiconfigurator")),)
