"""Attention over a cache on two chips of one processor: a kernel that takes no notice of a faster memory."""

from __future__ import annotations

from typing import Any

from calc import catalog
from calc.catalog.chip_times import CHIP_SOURCE, TIMED_CHIPS, ChipTime, chip_times
from calc.catalog.measurement import SERVING_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO
from calc.quantities.units import show
from calc.world.chip import UNCUT, Timing, attentions, fastest, rate
from calc.world.chip_long import long_runs
from calc.world.training import middle
from calc.world.two_chips import FIRST, LARGE_CACHE, SECOND, attention_pairs, slower

COLOURS = (look.CACHE, look.FREE[0])


def attention() -> Answer:
    """Attention over caches of 0.1 GB and more: the share of each chip's bandwidth that it reached."""
    few, full = (attention_pairs(many=many) for many in (False, True))
    every = [*few, *full]
    cut = {
        chip: [each.memory_share for each in attentions(chip) if each.bytes >= LARGE_CACHE and each.row.tokens < UNCUT]
        for chip in TIMED_CHIPS
    }
    uncut = {
        chip: [each for each in attentions(chip) if each.bytes >= LARGE_CACHE and each.row.tokens >= UNCUT]
        for chip in TIMED_CHIPS
    }
    first, second = (catalog.chip(name).name for name in TIMED_CHIPS)
    served = [each.memory_share for each in long_runs()]
    pieces = chip_times("pieces", SECOND)
    run = pieces[0].run
    read = fastest(row for row in chip_times("memory", SECOND, run) if row.name == "read")
    small = min(pieces, key=_size)
    flash, cudnn = (
        max(_busy(row) for row in chip_times("prompt", SECOND) if row.name == name) for name in ("flash", "cudnn")
    )
    return Answer(
        finding=(
            f"From {UNCUT} sequences on, PyTorch's attention takes "
            f"{show(middle(each.measured for each in full), 'x', 3)} as long with the faster memory: it did not wait "
            f"for bandwidth"
        ),
        description=(
            f"Dot plot, logarithmic in sequences: time of attention over a cache on an {second} over its time on an "
            f"{first}, for caches of at least {show(LARGE_CACHE, 'B')}. Below {UNCUT} sequences dots lie between "
            f"{show(min(each.measured for each in few), 'x', 2)} and "
            f"{show(max(each.measured for each in few), 'x', 2)}, near the {show(slower(), 'x', 2)} of a kernel that "
            f"waits for bandwidth alone. From {UNCUT} on they lie around one."
        ),
        tables={
            "dots": {
                "model": [catalog.model(each.row.model).name for each in every],
                "sequences": [each.row.tokens for each in every],
                "context": [each.row.context for each in every],
                "first": [1e6 * each.first for each in every],
                "second": [1e6 * each.second for each in every],
                "measured": [each.measured for each in every],
            },
            "lines": {
                "sequences": [0.8, 0.8],
                "measured": [slower(), 1.0],
                "label": ["bandwidth alone", "no change"],
            },
        },
        values={
            "few": Value(middle(each.measured for each in few), "x", "Few sequences: as long", 2),
            "full": Value(middle(each.measured for each in full), "x", "Many sequences: as long", 3),
            "first_share": _shared(uncut[FIRST], "Many sequences: share of bandwidth, the first"),
            "second_share": _shared(uncut[SECOND], "Many sequences: share of bandwidth, the second"),
            "turn": Value(UNCUT, "", "Sequences from which contexts are not cut"),
            "moved": Value(LARGE_CACHE, "B", "Caches of at least", 1),
            "first_rate": _moved(uncut[FIRST], "Many sequences: bytes a second, the first"),
            "second_rate": _moved(uncut[SECOND], "Many sequences: bytes a second, the second"),
            "first_best": Value(max(cut[FIRST]), "%", "Few sequences: most of the bandwidth, the first", 2),
            "second_best": Value(max(cut[SECOND]), "%", "Few sequences: most of the bandwidth, the second", 2),
            "served": Value(len(served), "", "Served runs with long contexts"),
            "served_low": Value(min(served), "%", "Their attention: share of bandwidth, the least", 2),
            "served_high": Value(max(served), "%", "Their attention: share of bandwidth, the most", 2),
            "piece": Value(_size(small), "B", "Pieces read in random order"),
            "piece_share": Value(
                small.bytes / small.seconds * read.seconds / read.bytes, "%", "of reading in order", 2
            ),
            "prompt_flash": Value(flash, "%", "Prompts, PyTorch's own: most of the arithmetic", 2),
            "prompt_cudnn": Value(cudnn, "%", "Prompts, cuDNN's: most of the arithmetic", 2),
        },
    )


def _shared(rows: list[Timing], label: str) -> Value:
    return Value(middle(each.memory_share for each in rows), "%", label, 2)


def _moved(rows: list[Timing], label: str) -> Value:
    return Value(middle(each.bytes / each.row.seconds for each in rows), "B/s", label, 2)


def _size(row: ChipTime) -> int:
    return row.context


def _busy(row: ChipTime) -> float:
    """Share of the published arithmetic: each token multiplies with itself and all before it, for score and sum."""
    known = catalog.model(row.model).known
    operations = 2.0 * row.tokens * (row.tokens + 1) * known("heads") * known("head_dim")
    return operations / row.seconds / rate(row.chip, row.format)


def attention_chart() -> Any:
    """A dot for each cache, and two lines: memory alone, and no change."""
    import altair as alt

    x = alt.X("sequences:Q", title="Sequences").scale(type="log", base=2, domain=[0.8, 320], nice=False)
    x = x.axis(values=[1, 2, 4, 8, 16, 32, 64, 128, 256], format=",")
    y = alt.Y("measured:Q", title="Time on the H200, over the H100").scale(domain=[0.5, 1.4], nice=False)
    dots = (
        alt.Chart(alt.NamedData("dots"))
        .mark_point(size=60, filled=True, opacity=0.8)
        .encode(
            x=x,
            y=y,
            color=alt.Color("model:N", title=None).scale(domain=NAMES, range=list(COLOURS)),
            shape=alt.Shape("model:N", title=None).scale(**look.shapes(*NAMES)),
        )
    )
    lines = alt.Chart(alt.NamedData("lines")).encode(y=y)
    names = lines.encode(x=x, text="label:N")
    words: dict[str, Any] = {"align": "left", "dx": 4, "dy": alt.expr("datum.measured < 0.9 ? 14 : -8"), "fontSize": 12}
    rules = lines.mark_rule(color=look.INK, strokeDash=[7, 3])
    return rules + dots + names.mark_text(**words, **HALO) + names.mark_text(**words, color=look.INK)


NAMES = [catalog.model(name).name for name in ("llama-3-8b", "llama-3-70b")]
FIGURES = (
    Figure(
        name="world/chip-attention",
        foremost=4,
        compute=attention,
        chart=attention_chart,
        table="dots",
        columns={
            "model": "Heads of",
            "sequences": "Sequences",
            "context": "Context",
            "first": "H100 (µs)",
            "second": "H200 (µs)",
            "measured": "H200 over H100 (×)",
        },
        assumptions=(
            "PyTorch's attention over a cache in 16 bits, one layer. It cuts contexts up where sequences are few.",
        ),
        sources=(CHIP_SOURCE, SERVING_SOURCE),
    ),
)
