"""Lecture 3 in pictures: what waiting a training schedule leaves, and what it holds to leave so little."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc.figure import look
from calc.figure.declared import Answer, Figure, Number, Value
from calc.figure.guides import ends_of, here_layer, labelled_series
from calc.pipelining import bubbles
from calc.pipelining.figures.setting import NAMES, SCHEDULE, formula_holds, micro_input, stages_input, waiting_share
from calc.quantities.units import plain, show

MOST = 1024
CLOSE, BESIDE = 0.08, 0.6  # of the height and of the width, within which labels would touch
LABEL_GAP, LINE = 11.0, 15.0  # pixels
LINES = {"1f1b": "GPipe, 1F1B", "interleaved": "interleaved", "zb-h1": "ZB-H1", "zb-h2": "ZB-H2"}
COUNTS = np.unique(np.round(np.geomspace(1, MOST, 36)))

CHUNKS = Number(
    name="chunks",
    label="Chunks of a stage",
    default=2,
    low=2,
    high=8,
    whole=True,
    help="Pieces of the model on each stage, when interleaved.",
)


def bubble(*, schedule: str, stages: float, micro: float, chunks: float) -> Answer:
    """Share of a step for which stages wait, against the number of micro-batches."""
    count, many, parts = int(stages), int(micro), int(chunks)
    shares = {name: waiting_share(name, count, many, _parts(name, parts)) for name in NAMES}
    here = shares[schedule]
    tenth = 9 * (count - 1)
    return Answer(
        finding=_bubble_finding(NAMES[schedule], count, many, here),
        description=(
            f"Line chart: share of a training step for which {count} stages wait, against micro-batches from 1 to "
            f"{plain(MOST, 4)} on a logarithmic axis. GPipe and 1F1B begin at {show((count - 1) / count, '%')} and "
            f"fall in inverse proportion; interleaving and ZB-H1 lie below, ZB-H2 at zero once it has enough. With "
            f"{many}: {', '.join(f'{NAMES[name]} {show(share, chr(37))}' for name, share in shares.items())}."
        ),
        tables={
            **_curve(count, parts),
            "here": {"micro": [many], "share": [here], "label": [show(here, "%")]},
        },
        values={
            **{name.replace("-", "_"): Value(share, "%", NAMES[name]) for name, share in shares.items()},
            "one": Value((count - 1) / count, "%", "With a single micro-batch"),
            "tenth": Value(max(tenth, 1), "", "Micro-batches for 10%, GPipe and 1F1B", 9),
            "held": Value(
                bubbles.peak_activations(schedule, count, many, _parts(schedule, parts)),
                "",
                f"Micro-batches held, {NAMES[schedule]}",
            ),
        },
        notes=_bubble_notes(schedule, count, many),
    )


def _parts(schedule: str, chunks: int) -> int:
    return chunks if schedule == "interleaved" else 1


def _curve(stages: int, chunks: int) -> dict[str, dict[str, list[Any]]]:
    """Every line from the first micro-batch for which its formula holds."""
    kept = {
        name: COUNTS[formula_holds(name, stages, COUNTS) & ((name != "interleaved") | (stages <= COUNTS))]
        for name in LINES
    }
    shares = {
        name: np.broadcast_to(bubbles.bubble_share(name, stages, counts, _parts(name, chunks)), counts.shape)
        for name, counts in kept.items()
    }
    curve: dict[str, list[Any]] = {
        "schedule": [LINES[name] for name, counts in kept.items() for _ in counts],
        "micro": [count for counts in kept.values() for count in counts],
        "share": [share for column in shares.values() for share in column],
    }
    lines = {LINES[name]: (counts, shares[name]) for name, counts in kept.items()}
    return {"curve": curve, "ends": ends_of(lines, "micro", log=False, top=1.0)}


def _bubble_finding(name: str, stages: int, micro: int, here: float) -> str:
    if stages == 1:
        return "One stage never waits, in any schedule"
    plural = "" if micro == 1 else "es"
    return f"{stages} stages and {plain(micro, 9)} micro-batch{plural} under {name} wait {show(here, '%')} of a step"


def _bubble_notes(schedule: str, stages: int, micro: int) -> list[str]:
    notes = []
    if schedule == "interleaved" and micro % stages:
        notes.append("Interleaving wants a multiple of the stages; the formula is drawn through.")
    if not formula_holds(schedule, stages, micro):
        least = stages if schedule == "zb-h1" else 2 * stages - 1
        notes.append(f"{NAMES[schedule]} wants {least} micro-batches here; with fewer its step was played out.")
    return notes


def bubble_chart() -> Any:
    """Curves that fall towards nothing, each from where its schedule can begin."""
    import altair as alt

    x = alt.X("micro:Q", title="Micro-batches in a step").scale(type="log", nice=False).axis(format="~s")
    y = alt.Y("share:Q", title="Share of the step spent waiting").scale(domain=[0, 1]).axis(format="%")
    lines = labelled_series(alt, "schedule", LINES.values(), x, y)
    return lines + here_layer(alt, "micro", "share", label="label", falling=True)


def price(*, stages: float, micro: float, chunks: float) -> Answer:
    """Every schedule as a point: the share that it waits, and the activations that it holds."""
    count, many, parts = int(stages), int(micro), int(chunks)
    waits = [waiting_share(name, count, many, _parts(name, parts)) for name in NAMES]
    holds = [float(bubbles.peak_activations(name, count, many, _parts(name, parts))) for name in NAMES]
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
        "side": ["right" if wait > 0.6 * max(waits) else "left" for wait, _ in places],
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
        f"1F1B waits {show(waits[1], '%')} as GPipe does and holds {less}; "
        f"ZB-H2 waits {show(waits[-1], '%')} and holds {plain(holds[-1])}"
    )


def price_chart() -> Any:
    """Less waiting to the left, less memory below."""
    import altair as alt

    x = alt.X("wait:Q", title="Share of the step spent waiting").scale(zero=True).axis(format="~%")
    y = alt.Y("held:Q", title="Held by the fullest stage (micro-batches)").scale(zero=True)
    names = tuple(NAMES.values())
    dots = (
        alt.Chart(alt.NamedData("points"))
        .mark_point(size=120, opacity=1)
        .encode(
            x=x,
            y=y,
            color=alt.Color("schedule:N", legend=None).scale(**look.series(*names)),
            shape=alt.Shape("schedule:N", legend=None).scale(**look.shapes(*names)),
        )
    )
    words = (
        alt.Chart(alt.NamedData("words"))
        .mark_text(
            align=alt.expr("datum.side"),
            dx=alt.expr("datum.side == 'left' ? 10 : -10"),
            dy=alt.expr("datum.dy"),
        )
        .encode(x=x, y=y, text="label:N")
    )
    return dots + words


BUBBLE = Figure(
    name="pipelining/bubble",
    inputs=(SCHEDULE, stages_input(16), micro_input(MOST, 8, log=True), CHUNKS),
    compute=bubble,
    chart=bubble_chart,
    table="curve",
    columns={"schedule": "Schedule", "micro": "Micro-batches", "share": "Waits (share)"},
    assumptions=(
        "A forward pass, the gradient of the inputs and that of the weights take equally long, on every stage.",
        "Sending takes no time. ZB-H2 is taken to run on from step to step.",
    ),
    sources=("lecture",),
)
PRICE = Figure(
    name="pipelining/price",
    inputs=(stages_input(16), micro_input(64, 16), CHUNKS),
    compute=price,
    chart=price_chart,
    table="points",
    columns={"schedule": "Schedule", "wait": "Waits (share)", "held": "Holds (micro-batches)"},
    assumptions=("Activations are kept from the forward pass to the end of the backward pass that needs them.",),
    sources=("lecture",),
)

FIGURES = (BUBBLE, PRICE)
