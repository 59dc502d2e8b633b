"""Every symbol of the lecture at the reader's setting."""

from __future__ import annotations

from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, MODEL, SYSTEM
from calc.moe.figures.setting import link_ratio, links
from calc.setting import Scenario


def scenario(*, model: str, system: str, batch: float) -> Answer:
    """Every symbol at the reader's setting."""
    where = Scenario.named(model, system, "bf16")
    experts, picks = where.model.routed
    inside, outside = links(where)
    return Answer(
        finding=f"{where.model.name} on {where.system.name}",
        values={
            "experts": Value(experts, "", "Routed experts of a layer"),
            "picks": Value(picks, "", "of a token"),
            "width": Value(where.model.known("d_model"), "", "Width", 9),
            "layers": Value(where.model.expert_layers, "", "Layers with experts"),
            "chips": Value(where.system.chips, "", "Chips of a rack", 9),
            "inside": Value(inside, "B/s", "Link within"),
            "outside": Value(outside, "B/s", "Link out"),
            "ratio": Value(link_ratio(where), "", "Ratio of the links"),
            "batch": Value(batch, "sequences", "Batch", 9),
            "tokens": Value(batch / where.system.chips, "tokens", "Tokens of a chip"),
        },
    )


SETTING = Figure(name="moe/setting", inputs=(MODEL, SYSTEM, BATCH), compute=scenario)


FIGURES = (SETTING,)
