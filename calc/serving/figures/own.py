"""Lecture 8 in pictures: the model itself, from the catalogue or described by the reader, and where its weights are."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import CONTEXT, PRECISION
from calc.quantities.units import plain, show
from calc.serving.figures.setting import MACHINE, MODEL, OWN, SYSTEM, TEXT, chosen, described, own_model
from calc.setting import Architecture, Layers, Setting, quantization
from calc.setting.configured import Configured
from calc.setting.described import fields, file, line
from calc.setting.stated import Stated, in_lines, one_line

PARTS = ("Attention", "Feed-forward", "Shared experts", "Routed experts", "Routers", "Head", "Embeddings")
LABELS = {
    "num_hidden_layers": "Layers",
    "hidden_size": "Width of the model",
    "vocab_size": "Vocabulary",
    "num_attention_heads": "Attention heads",
    "num_key_value_heads": "Key-value heads",
    "head_dim": "Width of a head",
    "kv_lora_rank": "Width of the latent",
    "q_lora_rank": "Width of the query’s latent",
    "o_lora_rank": "Width of the output’s latent",
    "o_groups": "Groups of heads of the output",
    "qk_nope_head_dim": "Key of a head, without position",
    "qk_rope_head_dim": "Key with position",
    "v_head_dim": "Value of a head",
    "sliding_window": "Window, in tokens",
    "intermediate_size": "Feed-forward width",
    "first_k_dense_replace": "Dense layers before the experts",
    "num_experts": "Routed experts",
    "n_routed_experts": "Routed experts",
    "num_local_experts": "Routed experts",
    "num_experts_per_tok": "Experts that a token uses",
    "n_group": "Groups of experts",
    "topk_group": "Groups of a token",
    "moe_intermediate_size": "Width of an expert",
    "n_shared_experts": "Shared experts",
    "shared_expert_intermediate_size": "Width of the shared expert",
    "index_n_heads": "Heads of the index",
    "index_head_dim": "Width of an index key",
    "index_topk": "Tokens that the index selects",
    "full_attention_interval": "Every n-th layer has full attention",
    "decoder_sparse_step": "Every n-th layer has experts",
    "linear_num_key_heads": "Linear layers: key heads",
    "linear_key_head_dim": "Linear layers: width of a key",
    "linear_num_value_heads": "Linear layers: value heads",
    "linear_value_head_dim": "Linear layers: width of a value",
    "linear_conv_kernel_dim": "Linear layers: convolution",
}
"""Fields of a configuration that are numbers, in the order of a form, as people call them."""


def own(*, model: str, own: str, system: str, machine: str, precision: str, context: float) -> Answer:
    """The parts of the chosen model, what a token uses of them, and what it keeps."""
    setting, stated = described(model, own, system, precision, machine), chosen(system, machine)
    shape, rows = setting.model, _parts(setting.model)
    most = max(rows, key=lambda name: rows[name][0])
    total, active, per_token = shape.params, shape.active_params, setting.kept_bytes_per_token
    return Answer(
        finding=(
            f"{shape.name} has {show(total)} parameters, uses {show(active)} of them for a token, and keeps "
            f"{show(per_token, 'B')} a token"
        ),
        description=(
            f"Bars: the parameters of {shape.name} by part, and how many of them a token uses. Most are in "
            f"{most.lower()}, {show(rows[most][0])} of {show(total)}; of all parts a token uses {show(active)}."
        ),
        tables={
            "parts": {
                "part": list(rows),
                "total": [total for total, _ in rows.values()],
                "active": [active for _, active in rows.values()],
                "said": [_said(*numbers) for numbers in rows.values()],
            },
            **_description(own),
            "machine": _machine(stated),
        },
        values={
            "total": Value(total, "", "Parameters"),
            "active": Value(active, "", "Active parameters"),
            "layers": Value(shape.layer_count, "", "Layers"),
            "weights": Value(setting.weight_bytes, "B", "Weights"),
            "token": Value(per_token, "B", "Kept for one more token of a long context"),
            "sequence": Value(setting.kept_bytes(context), "B", "Kept for the input of a sequence"),
            "chips": Value(_least_chips(setting), "", "Chips whose memory holds the weights"),
            "power": Value(_power(setting, stated), "W", "Power of the chips that write together", endless="not known"),
        },
        notes=[*_layers(shape), *(own_model(own).assumed if model == OWN else ())],
    )


def _parts(shape: Architecture) -> dict[str, tuple[float, float]]:
    """Parameters and active ones of each part that the model has."""
    found = dict.fromkeys(PARTS, (0.0, 0.0))

    def add(part: str, total: Any, active: Any) -> None:
        found[part] = (found[part][0] + total, found[part][1] + active)

    for group in shape.layers:
        n, part = group.count, group.feed_forward
        add("Attention", n * group.attention.params, n * group.attention.params)
        add("Shared experts" if part.routed else "Feed-forward", n * part.shared, n * part.shared)
        add("Routed experts", n * part.experts * part.expert, n * part.experts_per_token * part.expert)
        add("Routers", n * part.router, n * part.router)
    add("Head", shape.head_params, shape.head_params)
    add("Embeddings", shape.embedding_params, 0.0)
    return {name: numbers for name, numbers in found.items() if numbers[0]}


def _said(total: float, active: float) -> str:
    return show(total) if active == total else f"{show(active)} of {show(total)}"


def _least_chips(setting: Setting) -> float:
    return float(-(-float(setting.weight_bytes) // float(setting.machine.hbm_bytes)))


def _power(setting: Setting, stated: Stated) -> float:
    return math.inf if math.isnan(stated.watts) else float(setting.layout.chips * stated.watts)


def _layers(shape: Architecture) -> Iterator[str]:
    """A sentence for each kind of layer."""
    for group in shape.layers:
        yield f"{plain(group.count)} layer{'s' * (group.count != 1)}: {_attends(group)}, {_feeds(group)}."


def _attends(group: Layers) -> str:
    at = group.attention
    if at.window:
        return f"{at.kind} attention over a window of {plain(at.window)}"
    return f"{at.kind} attention"


def _feeds(group: Layers) -> str:
    part = group.feed_forward
    if not part.routed:
        return f"a feed-forward part of width {plain(part.shared_hidden, 6)}"
    return f"{plain(part.experts_per_token)} of {plain(part.experts)} experts"


def _remarks(found: Configured, given: Mapping[str, Any]) -> str:
    """The parts of the reader's text that were read, those that were not, and how its weights are stored."""
    read = f"Read: {len(found.counted)} fields that count."
    unread = f"Not read, and perhaps of meaning: {', '.join(found.unread)}." if found.unread else ""
    return " ".join(each for each in (read, unread, quantization.said(given)) if each)


def _description(text: str) -> Mapping[str, Mapping[str, list[Any]]]:
    """The reader's text as a line, as a file, and as the fields of a form, for the page to show."""
    found = own_model(text)
    counted, given = found.counted, fields(text)
    named = {name: label for name, label in LABELS.items() if name in counted}
    return {
        "own": {
            "line": [line(counted)],
            "file": [file(counted)],
            "remark": [_remarks(found, given)],
            "precision": [quantization.stored(given)],
        },
        "own_fields": {
            "name": list(named),
            "label": list(named.values()),
            "number": [counted[name] for name in named],
        },
    }


def _machine(found: Stated) -> dict[str, list[str]]:
    """The facts of the chosen system in one line and in many, and those that were not read."""
    unread = f"Not read: {', '.join(found.unread)}." if found.unread else ""
    rent = " Rent is an input of each figure that counts money." if "rent" in found.unread else ""
    return {"line": [one_line(found)], "file": [in_lines(found)], "remark": [unread + rent]}


def own_chart() -> Any:
    """A bar for each part, faint for all of it and full for what a token uses."""
    import altair as alt

    y = alt.Y("part:N", title=None, sort=None).axis(ticks=False, labelLimit=160)
    title = "Parameters; the full part of a bar is what a token uses"
    x = alt.X("total:Q", title=title).axis(labelExpr="replace(format(datum.value, '~s'), 'G', 'B')", tickCount=5)
    parts = alt.Chart(alt.NamedData("parts")).encode(y=y)
    whole = parts.mark_bar(color=look.FAINT).encode(x=x)
    used = parts.mark_bar(color=look.WEIGHTS).encode(x="active:Q")
    said = parts.mark_text(align="left", dx=6, color=look.INK, fontSize=12).encode(x="total:Q", text="said:N")
    return (whole + used + said).properties(height=220)


MODEL_FIGURE = Figure(
    name="serving/own",
    inputs=(MODEL, SYSTEM, PRECISION, CONTEXT, TEXT, MACHINE),
    compute=own,
    chart=own_chart,
    table="parts",
    columns={"part": "Part", "total": "Parameters", "active": "That a token uses"},
    assumptions=(
        "Norms, biases, sinks and rotations are left out. Embeddings are held and looked up, never read whole.",
        "A field that a file leaves out is what the library that reads such files takes it to be, and is said.",
    ),
    sources=("lecture",),
)

FIGURES = (MODEL_FIGURE,)
