"""Lecture 8 in pictures: throughput of a chip against the speed of a user, over batches, layouts and precisions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from calc import catalog
from calc.figure.declared import Answer, Figure
from calc.figure.rent import RENT
from calc.figure.scenario import CONTEXT, PRECISION
from calc.quantities.errors import DoesNotFit
from calc.quantities.units import show
from calc.serving.figures import beside, lines, runs
from calc.serving.figures.frontier_chart import frontier_chart
from calc.serving.figures.frontier_values import values
from calc.serving.figures.lines import Line, line
from calc.serving.figures.setting import ELSEWHERE, MODEL, OWN, PROMISE, SYSTEM, other_rent
from calc.serving.figures.tried import EVERY, GRID, TRIED, Named
from calc.serving.rates import paid_share

NAMED_UP_TO = 5  # times the speed at which the forecast begins, its name stands over it


def frontier(
    *,
    model: str,
    own: str,
    system: str,
    machine: str,
    precision: str,
    context: float,
    price: float,
    promise: float,
    grid: str,
    precisions: str,
    **second: str,
) -> Answer:
    """The layouts and batches that no other beats, and the cheapest that keeps the reader's promise."""
    named = _named(model, own, system, machine, precision, precisions)
    setting = named.setting(named.precisions[0])
    name, place = setting.model.name, setting.machine.name
    try:
        mine = line(named, context, grid, price)
    except DoesNotFit:
        return _nothing_fits(name, place, context)
    bounds, best, dollars = mine.bounds, mine.likely, mine.dollars
    at = -1 if (kept := mine.keeping(promise)) is None else kept  # without one, the fastest
    known = _known(model, system, named)
    run = runs.nearest(known, promise) if known.places.size else None
    other = beside.beside(named, second, (own, machine), context, grid, price)
    speed, rate, cost = (column[at] for column in (best.per_user, best.per_chip, dollars))
    fastest, cheapest = best.per_user[-1], dollars.min()
    layout = mine.layout(at)
    expected, bound = mine.columns(beside.FIRST, f"{name} on {place} in {named.in_words}")
    more_expected, more_bound, ends = beside.columns(other, fastest)
    finding = (
        f"No layout that is tried should keep {show(promise, 'tokens/s')}; {show(fastest, 'tokens/s')} is the fastest"
        if kept is None
        else f"At {show(promise, 'tokens/s')} for every user a million tokens should cost {show(cost, '$')}"
        f"{beside.rented(other, price)} by the lowest forecast: {layout}"
    )
    return Answer(
        finding=finding + beside.short(other, promise),
        description=(
            f"Line chart, both axes logarithmic: tokens a second that a chip writes against tokens a second that each "
            f"user sees, for {name} on {place}. The bound falls from {show(bounds.per_chip[0], 'tokens/s')} a "
            f"chip to the right; the forecast lies below it, from {show(best.per_chip[0], 'tokens/s')}. Marked "
            f"is {layout}, at {show(speed, 'tokens/s')} for a user. "
            f"{' '.join([*beside.told(other, promise), _counted(known)])}"
        ),
        tables={
            "expected": _both(expected, more_expected),
            "bound": _both(bound, more_bound),
            "here": {
                "user": [speed],
                "chip": [rate],
                "cost": [show(cost, "$")],
                "under": [bool(speed < NAMED_UP_TO * best.per_user[0])],
            },
            "promise": {"user": [promise]},
            "names": {
                "user": [bounds.per_user[0], best.per_user[0]],
                "chip": [bounds.per_chip[0], best.per_chip[0]],
                "line": ["bound", "forecast"],
            },
            "ends": ends,
            **runs.tables(known, run),
        },
        notes=[
            _unmeasured(name, place) if run is None else runs.told(known, run, price),
            *filter(None, [other_rent(system, price, None if kept is None else cost)]),
            *beside.told(other, promise),
            *_precisions(mine),
        ],
        values=values(
            cost=cost,
            paid=cost * paid_share(best.chips[at], setting.machine.domain_chips),
            cheapest=cheapest,
            premium=cost / cheapest,
            speed=speed,
            rate=rate,
            batch=best.batch[at],
            chips=best.chips[at],
            fastest=fastest,
            fastest_most=bounds.per_user[-1],
            tried=mine.tried + (other.found.tried if other and other.found else 0),
            runs=known.places.size,
            beyond=known.faster(fastest),
            alike=known.faster(0.0),
            own_under=_over_runs(model, system, named),
            own=known.beside_its_own,
            **({} if run is None else {"run_cost": runs.dollars(known, run, price), **runs.setting(known, run)}),
        ),
    )


def _named(model: str, own: str, system: str, machine: str, precision: str, precisions: str) -> Named:
    texts = own if model == OWN else "", machine if system == OWN else ""
    return Named(model, texts[0], system, EVERY if precisions == EVERY else precision, texts[1])


def parts(
    *,
    model: str,
    own: str,
    system: str,
    machine: str,
    precision: str,
    context: float,
    grid: str,
    precisions: str,
    price: float,
    promise: float,
    **second: str,
) -> list[Callable[[], object]]:
    """The pieces of both lines, which neither a rent nor a promise changes, and the measured runs beside theirs."""
    named = _named(model, own, system, machine, precision, precisions)
    known = [] if OWN in (model, system) else [partial(_over_runs, model, system, named)]
    return known + lines.parts(named, context, grid) + beside.parts(named, second, (own, machine), context, grid)


def _known(model: str, system: str, named: Named) -> runs.Measured:
    return runs.none() if OWN in (model, system) else runs.measured(model, system, named.precisions)


def _over_runs(model: str, system: str, named: Named) -> float:
    return lines.over_runs(named, _known(model, system, named))


def _counted(known: runs.Measured) -> str:
    several = known.places.size
    return f"{several:,} measured runs of the same model and system are points." if several else "Nothing is measured."


def _precisions(mine: Line) -> list[str]:
    """Precisions that were tried together, and those without room, where every one is tried."""
    if mine.named.precision != EVERY:
        return []
    tried = ", ".join(each.upper() for each in mine.held)
    full = ", ".join(each.upper() for each in mine.named.precisions if each not in mine.held)
    without = f"; no layout has room for {full}" if full else ""
    published = _published(mine.named.model)
    return [f"Tried together: {tried}{without}.{published} Fewer bits can cost quality, which is not counted."]


def _published(model: str) -> str:
    """The maker's format, in a sentence, where it is known."""
    own = None if model == OWN else catalog.model(model).native_precision
    return f" This model is published in {own.upper()}." if own else ""


def _unmeasured(name: str, machine: str) -> str:
    return f"Among the published measurements there is no clean run of {name} on {machine}."


def _nothing_fits(name: str, machine: str, context: float) -> Answer:
    """Where no chip of any layout that is tried has room for its weights and one sequence."""
    room = f"{name} and one sequence of {show(context, 'tokens')}"
    names = ("user", "promise", "chip", "dollars", "layout", "whose", "of")
    empty: dict[str, list[Any]] = {name: [] for name in names}
    return Answer(
        finding=f"No layout that is tried on {machine} holds {room}",
        description=(
            f"Empty chart: none of the layouts that are tried on {machine} has memory for {room}. A shorter context, "
            f"fewer bits or larger chips would make room."
        ),
        tables={
            "expected": empty,
            "bound": empty,
            "here": {"user": [], "chip": [], "cost": []},
            "promise": {"user": []},
            "names": {"user": [], "chip": [], "line": []},
            "ends": beside.columns(None, 0.0)[2],
            **runs.tables(runs.none(), None),
        },
        values=values(),
        notes=["A shorter context, fewer bits or larger chips would make room."],
    )


def _both(first: dict[str, list[Any]], second: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """The rows of both lines, the reader's own first."""
    return {name: cells + second.get(name, []) for name, cells in first.items()}


FRONTIER = Figure(
    name="serving/frontier",
    inputs=(MODEL, SYSTEM, *ELSEWHERE, PRECISION, CONTEXT, RENT, PROMISE, GRID, TRIED, *beside.INPUTS),
    compute=frontier,
    chart=frontier_chart,
    table="expected",
    pointed="promise",
    folded={"A second line beside it": tuple(given.name for given in beside.INPUTS)},
    foremost=6,
    rests_on=runs.ROOM,
    parts=parts,
    counted="parts",
    columns={
        "user": "Each user (tokens/s)",
        "chip": "A chip (tokens/s)",
        "dollars": "A million tokens ($)",
        "layout": "Batch and layout; precision",
        "of": "Of",
    },
    assumptions=(
        "The upper line is the frontier of bounds, the lower one that of forecasts; the dotted rule is the promise. "
        "To point at a dot is to promise its speed.",
        "Dashed are both lines of the second model, system or precision, where one is chosen; another system costs "
        "its own published rent.",
        "Batches from one to a hundred thousand, tensors over 1 to 16 chips, experts over 1 to 64 groups of them, or "
        "one for each chip of a domain; no pipeline, no drafts, and only what fits; over several domains where so "
        "many chips are not in one.",
        "Every precision means those of BF16, FP8 and FP4 in whose width the chip multiplies.",
        "Only writing is counted: prompts are read elsewhere.",
        "Hollow points are published measurements of this model on this system, each at its own context and layout, "
        "and faint where the precision is another; where prompts were read on the same chips, that is in their times.",
    ),
    sources=("lecture", "aiconfigurator-silicon"),
)


def above() -> Answer:
    """How far the line lies above its runs at the first setting, for text that stays when a reader changes it."""
    values = FRONTIER.answer().values
    return Answer(finding="The line above its runs", values={name: values[name] for name in ("own_under", "own")})


FIGURES = (FRONTIER, Figure(name="serving/above", compute=above, rests_on=FRONTIER.rests_on))
