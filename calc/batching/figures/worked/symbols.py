"""Every symbol of lecture 1 at the reader's setting."""

from __future__ import annotations

from calc.batching.figures.setting import FILLED
from calc.figure.declared import Answer, Figure, Value
from calc.setting import Scenario


def scenario(*, model: str, system: str, precision: str, context: float, batch: float) -> Answer:
    """Every symbol at the reader's setting."""
    where = Scenario.named(model, system, precision)
    return Answer(
        finding=f"{where.model.name} in {precision.upper()} on {where.system.name}",
        values={
            "batch": Value(batch, "sequences", "Batch", 9),
            "context": Value(context, "tokens", "Context", 9),
            "total": Value(where.model.total_params, "parameters", "Total parameters"),
            "active": Value(where.model.active_params, "parameters", "Active parameters"),
            "sparsity": Value(where.model.sparsity, "", "Sparsity"),
            "element": Value(where.weight_bytes / where.model.total_params, "B", "A stored weight"),
            "weights": Value(where.weight_bytes, "B", "Weights"),
            "token": Value(where.kv_bytes_per_token, "B", "Cache of a token"),
            "flops": Value(where.flops, "FLOP/s", "Arithmetic"),
            "bandwidth": Value(where.bandwidth, "B/s", "Memory bandwidth"),
            "memory": Value(where.hbm_bytes, "B", "Memory"),
            "chips": Value(where.system.chips, "", "Chips"),
        },
        notes=where.notes(),
    )


SETTING = Figure(name="batching/setting", inputs=FILLED, compute=scenario)
FIGURES = (SETTING,)
