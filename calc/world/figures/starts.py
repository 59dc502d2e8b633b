"""Memory that engines print when they start, over what the course counts: weights of a GPU, and cache of a token."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from calc import catalog
from calc.catalog.starts import engine_starts
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import plain, show
from calc.world.figures.strip import strip
from calc.world.starts import GIB, Started, started, with_cache, with_weights
from calc.world.training import middle

ENGINES = {"vllm": "vLLM", "sglang": "SGLang", "trtllm": "TensorRT-LLM"}
NEAR, NEARER = 0.03, 0.002
WINDOWED, INDEXED, POOLED, SHARED = "gpt-oss-120b", "glm-5", "deepseek-v4-flash", "qwen3-235b-a22b"
SELECTING = ("deepseek-v3.2", INDEXED)  # with an index beside a latent
COLUMNS = {
    "named": "Model, as it is called there",
    "engine": "Engine",
    "layout": "Layout",
    "formats": "Weights, cache",
}


@dataclass(frozen=True)
class Compared:
    """Starts, and how much each printed over what is counted for it."""

    rows: list[Started]
    over: Callable[[Started], float]

    def of(self, *models: str, cache: str = "") -> list[float]:
        """Printed over counted, of some models, with a cache in one format or in any; the least first."""
        return sorted(self.over(each) for each in self.rows if each.row.model in models and cache in each.row.cache)

    @property
    def models(self) -> list[str]:
        """Models, those whose middle is nearest to the count first."""
        names = {each.row.model for each in self.rows}
        return sorted(names, key=lambda name: (abs(middle(self.of(name)) - 1), name))

    @property
    def near(self) -> int:
        """Starts that are near to the count."""
        return sum(abs(self.over(each) - 1) <= NEAR for each in self.rows)

    def words(self) -> str:
        """The range of each model."""
        return " ".join(
            f"{catalog.model(name).name}: "
            + " to ".join(dict.fromkeys(show(share, "%", 3) for share in (found[0], found[-1])))
            + "."
            for name in self.models
            for found in [self.of(name)]
        )

    def table(self, printed: str, counted: str) -> dict[str, list[Any]]:
        """A line for each start: its model, its layout, and what was printed and counted, by name."""
        place = {name: at for at, name in enumerate(self.models)}
        rows = sorted(self.rows, key=lambda each: (place[each.row.model], self.over(each)))
        return {
            "model": [catalog.model(each.row.model).name for each in rows],
            "named": [each.row.named for each in rows],
            "engine": [ENGINES[each.row.engine] for each in rows],
            "layout": [layout(each) for each in rows],
            "formats": [f"{each.row.weights}, {each.row.cache}".upper() for each in rows],
            "over": [100 * self.over(each) for each in rows],
            "printed": [getattr(each.row, printed) for each in rows],
            "counted": [getattr(each, counted) for each in rows],
        }

    def values(self, label: str) -> dict[str, Value]:
        """How many starts and models there are, and how many are near."""
        return {
            "starts": Value(len(self.rows), "", label, 3),
            "models": Value(len(self.models), "", "of so many models", 2),
            "near": Value(self.near, "", "Within three hundredths", 3),
        }


def layout(each: Started) -> str:
    """How a model lies on its GPUs, in the letters of the engines."""
    row = each.row
    parts = (("TP", row.tensor), ("PP", row.stages), ("DP", row.groups), ("DCP", row.context))
    return " ".join(f"{name}{count}" for name, count in parts if count > 1) or "one GPU"


def weights() -> Answer:
    """Weights that a GPU holds, printed over counted."""
    found = Compared(with_weights(started()), attrgetter("weights_over"))
    every = found.of(*found.models)
    padded, edition = found.of(WINDOWED), found.of(INDEXED)
    apart = [row for row in engine_starts() if row.set_aside]
    return Answer(
        finding=(
            f"Weights of {plain(found.near)} of {plain(len(every))} starts take what is counted, within "
            f"{show(NEAR, '%')}; those of the middle one {show(middle(every), '%', 4)} of it"
        ),
        description=(
            "Strip plot, a row for each model and a mark for each start: weights of a GPU as the engine printed them, "
            "over those counted. " + found.words()
        ),
        tables={"starts": found.table("weights_gib", "weights_gib")},
        values={
            "all": Value(len(started()), "", "Starts compared", 3),
            "apart": Value(len(apart), "", "Starts set aside", 2),
            **found.values("Starts that print weights"),
            "most": Value(every[-1], "%", "Most", 4),
            "padded_width": Value(catalog.model(WINDOWED).known("d_model"), "", "Width of gpt-oss-120b", 4),
            "padded_low": Value(padded[0], "%", "gpt-oss-120b, least", 4),
            "padded_high": Value(padded[-1], "%", "gpt-oss-120b, most", 4),
            "edition_low": Value(edition[0], "%", "GLM-5 in NVFP4, least", 4),
            "edition_high": Value(edition[-1], "%", "GLM-5 in NVFP4, most", 4),
            "aside": Value(kept_wide().weights_over, "%", "Llama 3.1 405B, set aside", 4),
        },
    )


def tokens() -> Answer:
    """Cache of a token, printed over counted."""
    found = Compared(with_cache(started()), attrgetter("token_over"))
    windowed, pooled = found.of(WINDOWED)[-1], found.of(POOLED)[-1]
    wide = next(each for each in found.rows if each.row.model == INDEXED and each.row.cache == "bf16")
    split = sorted(
        (each.row.context, each.room_tokens)
        for each in found.rows
        if each.row.model == INDEXED and each.row.cache == "fp8"
    )
    rooms = sorted(each.room_gib for each in found.rows if each.row.model == SHARED)
    simple = [each for each in found.rows if each.row.model not in (*SELECTING, WINDOWED, POOLED)]
    return Answer(
        finding=(
            f"A token's cache takes what is counted in {plain(found.near)} of {plain(len(found.rows))} starts, within "
            f"{show(NEAR, '%')}; in one it takes {show(windowed, 'x')}, in one {show(pooled, 'x', 2)}"
        ),
        description=(
            "Strip plot, a row for each model and a mark for each start: room for caches on a GPU over the tokens that "
            "it is for, as the engine printed both, over the bytes counted. " + found.words()
        ),
        tables={"starts": found.table("tokens", "token_bytes")},
        values={
            **found.values("Starts that print room and tokens"),
            "simple": Value(len(simple), "", "Starts with grouped heads or a latent alone", 3),
            "simple_near": Value(
                sum(abs(each.token_over - 1) <= NEARER for each in simple), "", "of them within two thousandths", 3
            ),
            "scales": Value(middle(found.of(*SELECTING, cache="fp8")) - 1, "%", "Scales beside an index", 2),
            "window": Value(catalog.model(WINDOWED).known("sliding_window"), "tokens", "Window of gpt-oss-120b", 3),
            "windowed": Value(windowed, "x", "gpt-oss-120b", 3),
            "pools": Value(pooled, "x", "DeepSeek-V4-Flash", 2),
            "index_narrow": Value(wide.token_over, "%", "GLM-5 with a cache in BF16", 4),
            "index_wide": Value(wide.token_over * wide.token_bytes / as_wide(wide), "%", "Were its index in BF16", 3),
            "less_room": Value(rooms[0] * GIB, "B", "Qwen3-235B in vLLM, room for caches"),
            "more_room": Value(rooms[-1] * GIB, "B", "Qwen3-235B in SGLang, room for caches"),
            "split": Value(split[-1][1] / split[0][1], "x", "Tokens, split in eight over whole", 3),
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


def strip_chart() -> Any:
    """A row of marks for each model, and a rule at the count."""
    scale = {"type": "log", "nice": False, "zero": False, "padding": 14}
    engines = [*ENGINES.values()]
    kinds: dict[str, Any] = {"kind": "engine", "kinds": engines, "colours": look.RUNS[: len(engines)]}
    return strip("starts", "over", "Printed over counted, %", y="model", at=100, scale=scale, **kinds)


SOURCES = tuple(dict.fromkeys(row.source for row in engine_starts()))
FIGURES = (
    Figure(
        name="world/starts-weights",
        foremost=4,
        compute=weights,
        chart=strip_chart,
        table="starts",
        columns=COLUMNS | {"printed": "Printed (GiB)", "counted": "Counted (GiB)", "over": "Printed over counted (%)"},
        assumptions=(
            "Head and embeddings are in 16 bits, all else in the format that the start names, with its scales.",
            "Norms are not counted; the stages of a row are taken to hold equal shares.",
            "Weights that one source printed alike for one layout are counted once.",
        ),
        sources=SOURCES,
    ),
    Figure(
        name="world/starts-tokens",
        foremost=4,
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
