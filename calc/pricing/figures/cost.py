"""Lecture 6 in pictures: an open model's written token at its bound, as forecast, and as it is sold."""

from __future__ import annotations

from typing import Any

from calc import batching, catalog
from calc.catalog import Hosted, Price
from calc.catalog.young_racks import YOUNG_RACKS_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.inputs import Choice, Number
from calc.figure.rent import RENT
from calc.figure.scenario import BATCH, CONTEXT, PRECISION, SYSTEM
from calc.pricing.figures.pace import measured_pace, said_of, told_of
from calc.quantities.arithmetic import MILLION
from calc.quantities.check import Quantity
from calc.quantities.errors import CalcError
from calc.quantities.units import plain, show
from calc.setting import Layout, Setting, published_precisions
from calc.step.forecasting import forecast
from calc.step.phases import decode
from calc.step.room import why_not

COSTS = "a million written tokens cost"
BOUND, FORECAST, HOSTS, MAKER = KINDS = ("bound", "forecast", "host", "maker")


def _laid_out(model: str) -> bool:
    """Whether enough of a model's geometry is known for a step of it."""
    try:
        Setting.published(model, SYSTEM.default, PRECISION.default)
    except CalcError:
        return False
    return True


OPEN = Choice(
    name="open",
    label="Open model",
    default="deepseek-v4-pro",
    options={row.model: catalog.model(row.model).name for row in catalog.hosts().values() if _laid_out(row.model)},
    help="Those that hosts sell who did not make them, and whose geometry is known.",
)
SOLD = Number(
    name="sold",
    label="Hours sold",
    default=100,
    low=1,
    high=100,
    unit="%",
    help="The share of rented hours that anybody pays for; the batch is full in those.",
)


def four(*, open: str, system: str, precision: str, batch: float, context: float, price: float, sold: float) -> Answer:
    """Dollars for a million written tokens: two of machine time, and what two kinds of seller ask."""
    where = _least(Setting.published(open, system, published_precisions(open, precision)), batch, context)
    copies = _copies(where, batch)
    step, expected = decode(where, batch / copies, context), forecast(where, batch / copies, context)
    chips = copies * float(where.layout.chips)
    hourly = price * chips / (sold / 100)
    low, high = (_dollars(batch, seconds, hourly) for seconds in expected.band_above(step.bound_seconds))
    bound, likely = (_dollars(batch, seconds, hourly) for seconds in (step.bound_seconds, expected.seconds))
    hosts = sorted(catalog.hosts(open).values(), key=lambda row: row.output)
    sellers = [(row.host, row.output, HOSTS) for row in hosts] + _made(open)
    paces = [likely * each for each in measured_pace(open, system, precision)]
    timed = [("At measured pace", each, FORECAST) for each in paces[1:2]]
    rows = [("At its bound", bound, BOUND), ("Forecast", likely, FORECAST), *timed, *sellers]
    name, short = catalog.model(open).name, why_not(step)
    costs = "this does not fit; if it did, a million written tokens would cost" if short else COSTS
    cheapest = min(asked for _, asked, _ in sellers)
    return Answer(
        finding=(
            f"{name} on {_chips(where, chips)} at {show(price, '$')}/h a chip, {plain(batch, 9)} in flight "
            f"at {show(context, 'tokens', 7)}{_idle(sold)}: {costs} {show(bound, '$')} at the bound, "
            f"{show(likely, '$')} as forecast{said_of(paces)}; {_asked(hosts)}"
        ),
        description=(
            f"Dot chart, logarithmic: dollars for a million written tokens of {name}, {plain(batch, 9)} in flight at "
            f"{show(context, 'tokens', 7)} of context. At its bound {show(bound, '$')}; as forecast {show(likely, '$')}"
            f", four of five between {show(low, '$')} and {show(high, '$')}{said_of(paces)}. "
            + " ".join(f"{seller} asks {show(asked, '$')}." for seller, asked, _ in sellers)
        ),
        tables={
            "rows": {
                "name": [seller for seller, _, _ in rows],
                "dollars": [asked for _, asked, _ in rows],
                "kind": [kind for _, _, kind in rows],
                "label": [show(asked, "$") for _, asked, _ in rows],
            },
            "band": {
                "name": ["Forecast", *(row for row, _, _ in timed)],
                "low": [low, *paces[:1]],
                "high": [high, *paces[2:]],
            },
        },
        values={
            "bound": Value(bound, "$", "At its bound"),
            "forecast": Value(likely, "$", "As forecast"),
            "least": Value(cheapest, "$", "Cheapest seller"),
            "over": Value(cheapest / likely, "x", "Cheapest seller over the forecast", 2),
            "host": Value(hosts[0].output, "$", "Cheapest host"),
            "low": Value(low, "$", "Forecast, low"),
            "high": Value(high, "$", "Forecast, high"),
            "speed": Value(1 / float(expected.seconds), "tokens/s", "Speed for a user, as forecast"),
            "bound_step": Value(float(step.bound_seconds), "s", "Step at its bound"),
            "step": Value(float(expected.seconds), "s", "Step as forecast"),
            "chips": Value(chips, "", "Chips"),
            "batch": Value(batch, "", "In flight", 9),
            "rent": Value(price, "$", "An hour of a chip"),
            "context": Value(context, "tokens", "Context", 9),
        },
        notes=[
            *([short] if short else []),
            *_renamed(open),
            *told_of(open, system, precision),
            f"A step takes {show(float(step.bound_seconds), 's')} at the bound, {show(float(expected.seconds), 's')} "
            f"as forecast. {_laid(where, copies)} Rent: {show(price, '$')} for an hour of a chip, {_occupied(sold)}.",
        ],
    )


def _least(whole: Setting, batch: float, context: float) -> Setting:
    """A model with experts over the domain; a dense one over the chips that write for least, up to one a cached head.

    Beyond its key-value heads a cache is copied. Where no layout has room, the widest.
    """
    if whole.model.experts:
        return whole
    heads = min(float(group.attention.splits) for group in whole.model.layers)
    chips = [2.0**power for power in range(int(min(heads, whole.machine.domain_chips)).bit_length())]
    tried = [whole.with_layout(Layout(tensor=each)) for each in chips]
    fitting = [each for each in tried if decode(each, batch / _copies(each, batch), context).fits]
    return min(fitting, key=lambda each: _chip_seconds(each, batch, context), default=tried[-1])


def _chip_seconds(where: Setting, batch: float, context: float) -> float:
    each = batch / _copies(where, batch)
    return float(forecast(where, each, context).seconds * where.layout.chips / each)


def _copies(where: Setting, batch: float) -> float:
    """Copies of a model that a domain has chips for, at most one for each sequence in flight."""
    return min(batch, float(max(1.0, where.machine.domain_chips // where.layout.chips)))


def _chips(where: Setting, chips: float) -> str:
    return f"{plain(chips)} chip{'s' * (chips > 1)} of {where.machine.name.partition(' (')[0]}"


def _occupied(sold: float) -> str:
    """How many of the hours are paid for, in words."""
    return "always full" if sold == SOLD.high else f"sold in {show(sold / 100, '%')} of its hours"


def _idle(sold: float) -> str:
    """The words of a title if some hours are not sold."""
    return "" if sold == SOLD.high else f", {_occupied(sold)}"


def _laid(where: Setting, copies: float) -> str:
    """The layout, in words."""
    if not where.model.experts:
        wide = float(where.layout.chips)
        over = "Each chip holds a copy" if wide == 1 else f"Tensors lie over {plain(wide)} chips"
        return f"{over}, the cheapest layout{_shared(copies)}."
    return "Experts lie over all chips, each sequence's attention on one."


def _shared(copies: float) -> str:
    return f"; {plain(copies)} copies share what is in flight" if copies > 1 else ""


def _dollars(batch: float, seconds: Quantity, hourly: float) -> float:
    return float(batching.dollars_per_token(batch, seconds, hourly)) * MILLION


def _made(model: str) -> list[tuple[str, float, str]]:
    """The maker's price, and that of peak hours if those cost more; nothing if it sells none."""
    sheet: Price | None = catalog.prices().get(model)
    if sheet is None:
        return []
    usual = [(f"{sheet.maker}, maker", sheet.output, MAKER)]
    if sheet.peak_multiplier is None:
        return usual
    return [*usual, (f"{sheet.maker}, peak", sheet.output * sheet.peak_multiplier, MAKER)]


def _renamed(model: str) -> list[str]:
    """A remark where the maker's list sells another model under the same name."""
    sheet, name = catalog.prices().get(model), catalog.model(model).name
    return [f"The maker's price is that of {sheet.name}."] if sheet and sheet.name != name else []


def _asked(hosts: list[Hosted]) -> str:
    least, most = show(hosts[0].output, "$"), show(hosts[-1].output, "$")
    ask = "hosts ask" if len(hosts) > 1 else "its one host asks"
    return f"{ask} {least}" + (f" to {most}" if most != least else "")


def four_chart() -> Any:
    """A row for each number, from the bound down to the dearest seller."""
    import altair as alt

    rows = alt.Chart(alt.NamedData("rows"))
    x = alt.X("dollars:Q", title="Dollars for a million written tokens").scale(type="log", padding=36, nice=False)
    x = x.axis(format="$~r", values=[0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300])
    y = alt.Y("name:N", title=None, sort=None).axis(labelLimit=130, domain=False, ticks=False, grid=True)
    colours: dict[str, Any] = {"domain": list(KINDS), "range": [look.INK, look.ACCENT, look.FREE[2], look.FREE[0]]}
    band = alt.Chart(alt.NamedData("band")).mark_bar(height=10, color=look.ACCENT, fillOpacity=0.3, cornerRadius=3)
    points = rows.mark_point(size=100).encode(
        x=x,
        y=y,
        color=alt.Color("kind:N", legend=None).scale(**colours),
        shape=alt.Shape("kind:N", legend=None).scale(**look.shapes(*KINDS)),
    )
    text: dict[str, Any] = {"align": "left", "dx": 9, "dy": -12, "fontSize": 12}
    label = rows.mark_text(**text).encode(x=x, y=y, text="label:N")
    return points + band.encode(x="low:Q", x2="high:Q", y=y) + label


FOUR = Figure(
    name="pricing/four",
    inputs=(OPEN, SYSTEM, PRECISION, BATCH, CONTEXT, RENT, SOLD),
    compute=four,
    chart=four_chart,
    foremost=4,
    table="rows",
    columns={"name": "Who", "dollars": "Dollars for a million written tokens", "kind": "Kind"},
    assumptions=(
        "The bound and the forecast are of decoding alone, full in the hours sold. Experts lie over all chips, a dense "
        "model over the one to eight that write for least.",
        "Experts that their maker publishes in fewer bits than the chosen precision are held in those, scales counted.",
        "Hosts' and makers' prices are for written tokens, without discounts; what a host runs them on is not public.",
        "Hosts are a choice from genai-prices of November 2026: the newest version that each sells, at ordinary speed. "
        "Gateways to other hosts and models that were withdrawn are left out; for DeepSeek-V4 the cheapest is shown.",
    ),
    sources=("genai-prices", "deepseek-pricing", "aiconfigurator-silicon", YOUNG_RACKS_SOURCE),
)

FIGURES = (FOUR,)
