"""One context cut over all chips of a rack, in numbers: the bytes that are sent, and the length from which it pays."""

from __future__ import annotations

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.memory_wall.figures.shared import RACK, SENT, STARTUP_SECONDS
from calc.quantities.units import bytes_per_element
from calc.setting import Machine, Scenario
from calc.step.collectives import all_gather_seconds, reduce_scatter_seconds
from calc.step.forecasting import FIT

SENDINGS = 2  # of a layer: the queries out, the partial results back


def cut() -> Answer:
    """Queries and partial results that chips send in each layer, if each has a stretch of one context."""
    model, rack = catalog.model("deepseek-v3"), Scenario.named("deepseek-v3", RACK, "fp8")
    machine, chips = Machine.published(rack.system), rack.system.chips
    wide = model.known("heads") * bytes_per_element(SENT)
    queries, found = wide * (model.known("kv_lora_rank") + model.known("rope_dim")), wide * model.known("kv_lora_rank")
    sending = model.known("layers") * (
        all_gather_seconds(machine, queries, chips, STARTUP_SECONDS)
        + reduce_scatter_seconds(machine, found, chips, STARTUP_SECONDS)
    )
    kernels = model.known("layers") * SENDINGS * catalog.forecast_fit(FIT).kernel_seconds
    spared = rack.kv_bytes_per_token / rack.chip.hbm_bandwidth * (1 - 1 / chips)
    return Answer(
        finding="One context on all chips of a rack",
        values={
            "queries": Value(queries, "B", "Queries of a layer"),
            "found": Value(found, "B", "Partial results of a layer, from each chip"),
            "sending": Value(sending, "s", "Sending both, all layers"),
            "pays": Value(sending / spared, "tokens", "Context from which the cut pays"),
            "pays_expected": Value((sending + kernels) / spared, "tokens", "with a kernel for each sending"),
        },
    )


FIGURES = (Figure(name="memory_wall/cut", compute=cut),)
