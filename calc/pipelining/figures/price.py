"""Lecture 3 in pictures: the price of a small bubble, in activations that are held."""

from __future__ import annotations

from typing import Any

from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.pipelining import bubbles
from calc.pipelining.figures.setting import CHUNKS, NAMES, micro_input, parts_of, stages_input, waiting_share
from calc.quantities.units import plain, show

CLOSE, BESIDE = 0.08, 0.6  # of the height and of the width, within which labels would touch
LABEL_GAP, LINE = 11.0, 15.0  # pixels


def price(*, stages: float, micro: float, chunks: float) -> Answer:
    """Every schedule as a point: the share that it waits, and the activations that it holds."""
    count, many, parts = int(stages), int(micro), int(chunks)
    waits = [waiting_share(name, count, many, parts_of(name, parts)) for name in NAMES]
    holds = [bubbles.peak_activations(name, count, many, parts_of(name, parts)) for name in NAMES]
    least = min(holds)
    return Answer(
        finding=_price_finding(count, waits, holds),
        description=(
            "Dot chart: share of the step spent waiting against activations that the fullest stage holds. "
            + "; ".join(
                f"{name} waits {show(wait, '%')} and holds {plain(hold)}"
                for name, wait, hold in zip(NAMES.values(), waits, holds, strict=True)
            )
            + "."
        ),
        tables={
            "points": {
                "schedule": list(NAMES.values()),
                "wait": waits,
                "held": holds,
            },
            "words": _words(waits, holds),
        },
        values={
            "least": Value(least, "", "Fewest held"),
            "gpipe": Value(holds[0], "", "GPipe holds"),
            "ratio": Value(holds[0] / holds[1], "x", "GPipe over 1F1B"),
            "h2": Value(holds[-1], "", "ZB-H2 holds"),
            "h2_ratio": Value(holds[-1] / holds[1], "x", "ZB-H2 over 1F1B"),
        },
        notes=[
            "A micro-batch's activations are those of one stage: all its layers, or all its chunks of layers.",
            *(["Interleaving wants a multiple of the stages."] if many % count else []),
        ],
    )


def _words(waits: list[float], holds: list[float]) -> dict[str, list[Any]]:
    """One label for each place, however many schedules are there."""
    there: dict[tuple[float, float], list[str]] = {}
    for name, wait, hold in zip(NAMES.values(), waits, holds, strict=True):
        there.setdefault((round(wait, 6), hold), []).append(name)
    places = sorted(there)
    return {
        "wait": [wait for wait, _ in places],
        "held": [hold for _, hold in places],
        "label": [", ".join(there[place]) for place in places],
        "side": ["center" if not max(waits) else "right" if wait > 0.6 * max(waits) else "left" for wait, _ in places],
        "dy": _staggered(places, max(waits), max(holds)),
    }


def _staggered(places: list[tuple[float, float]], widest: float, most: float) -> list[float]:
    """Labels of neighbours a line apart: below high points, above low ones."""
    found = []
    for at, (wait, hold) in enumerate(places):
        level = sum(abs(hold - y) < CLOSE * most and wait - x < BESIDE * widest for x, y in places[:at])
        away = LABEL_GAP + LINE * level
        found.append(away if hold > most / 2 else -away)
    return found


def _price_finding(stages: int, waits: list[float], holds: list[float]) -> str:
    if stages == 1:
        return "One stage holds one micro-batch at a time under 1F1B, and never waits"
    less = f"{plain(holds[1])} instead of {plain(holds[0])}" if holds[1] < holds[0] else f"as many, {plain(holds[1])}"
    return (
        f"1F1B waits {show(waits[1], '%')} as GPipe does, holds {less}; "
        f"ZB-H2, if steps run on, {show(waits[-1], '%')} and {plain(holds[-1])}"
    )


def price_chart() -> Any:
    """Less waiting to the left, less memory below."""
    import altair as alt

    x = alt.X("wait:Q", title="Share of the step spent waiting").scale(zero=True).axis(format="~%")
    y = alt.Y("held:Q", title="Held by the fullest stage (micro-batches)").scale(zero=True)
    names = tuple(NAMES.values())
    dots = (
        alt.Chart(alt.NamedData("points"))
        .mark_point(size=120, opacity=1, color=look.MUTED)
        .encode(
            x=x,
            y=y,
            shape=alt.Shape("schedule:N", legend=None).scale(**look.shapes(*names)),
        )
    )
    words = (
        alt.Chart(alt.NamedData("words"))
        .mark_text(
            align=alt.expr("datum.side"),
            dx=alt.expr("datum.side == 'left' ? 10 : datum.side == 'right' ? -10 : 0"),
            dy=alt.expr("datum.dy"),
        )
        .encode(x=x, y=y, text="label:N")
    )
    return dots + words


PRICE = Figure(
    name="pipelining/price",
    inputs=(stages_input(16), micro_input(64, 8), CHUNKS),
    compute=price,
    chart=price_chart,
    table="points",
    columns={"schedule": "Schedule", "wait": "Waits (share)", "held": "Holds (micro-batches)"},
    assumptions=(
        "Activations are kept from the forward pass to the end of the backward pass that needs them.",
        "Waits are those of the figure before, with its assumptions.",
    ),
    sources=("lecture",),
)


FIGURES = (PRICE,)
