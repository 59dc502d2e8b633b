"""A step as lanes: what is read, what is multiplied, what is sent, on one clock."""

from __future__ import annotations

from typing import Any

from calc import batching, catalog
from calc.batching.figures.setting import FILLED
from calc.batching.figures.shared import day_step, sleeping, torus_notes
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import SECONDS
from calc.figure.inputs import Number
from calc.figure.named import Names, name_layer, over_bars
from calc.quantities.units import plain, show
from calc.setting import Scenario
from calc.step import Operation, Step, why_not

BAR = 0.55  # of its lane
NARROW = 110  # pixels to the left of the line at the end, below which its words go to the right
PARTS = ("Arithmetic", "Weights", "Cache", "Links")
DAY = catalog.deployment("deepseek-day-6")
SEQUENCES = Number(
    name="sequences",
    label="Sequences of a chip",
    default=88,
    low=1,
    high=1000,
    unit="sequences",
    log=True,
    whole=True,
    help="How many users each of the chips of the unit serves; the published day works out at the default.",
)
LENGTH = Number(
    name="length",
    label="Mean context",
    default=DAY.mean_context,
    low=1,
    high=1e6,
    unit="tokens",
    log=True,
    whole=True,
    help="Tokens that each sequence looks back on.",
)


def lanes(*, model: str, system: str, precision: str, context: float, batch: float) -> Answer:
    """The simplest bound as two lanes: what is multiplied, and what is read meanwhile."""
    where = Scenario.named(model, system, precision)
    step = batching.step_time(batch, context, **where.step_arguments())
    table = spans({"read": {"Weights": step.weights, "Cache": step.cache}}, {"Arithmetic": step.compute})
    crowded = where.crowded(context, batch)
    verbs = ("would read", "multiply", "take") if crowded else ("reads", "multiplies", "takes")
    return Answer(
        finding=(
            f"{where.model.name} for {plain(batch, 9)} {'user' if batch == 1 else 'users'}: {crowded}by the simplest "
            f"bound a step {verbs[0]} for {show(step.memory, 's')}, {verbs[1]} for {show(step.compute, 's')}, and "
            f"{verbs[2]} the longer"
        ),
        description=(
            f"Two bars from the left on one clock, for {where.model.name} on {where.system.name}. One is the time of "
            f"multiplying, {show(step.compute, 's')}. The other is the time of reading: weights "
            f"{show(step.weights, 's')}, then the caches of all sequences {show(step.cache, 's')}. An upright line "
            "marks the end of the longer."
        ),
        tables={
            "lanes": table,
            "named": _named(table),
            "end": {"to": [step.bound], "label": [f"at least {show(step.bound, 's')}"]},
        },
        values={
            "weights": Value(step.weights, "s", "Weights, read once for all"),
            "cache": Value(step.cache, "s", "Caches, one for each"),
            "compute": Value(step.compute, "s", "Arithmetic"),
            "step": Value(step.bound, "s", "Step, at least"),
            "each": Value(step.bound / batch, "s", "For each user"),
        },
        notes=[*where.notes(), *where.fit_notes(context, batch), *sleeping(where, batch), *torus_notes(where.system)],
    )


def spans(reading: dict[str, dict[str, Any]], multiplying: dict[str, Any]) -> dict[str, list[Any]]:
    """Rows of bars: each lane's parts one after another."""
    rows: dict[str, list[Any]] = {"lane": [], "part": [], "from": [], "to": []}
    for lane, parts in {"multiply": multiplying, **reading}.items():
        start = 0.0
        for part, seconds in parts.items():
            rows["lane"].append(lane)
            rows["part"].append(part)
            rows["from"].append(start)
            rows["to"].append(start + seconds)
            start += seconds
    return rows


def _named(table: dict[str, list[Any]]) -> Names:
    """Every part by its name, over the first bar that has it."""
    cells = zip(*(table[column] for column in ("lane", "part", "from", "to")), strict=True)
    return over_bars(cells)


def lanes_chart() -> Any:
    """Bars on a linear clock, and the end of the longer."""
    import altair as alt

    return _bars(alt, ["multiply", "read"], PARTS[:3])


def _bars(alt: Any, order: list[str], parts: tuple[str, ...]) -> Any:
    x = alt.X("from:Q", title="Time").scale(nice=False).axis(grid=True, tickCount=4, **SECONDS)
    y = alt.Y("lane:N", title=None).scale(domain=order).axis(labelLimit=200, labelFontSize=12.5, labelColor=look.INK)
    color = alt.Color("part:N", legend=None).scale(**look.series(*parts))
    bars = (
        alt.Chart(alt.NamedData("lanes"))
        .mark_bar(height={"band": BAR}, cornerRadius=0)
        .encode(x=x, x2="to:Q", y=y, color=color)
    )
    end = alt.Chart(alt.NamedData("end")).encode(x="to:Q")
    side = f"scale('x', datum.to) < {NARROW} ? 'left' : 'right'"
    text: dict[str, Any] = {"align": alt.expr(side), "y": -6, "baseline": "bottom", "fontSize": 13, "fontWeight": 600}
    names = name_layer(alt, look.series(*parts), alt.Y("row:N", title=None), over=BAR)
    return bars + names + end.mark_rule(color=look.INK, strokeWidth=2) + end.mark_text(**text).encode(text="label:N")


def day(*, sequences: float, length: float) -> Answer:
    """DeepSeek's published day of decoding, lane by lane, against what its users saw."""
    step = day_step(DAY, sequences, length)
    measured = 1 / DAY.user_tokens_per_second
    attention = sum(each.compute_seconds for each in step.operations if each.name == "attention")
    sending = max(step.scale_up_seconds, step.scale_out_seconds)  # both networks work at once
    reading = {"Weights": step.weights_seconds, "Cache": step.cache_seconds}
    compute = step.compute_seconds
    bound, halves = step.bound_seconds, step.halves_seconds
    table = spans({"read": reading, "send": {"Links": sending}, "two halves": _halves(step)}, {"Arithmetic": compute})
    return Answer(
        finding=(
            f"At published rates {show(sequences, 'sequences')} a chip would take {show(bound, 's')} if all "
            f"overlapped; in two halves, as DeepSeek runs them, {show(halves, 's')}. Its users got a token every "
            f"{show(measured, 's')}"
        ),
        description=(
            f"Bars on one clock: multiplying {show(compute, 's')}, reading {show(step.memory_seconds, 's')}, "
            f"sending {show(sending, 's')}, and below them two half-batches that take turns, {show(halves, 's')}. An "
            f"upright line marks the {show(measured, 's')} that were observed on DeepSeek's published day."
        ),
        tables={
            "lanes": table,
            "named": _named(table),
            "end": {"to": [measured], "label": [f"observed {show(measured, 's')}"]},
        },
        values={
            "bound": Value(bound, "s", "All overlapping: the bound"),
            "halves": Value(halves, "s", "Two halves, one sending"),
            "measured": Value(measured, "s", "Observed"),
            "over_halves": Value(measured / halves, "x", "Observed over halves"),
            "weights": Value(step.weights_seconds, "s", "Reading weights"),
            "bytes": Value(sum(each.weights for each in step.operations), "B", "Weights that a chip reads"),
            "cache": Value(step.cache_seconds, "s", "Reading caches"),
            "attention": Value(attention, "s", "Arithmetic of attention"),
            "products": Value(compute - attention, "s", "Arithmetic with weights"),
            "links": Value(sending, "s", "Sending between chips"),
            "turn": Value(step.in_turn_seconds, "s", "Operations in turn"),
            "over_bound": Value(measured / bound, "x", "Observed over bound"),
            "unit": Value(DAY.decode_nodes * DAY.chips_per_node, "", "Chips of the unit"),
            "sequences": Value(sequences, "sequences", "Sequences of a chip"),
        },
        notes=[
            "What was observed belongs to the published day alone: it does not move with the inputs.",
            *filter(None, [why_not(step)]),
        ],
    )


def _halves(step: Step) -> dict[str, Any]:
    """Seconds of two half-batches that take turns, by what limits each operation; of the links if longer."""
    named = dict.fromkeys(PARTS, 0.0)
    for each in step.half.operations:
        named["Links" if each.sends else PARTS[_longest(each)]] += 2 * float(each.roofline_seconds)
    sending = named.pop("Links")
    return named if sum(named.values()) >= sending else {"Links": sending}


def _longest(each: Operation) -> int:
    """The place of an operation's longest part among arithmetic, weights and cache."""
    read = (each.weights / each.memory_bytes_per_second, (each.cache + each.state) / each.memory_bytes_per_second)
    parts = [float(seconds) for seconds in (each.compute_seconds, *read)]
    return parts.index(max(parts))


def day_chart() -> Any:
    """Three lanes, the two halves in which they overlap, and what was observed."""
    import altair as alt

    return _bars(alt, ["multiply", "read", "send", "two halves"], PARTS)


COLUMNS = {"lane": "Lane", "part": "Part", "from": "From (s)", "to": "Until (s)"}
LANES = Figure(
    name="batching/lanes",
    inputs=FILLED,
    compute=lanes,
    chart=lanes_chart,
    table="lanes",
    columns=COLUMNS,
    assumptions=(
        "The simplest bound: every chip shares every reading evenly, and both lanes run beside each other.",
        "Sending between chips, the arithmetic of attention and scheduling are left out here and taken up below.",
    ),
    sources=("lecture",),
)
DAY_LANES = Figure(
    name="batching/day",
    inputs=(SEQUENCES, LENGTH),
    compute=day,
    chart=day_chart,
    table="lanes",
    columns=COLUMNS,
    assumptions=(
        "DeepSeek-V3 on H800: experts over 144 chips, attention copied on each; weights in FP8, attention in BF16.",
        "Published rates of memory, arithmetic and links. Start-up times and scheduling are left out.",
        "Two halves: one computes, each operation at its own roofline, while the other sends; each reads the weights.",
        "Observed: the mean of the speeds that its makers gave, at a token a step. The default batch follows from it.",
    ),
    foremost=4,
    sources=("deepseek-day-6", "deepseek-v3-config", "aiconfigurator"),
)

FIGURES = (LANES, DAY_LANES)
