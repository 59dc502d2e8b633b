"""Lecture 8 in pictures: what is in flight for a traffic, beside the room of one rack, two racks and so on."""

from __future__ import annotations

import math

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.figure.inputs import Number
from calc.quantities.units import plain, show
from calc.serving.figures.cases import PEAK, case, enough, peak_at_most
from calc.serving.figures.racks_chart import racks_chart
from calc.serving.figures.setting import FITTED, PROMISE
from calc.serving.modes import modes
from calc.serving.room import room_at_random
from calc.serving.sheet import Sheet
from calc.step import requests_in_flight
from calc.step.forecasting import forecast

DRAWN, NAMED = 12, 2  # racks up to which each has a rule, and up to which each of these is named
TRAFFIC = Number(
    name="traffic",
    label="Traffic",
    default=round(case("rack").traffic, 2),
    low=1,
    high=10_000,
    unit="requests/s",
    log=True,
    help="Requests that come in a second of a mean hour.",
)
BUSIEST = Number(
    name="peak",
    label="Busiest hour over the mean",
    default=catalog.datum(PEAK).value,
    low=1,
    high=5,
    unit="x",
    log=True,
    help="Requests of the busiest hour, over those of a mean one.",
)
OVER = Number(
    name="over",
    label="Step over its forecast",
    default=FITTED.high_80,
    low=0.7,
    high=2,
    unit="x",
    log=True,
    help="How the plan is sized: 1 is a step as forecast, and at first it is the slow end.",
)


def racks(*, traffic: float, promise: float, peak: float, over: float) -> Answer:
    """Requests in flight, even, in the busiest hour and with room for chance, and the racks that have room for them."""
    here = case("rack")
    stay = here.request.output_tokens / promise
    flight = float(requests_in_flight(traffic, stay))
    busy = peak * flight
    need = float(room_at_random(busy))
    room, hoped = room_at(here, over * promise), room_at(here, promise)
    whole, hope = (math.ceil(need / each) if each else 0 for each in (room, hoped))
    sums = {
        f"even flow: {_said(flight)}|{plain(traffic, 4)} × {show(stay, 's')}": flight,
        f"busiest hour: {_said(busy)}|× {plain(peak)}": busy,
        f"with chance: {_said(need)}|+ 3 × √{_said(busy)}": need,
    }
    starts = dict(zip(sums, (0.0, flight, busy), strict=True))
    places = range(1, whole + 1) if whole <= DRAWN else [whole]
    named = {1, whole} if whole > NAMED else set(places)
    drawn = {count: count * room for count in places}
    asked, sized = show(promise, "tokens/s"), _sized(over)
    other = hope not in (0, whole)  # as forecast it takes another number
    return Answer(
        finding=_finding(need, whole, hope if other else whole, sized, asked),
        description=(
            f"Three bars, each longer than the one above: {show(round(flight), 'requests', 9)} in flight in an even "
            f"flow, {_said(busy)} in the busiest hour, {_said(need)} with room for chance. "
            + (f"Upright rules mark the room of each rack, {_said(room)} {sized}. " if whole else "")
            + (f"A dashed rule marks the room of {_racks(hope)} as forecast, {_said(hope * hoped)}." if other else "")
        ).rstrip(),
        tables={
            "bars": {
                "row": [row for row in sums for _ in range(2)],
                "start": [each for start in starts.values() for each in (0.0, start)],
                "end": [each for row in sums for each in (starts[row], sums[row])],
                "added": [False, True] * len(sums),
            },
            "racks": {
                "flight": list(drawn.values()),
                "said": [f"{_racks(count)}|{_said(at)}" if count in named else "" for count, at in drawn.items()],
            },
            "hope": {
                "flight": [hope * hoped] if other else [],
                "said": [f"{_racks(hope)} as forecast: {_said(hope * hoped)}"] if other else [],
            },
        },
        values={
            "flight": Value(round(flight), "requests", "In flight, even flow", 9),
            "busy": Value(round(busy), "requests", "In the busiest hour", 9),
            "need": Value(round(need), "requests", "With room for chance", 9),
        }
        | _held(here, promise, room, need, flight),
        notes=[] if whole else [_why(here, promise, over)],
    )


def room_at(found: Sheet, speed: float) -> float:
    """Sequences on a rack that keep a speed by the forecast, if each chip has one of them at least; else none.

    >>> room_at(case("rack"), 50), room_at(case("rack"), 90)
    (5328.0, 0.0)
    """
    room = modes(found, speed).promised.batch
    return room if math.isfinite(room) and room >= found.writing.setting.layout.chips else 0.0


def _held(found: Sheet, promise: float, room: float, need: float, flight: float) -> dict[str, Value]:
    """Numbers of the racks, where there is a room: how many, and what they bear before it takes one more."""
    if not room:
        return {}
    whole = math.ceil(need / room)
    return {
        "racks": Value(need / room, "racks", "Racks that write, before rounding up"),
        "room": Value(room, "requests", "Room of a rack", 9),
        "most_over": Value(enough(found, promise, need / whole), "x", "Step over its forecast that these racks bear"),
        "most_peak": Value(peak_at_most(whole * room, flight), "x", "Busiest hour over the mean that they bear"),
    }


def _finding(need: float, whole: int, hope: int, sized: str, asked: str) -> str:
    if not whole:
        return f"{sized[:1].upper()}{sized[1:]}, no number of racks of GB200 keeps {asked} for DeepSeek-V3"
    other = "" if hope == whole else f", {plain(hope, 9)} if steps last as forecast"
    return f"{_said(need)} requests in flight at the peak need {_racks(whole)} of GB200 for DeepSeek-V3 {sized}{other}"


def _why(found: Sheet, promise: float, over: float) -> str:
    setting = found.writing.setting
    lasts = over * float(forecast(setting, setting.layout.chips, found.request.held).seconds)
    return (
        f"With a single sequence on each chip a step would last {show(lasts, 's')}, and "
        f"{show(promise, 'tokens/s')} allow {show(1 / promise, 's')}."
    )


def _sized(over: float) -> str:
    """How the plan is sized, in words."""
    known = {1.0: "as forecast", FITTED.high_80: "at the slow end"}
    return known.get(over, f"with steps {show(over, 'x')} their forecast")


def _racks(count: int) -> str:
    return "1 rack" if count == 1 else f"{plain(count, 9)} racks"


def _said(requests: float) -> str:
    return plain(round(requests), 9)


FIGURES = (
    Figure(
        name="serving/racks",
        inputs=(TRAFFIC, PROMISE, BUSIEST, OVER),
        compute=racks,
        chart=racks_chart,
        table="bars",
        columns={"row": "Requests in flight", "start": "From", "end": "To"},
        assumptions=(
            "DeepSeek-V3 in FP8 on racks of 72 GB200 and answers of a thousand tokens, whatever other figures show. "
            "For another model, system or request, divide the requests with room for chance by the answers at once by "
            "which the price list sizes.",
            "Room for chance is three square roots of what is in flight in the busiest hour, of requests that come "
            "independently of one another.",
            "The room of a rack is the largest batch whose step, as many times its forecast as is asked, keeps the "
            "promise. Starts of messages take what the forecast counts; timed alone, they took longer.",
        ),
        foremost=3,
        sources=("lecture", "aiconfigurator-silicon"),
    ),
)
