"""Lecture 4 in pictures: what limits attention, reading its cache or multiplying with it."""

from __future__ import annotations

from typing import Any

from calc import batching, catalog
from calc.catalog import Model
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import DECADES, HALO, guide_layer, guides
from calc.figure.inputs import Choice, Number
from calc.figure.named import first_of
from calc.figure.scenario import MODEL, MODELS, PRECISION, SYSTEM
from calc.memory_wall.figures.setting import design, multiplies_per_number, slope
from calc.memory_wall.figures.shared import attention_ratio, dots_by_design, tokens
from calc.quantities.units import bytes_per_element, show
from calc.setting import Scenario

FORMATS = {"fp8": ("fp8", "fp8"), "mixed": ("fp8", "bf16"), "bf16": ("bf16", "bf16")}
READING, MULTIPLYING = "reading", "multiplying"

ATTENTION = Choice(
    name="attention",
    label="Cache and attention",
    default="fp8",
    options={"fp8": "both in FP8", "mixed": "FP8 cache, BF16 attention", "bf16": "both in BF16"},
    help="How the cache is stored and in which format queries are multiplied with it; the weights have their own.",
)
DRAFTS = Number(
    name="drafts",
    label="Draft tokens",
    default=0,
    low=0,
    high=7,
    whole=True,
    help="Guessed for each sequence and checked with its next token, in one pass over its cache.",
)


def reuse_of(model: Model, stored: str, drafts: float = 0.0) -> float:
    """Multiplications for each byte of the cache that a pass reads."""
    return multiplies_per_number(model, 1 + drafts) / bytes_per_element(stored)


def critical(where: Scenario, attention: str, drafts: float = 0.0) -> float:
    """Context from which on no batch of decoding is limited by arithmetic, that of attention counted at its own rate.

    Each of a pass's tokens brings its products with the weights and with the cache, which is read once for all of them.
    """
    stored, products = FORMATS[attention]
    passed = 1 + drafts
    slower = where.chip.flops(where.precision) / where.chip.flops(products)
    return batching.critical_context(
        passed * where.model.active_params,
        where.model.kv_bytes_per_token(stored),
        where.flops,
        where.bandwidth,
        passed * slower * slope(where.model),
    )


def reuse(*, model: str, system: str, precision: str, attention: str, drafts: float) -> Answer:
    """The operations of public models for each byte of cache that they read, beside those that a chip can do."""
    where = Scenario.named(model, system, precision)
    stored, products = FORMATS[attention]
    ratio = attention_ratio(where, products)
    rows = sorted((reuse_of(catalog.model(name), stored, drafts), name) for name in MODELS)
    mine = reuse_of(where.model, stored, drafts)
    limit = MULTIPLYING if mine > ratio else READING
    most = critical(where, attention, drafts)
    beyond = sum(each > ratio for each, _ in rows)
    can = f"{where.chip.name} can make {show(ratio)}"
    times = "once" if mine == 1 else f"{show(mine)} times"
    return Answer(
        finding=(
            f"Attention of {where.model.name} multiplies {times} for each byte of cache, and {can}: {limit} limits it "
            "at rated speeds"
        ),
        description=(
            f"Dot chart, multiplications on a logarithmic axis: how often attention multiplies for each byte that it "
            f"reads from the cache, in {len(rows)} public models with {tokens(1 + drafts)} at once, from "
            f"{show(rows[0][0])} to {show(rows[-1][0])}. A dotted line marks the {show(ratio)} that the chip makes in "
            f"the time of reading a byte; {beyond} of the models lie beyond it."
        ),
        tables={
            "models": {
                "name": [MODELS[name] for _, name in rows],
                "design": [design(catalog.model(name)) for _, name in rows],
                "reuse": [each for each, _ in rows],
            },
            "named": first_of(
                [(MODELS[name], each, design(catalog.model(name))) for each, name in rows], skip=MODELS[model]
            ),
            "here": {"name": [MODELS[model]], "reuse": [mine], "said": [show(mine)]},
            "guides": guides("reuse", {"the chip's ratio": ratio}, 0.1, 1e5),
        },
        values={
            "reuse": Value(mine, "", "Multiplications for each byte"),
            "ratio": Value(ratio, "", "The chip makes meanwhile"),
            "share": Value(mine / ratio, "x", "Multiplying over reading"),
            "critical": Value(most, "tokens", "Critical context", endless="there is none"),
            "beyond": Value(beyond, "models", "Limited by multiplying"),
        },
        notes=where.notes(),
    )


def reuse_chart() -> Any:
    """One row a model; the chip's ratio parts those that wait for memory from those that wait for arithmetic."""
    import altair as alt

    x = (
        alt.X("reuse:Q", title="Multiplications for each byte of cache")
        .scale(type="log")
        .axis(format="~s", values=DECADES)
    )
    y = alt.Y("name:N", title=None, sort=None).axis(grid=True, labelOverlap=False, labelFontSize=11, labelLimit=130)
    dots = dots_by_design(alt, "models", x, y)
    here = alt.Chart(alt.NamedData("here")).encode(x=x, y=y)
    said: dict[str, Any] = {"align": "right", "dx": -11, "fontSize": 13, "fontWeight": 600}
    halo = here.mark_text(**said, **HALO).encode(text="said:N")
    text = halo + here.mark_text(**said, color=look.ACCENT).encode(text="said:N")
    return guide_layer(alt, "reuse", top="height / 6") + dots + here.mark_point(**look.HERE) + text


REUSE = Figure(
    name="memory_wall/reuse",
    inputs=(MODEL, SYSTEM, PRECISION, ATTENTION, DRAFTS),
    compute=reuse,
    chart=reuse_chart,
    table="models",
    columns={"name": "Model", "design": "Design", "reuse": "Multiplications for each byte of cache"},
    assumptions=(
        "Layers that attend to the whole context. The cache is read once for a sequence and its drafts.",
        "Latent attention decodes with the latent itself; every chip of the sequence reads it once.",
    ),
    sources=("lecture", "deepseek-v3-config", "llama-models", "qwen3-paper", "gpt-oss-repo", "kimi-k2-repo"),
)

FIGURES = (REUSE,)
