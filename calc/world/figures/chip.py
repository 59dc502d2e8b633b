"""Starts of kernels, power and the link to the host, as one chip took them: no picture needed."""

from __future__ import annotations

from calc import catalog
from calc.catalog.chip_times import CHIP_SOURCE, ChipTime, chip_times
from calc.figure.declared import Answer, Figure, Value
from calc.world.chip import CHIP, fastest, held, held_attention, only, rate


def beside() -> Answer:
    """The time of a kernel beside its work, joules, and the link to the host."""
    reading, idle = only("power", "read"), only("power", "nothing")
    wide, zeros = only("power", "product", format="bf16"), only("power", "product of zeros", format="bf16")
    narrow = only("power", "product", format="fp8")
    operations = 2.0 * wide.tokens * wide.context * wide.context
    steps = {tokens: only("power", "step", format="bf16", tokens=tokens) for tokens in (1, 64, 256)}
    limit = catalog.chip(CHIP).watts
    assert limit is not None
    into, out, ways = (
        [row for row in chip_times("link") if row.name == name]
        for name in ("from the host", "to the host", "both ways")
    )
    up, down, both = fastest(into), fastest(out), max(ways, key=_moved)
    small, back = min(into, key=_moved), min(out, key=_moved)
    burst = only("step", "whole", format="bf16", tokens=256, context=1024)
    return Answer(
        finding="Starts, power and the link to the host",
        values={
            "start": Value(only("start", "graph").seconds, "s", "A kernel that does nothing, from a graph", 2),
            "kernel": Value(held().start_seconds, "s", "A product, beside reading its matrix", 2),
            "memory": Value(held().memory_share, "%", "Products: share of bandwidth beyond the start"),
            "held_low": Value(held().ratios.min(), "x", "Measured over that line, the least", 2),
            "held_high": Value(held().ratios.max(), "x", "and the most", 3),
            "attention_start": Value(held_attention().start_seconds, "s", "Attention, beside reading its cache", 2),
            "attention_memory": Value(held_attention().memory_share, "%", "Attention: share of bandwidth"),
            "attention_low": Value(held_attention().ratios.min(), "x", "Attention over its line, the least", 2),
            "attention_high": Value(held_attention().ratios.max(), "x", "and the most", 3),
            "idle": Value(idle.joules / idle.seconds, "W", "Doing nothing"),
            "reading": Value(reading.joules / reading.seconds, "W", "Reading"),
            "limit": Value(limit, "W", "The chip's limit"),
            "clock": Value(wide.clock / 1e9, "GHz", "Clock while multiplying"),
            "clock_reading": Value(reading.clock / 1e9, "GHz", "Clock while reading"),
            "clock_zeros": Value(zeros.clock / 1e9, "GHz", "Clock while multiplying zeros"),
            "sustained": Value(operations / wide.seconds / rate(CHIP, "bf16"), "%", "Multiplying for seconds", 2),
            "sustained_fp8": Value(operations / narrow.seconds / rate(CHIP, "fp8"), "%", "The same in FP8", 2),
            "zeros": Value(wide.seconds / zeros.seconds, "x", "Zeros, as fast"),
            "zeros_power": Value(zeros.joules / zeros.seconds, "W", "Multiplying zeros"),
            "joules_alone": Value(steps[1].joules, "J", "A token alone, Llama 3 8B"),
            "joules_many": Value(steps[256].joules / 256, "J", "A token among 256", 2),
            "joules_times": Value(steps[1].joules / (steps[256].joules / 256), "x", "Joules, alone over among 256", 2),
            "time_times": Value(
                steps[1].seconds / (steps[256].seconds / 256), "x", "Chip time, alone over among 256", 2
            ),
            "longer": Value(steps[256].seconds / burst.seconds - 1, "%", "A lasting step of 256, longer by", 2),
            "power_many": Value(steps[64].joules / steps[64].seconds, "W", "A step of 64"),
            "host_up": Value(up.bytes / up.seconds, "B/s", "From the host"),
            "host_down": Value(down.bytes / down.seconds, "B/s", "To the host"),
            "host_both": Value(both.bytes / both.seconds, "B/s", "Both ways at once, together"),
            "host_start": Value(small.seconds, "s", "Four kilobytes from the host", 2),
            "host_end": Value(back.seconds, "s", "Four kilobytes to the host", 2),
        },
    )


def _moved(row: ChipTime) -> float:
    return row.bytes


FIGURES = (Figure(name="world/chip", compute=beside, sources=(CHIP_SOURCE,)),)
