"""One user on a desk: what a longer context adds to a step, beside the time to read it."""

from __future__ import annotations

from typing import Any

from calc.catalog.desk import DESK_SOURCES, LATENT_SOURCE, SHAPES_SOURCE, desk_models
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import SECONDS
from calc.quantities.units import show
from calc.world.desk import MACHINES, user_cache_bytes
from calc.world.desk_depth import deeper, doublings, of_heads, weights_over
from calc.world.figures.both_ends import both_ends

EXAMPLE, HEADS, LATENT = "qwen2.5-coder-7b", "qwen3-coder-30b", "glm-4.7-flash"
SPARK, ULTRA = DESK_SOURCES
FIRST, DEEPEST = 4096, 32_768
EDGES = {"x": 13e-3, "y": 17e-3}


def depth() -> Answer:
    """Every context of both machines: added time against reading, and the shares at the longest."""
    rows = of_heads()
    last = {
        name: sorted(each.over_reading for each in rows if (each.row.machine, each.row.depth) == (name, DEEPEST))
        for name in (SPARK, ULTRA)
    }
    doubled = doublings()
    example, heads, latent = (
        next(
            each for each in deeper() if (each.row.machine, each.row.model, each.row.depth) == (machine, model, DEEPEST)
        )
        for machine, model in ((SPARK, EXAMPLE), (ULTRA, HEADS), (ULTRA, LATENT))
    )
    return Answer(
        finding=(
            f"{show(DEEPEST, 'tokens', 5)} of context add to one user's step {show(last[SPARK][0], 'x', 2)} to "
            f"{show(last[ULTRA][-1], 'x', 2)} the time to read their keys and values"
        ),
        description=(
            f"Line chart for one user, four models and two machines: time that a context adds to a step, against the "
            f"time to read its cache at the published rate. All lines rise nearly straight. Those of the DGX Spark "
            f"end at {show(last[SPARK][0], 'x', 2)} to {show(last[SPARK][-1], 'x', 2)} the dotted line of reading, "
            f"those of the M2 Ultra at {show(last[ULTRA][0], 'x', 2)} to {show(last[ULTRA][-1], 'x', 2)}."
        ),
        tables={
            "lines": {
                "machine": [MACHINES[each.row.machine] for each in rows],
                "model": [each.row.file.name for each in rows],
                "line": [f"{each.row.machine} {each.row.model}" for each in rows],
                "depth": [each.row.depth for each in rows],
                "reading": [each.reading for each in rows],
                "added": [each.added for each in rows],
                "milliseconds": [1e3 * each.added for each in rows],
                "least": [1e3 * each.reading for each in rows],
                "over": [each.over_reading for each in rows],
            },
            "bound": {"reading": [0.0, EDGES["x"]], "added": [0.0, EDGES["x"]]},
        },
        values={
            **both_ends("first", last[SPARK], f"{MACHINES[SPARK]}: added over reading", "x", 3),
            **both_ends("second", last[ULTRA], f"{MACHINES[ULTRA]}: added over reading", "x", 3),
            "first_weights": Value(weights_over(SPARK, EXAMPLE), "x", f"{MACHINES[SPARK]}: dense weights over reading"),
            "second_weights": Value(
                weights_over(ULTRA, EXAMPLE), "x", f"{MACHINES[ULTRA]}: dense weights over reading"
            ),
            **both_ends("doubled", doubled, "Twice the context adds", "x"),
            "heads": Value(heads.added, "s", f"{heads.row.file.name} on an {MACHINES[ULTRA]}: added"),
            "heads_bytes": Value(user_cache_bytes(heads.row.file, 1), "B", "its cache of a token"),
            "latent": Value(latent.added, "s", f"{latent.row.file.name} on an {MACHINES[ULTRA]}: added"),
            "latent_bytes": Value(user_cache_bytes(latent.row.file, 1), "B", "its cache of a token"),
            "latent_over": Value(latent.over_reading, "x", "over reading it", 2),
            "deepest": Value(DEEPEST, "tokens", "Longest context", 5),
            "example": Value(example.added, "s", f"{desk_models()[EXAMPLE].name} on a {MACHINES[SPARK]}: added"),
            "example_reading": Value(example.reading, "s", "reading"),
            "example_without": Value(1 / example.without.rate, "s", "its step without context"),
        },
    )


def depth_chart() -> Any:
    """A line with marks for each machine and model, and a dotted line of reading."""
    import altair as alt

    machines = list(MACHINES.values())
    names = [model.name for model in desk_models().values() if not model.latent]
    x = alt.X("reading:Q", title="Reading the added cache, at the published rate")
    x = x.scale(domain=[0, EDGES["x"]], nice=False).axis(**SECONDS)
    y = alt.Y("added:Q", title="Added to a step").scale(domain=[0, EDGES["y"]], nice=False).axis(**SECONDS)
    colour = alt.Color("machine:N", title=None).scale(domain=machines, range=[look.CACHE, look.FREE[0]])
    shape = alt.Shape("model:N", title=None).scale(**look.shapes(*names))
    base = alt.Chart(alt.NamedData("lines")).encode(x=x, y=y, color=colour)
    bound = alt.Chart(alt.NamedData("bound")).mark_line(color=look.MUTED, strokeDash=[2, 3]).encode(x=x, y=y)
    lines = base.mark_line(strokeWidth=1.2).encode(detail="line:N")
    return bound + lines + base.mark_point(size=55, filled=True, opacity=0.9).encode(shape=shape)


FIGURES = (
    Figure(
        name="world/desk-depth",
        foremost=4,
        compute=depth,
        chart=depth_chart,
        table="lines",
        columns={
            "machine": "Machine",
            "model": "Model",
            "depth": "Context (tokens)",
            "milliseconds": "Added to a step (ms)",
            "least": "Reading its cache (ms)",
            "over": "Added over reading (×)",
        },
        assumptions=(
            "A number of the cache takes two bytes, as llama.cpp keeps it by default, and is read once a step.",
            "Layers of gpt-oss that look back on a window read no more than it.",
        ),
        sources=(
            *DESK_SOURCES.values(),
            SHAPES_SOURCE,
            LATENT_SOURCE,
            "nvidia-dgx-spark",
            "apple-m2-ultra",
        ),
    ),
)
