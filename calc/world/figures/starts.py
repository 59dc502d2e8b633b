"""Memory that engines print when they start, over what the course counts: weights of a GPU, and cache of a token."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from calc import catalog
from calc.catalog.starts import engine_starts
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import plain, show
from calc.world.starts import GIB, Started, started, with_cache, with_weights
from calc.world.training import middle

ENGINES = {"vllm": "vLLM", "sglang": "SGLang", "trtllm": "TensorRT-LLM"}
NEAR = 0.03
WINDOWED, INDEXED, POOLED, SHARED = "gpt-oss-120b", "glm-5", "deepseek-v4-flash", "qwen3-235b-a22b"
SELECTING = ("deepseek-v3.2", INDEXED)  # with an index beside a latent
COLUMNS = {
    "named": "Model, as it is called there",
    "engine": "Engine",
    "layout": "Layout",
    "formats": "Weights, cache",
}


def layout(each: Started) -> str:
    """How a model lies on its GPUs, in the letters of the engines."""
    row = each.row
    parts = (("TP", row.tensor), ("PP", row.stages), ("DP", row.groups))
    return " ".join(f"{name}{count}" for name, count in parts if count > 1) or "one GPU"


def _table(rows: Sequence[Started], over: Callable[[Started], float]) -> dict[str, list[Any]]:
    return {
        "model": [catalog.model(each.row.model).name for each in rows],
        "named": [each.row.named for each in rows],
        "engine": [ENGINES[each.row.engine] for each in rows],
        "layout": [layout(each) for each in rows],
        "formats": [f"{each.row.weights}, {each.row.cache}".upper() for each in rows],
        "over": [100 * over(each) for each in rows],
    }


def _spread(rows: Sequence[Started], over: Callable[[Started], float]) -> tuple[list[Started], int]:
    """The rows, models that are farthest off last, and how many of them are near."""
    names = {each.row.model for each in rows}
    off = {name: abs(middle(over(each) for each in rows if each.row.model == name) - 1) for name in names}
    found = sorted(rows, key=lambda each: (off[each.row.model], each.row.model, over(each)))
    return found, sum(abs(over(each) - 1) <= NEAR for each in rows)


def _words(rows: Sequence[Started], over: Callable[[Started], float]) -> str:
    names = list(dict.fromkeys(each.row.model for each in rows))
    return " ".join(
        f"{catalog.model(name).name}: "
        + " to ".join(dict.fromkeys(show(share, "%", 3) for share in (min(found), max(found))))
        + "."
        for name in names
        for found in [[over(each) for each in rows if each.row.model == name]]
    )


def weights() -> Answer:
    """Weights that a GPU holds, printed over counted."""
    rows, near = _spread(with_weights(started()), _weights_over)
    middles = middle(map(_weights_over, rows))
    padded, edition = (
        sorted(_weights_over(each) for each in rows if each.row.model == name) for name in (WINDOWED, INDEXED)
    )
    return Answer(
        finding=(
            f"Weights of {plain(near)} of {plain(len(rows))} starts take what is counted, within {show(NEAR, '%')}; "
            f"those of the middle one {show(middles, '%', 4)} of it"
        ),
        description=(
            "Strip plot, a row for each model and a mark for each start: weights of a GPU as the engine printed them, "
            "over those counted. " + _words(rows, _weights_over)
        ),
        tables={
            "starts": _table(rows, _weights_over)
            | {
                "printed": [each.row.weights_gib for each in rows],
                "counted": [each.weights_gib for each in rows],
            },
        },
        values={
            "all": Value(len(engine_starts()), "", "Starts in the table", 3),
            "starts": Value(len(rows), "", "Starts that print weights", 3),
            "models": Value(len({each.row.model for each in rows}), "", "of so many models", 2),
            "near": Value(near, "", "Within three hundredths", 3),
            "most": Value(max(map(_weights_over, rows)), "%", "Most", 4),
            "padded_width": Value(catalog.model(WINDOWED).known("d_model"), "", "Width of gpt-oss-120b", 4),
            "padded_low": Value(padded[0], "%", "gpt-oss-120b, least", 4),
            "padded_high": Value(padded[-1], "%", "gpt-oss-120b, most", 4),
            "edition_low": Value(edition[0], "%", "GLM-5 in NVFP4, least", 4),
            "edition_high": Value(edition[-1], "%", "GLM-5 in NVFP4, most", 4),
            "aside": Value(_weights_over(kept_wide()), "%", "Llama 3.1 405B, set aside", 4),
        },
    )


def tokens() -> Answer:
    """Cache of a token, printed over counted."""
    rows, near = _spread(with_cache(started()), _token_over)
    over = {name: [_token_over(each) for each in rows if each.row.model == name] for name in (WINDOWED, POOLED)}
    wide = next(each for each in rows if each.row.model == INDEXED and each.row.cache == "bf16")
    scaled = [_token_over(each) for each in rows if each.row.model in SELECTING and each.row.cache == "fp8"]
    split = sorted(each.row.context for each in rows if each.row.model == INDEXED and each.row.engine == "vllm")
    tokens_of = {each.row.context: each.room_tokens for each in rows if each.row.model == INDEXED}
    rooms = sorted(each.room_gib for each in rows if each.row.model == SHARED)
    window = catalog.model(WINDOWED).known("sliding_window")
    return Answer(
        finding=(
            f"A token's cache takes what is counted in {plain(near)} of {plain(len(rows))} starts, within "
            f"{show(NEAR, '%')}; in one it takes {show(max(over[WINDOWED]), 'x')}, in one "
            f"{show(max(over[POOLED]), 'x', 2)}"
        ),
        description=(
            "Strip plot, a row for each model and a mark for each start: room for caches on a GPU over the tokens that "
            "it is for, as the engine printed both, over the bytes counted. " + _words(rows, _token_over)
        ),
        tables={
            "starts": _table(rows, _token_over)
            | {
                "printed": [each.row.tokens for each in rows],
                "counted": [each.token_bytes for each in rows],
            },
        },
        values={
            "starts": Value(len(rows), "", "Starts that print room and tokens", 3),
            "models": Value(len({each.row.model for each in rows}), "", "of so many models", 2),
            "near": Value(near, "", "Within three hundredths", 3),
            "scales": Value(middle(scaled) - 1, "%", "Scales beside an index", 2),
            "window": Value(window, "tokens", "Window of gpt-oss-120b", 3),
            "windowed": Value(max(over[WINDOWED]), "x", "gpt-oss-120b", 3),
            "pools": Value(max(over[POOLED]), "x", "DeepSeek-V4-Flash", 2),
            "index_narrow": Value(_token_over(wide), "%", "GLM-5 with a cache in BF16", 4),
            "index_wide": Value(_token_over(wide) * wide.token_bytes / as_wide(wide), "%", "Were its index in BF16", 3),
            "less_room": Value(rooms[0] * GIB, "B", "Qwen3-235B in vLLM, room for caches"),
            "more_room": Value(rooms[1] * GIB, "B", "Qwen3-235B in SGLang, room for caches"),
            "split": Value(tokens_of[split[-1]] / tokens_of[split[0]], "x", "Tokens, split in eight over whole", 3),
        },
    )


def kept_wide() -> Started:
    """The start that is set aside because its maker kept attention in 16 bits."""
    return Started(next(row for row in engine_starts() if row.set_aside == "attention in 16 bits"))


def as_wide(each: Started) -> float:
    """Bytes that a token would keep if index keys were as wide as the rest."""
    number = each.setting.precisions.cache_bytes
    return each.token_bytes + sum(
        float(group.count * (group.attention.index_dim * number - group.attention.index_bytes))
        for group in each.setting.model.layers
    )


def _weights_over(each: Started) -> float:
    return each.weights_over


def _token_over(each: Started) -> float:
    return each.token_over


def strip_chart() -> Any:
    """A row of marks for each model, and a rule at the count."""
    import altair as alt

    names = list(ENGINES.values())
    scale: dict[str, Any] = {"type": "log", "nice": False, "zero": False, "padding": 14}
    legend = alt.Legend(columns=3)
    counted = (
        alt.Chart(alt.NamedData("starts"))
        .mark_rule(color=look.INK, strokeDash=[2, 3])
        .encode(x=alt.XDatum(100).scale(**scale))
    )
    dots = (
        alt.Chart(alt.NamedData("starts"))
        .mark_point(size=75, filled=True, opacity=0.85)
        .encode(
            x=alt.X("over:Q", title="Printed over counted, %").scale(**scale),
            y=alt.Y("model:N", title=None, sort=None).axis(grid=True),
            color=alt.Color("engine:N", title=None, legend=legend).scale(domain=names, range=look.RUNS[: len(names)]),
            shape=alt.Shape("engine:N", title=None, legend=legend).scale(
                domain=names, range=look.RUN_SHAPES[: len(names)]
            ),
        )
    )
    return counted + dots


SOURCES = tuple(dict.fromkeys(row.source for row in engine_starts()))
FIGURES = (
    Figure(
        name="world/starts-weights",
        compute=weights,
        chart=strip_chart,
        table="starts",
        columns=COLUMNS | {"printed": "Printed (GiB)", "counted": "Counted (GiB)", "over": "Printed over counted (%)"},
        assumptions=(
            "Head and embeddings are in 16 bits, all else in the format that the start names, with its scales.",
            "Norms are not counted; the stages of a row are taken to hold equal shares.",
        ),
        sources=SOURCES,
    ),
    Figure(
        name="world/starts-tokens",
        compute=tokens,
        chart=strip_chart,
        table="starts",
        columns=COLUMNS | {"printed": "Tokens, printed", "counted": "Counted (B)", "over": "Printed over counted (%)"},
        assumptions=(
            "Heads are split over GPUs as far as they go; a latent lies whole on each.",
            "A token of a long context is counted: layers with a window add nothing.",
        ),
        sources=SOURCES,
    ),
)
