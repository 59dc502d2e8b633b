"""Lecture 6 in pictures: a long request's price beside its cost in another design, attention left out and counted."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from calc.figure import look
from calc.figure.boxes import table
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO
from calc.figure.inputs import Choice, Number
from calc.figure.named import name_layer, over_bars
from calc.figure.scenario import MODELS
from calc.pricing.figures.request import ANSWER, ATTENTION, PARTS, READ, SHEET, asked, costs
from calc.pricing.figures.shared import AT_RATE, HALF, LEFT_OUT
from calc.quantities.arithmetic import MILLION
from calc.quantities.units import show

COLOURS = (look.CACHE, look.WEIGHTS, look.FREE[2], look.FREE[0])
ROWS = PRICE, PLAIN, COUNTED = ("price", "cost without|attention's work", "cost with|attention's work")
BAR, ROOM = 0.5, 1.3  # of its band, and of the longest, for the sum behind it
LABEL, WIDE = 92, 52  # pixels of a bar's label, and of a sum
NONE = 1 + 1e-9  # apart by rounding alone
NEAR = 0.1  # of the surplus: other fair assumptions move what is left by more
RATES = {"weights": AT_RATE, "half": HALF}

DESIGN = Choice(
    name="design",
    label="Design",
    default="deepseek-v4-pro",
    options={name: MODELS[name] for name in ("deepseek-v4-pro", "deepseek-v3")},
    help="Its work and bytes are taken; the prices, and what a short token costs, stay Gemini's.",
)
RATE = Choice(
    name="rate",
    label="Attention multiplies",
    default="weights",
    options={"weights": "at the weights' rate", "half": "but for an index at half of it"},
    help="Half was the rate on DeepSeek's day.",
)
PROMPT = Number(
    name="prompt",
    label="Prompt",
    default=MILLION,
    low=10_000,
    high=MILLION,
    unit="tokens",
    log=True,
    whole=True,
    help="Nine tenths of it are found, the rest is read. The answer has a thousand tokens.",
)


def surplus(*, design: str, rate: str, prompt: float) -> Answer:
    """Dollars of a request by part: its price, and its cost with attention left out and counted."""
    past = prompt > SHEET.known("above_tokens")
    rows = {
        PRICE: asked(prompt, past=past),
        PLAIN: costs(design, prompt, LEFT_OUT),
        COUNTED: costs(design, prompt, RATES[rate]),
    }
    price, plain, cost = (sum(parts.values()) for parts in rows.values())
    name, times = MODELS[design], show(cost / price, "x")
    pieces = [piece for row, parts in rows.items() for piece in _pieces(row, parts)]
    return Answer(
        finding=f"In {name}'s design the request costs {times} its price: {_told(price, plain, cost)}",
        description=(
            f"Stacked bars of a request of {show(prompt, 'tokens', 9)}, nine tenths found, and a short answer. Price: "
            f"{show(price, '$')}. Cost in {name}'s design: {show(plain, '$')} with attention left out, "
            f"{show(cost, '$')} with it counted, {show(rows[COUNTED][ATTENTION], '$')} of it attention in reading."
        ),
        tables={
            "parts": table(pieces),
            "named": over_bars((each["row"], each["part"], each["from"], each["to"]) for each in pieces),
            "sums": {
                "row": list(rows),
                "dollars": [price, plain, cost],
                "price": [price] * len(rows),
                "label": [show(dollars, "$") for dollars in (price, plain, cost)],
            },
            "line": {"dollars": [price]},
        },
        values={
            "times": Value(cost / price, "x", "Cost over price"),
            "plain": Value(plain / price, "x", "the same, attention left out"),
            "read": Value(1 + rows[COUNTED][ATTENTION] / rows[COUNTED][READ], "x", "A token read, over a short one"),
            "answer": Value(rows[COUNTED][ANSWER] / rows[PRICE][ANSWER], "x", "Answer's cost over its price"),
        },
        notes=[] if past else [f"Up to {show(SHEET.known('above_tokens'), 'tokens', 9)} the lower prices are asked."],
    )


def _pieces(row: str, parts: dict[str, float]) -> list[dict[str, Any]]:
    """The parts of a bar, each from where the one before it ends."""
    ends = [0.0, *accumulate(parts.values())]
    return [
        {"row": row, "part": part, "from": ends[at], "to": ends[at + 1], "dollars": dollars}
        for at, (part, dollars) in enumerate(parts.items())
    ]


def _told(price: float, plain: float, cost: float) -> str:
    """The verdict: a surplus that attention leaves, about uses up, uses up or never finds."""
    if plain > price * NONE:
        return f"{show(plain / price, 'x')} even with attention left out"
    if plain * NONE > price:
        return "exactly its price with attention left out"
    if abs((cost - plain) / (price - plain) - 1) < NEAR:
        return "attention uses up about the whole surplus"
    return "attention uses up the surplus" if cost > price else "a surplus is left with attention counted"


def surplus_chart() -> Any:
    """Three bars, and a line down from the end of the price, clear of its sum."""
    import altair as alt

    colours: dict[str, Any] = {"domain": list(PARTS), "range": list(COLOURS)}
    y = alt.Y("row:N", title=None, sort=None).scale(domain=list(ROWS))
    y = y.axis(labelExpr="split(datum.label, '|')", minExtent=LABEL, labelColor=look.INK, domain=False, ticks=False)
    x = alt.X("from:Q", title="Dollars, one request").axis(format="$~g", tickCount=4)
    parts = alt.Chart(alt.NamedData("parts")).mark_bar(height={"band": BAR}, cornerRadiusEnd=0)
    bars = parts.encode(x=x, x2="to:Q", y=y, color=alt.Color("part:N", legend=None).scale(**colours))
    sums = alt.Chart(alt.NamedData("sums"))
    gap = "scale('x', datum.price) - scale('x', datum.dollars)"
    words: dict[str, Any] = {"align": "left", "fontWeight": 600}
    words["dx"] = alt.expr(f"6 + ({gap} > 0 && {gap} < {WIDE} ? {gap} : 0)")
    said = sums.encode(x="dollars:Q", y=y, text="label:N")
    room = sums.transform_calculate(room=f"datum.dollars * {ROOM}").mark_rule(opacity=0).encode(x="room:Q")
    down: dict[str, Any] = {"y": alt.expr(f"{(1 + BAR) / 2} * bandwidth('y')"), "y2": alt.expr("height")}
    line = alt.Chart(alt.NamedData("line")).mark_rule(color=look.INK, strokeDash=[4, 3], strokeWidth=1.5, **down)
    named = name_layer(alt, colours, alt.Y("row:N", title=None, sort=None), over=BAR)
    return room + bars + line.encode(x="dollars:Q") + said.mark_text(**words, **HALO) + said.mark_text(**words) + named


SURPLUS = Figure(
    name="pricing/surplus",
    inputs=(RATE, DESIGN, PROMPT),
    compute=surplus,
    chart=surplus_chart,
    foremost=2,
    table="parts",
    columns={"row": "Bar", "part": "Part", "dollars": "Dollars"},
    assumptions=(
        "The prices are Gemini 3.1 Pro's. Its prices below the step are the cost of hits and of tokens with nothing "
        "before them.",
        "Pope's chip and an endless batch of requests as long. A token written costs by the longer of fetching and "
        "multiplying, attention in it; the part called attention is that of the tokens read.",
    ),
    sources=("llm-prices", "lecture", "aiconfigurator", "deepseek-v3-config"),
)

FIGURES = (SURPLUS,)
