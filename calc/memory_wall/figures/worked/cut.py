"""One context cut over all chips of a rack, in numbers: the bytes that are sent, and the length from which it pays."""

from __future__ import annotations

from calc.figure.declared import Answer, Figure, Value
from calc.memory_wall.figures.shared import RACK, cut_bytes, cut_kernel_seconds, cut_sending_seconds
from calc.setting import Scenario


def cut() -> Answer:
    """Queries and partial results that chips send in each layer, if each has a stretch of one context."""
    rack = Scenario.named("deepseek-v3", RACK, "fp8")
    (queries, found), sending = cut_bytes(rack.model), cut_sending_seconds(rack)
    kernels = cut_kernel_seconds(rack.model)
    spared = rack.kv_bytes_per_token / rack.chip.hbm_bandwidth * (1 - 1 / rack.system.chips)
    return Answer(
        finding="One context on all chips of a rack",
        values={
            "queries": Value(queries, "B", "Queries of a layer"),
            "found": Value(found, "B", "Partial results of a layer, from each chip"),
            "sending": Value(sending, "s", "Sending both, all layers"),
            "kernels": Value(kernels, "s", "A kernel for each sending"),
            "both": Value(sending + kernels, "s", "Sending, with these kernels"),
            "pays": Value(sending / spared, "tokens", "Context from which the cut pays"),
            "pays_expected": Value((sending + kernels) / spared, "tokens", "with a kernel for each sending"),
        },
    )


FIGURES = (Figure(name="memory_wall/cut", compute=cut),)
