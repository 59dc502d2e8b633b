"""The symbols of the lecture at the reader's setting."""

from __future__ import annotations

from calc.batching.figures.setting import critical_context
from calc.batching.figures.shared import chip_ratio
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import CONTEXT, MODEL, PRECISION, SYSTEM
from calc.pricing import context_price
from calc.setting import Scenario


def scenario(*, model: str, system: str, precision: str, context: float) -> Answer:
    """The symbols at the reader's setting."""
    where = Scenario.named(model, system, precision)
    critical = critical_context(where)
    return Answer(
        finding=f"{where.model.name} in {precision.upper()} on {where.system.name}",
        values={
            "context": Value(context, "tokens", "Context", 9),
            "active": Value(where.model.active_params, "parameters", "Active parameters"),
            "token": Value(where.kv_bytes_per_token, "B", "Cache of a token"),
            "ratio": Value(chip_ratio(where.chip, precision), "", "Ratio of the chip"),
            "element": Value(where.weight_bytes / where.model.total_params, "B", "A stored weight"),
            "flops": Value(where.chip.flops(precision), "FLOP/s", "Arithmetic of a chip"),
            "bandwidth": Value(where.chip.hbm_bandwidth, "B/s", "Memory bandwidth of a chip"),
            "memory": Value(where.chip.hbm_bytes, "B", "Memory of a chip"),
            "critical": Value(critical, "tokens", "Crossover"),
            "cost": Value(context_price.decode_cost(context, critical), "x", "Cost at the context"),
        },
        notes=where.notes(),
    )


FIGURES = (Figure(name="pricing/setting", inputs=(MODEL, SYSTEM, PRECISION, CONTEXT), compute=scenario),)
