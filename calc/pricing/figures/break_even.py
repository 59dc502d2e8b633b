"""Lecture 6 in pictures: after how many reuses a cache pays."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import catalog
from calc.catalog import Price
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import guides, here_layer
from calc.figure.inputs import Number
from calc.figure.line_names import ends_of, labelled_series
from calc.pricing import prompt_cache
from calc.pricing.figures.setting import sheet_choice, writes
from calc.quantities.arithmetic import MILLION
from calc.quantities.units import plain, show

MOST_REUSES = 100
FRESH, CACHED = "no cache", "cached"
KEEPING = "kept "  # begins the name of an offer in a sentence; its line says for how long alone
OFFERS = (FRESH, CACHED, "5 minutes", "1 hour")
SHEET = sheet_choice("claude-opus-5", lambda sheet: sheet.cached_input, "Those that name a price for a hit.")
REUSES = Number(
    name="reuses",
    label="Reuses",
    default=5,
    low=0,
    high=MOST_REUSES,
    whole=True,
    help="How often the same prefix is sent again while it is kept.",
)
PREFIX = Number(
    name="prefix",
    label="Prefix",
    default=50_000,
    low=1000,
    high=1_000_000,
    unit="tokens",
    log=True,
    whole=True,
    help="Instructions, documents, or the conversation so far.",
)
HOURS = Number(
    name="minutes",
    label="Storage billed for",
    default=30,
    low=0,
    high=1440,
    unit="minutes",
    help="On sheets of "
    + ", ".join(sheet.name for sheet in catalog.prices().values() if sheet.cache_storage)
    + ", for a cache made on request.",
)


def offers(sheet: Price) -> dict[str, float]:
    """Price of writing under each offer of a sheet, as the chart names them."""
    return {f"{KEEPING}{kept}" if kept else CACHED: price for kept, price in writes(sheet).items()}


def break_even(*, sheet: str, reuses: float, prefix: float, minutes: float) -> Answer:
    """Dollars for a prefix that is sent again and again."""
    row = catalog.price(sheet)
    hit, storage, hours = row.known("cached_input"), row.storage, minutes / 60
    scale = prefix / MILLION
    top = max(10.0, 2 * reuses)
    counts = np.linspace(0, top, 21)
    sold = offers(row)
    name, write = next(iter(sold.items()))
    lines = {FRESH: prompt_cache.fresh_cost(counts, row.input)} | {
        offer: prompt_cache.cached_cost(counts, price, hit, storage, hours) for offer, price in sold.items()
    }
    lines = {offer.removeprefix(KEEPING): column for offer, column in lines.items()}
    pays = {
        offer: prompt_cache.break_even_reuses(row.input, price, hit, storage, hours) for offer, price in sold.items()
    }
    fresh = scale * prompt_cache.fresh_cost(reuses, row.input)
    cached = scale * prompt_cache.cached_cost(reuses, write, hit, storage, hours)
    return Answer(
        finding=(
            f"{row.name}: sent once and reused {plain(reuses)} time{'' if reuses == 1 else 's'}, a prefix of "
            f"{show(prefix, 'tokens', 7)} costs {show(fresh, '$')} without a cache and {show(cached, '$')} {name}"
        ),
        description=(
            f"Line chart: dollars for a prefix of {show(prefix, 'tokens', 7)} against the number of reuses, from 0 to "
            f"{plain(top)}, by the sheet of {row.name}. Without a cache it costs "
            f"{show(scale * row.input, '$')} each time. "
            + " ".join(f"{offer.capitalize()}, it breaks even at {plain(n)} reuses." for offer, n in pays.items())
        ),
        tables={
            "curve": {
                "reuses": np.tile(counts, len(lines)),
                "offer": [offer for offer in lines for _ in counts],
                "dollars": np.concatenate([scale * np.asarray(column) for column in lines.values()]),
            },
            "ends": ends_of(
                {offer: (counts, scale * np.asarray(column)) for offer, column in lines.items()}, "reuses", log=False
            ),
            "here": {"reuses": [reuses], "dollars": [cached], "label": [show(cached, "$")]},
            "pays": _paying(pays, top),
        },
        values={
            "fresh": Value(fresh, "$", "Without a cache"),
            "cached": Value(cached, "$", name.capitalize()),
            "pays": Value(pays[name], "reuses", "Breaks even at"),
            "times": Value(fresh / cached, "x", f"No cache, over {name}"),
            "limit": Value(row.input / hit, "x", "No cache over cached, endless reuses"),
        },
        notes=_pay_notes(row, storage, prefix),
    )


def _paying(pays: dict[str, float], top: float) -> dict[str, list[Any]]:
    """Where each offer begins to pay, the labels inside the chart: all of it happens near its left end."""
    marks = guides("reuses", {f"{name}: pays from here": count for name, count in pays.items()}, 0, top)
    return marks | {"side": ["left"] * len(marks["label"])}


def _pay_notes(row: Price, storage: float, prefix: float) -> list[str]:
    notes = [f"Price sheet: {row.dated}."]
    if row.cache_write:
        notes.append(f"{row.maker} asks {show(row.cache_write, '$')} a million for storing in the cache.")
    elif not row.cache_write_5m:
        begins = "The" if storage else "No price for storing is on record; the"
        notes.append(f"{begins} first reading is billed as input.")
    if storage:
        notes.append(f"A cache made on request pays {show(storage, '$')} a million tokens and hour for storage.")
    if row.above_tokens and prefix > row.above_tokens:
        notes.append(f"Prompts of more than {show(row.above_tokens, 'tokens', 6)} cost more; that is not counted.")
    return notes


def break_even_chart() -> Any:
    """A steep line and shallow ones that start higher."""
    import altair as alt

    x = alt.X("reuses:Q", title="Reuses while it is kept").scale(nice=False)
    y = alt.Y("dollars:Q", title="Dollars for the prefix").axis(format="$,~r")
    lines = labelled_series(alt, "offer", OFFERS, x, y)
    here = here_layer(alt, "reuses", "dollars", label="label", under=True)
    return _from_here(alt) + lines + here


def _from_here(alt: Any) -> Any:
    """A dotted rule where each offer begins to pay; it ends under the words of the one before, which it would cross."""
    base = alt.Chart(alt.NamedData("pays")).encode(x="reuses:Q")
    row: dict[str, Any] = {"y": alt.expr("2 + 15 * datum.row")}
    words = base.mark_text(**row, align="left", dx=5, baseline="top", fontSize=11.5, color=look.MUTED)
    return base.mark_rule(**row, y2="height", strokeDash=[2, 3]) + words.encode(text="label:N")


BREAK_EVEN = Figure(
    name="pricing/break-even",
    inputs=(SHEET, REUSES, PREFIX, HOURS),
    compute=break_even,
    chart=break_even_chart,
    table="curve",
    columns={"offer": "Offer", "reuses": "Reuses", "dollars": "Dollars"},
    folded={"Where storage is billed by the hour": (HOURS.name,)},
    assumptions=("Every reuse is a hit and comes while the prefix is kept; a hit renews the time at some vendors.",),
    sources=("anthropic-pricing", "llm-prices", "genai-prices", "gemini-storage-thread", "deepseek-pricing"),
)


FIGURES = (BREAK_EVEN,)
