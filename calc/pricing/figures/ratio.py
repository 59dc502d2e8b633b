"""Lecture 6 in pictures: the price of writing beside that of reading, and the times of one published day."""

from __future__ import annotations

from typing import Any

from calc import catalog, pricing
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO
from calc.figure.inputs import Number
from calc.figure.scenario import BATCH, CONTEXT, MODEL, PRECISION, SYSTEM
from calc.pricing.figures.shared import DAY, THEN, measured, measured_decode, measured_prefill, on_sale
from calc.quantities.units import show
from calc.setting import Scenario

LISTED, MEASURED = KINDS = ("prices, listed", "times, measured")
TIMED = "DeepSeek's day"
RATIO = Number(
    name="ratio",
    label="Price ratio",
    default=6,
    low=1,
    high=100,
    unit="×",
    log=True,
    help="Price of a written token over that of one that is read: at first Gemini 3.1 Pro's.",
)
PREFILL = Number(
    name="prefill",
    label="Multipliers busy in prefill",
    default=round(100 * measured_prefill(catalog.deployment(DAY))),
    low=1,
    high=100,
    unit="%",
    help="At first the share of DeepSeek's published day; what a cache held is not computed.",
)


def output_input(
    *, model: str, system: str, precision: str, context: float, batch: float, ratio: float, prefill: float
) -> Answer:
    """Every listed ratio, and what the chosen one implies for a machine like the reader's."""
    where = Scenario.named(model, system, precision)
    busy = prefill / 100
    decode = pricing.implied_decode_utilisation(ratio, busy)
    read = pricing.implied_bytes_per_output_token(ratio, *_machine(where), prefill_utilisation=busy)
    needed = where.weight_bytes / batch + context * where.kv_bytes_per_token
    timed = measured()
    listed = dict(sorted(on_sale().items(), key=lambda row: row[0].endswith(THEN)))  # beside what was measured
    rows = listed | {TIMED: timed}
    shown = {name: pricing.implied_decode_utilisation(times, busy) for name, times in listed.items()}
    shown[TIMED] = measured_decode(catalog.deployment(DAY))
    return Answer(
        finding=(
            f"On DeepSeek's day a written token took {show(timed, 'x')} the machine time of one read; "
            f"a list's {show(ratio, 'x')} is {show(ratio / timed, 'x')} that"
        ),
        description=(
            f"Dot chart: output price over input price of {len(on_sale())} groups of price sheets, from "
            f"{show(min(on_sale().values()), 'x')} to {show(max(on_sale().values()), 'x')}, and the ratio of machine "
            f"times measured on DeepSeek's day of service."
        ),
        tables={
            "rows": {
                "name": list(rows),
                "ratio": list(rows.values()),
                "kind": [MEASURED if name == TIMED else LISTED for name in rows],
                "decode": list(shown.values()),
                "label": ["" if "×" in name else show(times, "x") for name, times in rows.items()],
            },
            "here": {
                "ratio": [ratio],
                "label": ["ratio you set"],
                "side": ["right" if ratio > max(on_sale().values()) else "left"],
            },
        },
        values={
            "beyond": Value(ratio / timed, "x", "Your price ratio, over the time ratio of the day"),
            "decode": Value(decode, "%", "Multipliers busy in decode, implied, attention left out"),
            "read": Value(read, "B", "Fetched for each token, at most, implied"),
            "needed": Value(needed, "B", "Your scenario fetches for each"),
        },
        notes=[
            *where.notes(),
            *(["Your scenario fetches more for a token than such a price leaves time for."] if needed > read else []),
        ],
    )


def _machine(where: Scenario) -> tuple[float, float, float]:
    return where.model.active_params, where.flops, where.bandwidth


def output_input_chart() -> Any:
    """One row for each listed ratio, and one for the ratio of times."""
    import altair as alt

    rows = alt.Chart(alt.NamedData("rows"))
    x = alt.X("ratio:Q", title="A token written ÷ one read, by price or by time").scale(domainMin=0, nice=False)
    x = x.axis(labelExpr="datum.label + '×'")
    y = alt.Y("name:N", title=None, sort=None).axis(labelLimit=128, ticks=False, domain=False)
    rule = rows.mark_bar(color=look.FAINT, height=1).encode(x=x, y=y)
    points = rows.mark_point(size=90).encode(
        x=x,
        y=y,
        color=alt.Color("kind:N", title=None).scale(**look.series(*KINDS)),
        shape=alt.Shape("kind:N", title=None).scale(**look.shapes(*KINDS)),
    )
    text = rows.mark_text(align="left", dx=10, color=look.MUTED, fontSize=11).encode(x=x, y=y, text="label:N")
    halo = rows.mark_text(align="left", dx=10, fontSize=11, **HALO)
    text = halo.encode(x=x, y=y, text="label:N") + text
    room = rows.transform_calculate(room="datum.ratio * 1.25").mark_rule(opacity=0).encode(x="room:Q")
    here = alt.Chart(alt.NamedData("here")).encode(x="ratio:Q")
    side: dict[str, Any] = {"align": alt.expr("datum.side"), "dx": alt.expr("datum.side == 'left' ? 4 : -4")}
    label = here.mark_text(y=-4, color=look.ACCENT, fontSize=11.5, **side).encode(text="label:N")
    return rule + room + here.mark_rule(color=look.ACCENT, strokeDash=[4, 3], strokeWidth=1.5) + label + points + text


OUTPUT_INPUT = Figure(
    name="pricing/output-input",
    inputs=(MODEL, SYSTEM, PRECISION, CONTEXT, BATCH, RATIO, PREFILL),
    compute=output_input,
    chart=output_input_chart,
    table="rows",
    folded={"For the bytes that decode can fetch": (PREFILL.name, CONTEXT.name, BATCH.name)},
    foremost=1,
    columns={"name": "Sheet", "ratio": "Writing over reading", "decode": "Busy in decode"},
    assumptions=(
        "Both kinds of token are sold at cost, or at one margin, and made on one kind of machine.",
        "Both take two operations for each active parameter; attention's arithmetic is left out.",
        "Whatever else slows decode down is counted as fetching, so what it fetches is at most this.",
    ),
    sources=("lecture", "llm-prices", "anthropic-pricing", "deepseek-day-6"),
)

FIGURES = (OUTPUT_INPUT,)
