"""Lecture 6 in pictures: the cache of a token that a price step would imply."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import batching
from calc.batching.figures.shared import chip_ratio
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO, here_layer, prefixed
from calc.figure.inputs import Number
from calc.figure.line_names import uncrowded
from calc.figure.scenario import MODEL, MODELS, PRECISION, SYSTEM
from calc.pricing import context_price
from calc.pricing.figures.shared import CROSSOVER
from calc.quantities.arithmetic import BILLION
from calc.quantities.units import bytes_per_element, show
from calc.setting import Scenario

ACTIVE = Number(
    name="active",
    label="Active parameters",
    default=100,
    low=1,
    high=10_000,
    unit="billion",
    log=True,
    help="Nobody outside knows them; Pope assumes a hundred billion.",
)
LEAN = "deepseek-v4-pro"  # the public model that the text turns to
DECADES = 6  # of bytes, from ten to ten million
NAMED_AT = 1e6, 3e4, 1e3  # bytes at which the line may have its name: at the first that is clear of its points
SHORTEST = 10  # tokens of context at which the chart begins
BYTES = Number(
    name="cache",
    label="Cache of a token",
    default=2048,
    low=100,
    high=1e6,
    unit="B",
    log=True,
    help="For the way back: bytes that one token of context adds.",
)


def _named_at(implied: float, cache: float, machine: tuple[float, float, float]) -> float:
    """Bytes at which the line is drawn and its name lies on no point's."""
    drawn = (at for at in NAMED_AT if context_price.crossover_context(at, *machine) >= SHORTEST)
    clear = (at for at in drawn if uncrowded(np.log10([implied, cache, at]), "123", DECADES)[2])
    return next(clear, NAMED_AT[-1])


def implied_cache(*, model: str, system: str, precision: str, crossover: float, active: float, cache: float) -> Answer:
    """The line of bytes and crossovers for so many active parameters, and where public models are."""
    chosen = Scenario.named(model, system, precision)
    params = active * BILLION
    machine = (params, chip_ratio(chosen.chip, precision), bytes_per_element(precision))
    implied = float(context_price.implied_kv_bytes(crossover, *machine))
    back = float(context_price.crossover_context(cache, *machine))
    contexts = np.geomspace(SHORTEST, 1e7, 6)
    public = public_models(system, precision)
    mine = public[model]
    named = _named_at(implied, cache, machine)
    return Answer(
        finding=(
            f"A step at {show(crossover, 'tokens', 6)} implies {show(implied, 'B')} of cache a token; "
            f"{show(cache, 'B')} a token would put it at {show(back, 'tokens')}"
        ),
        description=(
            f"Chart, both axes logarithmic: bytes of cache per token against the context from which reading them takes "
            f"longer than multiplying, on {chosen.system.name}. A falling line holds all pairs for "
            f"{show(params, 'parameters')} in use. {len(public)} public models stand at "
            f"{show(min(b for _, b in public.values()), 'B')} or more, with crossovers of "
            f"{show(max(length for length, _ in public.values()), 'tokens')} or less."
        ),
        tables={
            "curve": {
                "context": contexts,
                "bytes": np.asarray(context_price.implied_kv_bytes(contexts, *machine)),
            },
            "here": {
                "context": [crossover, back],
                "bytes": [implied, cache],
                "label": [show(implied, "B"), ""],
            },
            "named": {
                "context": [context_price.crossover_context(named, *machine), mine[0], public[LEAN][0], SHORTEST],
                "bytes": [named, mine[1], public[LEAN][1], cache],
                "label": [
                    f"{show(params, 'parameters')} in use",
                    _short(model),
                    "" if model == LEAN else _short(LEAN),
                    show(cache, "B"),
                ],
                "dx": [0, 9, -9, 4],
                "dy": [-8, 8, -7, -9],
                "side": ["left", "left", "right", "left"],
            },
            "ways": {
                "context": [crossover, crossover, SHORTEST, back],
                "bytes": [10, implied, cache, cache],
                "way": ["from the step", "from the step", "from the cache", "from the cache"],
            },
            "models": {
                "name": [MODELS[name] for name in public],
                "context": [length for length, _ in public.values()],
                "bytes": [size for _, size in public.values()],
                "kind": ["your model" if name == model else "public models" for name in public],
            },
        },
        values={
            "bytes": Value(implied, "B", "Cache of a token, implied"),
            "crossover": Value(back, "tokens", "Crossover, implied"),
            "ratio": Value(machine[1], "", "Ratio of the chip"),
            "model_bytes": Value(mine[1], "B", f"{MODELS[model]}, cache of a token"),
            "model_crossover": Value(mine[0], "tokens", f"{MODELS[model]}, crossover"),
            "times": Value(mine[1] / implied, "x", f"{MODELS[model]} over implied"),
        },
        notes=chosen.notes(),
    )


def _short(model: str) -> str:
    """A name that ends before the line, as the text has it."""
    return MODELS[model].removeprefix("DeepSeek-")


def public_models(system: str, precision: str) -> dict[str, tuple[float, float]]:
    """Critical context and bytes of cache a token of every model whose geometry is published."""
    settings = {name: Scenario.named(name, system, precision) for name in MODELS}
    return {
        name: (
            batching.critical_context(
                each.model.active_params, each.kv_bytes_per_token, each.flops, each.system.hbm_bandwidth
            ),
            each.kv_bytes_per_token,
        )
        for name, each in settings.items()
    }


def implied_cache_chart() -> Any:
    """A line of pairs, two ways onto it, and the models whose caches are known."""
    import altair as alt

    kinds = ("public models", "your model")  # told apart by size, shade and a name beside the second
    x = alt.X("context:Q", title="Crossover (tokens of context)").scale(type="log", domain=[SHORTEST, 1e7], nice=False)
    y = alt.Y("bytes:Q", title="Cache of a token").scale(type="log", domain=[10, 1e7], nice=False)
    x = x.axis(format="~s", values=[10.0**power for power in range(1, 8)])
    y = y.axis(**prefixed("B"), values=[10.0**power for power in range(1, 8)])
    line = alt.Chart(alt.NamedData("curve")).mark_line(clip=True, color=look.INK).encode(x=x, y=y)
    ways = alt.Chart(alt.NamedData("ways")).mark_line(color=look.ACCENT, strokeWidth=1.5, strokeDash=[2, 3], clip=True)
    models = alt.Chart(alt.NamedData("models")).encode(x=x, y=y)
    points = models.mark_point(clip=True).encode(
        color=alt.Color("kind:N", legend=None).scale(domain=list(kinds), range=[look.FREE[2], look.INK]),
        shape=alt.Shape("kind:N", legend=None).scale(**look.shapes(*kinds)),
        tooltip="name:N",
    )
    named = alt.Chart(alt.NamedData("named")).encode(x=x, y=y, text="label:N")
    text: dict[str, Any] = {
        "align": alt.expr("datum.side"),
        "dx": alt.expr("datum.dx"),
        "dy": alt.expr("datum.dy"),
        "fontSize": 11.5,
    }
    aside = named.transform_filter("datum.dx != 0")  # names that the line may cross
    halo, names = aside.mark_text(**text, **HALO), named.mark_text(**text, color=look.INK)
    here = here_layer(alt, "context", "bytes", label="label", falling=True)
    return line + halo + ways.encode(x=x, y=y, detail="way:N") + points + names + here


IMPLIED = Figure(
    name="pricing/implied-cache",
    inputs=(MODEL, SYSTEM, PRECISION, CROSSOVER, ACTIVE, BYTES),
    compute=implied_cache,
    chart=implied_cache_chart,
    table="models",
    columns={"name": "Model", "context": "Crossover (tokens)", "bytes": "Cache of a token (B)"},
    assumptions=(
        "The step of the price marks the crossover: arithmetic and the reading of the cache take equally long.",
        "A large batch on the system chosen; the arithmetic of attention is free.",
        "Public models stand at their own active parameters; layers with a sliding window are not counted.",
    ),
    sources=("lecture", "aiconfigurator", "deepseek-v3-config"),
)


FIGURES = (IMPLIED,)
