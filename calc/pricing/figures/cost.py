"""Lecture 6 in pictures: an open model's written token at its bound, as forecast, and as it is sold."""

from __future__ import annotations

from typing import Any

from calc import batching, catalog
from calc.batching.figures.shared import BLACKBOARD
from calc.catalog import Hosted, Price
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.inputs import Choice
from calc.figure.rent import RENT
from calc.figure.scenario import BATCH, CONTEXT, PRECISION, SYSTEM
from calc.quantities.arithmetic import MILLION
from calc.quantities.check import Quantity
from calc.quantities.errors import CalcError
from calc.quantities.units import plain, show
from calc.setting import Setting, published_precisions
from calc.step.forecasting import forecast
from calc.step.phases import decode
from calc.step.room import why_not

BOUND, FORECAST, HOSTS, MAKER = KINDS = ("bound", "forecast", "host", "maker")
FAMILY = {"pro": "deepseek-v4-pro", "flash": "deepseek-v4-flash"}
OLDER, OLDER_SHEET = "deepseek-v3", "deepseek-chat"


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


def four(*, open: str, system: str, precision: str, batch: float, context: float, price: float) -> Answer:
    """Dollars for a million written tokens: two of machine time, and what two kinds of seller ask."""
    where = Setting.published(open, system, published_precisions(open, precision))
    step, expected = decode(where, batch, context), forecast(where, batch, context)
    hourly = price * float(where.layout.chips)
    low, high = (_dollars(batch, seconds, hourly) for seconds in expected.band_80)
    bound, likely = (_dollars(batch, seconds, hourly) for seconds in (step.bound_seconds, expected.seconds))
    hosts = sorted(catalog.hosts(open).values(), key=lambda row: row.output)
    sold = [(row.host, row.output, HOSTS) for row in hosts] + _made(open)
    rows = [("At its bound", bound, BOUND), ("Forecast", likely, FORECAST), *sold]
    name = catalog.model(open).name
    cheapest = min(asked for _, asked, _ in sold)
    return Answer(
        finding=(
            f"{name} on {_chips(where)}, {plain(batch, 9)} in flight at {show(context, 'tokens', 7)}: a million "
            f"written tokens cost {show(bound, '$')} at the bound, {show(likely, '$')} as forecast; hosts ask "
            f"{_asked(hosts)}"
        ),
        description=(
            f"Dot chart, logarithmic: dollars for a million written tokens of {name} in batches of {plain(batch)} at "
            f"{show(context, 'tokens', 7)} of context. At its bound {show(bound, '$')}; as forecast {show(likely, '$')}"
            f", four of five between {show(low, '$')} and {show(high, '$')}. "
            + " ".join(f"{seller} asks {show(asked, '$')}." for seller, asked, _ in sold)
        ),
        tables={
            "rows": {
                "name": [seller for seller, _, _ in rows],
                "dollars": [asked for _, asked, _ in rows],
                "kind": [kind for _, _, kind in rows],
                "label": [show(asked, "$") for _, asked, _ in rows],
            },
            "band": {"name": ["Forecast"], "low": [low], "high": [high]},
        },
        values={
            "bound": Value(bound, "$", "At its bound"),
            "forecast": Value(likely, "$", "As forecast"),
            "host": Value(hosts[0].output, "$", "Cheapest host"),
            "over": Value(cheapest / likely, "x", "Cheapest seller over the forecast", 2),
            "low": Value(low, "$", "Forecast, low"),
            "high": Value(high, "$", "Forecast, high"),
            "speed": Value(1 / float(expected.seconds), "tokens/s", "Speed for a user, as forecast"),
            "least": Value(cheapest, "$", "Cheapest seller"),
            "bound_step": Value(float(step.bound_seconds), "s", "Step at its bound"),
            "step": Value(float(expected.seconds), "s", "Step as forecast"),
            "chips": Value(float(where.layout.chips), "", "Chips"),
            "batch": Value(batch, "", "In flight", 9),
            "rent": Value(price, "$", "An hour of a chip"),
            "context": Value(context, "tokens", "Context", 9),
        },
        notes=[
            *([short] if (short := why_not(step)) else []),
            *_renamed(open),
            f"A step takes {show(float(step.bound_seconds), 's')} at the bound, {show(float(expected.seconds), 's')} "
            f"as forecast. {_laid(where)} Rent: {show(price, '$')} for an hour of a chip, always full.",
        ],
    )


def _chips(where: Setting) -> str:
    return f"{plain(float(where.layout.chips))} chips of {where.machine.name.partition(' (')[0]}"


def _laid(where: Setting) -> str:
    """The layout, in words."""
    if not where.model.experts:
        return "Tensors lie over all chips."
    return "Experts lie over all chips, each sequence's attention on one."


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
    return least if least == most else f"{least} to {most}"


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


def family() -> Answer:
    """Hits over input beside cache over active parameters, within one maker's models."""
    size = {name: _size(model) for name, model in (FAMILY | {"older": OLDER}).items()}
    values: dict[str, Value] = {}
    for name, model in FAMILY.items():
        first, _, later, *_ = _dated(model)
        sheets = {f"{name}_first": first, f"{name}_later": later}
        values |= {place: Value(_hit(row), "%", f"{row.name}, {row.since}", 2) for place, row in sheets.items()}
    older = _dated(OLDER_SHEET)[1]
    asked = [row.output for row in catalog.hosts(FAMILY["flash"]).values()]
    return Answer(
        finding="Hits over input within one family",
        values=values
        | {
            **{f"flash_{what}": value for what, value in _kept(FAMILY["flash"]).items()},
            "size": Value(size["flash"] / size["pro"], "x", "Cache a parameter, Flash over Pro", 2),
            **{
                when: Value(values[f"flash_{when}"].number / values[f"pro_{when}"].number, "x", f"Hits, {when}", 2)
                for when in ("first", "later")
            },
            "flash_spread": Value(max(asked) / min(asked), "x", "Dearest host over the cheapest, V4-Flash", 2),
            "size_older": Value(size["older"] / size["pro"], "x", "Cache a parameter, V3 over V4-Pro", 2),
            "hit_older": Value(_hit(older) / values["pro_first"].number, "x", "Hits, V3 over V4-Pro", 2),
            **_crossing(),
        },
    )


def _dated(sheet: str) -> list[Price]:
    return sorted(catalog.history(Price, "prices", sheet), key=lambda row: row.since)


def _hit(row: Price) -> float:
    return row.known("cached_input") / row.input


def _size(model: str) -> float:
    """Bytes of cache that a token keeps, over the parameters that it uses."""
    row = catalog.model(model)
    return row.kv_bytes_per_token("fp8") / row.active_params


def _kept(model: str) -> dict[str, Value]:
    row = catalog.model(model)
    return {
        "kept": Value(row.kv_bytes_per_token("fp8"), "B", f"Cache of a token, {row.name}"),
        "active": Value(row.active_params, "parameters", f"Active, {row.name}"),
    }


def _crossing() -> dict[str, Value]:
    """Where reading overtakes the weights' arithmetic on the blackboard's chip, by what is read and not kept."""
    found: dict[str, Value] = {}
    for name, model in FAMILY.items():
        slope, fixed, budget = _reading(model)
        row = catalog.model(model).name
        found |= {
            f"{name}_read": Value(slope, "B", f"Read for a token of context, {row}"),
            f"{name}_crossing": Value((budget - fixed) / slope, "tokens", f"Crossover by what is read, {row}", 2),
        }
    pro = catalog.model(FAMILY["pro"])
    kept = Setting.published(pro, "gb200-nvl72", "fp8").kept_bytes_per_token
    _, fixed, budget = _reading(FAMILY["pro"])
    return found | {
        "pro_fixed": Value(fixed, "B", f"Read at any context, {pro.name}"),
        "pro_active": Value(pro.active_params, "parameters", f"Active parameters, {pro.name}"),
        "pro_budget": Value(budget, "B", f"Delivered while a token is multiplied, {pro.name}"),
        "pro_kept": Value(kept, "B", f"Kept for a token, {pro.name}"),
        "pro_compression": Value(pro.known("compression"), "", f"Tokens of an entry, {pro.name}"),
    }


def _reading(model: str) -> tuple[Quantity, Quantity, Quantity]:
    """Bytes that a token reads for each token of context, at any, and those that its multiplying leaves time for."""
    where = Setting.published(model, "gb200-nvl72", "fp8")
    slope = where.read_bytes_per_token
    return slope, where.read_bytes(MILLION) - slope * MILLION, catalog.model(model).active_params / BLACKBOARD


FOUR = Figure(
    name="pricing/four",
    inputs=(OPEN, SYSTEM, PRECISION, BATCH, CONTEXT, RENT),
    compute=four,
    chart=four_chart,
    foremost=4,
    table="rows",
    columns={"name": "Who", "dollars": "Dollars for a million written tokens", "kind": "Kind"},
    assumptions=(
        "The bound and the forecast are of decoding alone, on the layout usual for the model, full at every hour.",
        "Experts that their maker publishes in fewer bits than the chosen precision are held in those, scales counted.",
        "Hosts' and makers' prices are for written tokens, without discounts; what a host runs them on is not public.",
    ),
    sources=("genai-prices", "deepseek-pricing", "aiconfigurator-silicon"),
)

FIGURES = (FOUR, Figure(name="pricing/family", compute=family, sources=("deepseek-pricing", "llm-prices")))
