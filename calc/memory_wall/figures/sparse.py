"""Lecture 4 in pictures: what attention reads when it chooses, and how that grows with the context."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import here_layer, reaching
from calc.figure.inputs import Number
from calc.figure.line_names import ends, labelled_lines
from calc.figure.scenario import CONTEXT
from calc.memory_wall import sparse_attention
from calc.memory_wall.figures.shared import tokens
from calc.quantities.check import Quantity
from calc.quantities.units import plain, show

CONTEXTS = np.logspace(2, 8, 73)
READS = {"full": "everything", "fixed": "your blocks", "best": "best blocks", "indexed": "index"}
INDEXED = catalog.model("deepseek-v3.2")

BLOCK = Number(
    name="block",
    label="Block",
    default=64,
    low=1,
    high=100_000,
    unit="tokens",
    log=True,
    whole=True,
    help="Tokens that share one summary. The best length is drawn beside yours.",
)
KEPT_BLOCKS = Number(
    name="blocks",
    label="Blocks kept",
    default=16,
    low=1,
    high=10_000,
    log=True,
    whole=True,
    help="Blocks that a token reads after it has seen all summaries.",
)
KEPT = Number(
    name="kept",
    label="Tokens kept",
    default=INDEXED.known("index_top_k"),
    low=1,
    high=1e6,
    unit="tokens",
    log=True,
    whole=True,
    help="Tokens that an index lets through; DeepSeek-V3.2's number at first.",
)
INDEX = Number(
    name="index",
    label="Index",
    default=INDEXED.known("index_key_bytes"),
    low=1,
    high=INDEXED.known("attended_kv_bytes"),
    unit="bytes a token",
    log=True,
    whole=True,
    help="What one layer stores of each token in order to choose; DeepSeek-V3.2's at first.",
)


def sparse(*, context: float, block: float, blocks: float, kept: float, index: float) -> Answer:
    """Tokens' worth of cache that a new token reads, by way of choosing."""
    contexts = reaching(CONTEXTS, context)
    ways = {key: _reads(key, contexts, block, blocks, kept, index) for key in READS}
    here, double = (
        {key: float(_reads(key, at, block, blocks, kept, index)) for key in READS} for at in (context, 2 * context)
    )
    best = float(np.maximum(1.0, sparse_attention.best_block(context, blocks)))
    return Answer(
        finding=(
            f"Of {tokens(context)}, an index reads the equivalent of {plain(here['indexed'])}, blocks of "
            f"your length {plain(here['fixed'])}, and blocks of the best length {plain(here['best'])}"
        ),
        description=(
            f"Line chart, both axes logarithmic: tokens' worth of cache that one layer reads for a new token, against "
            f"the context. Full attention rises in proportion. Blocks of {tokens(block)} and the index turn "
            f"proportional again for long contexts; blocks of the best length, {show(best, 'tokens')} here, rise with "
            f"the square root."
        ),
        tables={
            "curve": {"context": contexts, **ways},
            "ends": ends({"context": contexts, **ways}, "context", READS),
            "here": {
                "context": [context],
                "tokens": [here["indexed"]],
                "most": [max(here.values())],
                "label": [plain(here["indexed"])],
            },
        },
        values={
            "saving": Value(context / here["indexed"], "x", "Saved by the index"),
            "limit": Value(INDEXED.known("attended_kv_bytes") / index, "x", "Saved by it at most"),
            "best_saving": Value(context / here["best"], "x", "Saved by the best blocks"),
            "best": Value(best, "tokens", "Best block"),
            "twice_indexed": Value(double["indexed"] / here["indexed"], "x", "Index, twice the context"),
            "twice_fixed": Value(double["fixed"] / here["fixed"], "x", "Your blocks, twice the context"),
            "twice_best": Value(double["best"] / here["best"], "x", "Best blocks, twice the context"),
        },
        notes=_notes(context, here, kept),
    )


def _reads(way: str, context: Quantity, block: float, blocks: float, kept: float, index: float) -> Quantity:
    whole = INDEXED.known("attended_kv_bytes")
    if way == "full":
        return context
    if way == "fixed":
        return sparse_attention.block_reads(context, block, blocks)
    if way == "best":
        best = np.maximum(1.0, sparse_attention.best_block(context, blocks))
        return sparse_attention.block_reads(context, best, blocks)
    return sparse_attention.indexed_bytes(context, index_bytes=index, kept_tokens=kept, kv_bytes=whole) / whole


def _notes(context: float, here: dict[str, float], kept: float) -> list[str]:
    notes = [
        f"The cache of a token is DeepSeek-V3.2's, {show(INDEXED.known('attended_kv_bytes'), 'B')} a layer as stored."
    ]
    if context <= kept:
        notes.append("The index lets every token through here, and is read in addition.")
    elif here["indexed"] >= context:
        notes.append("Index and chosen tokens are more than everything here: full attention would read less.")
    return notes


def sparse_chart() -> Any:
    """Four ways: slope one, slope one lower down, slope one half, and a constant that turns into slope one."""
    import altair as alt

    lines = labelled_lines(
        alt,
        READS,
        alt.X("context:Q", title="Context (tokens)").scale(type="log").axis(format="~s"),
        alt.Y("tokens:Q", title="Cache read (tokens' worth)").scale(type="log").axis(format="~s"),
    )
    return lines + here_layer(alt, "context", "tokens", label="label", over="most")


SPARSE = Figure(
    name="memory_wall/sparse",
    inputs=(CONTEXT, BLOCK, KEPT_BLOCKS, KEPT, INDEX),
    compute=sparse,
    chart=sparse_chart,
    table="curve",
    columns={
        "context": "Context (tokens)",
        "full": "Everything",
        "fixed": "Blocks, your length",
        "best": "Blocks, best length",
        "indexed": "Index",
    },
    assumptions=(
        "A block's summary is as large as the cache of one token. Ranking takes no time.",
        "Nothing is said of what is lost by not reading the rest.",
    ),
    foremost=4,
    sources=("lecture", "deepseek-v3.2-repo", "deepseek-v3.2-paper"),
)

FIGURES = (SPARSE,)
