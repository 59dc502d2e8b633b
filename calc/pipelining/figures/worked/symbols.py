"""The symbols of the lecture at the reader's setting."""

from __future__ import annotations

from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, CONTEXT, PRECISION
from calc.moe.figures.setting import links
from calc.pipelining.figures.setting import K2, NODE
from calc.setting import Scenario


def scenario(*, model: str, system: str, precision: str, context: float, batch: float) -> Answer:
    """The values that the symbols stand for."""
    where = Scenario.named(model, system, precision)
    inside, outside = links(where)
    return Answer(
        finding=f"{where.model.name} on {where.system.name}",
        values={
            "layers": Value(where.model.known("layers"), "", "Layers"),
            "width": Value(where.model.known("d_model"), "", "Width", 9),
            "picks": Value(where.model.routed[1], "", "Experts of a token"),
            "chips": Value(where.system.chips, "", "Chips of a machine", 9),
            "inside": Value(inside, "B/s", "Link within"),
            "outside": Value(outside, "B/s", "Link out"),
            "ratio": Value(inside / outside, "", "Ratio of the links"),
            "batch": Value(batch, "sequences", "Micro-batch", 9),
            "context": Value(context, "tokens", "Context", 9),
            "token": Value(where.kv_bytes_per_token, "B", "Cache of a token"),
            "weights": Value(where.weight_bytes, "B", "Weights"),
        },
    )


SETTING = Figure(name="pipelining/setting", inputs=(K2, NODE, PRECISION, CONTEXT, BATCH), compute=scenario)


FIGURES = (SETTING,)
