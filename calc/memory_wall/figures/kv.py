"""Lecture 4 in pictures: what attention keeps of a token."""

from __future__ import annotations

import math
from typing import Any

from calc import catalog
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO
from calc.figure.inputs import Number
from calc.figure.named import first_of
from calc.figure.scenario import MODEL, MODELS, PRECISION
from calc.memory_wall import attention
from calc.memory_wall.figures.setting import design
from calc.memory_wall.figures.shared import dots_by_design, scale_notes
from calc.quantities.units import bytes_per_element, plain, show

YOURS = "Your design"


def _count(name: str, label: str, unit: str, default: float, high: float, help_text: str) -> Number:
    return Number(
        name=name, label=label, unit=unit, default=default, low=1, high=high, log=True, whole=True, help=help_text
    )


LAYERS = _count("layers", "Layers", "", 80, 1000, "Layers of attention.")
HEADS = _count("heads", "KV heads", "", 8, 512, "As many as query heads: multi-head. Fewer: grouped. One: multi-query.")
WIDTH = _count("width", "Width", "numbers", 128, 1024, "Numbers in a key of one head, and in a value.")
EVERY = _count("every", "Global 1 in", "layers", 1, 1000, "The other layers keep a short window and stop growing.")
SHARING = _count("sharing", "Sharing", "layers", 1, 1000, "Neighbouring global layers with one cache between them.")


def kv(
    *, model: str, precision: str, layers: float, heads: float, width: float, every: float, sharing: float
) -> Answer:
    """Bytes that one token of context adds: public models, and a design of the reader's."""
    stored = "bf16" if precision == "bf16" else "fp8"  # a cache is never narrower
    size = bytes_per_element(stored)
    full = math.ceil(layers / every)
    shared = min(sharing, full)
    read = size * attention.cache_elements(full, attention.grouped_elements(heads, width))
    mine = read * math.ceil(full / shared) / full
    public = sorted((catalog.model(name).kv_bytes_per_token(stored), name) for name in MODELS)
    chosen = catalog.model(model).kv_bytes_per_token(stored)
    least, most = public[0][0], public[-1][0]
    names = [YOURS, *(MODELS[name] for _, name in public)]
    return Answer(
        finding=(
            f"A token of context takes {show(least, 'B')} to {show(most, 'B')} in {len(public)} public models; "
            f"your {_design_words(layers, full, heads, shared)}: {show(mine, 'B')}"
            + (f"; each step reads {show(read, 'B')}" if shared > 1 else "")
        ),
        description=(
            f"Dot chart, bytes on a logarithmic axis: the cache that a token of context adds in {len(public)} public "
            f"models, from {show(least, 'B')} to {show(most, 'B')}, and in the reader's design, {show(mine, 'B')}."
        ),
        tables={
            "designs": {
                "name": names[1:],
                "design": [design(catalog.model(name)) for _, name in public],
                "bytes": [number for number, _ in public],
            },
            "named": first_of(
                [(MODELS[name], number, design(catalog.model(name))) for number, name in public], skip=MODELS[model]
            ),
            "all": {"name": names, "bytes": [mine, *(number for number, _ in public)]},
            "here": {"name": [YOURS], "bytes": [mine]},
            "mine": {
                "name": [MODELS[model], *([YOURS] if shared > 1 else [])],
                "bytes": [chosen, *([read] if shared > 1 else [])],
                "label": ["chosen model", *(["read in a step"] if shared > 1 else [])],
            },
        },
        values={
            "yours": Value(mine, "B", "Kept by your design"),
            "read": Value(read, "B", "Read of it, by all layers"),
            "model": Value(chosen, "B", "Kept by the chosen model"),
            "ratio": Value(mine / chosen, "x", "Your design over the chosen model"),
        },
        notes=_kv_notes(model, sharing, full, every, layers),
    )


def _design_words(layers: float, full: float, heads: float, shared: float) -> str:
    """The design in words, with its global layers and its sharing only where there is something to say."""
    what = f"{plain(layers, 4)} layer{'' if layers == 1 else 's'}"
    if full < layers:
        what += f", {plain(full, 4)} of them global,"
    what += f" with {plain(heads, 4)} key-value head{'' if heads == 1 else 's'}"
    return what + (f", one cache for {plain(shared, 4)}" if shared > 1 else "")


def _kv_notes(model: str, sharing: float, full: float, every: float, layers: float) -> list[str]:
    stored = catalog.model(model)
    notes = scale_notes(stored)
    if sharing > full:
        there = "is only 1 global layer" if full == 1 else f"are only {plain(full, 4)} global layers"
        notes.append(f"There {there} to share one cache.")
    if every > layers:
        notes.append("At least one layer is global here; without any, nothing would grow with the context.")
    return notes


def kv_chart() -> Any:
    """One row a model, sorted by what it keeps, and the reader's own design above them."""
    import altair as alt

    y = alt.Y("name:N", title=None, sort=None).axis(grid=True, labelOverlap=False, labelFontSize=11, labelLimit=130)
    x = alt.X("bytes:Q", title="Cache of a token (bytes)").scale(type="log").axis(format="~s")
    rows = alt.Chart(alt.NamedData("all")).mark_point(opacity=0).encode(x=x, y=y)
    dots = dots_by_design(alt, "designs", x, y)
    here = alt.Chart(alt.NamedData("here")).mark_point(**look.HERE).encode(x=x, y=y)
    mine = alt.Chart(alt.NamedData("mine")).encode(x=x, y=y)
    mark = mine.mark_point(shape="triangle-down", yOffset=-10, color=look.ACCENT, opacity=1)
    text: dict[str, Any] = {"align": "left", "dx": 10, "baseline": "middle", "fontSize": 11.5}
    label = mine.mark_text(**text, **HALO) + mine.mark_text(**text, color=look.ACCENT)
    return rows + dots + mark + label.encode(text="label:N") + here


KV = Figure(
    name="memory_wall/kv",
    inputs=(MODEL, PRECISION, LAYERS, HEADS, WIDTH, EVERY, SHARING),
    compute=kv,
    chart=kv_chart,
    table="all",
    columns={"name": "Model", "bytes": "Cache of a token (B)"},
    assumptions=(
        "Only layers whose cache grows with the context are counted, and numbers alone: one byte each, or two in BF16; "
        "beside an index those for position always take two.",
        "“Partly linear”: the other layers keep a state that does not grow.",
        "Layers that share a cache keep it once, and each of them reads it.",
    ),
    sources=("lecture", "deepseek-v3-config", "llama-models", "qwen3-paper", "gpt-oss-repo", "kimi-k2-repo"),
)


FIGURES = (KV,)
