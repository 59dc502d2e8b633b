"""Memory on the chips that multiply, and what a lone user's step reads, as a chip counted it."""

from __future__ import annotations

from calc import batching, catalog
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import bytes_per_element

RACK = "groq-3-lpx"


def on_chip() -> Answer:
    """A rack whose memory lies on its chips: its drain and its ratio."""
    rack = catalog.announced(RACK)
    memory, bandwidth = rack.known("sram_bytes"), rack.known("sram_bandwidth")
    drain = batching.read_seconds(memory, bandwidth)
    ratio = batching.hardware_ratio(rack.known("fp8_flops"), bandwidth, bytes_per_element("fp8"))
    return Answer(
        finding="Memory on the chips",
        values={
            "chips": Value(rack.packages, "chips", "Chips of the rack"),
            "memory": Value(memory, "B", "Memory on them"),
            "bandwidth": Value(bandwidth, "B/s", "Its bandwidth"),
            "drain": Value(drain, "s", "Drain time", 2),
            "ratio": Value(ratio, "", "Ratio in FP8", 2),
        },
    )


def lone() -> Answer:
    """A lone user's step of Qwen3-30B-A3B in FP8 on one H200: what it read, and for how long that takes."""
    chip = catalog.chip("h200-sxm")
    step = 1 / catalog.datum("qwen3-30b-lone-rate").value
    share = catalog.datum("qwen3-30b-lone-memory").value
    read = share * chip.hbm_bandwidth * step
    return Answer(
        finding="What a lone user's step reads",
        values={
            "read": Value(read, "B", "Read in a step, counted", 2),
            "active": Value(catalog.datum("qwen3-30b-active").value, "parameters", "A token's parameters", 2),
            "share": Value(share, "%", "Share of the published bandwidth", 2),
            "step": Value(step, "s", "Step", 2),
        },
    )


FIGURES = (
    Figure(name="batching/on-chip", compute=on_chip, sources=("nvidia-lpx", "register-lpx")),
    Figure(name="batching/lone", compute=lone, sources=("fergusfinn-counters", "aiconfigurator")),
)
