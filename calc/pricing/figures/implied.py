"""Lecture 6 in pictures: the cache of a token that a price step would imply, and those that public models have."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from calc.batching.figures.shared import BLACKBOARD, chip_ratio
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO, PLAIN
from calc.figure.inputs import Choice, Number
from calc.figure.scenario import MODEL, MODELS, PRECISION, SYSTEM
from calc.memory_wall.figures.setting import decode_flops
from calc.pricing import context_price
from calc.pricing.figures.shared import ANYWHERE, CROSSOVER
from calc.quantities.arithmetic import BILLION
from calc.quantities.units import bytes_per_element, show
from calc.setting import Scenario, Setting

STEP = replace(CROSSOVER, label="Price step at", help="The step is taken for the crossover.")
ACTIVE = Number(
    name="active",
    label="Active parameters, guessed",
    default=100,
    low=1,
    high=10_000,
    unit="billion",
    log=True,
    help="Nobody outside knows them; Pope assumes a hundred billion.",
)
BYTES = Number(
    name="cache",
    label="Cache of a token, guessed",
    default=2048,
    low=100,
    high=1e6,
    unit="B",
    log=True,
    help="As much as one layer of eight heads keeps. The square has this cache and the parameters guessed.",
)
POPE = "pope"
CHIP = Choice(
    name="chip",
    label="Chip",
    default=POPE,
    options={POPE: f"Pope's, of ratio {show(BLACKBOARD)}", "system": "that of the system above"},
    help="Its ratio decides how many bytes memory delivers meanwhile. With Pope's, the system changes nothing.",
)
COUNTED = "counted"
ARITHMETIC = Choice(
    name="arithmetic",
    label="Attention's arithmetic",
    default="none",
    options={"none": "left out, as Pope does", COUNTED: "counted, at the weights' speed"},
    help="While attention multiplies too, memory delivers more. A guess has no attention that is known.",
)
KINDS = KEPT, MINE, FETCHED, GUESSED = "kept", "kept, your model", "fetched at the step", "your guess"
GUESSED_ROW = "your guess"
COLOURS, SHAPES = [look.CACHE, look.INK, look.INK, look.ACCENT], ["circle", "triangle-up", "diamond", "square"]
CLOSE = "scale('x', datum.times) > width - 60"  # to the end of the frame
LEFTWARDS = f"({CLOSE} || datum.times < 1)"  # words that end at their mark: clear of the frame and of the line
LEAN = ("deepseek-v4-pro", "deepseek-v4-flash")  # the public models that the text turns to
ALONE = (*LEAN, "deepseek-v3.2")  # models with a row of their own
LESS = 0.99  # of what is kept: a model that fetches so much has no second mark
Public = dict[str, tuple[float, float]]


def implied_cache(
    *,
    model: str,
    system: str,
    precision: str,
    chip: str,
    crossover: float,
    active: float,
    cache: float,
    arithmetic: str,
) -> Answer:
    """Bytes that every public model keeps and fetches, over what the step implies for its own parameters."""
    chosen = Scenario.named(model, system, precision)
    machine = BLACKBOARD if chip == POPE else chip_ratio(chosen.chip, precision), bytes_per_element(precision)
    implied = float(context_price.implied_kv_bytes(crossover, active * BILLION, *machine))
    counted = arithmetic == COUNTED
    told = "counted" if counted else "left out"
    public = public_models(precision, crossover, *machine, counted=counted)
    ranked = sorted((fetched, MODELS[name]) for name, (_, fetched) in public.items())
    (least, _), (most, _) = ends = ranked[0], ranked[-1]
    first, last = (f"{show(times, 'x', 2)} ({name})" for times, name in ends)
    return Answer(
        finding=(
            f"At {show(crossover, 'tokens', 6)} public models fetch {first} to {last} "
            f"what a step there implies for them, attention {told}"
        ),
        description=(
            f"Dot chart with a row for each family of {len(public)} public models, on a logarithmic axis: the bytes of "
            f"a token over what a step at {show(crossover, 'tokens', 6)} implies for the model's own active "
            f"parameters, their attention's arithmetic {told}. A line at 1× is what the step "
            f"implies. What models fetch lies at {show(least, 'x', 2)} to {show(most, 'x', 2)}; "
            + "; ".join(f"{MODELS[lean]} keeps {show(public[lean][0], 'x', 2)}" for lean in LEAN)
            + "."
        ),
        tables={
            "marks": _marks(public, model, cache / implied),
            "named": _named(public, model, cache / implied, _guess(cache, active)),
            "line": {"times": [1.0], "label": ["as the step implies"]},
        },
        values={
            "bytes": Value(implied, "B", "Fetched for a token of context, implied for your guess", 4),
            "guess": Value(cache / implied, "x", f"{show(cache, 'B', 4)} guessed, over implied for it", 2),
            "least": Value(least, "x", "Public models fetch, least, over implied for each", 2),
            "kept": Value(public[model][0], "x", f"{MODELS[model]} keeps, over implied for it", 2),
            "fetched": Value(public[model][1], "x", f"{MODELS[model]} fetches, over implied for it", 2),
            "most": Value(most, "x", "Public models fetch, most, over implied for each", 2),
            "ratio": Value(machine[0], "", "Ratio of the chip"),
        },
        notes=chosen.rate_notes(),
    )


def public_models(precision: str, step: float, ratio: float, weight: float, *, counted: bool) -> Public:
    """Cache that each public model keeps for a token, and fetches at the step, over what the step implies for it.

    Arithmetic of attention that is counted stands for so many more parameters.
    """
    found: Public = {}
    for name in MODELS:
        where = Scenario.named(name, ANYWHERE, precision)
        attended = float(decode_flops(where.model, step)) / 2 if counted else 0.0
        implied = float(context_price.implied_kv_bytes(step, where.model.active_params + attended, ratio, weight))
        fetched = float(Setting.published(name, ANYWHERE, precision).read_bytes(step)) / step
        found[name] = where.kv_bytes_per_token / implied, fetched / implied
    return found


def family(model: str) -> str:
    """The row of a model: its maker's name for the family, or its own if it fetches unlike the rest of it.

    >>> family("deepseek-v4-pro"), family("llama-3-70b")
    ('DeepSeek-V4-Pro', 'Llama')
    """
    if model in ALONE:
        return MODELS[model]
    found = re.match(r"DeepSeek-V\d|gpt-oss|[A-Za-z]+", MODELS[model])
    assert found, "A model's name begins with a word."
    return found[0]


def _marks(public: Public, model: str, guess: float) -> dict[str, list[Any]]:
    """A mark for each model's cache, in rows from the leanest family on, and one for what selecting leaves of it."""
    leanest = sorted(public, key=lambda name: public[name][0])
    order = list(dict.fromkeys(family(name) for name in leanest))
    marks = [(GUESSED_ROW, GUESSED, guess, GUESSED)]
    for name, (kept, fetched) in public.items():
        marks.append((family(name), MODELS[name], kept, MINE if name == model else KEPT))
        if fetched < LESS * kept:
            marks.append((family(name), MODELS[name], fetched, FETCHED))
    marks.sort(key=lambda mark: ([GUESSED_ROW, *order].index(mark[0]), mark[2]))
    return dict(zip(("family", "name", "times", "kind"), map(list, zip(*marks, strict=True)), strict=True))


def _guess(cache: float, active: float) -> str:
    """The name of the guess, while it is that of the lecture."""
    return "Pope's 2 kB: " if (cache, active) == (BYTES.default, ACTIVE.default) else ""


def _named(public: Public, model: str, guess: float, said: str) -> dict[str, list[Any]]:
    """Multiples that are written out: beside the guess, and below the reader's model, the text's and the largest."""
    most = max(public, key=lambda name: public[name][0])
    lean = [(family(name), times) for name in LEAN for times in public[name]]
    own = [] if model in (*LEAN, most) else [(family(model), public[model][0])]
    places = [(GUESSED_ROW, guess), *own, *lean, (family(most), public[most][0])]
    return {
        "family": [row for row, _ in places],
        "times": [times for _, times in places],
        "label": [(said if row == GUESSED_ROW else "") + show(times, "x", 2) for row, times in places],
        "beside": [row == GUESSED_ROW for row, _ in places],
    }


def implied_cache_chart() -> Any:
    """Rows of marks, all but a few to the right of a line."""
    import altair as alt

    x = alt.X("times:Q", title="Bytes for a token of context ÷ implied").scale(type="log", padding=36, nice=False)
    x = x.axis(
        labelExpr=f"{PLAIN['labelExpr']} + '×'",
        values=[10.0**power for power in range(-3, 8)],
    )
    y = alt.Y("family:N", title=None, sort=None).axis(labelLimit=128, ticks=False, domain=False)
    marks = alt.Chart(alt.NamedData("marks"))
    two = marks.transform_joinaggregate(of="count()", groupby=["name"]).transform_filter("datum.of > 1")
    pair = two.mark_line(strokeWidth=2, color=look.MUTED).encode(x=x, y=y, detail="name:N")
    points = marks.mark_point(size=85).encode(
        x=x,
        y=y,
        color=alt.Color("kind:N", title=None).scale(domain=list(KINDS), range=COLOURS),
        shape=alt.Shape("kind:N", title=None).scale(domain=list(KINDS), range=SHAPES),
        tooltip="name:N",
    )
    text: dict[str, Any] = {
        "fontSize": 11.5,
        "align": alt.expr(f"datum.beside && !({CLOSE}) ? 'left' : datum.beside || {LEFTWARDS} ? 'right' : 'center'"),
        "dx": alt.expr(f"datum.beside ? ({CLOSE} ? -9 : 9) : datum.times < 1 ? 0 : {CLOSE} ? 6 : 0"),
        "dy": alt.expr("datum.beside ? 0 : 12"),
    }
    named = alt.Chart(alt.NamedData("named")).encode(x=x, y=y, text="label:N")
    names = named.mark_text(**text, **HALO) + named.mark_text(**text, color=look.INK)
    line = alt.Chart(alt.NamedData("line")).encode(x=x)
    implied = line.mark_rule(color=look.INK, strokeDash=[4, 3], strokeWidth=1.5)
    label = line.mark_text(y=-8, dx=-4, align="left", color=look.INK, fontSize=11.5).encode(text="label:N")
    rows = marks.mark_point(opacity=0).encode(x=x, y=y)  # sets their order, which the lines alone would change
    return rows + pair + implied + label + names + points


IMPLIED = Figure(
    name="pricing/implied-cache",
    inputs=(MODEL, SYSTEM, PRECISION, STEP, ACTIVE, BYTES, CHIP, ARITHMETIC),
    compute=implied_cache,
    chart=implied_cache_chart,
    table="marks",
    foremost=3,
    columns={"name": "Model", "kind": "Bytes", "times": "Over implied (×)"},
    assumptions=(
        "The step of the price marks the crossover: multiplying and fetching the cache take equally long.",
        "A large batch. Attention multiplies as fast as the weights do; for a guess its arithmetic is left out.",
        "Each public model is held against its own active parameters. What it keeps leaves out layers with a sliding "
        "window. What it fetches is all that a token fetches at the length of the step; it is drawn where it is less.",
    ),
    sources=("lecture", "aiconfigurator", "deepseek-v3-config"),
)


FIGURES = (IMPLIED,)
