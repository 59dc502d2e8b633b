"""Lecture 6 in pictures: what a cache's price pays for holding it, beside what memory costs."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from calc import catalog
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import POWERS, guide_layer, guides, here_layer, prefixed
from calc.figure.inputs import Number
from calc.figure.line_names import ends_of, labelled_series, uncrowded
from calc.figure.scenario import MODELS
from calc.pricing import prompt_cache
from calc.pricing.figures.setting import GB, KEPT, sheet_choice
from calc.pricing.figures.shared import memory_rents, premium
from calc.quantities.units import show

WRITER = sheet_choice(
    "claude-opus-5",
    lambda sheet: sheet.cache_write_5m and sheet.cache_write_5m > sheet.input,
    "Those with two premiums: Moonshot asks none for five minutes.",
)
CACHE = Number(
    name="cache",
    label="Cache of a token",
    default=2048,
    low=500,
    high=500_000,
    unit="B",
    log=True,
    help="Bytes that one token of context adds.",
)
LIFE = Number(
    name="life",
    label="Written off in",
    default=4,
    low=1,
    high=10,
    unit="years",
    help="For memory that is bought; power, servers and failures are not counted.",
)
PREMIUMS = ("5 minutes", "1 hour")
BELOW = 11  # lines of words, between the premiums and the cheapest memory
DECADES = 8  # of dollars, from disks to the dearest premium
SIZES = np.geomspace(500, 500_000, 16)


def bought(medium: str, years: float) -> tuple[float, float]:
    """Lowest and highest cost of a byte for an hour in a medium that is bought and written off."""
    prices = [
        (tier.dollars_per_gb_low, tier.dollars_per_gb_high)
        for tier in catalog.tiers().values()
        if tier.medium == medium and tier.dollars_per_gb_low and tier.dollars_per_gb_high
    ]
    ends = min(low for low, _ in prices), max(high for _, high in prices)
    low, high = (prompt_cache.owned_dollars_per_byte_hour(each / GB, years) for each in ends)
    return low, high


def holding(*, sheet: str, cache: float, life: float) -> Answer:
    """The price that premiums on writing pay for a byte and hour, beside what memory costs."""
    row = catalog.price(sheet)
    paid = {
        kept: np.asarray(prompt_cache.holding_dollars_per_byte_hour(premium(row, kept), SIZES, KEPT[kept])) * GB
        for kept in PREMIUMS
    }
    here = {
        kept: prompt_cache.holding_dollars_per_byte_hour(premium(row, kept), cache, KEPT[kept]) * GB
        for kept in PREMIUMS
    }
    costs = {"HBM, rented": memory_rents(), "DRAM": bought("DRAM", life), "flash": bought("flash", life)}
    costs |= {"disk": bought("disk", life)}
    dear = GB * memory_rents()[1]
    return Answer(
        finding=(
            f"At {show(cache, 'B')} a token the premiums pay {show(here['1 hour'], '$')} and "
            f"{show(here['5 minutes'], '$')} a gigabyte and hour; HBM rents on demand for up to "
            f"{show(dear, '$')} in our catalogue"
        ),
        description=(
            f"Line chart, both axes logarithmic: dollars for holding a gigabyte for an hour against the bytes of cache "
            f"per token. Two falling lines show what the premiums of {row.name} pay. Level bands show what memory "
            f"costs: HBM by its rent, and DRAM, flash and disks written off in {show(life, 'years')}."
        ),
        tables={
            "curve": {
                "bytes": np.tile(SIZES, len(paid)),
                "offer": [label for label in paid for _ in SIZES],
                "dollars": np.concatenate(list(paid.values())),
            },
            "bands": {
                "memory": list(costs),
                "low": [GB * low for low, _ in costs.values()],
                "high": [GB * high for _, high in costs.values()],
            },
            "ends": ends_of({label: (SIZES, column) for label, column in paid.items()}, "bytes"),
            "here": {
                "bytes": [cache, cache],
                "dollars": list(here.values()),
                "label": uncrowded(np.log10(list(here.values())), [show(each, "$") for each in here.values()], DECADES),
            },
            "guides": guides("bytes", {"leanest public model": least_public()}, 500, 500_000) | {"row": [BELOW]},
        },
        values={
            "five": Value(here["5 minutes"], "$/GB·h", "Five minutes pay"),
            "hour": Value(here["1 hour"], "$/GB·h", "An hour pays"),
            "rent": Value(dear, "$/GB·h", "HBM's highest rent on demand, in our catalogue"),
            "over_five": Value(here["5 minutes"] / dear, "x", "Five minutes, over that rent"),
            "over": Value(here["1 hour"] / dear, "x", "An hour, over that rent"),
            "flash": Value(here["1 hour"] / (GB * bought("flash", life)[1]), "x", "The hour, over dear flash"),
        },
        notes=["A premium pays for misses and margin too. It bounds the cost of holding only if it covers that alone."],
    )


@cache
def least_public() -> float:
    """The smallest cache of a token among public models, at one byte a number."""
    return min(catalog.model(name).kv_bytes_per_token("fp8") for name in MODELS)


def holding_chart() -> Any:
    """Two falling premiums, and the level costs of memory."""
    import altair as alt

    x = alt.X("bytes:Q", title="Cache of a token").scale(type="log", nice=False)
    x = x.axis(**prefixed("B"), values=[500, 2000, 10_000, 50_000, 200_000])
    y = alt.Y("dollars:Q", title="Dollars for a GB held for an hour").scale(type="log")
    powers = f"'$' + (datum.value < 0.01 ? {POWERS['labelExpr']} : format(datum.value, '~r'))"
    y = y.axis(labelExpr=powers)
    lines = labelled_series(alt, "offer", PREMIUMS, x, y)
    bands = alt.Chart(alt.NamedData("bands"))
    rects = bands.mark_rect(color=look.FAINT, fillOpacity=0.6).encode(y=alt.Y("low:Q").scale(type="log"), y2="high:Q")
    label = bands.mark_text(align="left", x=4, dy=-7, color=look.MUTED, fontSize=11.5).encode(
        y="high:Q", text="memory:N"
    )
    here = here_layer(alt, "bytes", "dollars", label="label", falling=True)
    return rects + label + guide_layer(alt, "bytes") + lines + here


HOLDING = Figure(
    name="pricing/holding",
    inputs=(WRITER, CACHE, LIFE),
    compute=holding,
    chart=holding_chart,
    table="curve",
    columns={"offer": "Premium", "bytes": "Cache of a token (B)", "dollars": "Pays ($/GB·h)"},
    assumptions=(
        "The whole premium pays for one hold: no hit renews it.",
        "HBM bears the whole rent of its chip; the highest is a list price on demand. DRAM, flash and disks are bought "
        "and do nothing else.",
    ),
    sources=("anthropic-pricing", "mercatus-prices", "spheron", "dram-prices", "flash-prices", "hddhunt"),
)


FIGURES = (HOLDING,)
