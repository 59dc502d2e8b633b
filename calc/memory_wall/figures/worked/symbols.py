"""Every symbol of the lecture at the reader's setting."""

from __future__ import annotations

from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import MODEL, PRECISION, SYSTEM
from calc.memory_wall.figures.setting import growing_layers, slope
from calc.setting import Scenario


def scenario(*, model: str, system: str, precision: str) -> Answer:
    """Every symbol at the reader's setting."""
    where = Scenario.named(model, system, precision)
    return Answer(
        finding=f"{where.model.name} in {precision.upper()} on {where.system.name}",
        values={
            "chips": Value(where.system.chips, "", "Chips"),
            "bandwidth": Value(where.chip.hbm_bandwidth, "B/s", "Memory bandwidth of a chip"),
            "memory": Value(where.chip.hbm_bytes, "B", "Memory of a chip"),
            "weights": Value(where.weight_bytes, "B", "Weights"),
            "total": Value(where.model.total_params, "parameters", "Total parameters"),
            "active": Value(where.model.active_params, "parameters", "Active parameters"),
            "token": Value(where.kv_bytes_per_token, "B", "Cache of a token"),
            "layers": Value(growing_layers(where.model), "layers", "Layers whose cache grows"),
            "heads": Value(where.model.known("heads"), "", "Query heads"),
            "slope": Value(slope(where.model), "FLOP", "Attention to one token of context"),
        },
        notes=where.cache_notes(),
    )


SCENARIO = Figure(name="memory_wall/setting", inputs=(MODEL, SYSTEM, PRECISION), compute=scenario)


FIGURES = (SCENARIO,)
