"""Lecture 4 in pictures: the context at which attention outweighs the weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import catalog
from calc.catalog import Model
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import guide_layer, guides, here_layer, reaching
from calc.figure.line_names import ends, labelled_lines
from calc.figure.scenario import CONTEXT, MODEL, MODELS
from calc.memory_wall import attention
from calc.memory_wall.figures.setting import decode_flops, overtaking, slope
from calc.quantities.check import Quantity
from calc.quantities.units import plain, show

CONTEXTS = np.logspace(2, 8, 61)
ROOMY = 300  # pixels of a frame that has room for more words than the lines' names
SHARES = {"decode": "decode", "prompt": "prompt"}


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
            "band": {"label": [f"grey: {len(every)} public models"]},
        },
        values={
            "here": Value(here, "x" if here >= 1 else "%", "Attention over weights"),
            "crossing": Value(crossing, "tokens", "A token overtakes at"),
            "first": Value(min(crossings), "tokens", "First of the public models"),
            "last": Value(max(crossings), "tokens", "Last of them, indexed ones too"),
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
    y = alt.Y("share:Q", title="Operations of attention over those of weights").scale(
        type="log", clamp=True, domain=[1e-3, 1e5]
    )
    band = curve.mark_area(color=look.MUTED, fillOpacity=0.14, line=False).encode(x=x, y="least:Q", y2="most:Q")
    level = alt.Chart(alt.NamedData("equal")).encode(y="share:Q")
    roomy = alt.expr(f"width > {ROOMY} ? 1 : 0")
    words: dict[str, Any] = {"align": "right", "color": look.MUTED, "fontSize": 11.5, "opacity": roomy}
    text = level.mark_text(baseline="bottom", x="width", dx=-4, dy=-3, **words)
    equal = level.mark_rule(strokeDash=[2, 3]) + text.encode(text="label:N")
    corner: dict[str, Any] = {"x": "width", "y": "height", "dx": -4, "dy": -7, "baseline": "bottom", "opacity": 1}
    band += alt.Chart(alt.NamedData("band")).mark_text(**words | corner).encode(text="label:N")
    lines = labelled_lines(
        alt,
        SHARES,
        x,
        y.axis(format=",~g", values=[1e-3, 1e-2, 0.1, 1, 10, 100, 1000, 1e4, 1e5]),
        clip=True,
    )
    here = here_layer(alt, "context", "share", label="label")
    return band + equal + guide_layer(alt, "context") + lines + here


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
    foremost=4,
    sources=("lecture", "deepseek-v3-config", "deepseek-v3.2-repo", "llama-models", "qwen3-paper", "gpt-oss-repo"),
)


FIGURES = (ATTENDED,)
