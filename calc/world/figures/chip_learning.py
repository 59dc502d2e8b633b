"""Forward and back on one chip in three ways, beside what lectures 5 and 7 count."""

from __future__ import annotations

from typing import Any

from calc import catalog
from calc.catalog.chip_times import CHIP_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import show
from calc.world.chip_learning import backward, busy, counted_bytes, counted_overhead, ways, without_last_product
from calc.world.figures.strip import strip

KINDS = ("streams of 16 bits", "streams of 32 bits")
FORMATS = dict(zip(("bf16", "fp32"), KINDS, strict=True))
NAMES = {"kept": "records kept", "again": "records made again", "undone": "layers undone"}


def learning() -> Answer:
    """Each way's time and memory for one layer more, and how far its gradients lie from those of kept records."""
    rows = [(form, name, ways(form)) for name in NAMES for form in FORMATS]
    narrow, wide = ways("bf16"), ways("fp32")
    again, undone = (wide[name].many.error for name in ("again", "undone"))
    undone_wide = wide["undone"].layer_seconds / wide["kept"].layer_seconds
    model, layers, tokens = (getattr(narrow["kept"].many, name) for name in ("model", "count", "tokens"))
    over = {name: narrow[name].layer_seconds / narrow["kept"].layer_seconds for name in NAMES}
    return Answer(
        finding=(
            f"Layers that are undone hold nothing and take {show(undone_wide, 'x')} the time, with streams of 32 bits; "
            f"with 16 gradients are {show(narrow['undone'].many.error, '%', 2)} off after {layers}"
        ),
        description=(
            f"Strip plot: time of layers of {catalog.model(model).name}'s shape, forward and back on {tokens} tokens, "
            f"over that with their records kept. Made again it takes {show(over['again'], 'x')}, undone "
            f"{show(over['undone'], 'x')}; by count both take {show(counted_overhead('again'), 'x')}."
        ),
        tables={
            "marks": {
                "way": [NAMES[name] for _, name, _ in rows],
                "kind": [FORMATS[form] for form, _, _ in rows],
                "over": [found[name].layer_seconds / found["kept"].layer_seconds for _, name, found in rows],
                "milliseconds": [1e3 * found[name].layer_seconds for _, name, found in rows],
                "megabytes": [found[name].layer_bytes / 1e6 for _, name, found in rows],
                "counted": [counted_bytes(name, form) / 1e6 for form, name, _ in rows],
                "error": [100 * found[name].many.error for _, name, found in rows],
            }
        },
        values={
            "layers": Value(layers, "", "Layers"),
            "tokens": Value(tokens, "tokens", "Tokens", 9),
            "backward": Value(backward(), "x", "The way back over the way forward"),
            "busy": Value(busy(), "%", "Share of the published arithmetic", 2),
            "record": Value(narrow["kept"].layer_bytes, "B", "A layer's record"),
            "record_counted": Value(counted_bytes("kept"), "B", "A layer's record, counted"),
            "record_off": Value(1 - narrow["kept"].layer_bytes / counted_bytes("kept"), "%", "Less than counted by", 1),
            "states": Value(narrow["again"].layer_bytes, "B", "A layer's two streams"),
            "states_counted": Value(counted_bytes("again"), "B", "A layer's two streams, counted"),
            "undone_bytes": Value(narrow["undone"].layer_bytes, "B", "A layer undone"),
            "counted": Value(counted_overhead("again"), "x", "A layer evaluated twice, counted"),
            "counted_wide": Value(counted_overhead("undone", "fp32"), "x", "The same with streams of 32 bits"),
            "counted_short": Value(without_last_product(), "x", "Without its last product, counted"),
            "again": Value(over["again"], "x", "Made again, over kept"),
            "undone": Value(over["undone"], "x", "Undone, over kept"),
            "undone_wide": Value(undone_wide, "x", "Undone in 32 bits"),
            "again_error": Value(again, "%", "Made again, 32 bits: gradients off by", 1),
            "undone_error": Value(undone, "%", "Undone, 32 bits: gradients off by", 1),
            "narrow_few": Value(narrow["undone"].few.error, "%", "Undone, 16 bits, two layers: off by", 2),
            "few": Value(narrow["undone"].few.count, "", "Fewest layers"),
            "narrow_error": Value(narrow["undone"].many.error, "%", "Undone, 16 bits: gradients off by", 2),
        },
    )


def learning_chart() -> Any:
    """A row for each way, marks for both formats of the streams, and a rule where the count puts two evaluations."""
    scale = {"domain": [0.95, 1.4], "nice": False, "zero": False}
    kinds: dict[str, Any] = {"kind": "kind", "kinds": KINDS, "colours": (look.FREE[0], look.ACCENT)}
    at = counted_overhead("again")
    ticks = [1, 1.1, 1.2, 1.3, 1.4]
    return strip(
        "marks", "over", "Time, over that with records kept", y="way", at=at, scale=scale, ticks=ticks, **kinds
    )


FIGURES = (
    Figure(
        name="world/chip-learning",
        foremost=4,
        compute=learning,
        chart=learning_chart,
        table="marks",
        columns={
            "way": "Way",
            "kind": "Streams",
            "milliseconds": "A layer (ms)",
            "over": "Over records kept (×)",
            "megabytes": "Memory of a layer more (MB)",
            "counted": "Counted, records in 16 bits (MB)",
            "error": "Gradients apart from those with records kept (%)",
        },
        assumptions=(
            "Reversible layers of Llama 3 8B's shape with random weights, run as PyTorch runs them, nothing compiled.",
            "Times are of six layers together; the memory of a layer is the difference to a run of two.",
            "The rule stands where a layer that is evaluated twice is counted, with the way back as it was timed.",
        ),
        sources=(CHIP_SOURCE,),
    ),
)
