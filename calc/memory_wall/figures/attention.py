"""Lecture 4 in pictures: what attention keeps of a token, and the context at which it outweighs the weights."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from calc import catalog
from calc.catalog import Model
from calc.figure import look
from calc.figure.declared import Answer, Figure, Number, Value
from calc.figure.guides import ends, guide_layer, guides, here_layer, labelled_lines, reaching
from calc.figure.scenario import CONTEXT, MODEL, MODELS, PRECISION
from calc.memory_wall import attention
from calc.memory_wall.figures.setting import DESIGNS, decode_flops, design, overtaking, slope
from calc.memory_wall.figures.shared import said_bytes
from calc.quantities.check import Quantity
from calc.quantities.units import bytes_per_element, plain, show

CONTEXTS = np.logspace(2, 8, 61)
BAND_NAMED = -10  # where along the band its name stands
ROOMY = 300  # pixels of a frame that has room for more words than the lines' names
SHARES = {"decode": "decode", "prompt": "prompt"}
YOURS = "Your design"


def _count(name: str, label: str, unit: str, default: float, high: float, help_text: str) -> Number:
    return Number(
        name=name, label=label, unit=unit, default=default, low=1, high=high, log=True, whole=True, help=help_text
    )


LAYERS = _count("layers", "Layers", "", 80, 1000, "Layers of attention.")
HEADS = _count(
    "heads", "KV heads", "", 64, 512, "As many as query heads: multi-head. Fewer: grouped. One: multi-query."
)
WIDTH = _count("width", "Width", "numbers", 128, 1024, "Numbers in a key of one head, and in a value.")
EVERY = _count("every", "Global 1 in", "layers", 1, 1000, "The other layers keep a short window and stop growing.")
SHARING = _count("sharing", "Sharing", "layers", 1, 1000, "Neighbouring global layers with one cache between them.")


def kv(
    *, model: str, precision: str, layers: float, heads: float, width: float, every: float, sharing: float
) -> Answer:
    """Bytes that one token of context adds: public models, the lecture's estimate, and a design of the reader's."""
    size = 2.0 if precision == "bf16" else bytes_per_element("fp8")
    full = math.ceil(layers / every)
    shared = min(sharing, full)
    read = size * attention.cache_elements(full, attention.grouped_elements(heads, width))
    mine = read / shared
    public = sorted((_of(name, size), name) for name in MODELS)
    chosen = _of(model, size)
    least, most = public[0][0], public[-1][0]
    names = [YOURS, *(MODELS[name] for _, name in public)]
    return Answer(
        finding=(
            f"{_design_words(layers, full, heads, shared)}: {show(mine, 'B')} of cache a token, "
            + (f"read {plain(shared, 4)} times, " if shared > 1 else "")
            + f"{show(mine / chosen, 'x')} that of {MODELS[model]}"
        ),
        description=(
            f"Dot chart, bytes on a logarithmic axis: the cache that a token of context adds in {len(public)} public "
            f"models, from {show(least, 'B')} to {show(most, 'B')}, and in the reader's design, {show(mine, 'B')}. A "
            f"dotted line marks the {show(said_bytes(), 'B')} that Pope infers from prices."
        ),
        tables={
            "designs": {
                "name": names[1:],
                "design": [design(catalog.model(name)) for _, name in public],
                "bytes": [number for number, _ in public],
            },
            "all": {"name": names, "bytes": [mine, *(number for number, _ in public)]},
            "here": {"name": [YOURS], "bytes": [mine]},
            "mine": {"name": [MODELS[model]], "bytes": [chosen]},
            "guides": guides("bytes", {"Pope's estimate": said_bytes()}, 100, 1e8),
        },
        values={
            "yours": Value(mine, "B", "Kept by your design"),
            "read": Value(read, "B", "Read of it, by all layers"),
            "model": Value(chosen, "B", MODELS[model]),
            "ratio": Value(mine / chosen, "x", "Yours against it"),
            "said": Value(mine / said_bytes(), "x", "Yours against Pope's estimate"),
            "million": Value(1e6 * mine, "B", "Your cache of a million tokens"),
            "least": Value(least, "B", "Least, public models"),
            "most": Value(most, "B", "Most, public models"),
        },
        notes=_kv_notes(sharing, full, every, layers),
    )


def _of(name: str, size: float) -> float:
    return size * (catalog.model(name).kv_elements_per_token or math.nan)


def _design_words(layers: float, full: float, heads: float, shared: float) -> str:
    """The design in words, with its global layers and its sharing only where there is something to say."""
    what = f"{plain(layers, 4)} layer{'' if layers == 1 else 's'}"
    if full < layers:
        what += f", {plain(full, 4)} of them global,"
    what += f" with {plain(heads, 4)} key-value head{'' if heads == 1 else 's'}"
    return what + (f", one cache for {plain(shared, 4)}" if shared > 1 else "")


def _kv_notes(sharing: float, full: float, every: float, layers: float) -> list[str]:
    notes = []
    if sharing > full:
        notes.append(f"There are only {plain(full, 4)} global layers to share one cache.")
    if every > layers:
        notes.append("At least one layer is global here; without any, nothing would grow with the context.")
    return notes


def kv_chart() -> Any:
    """One row a model, sorted by what it keeps, and the reader's own design above them."""
    import altair as alt

    y = alt.Y("name:N", title=None, sort=None).axis(grid=True, labelOverlap=False, labelLimit=130)
    x = alt.X("bytes:Q", title="Cache of a token (bytes)").scale(type="log").axis(format="~s")
    rows = alt.Chart(alt.NamedData("all")).mark_point(opacity=0).encode(x=x, y=y)
    dots = (
        alt.Chart(alt.NamedData("designs"))
        .mark_point(size=90)
        .encode(
            x=x,
            y=y,
            color=alt.Color("design:N", title=None).legend(offset=6).scale(**look.series(*DESIGNS)),
            shape=alt.Shape("design:N", title=None).legend(offset=6).scale(**look.shapes(*DESIGNS)),
        )
    )
    here = alt.Chart(alt.NamedData("here")).mark_point(**look.HERE).encode(x=x, y=y)
    mine = alt.Chart(alt.NamedData("mine")).mark_point(shape="triangle-down", yOffset=-10, color=look.ACCENT, opacity=1)
    return guide_layer(alt, "bytes") + rows + dots + mine.encode(x=x, y=y) + here


def attended(*, model: str, context: float) -> Answer:
    """Operations of attention over those of the weights, against the context."""
    chosen = catalog.model(model)
    every = [catalog.model(name) for name in MODELS]
    contexts = reaching(CONTEXTS, context)
    shares = np.array([_decoded(each, contexts) for each in every])
    here = _decoded(chosen, context)
    crossing, prompt = overtaking(chosen), overtaking(chosen, prompt=True)
    crossings = [overtaking(each) for each in every]
    drawn = {"context": contexts, "decode": _decoded(chosen, contexts), "prompt": _prompted(chosen, contexts)}
    times = show(here, "x") if here >= 1 else f"{show(here, '%')} of"
    side = "overtakes them at" if context < crossing else "overtook them at"
    return Answer(
        finding=(
            f"At a context of {plain(context, 9)}, attention of {chosen.name} takes {times} the operations of the "
            f"weights; it {side} {show(crossing, 'tokens')}"
        ),
        description=(
            f"Line chart, both axes logarithmic: operations of attention over those with the weights, against the "
            f"context, for {chosen.name}. A token in decode crosses 1 at {show(crossing, 'tokens')}"
            + ("" if chosen.index_top_k else f", a whole prompt at {show(prompt, 'tokens')}")
            + f". A band covers {len(every)} public models, which cross between {show(min(crossings), 'tokens')} and "
            f"{show(max(crossings), 'tokens')}."
        ),
        tables={
            "curve": drawn | {"least": shares.min(axis=0), "most": shares.max(axis=0)},
            "ends": ends(drawn, "context", SHARES),
            "here": {"context": [context], "share": [here], "label": [show(here, "x" if here >= 1 else "%")]},
            "guides": guides(
                "context", {show(crossing, "tokens"): crossing, **_prompt_guide(chosen, prompt)}, 100, 1e8
            ),
            "equal": {"share": [1.0], "label": ["as much as the weights"]},
            "band": {
                "context": [contexts[BAND_NAMED]],
                "share": [shares.min(axis=0)[BAND_NAMED]],
                "label": [f"{len(every)} public models"],
            },
        },
        values={
            "here": Value(here, "x" if here >= 1 else "%", "Attention over weights"),
            "crossing": Value(crossing, "tokens", "A token overtakes at"),
            "first": Value(min(crossings), "tokens", "First of the public models"),
            "last": Value(max(crossings), "tokens", "Last of them"),
            "flops": Value(decode_flops(chosen, context), "FLOP", "Attention of a token"),
            "weights": Value(2 * chosen.active_params, "FLOP", "Weights of a token"),
        },
        notes=_attended_notes(model),
    )


def _decoded(model: Model, context: Quantity) -> Quantity:
    return attention.attention_to_weights(decode_flops(model, context), model.active_params)


def _prompted(model: Model, prompt: Quantity) -> Quantity:
    """The same for all tokens of a prompt together; not known where an index chooses, which a prompt builds too."""
    if model.index_top_k:
        return np.full_like(prompt, np.nan)
    weights = 2 * model.active_params * prompt
    return attention.prefill_flops(prompt, model.active_params, slope(model, prompt=True)) / weights - 1


def _prompt_guide(model: Model, prompt: float) -> dict[str, float]:
    return {} if model.index_top_k else {show(prompt, "tokens"): prompt}


def _attended_notes(name: str) -> list[str]:
    model = catalog.model(name)
    notes = ["Softmax, norms and rotations are left out; every operation is counted as if at one rate."]
    if model.kv_lora_rank:
        notes.append(
            "Latent attention: decode multiplies with the latent itself, a prompt with heads expanded from it."
        )
    if model.kv_lora_rank and not model.qk_nope_dim:
        notes.append(
            f"The widths of {model.name}'s expanded heads are those of DeepSeek-V3, whose attention it adopts."
        )
    if model.index_top_k:
        notes.append(
            f"{model.name} indexes every token and attends to {plain(model.index_top_k, 9)}; only decode is drawn."
        )
    return notes


def attended_chart() -> Any:
    """Straight lines that cross the level of the weights, in a band of public models."""
    import altair as alt

    curve = alt.Chart(alt.NamedData("curve"))
    x = alt.X("context:Q", title="Context (tokens)").scale(type="log").axis(format="~s")
    y = alt.Y("share:Q", title="Attention over weights (operations)").scale(type="log", clamp=True, domain=[1e-3, 1e5])
    band = curve.mark_area(color=look.MUTED, fillOpacity=0.14, line=False).encode(x=x, y="least:Q", y2="most:Q")
    level = alt.Chart(alt.NamedData("equal")).encode(y="share:Q")
    roomy = alt.expr(f"width > {ROOMY} ? 1 : 0")
    words: dict[str, Any] = {"align": "right", "color": look.MUTED, "fontSize": 11.5, "opacity": roomy}
    text = level.mark_text(baseline="bottom", x="width", dx=-4, dy=-3, **words)
    equal = level.mark_rule(strokeDash=[2, 3]) + text.encode(text="label:N")
    of_band = alt.Chart(alt.NamedData("band")).encode(x="context:Q", y="share:Q", text="label:N")
    band += of_band.mark_text(baseline="top", dx=-2, dy=6, **words)
    lines = labelled_lines(
        alt,
        SHARES,
        x,
        y.axis(format=",~g", values=[1e-3, 1e-2, 0.1, 1, 10, 100, 1000, 1e4, 1e5]),
        clip=True,
    )
    here = here_layer(alt, "context", "share", label="label")
    return band + equal + guide_layer(alt, "context") + lines + here


KV = Figure(
    name="memory_wall/kv",
    inputs=(MODEL, PRECISION, LAYERS, HEADS, WIDTH, EVERY, SHARING),
    compute=kv,
    chart=kv_chart,
    table="all",
    columns={"name": "Model", "bytes": "Cache of a token (B)"},
    assumptions=(
        "Only layers whose cache grows with the context are counted. One byte a number, or two in BF16.",
        "Layers that share a cache keep it once, and each of them reads it.",
        "Pope's estimate takes a byte for each weight; at another width it moves with it.",
    ),
    sources=("lecture", "deepseek-v3-config", "llama-models", "qwen3-paper", "gpt-oss-repo", "kimi-k2-repo"),
)

ATTENDED = Figure(
    name="memory_wall/attended",
    inputs=(MODEL, CONTEXT),
    compute=attended,
    chart=attended_chart,
    table="curve",
    columns={"context": "Context (tokens)", "decode": "A token, decoded", "prompt": "A prompt of that length"},
    assumptions=(
        "The weights take two operations for each active parameter.",
        "The band shows decode of all public models of the catalogue whose geometry is known.",
    ),
    sources=("lecture", "deepseek-v3-config", "deepseek-v3.2-repo", "llama-models", "qwen3-paper", "gpt-oss-repo"),
)

FIGURES = (KV, ATTENDED)
