"""Lecture 3 in pictures: machines in a row, and how long a token is on its way."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import pipelining
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import SECONDS, here_layer
from calc.figure.inputs import Choice
from calc.figure.line_names import ends_of, labelled_series
from calc.figure.scenario import BATCH, CONTEXT, PRECISION
from calc.moe.figures.setting import link_notes
from calc.pipelining.figures.setting import K2, LATENCY, NODE, hop, stages_input, step_alone
from calc.quantities.arithmetic import MICRO, whole_up
from calc.quantities.check import Quantity
from calc.quantities.units import show
from calc.setting import Scenario

ROW, JOINED = WAYS = ("row of machines", "one larger machine")
STAGES = np.arange(1.0, 17.0)
KEPT = 0.01  # of a step: so much later, or sooner, is neither
WAITS = "A hop's bytes outlast a stage's work: stages wait with any number of micro-batches."
LINKS = Choice(
    name="links",
    label="A hop takes",
    default="all",
    options={"all": "every chip's link", "one": "a single link"},
    help="Whether a micro-batch is handed over in slices, one from each chip, or by one chip alone.",
)


def latency(
    *,
    model: str,
    system: str,
    precision: str,
    context: float,
    batch: float,
    stages: float,
    latency: float,
    links: str,
) -> Answer:
    """Time between two tokens of a sequence, in a pipeline and in one larger machine of as many chips."""
    where = Scenario.named(model, system, precision)
    alone = step_alone(where, batch, context)
    each = hop(where, batch, latency * MICRO, links == "all")
    back = latency * MICRO
    curve = np.maximum(pipelining.decode_cycle(alone, STAGES, STAGES, each, back).seconds, _sent(STAGES, each - back))
    domain = [step_alone(where, batch * count, context) / count for count in STAGES.tolist()]
    each_way = dict(zip(WAYS, (curve, np.array(domain)), strict=True))
    together = step_alone(where, batch * stages, context) / stages
    row = pipelining.decode_cycle(alone, stages, stages, each, back)
    token = max(float(row.seconds), float(_sent(stages, each - back)))
    waits = stages > 1 and each - back > alone / stages
    slot = each - back if waits else alone / stages
    fill = float(whole_up(token / slot))
    full = max(token, fill * slot)
    later = (0.1 * alone + each - back) / stages
    return Answer(
        finding=_latency_finding(int(stages), alone, token, together),
        description=(
            f"Line chart: time between two tokens of a sequence against machines from 1 to {len(STAGES)}. One "
            f"machine takes {show(alone, 's')}; in a row, with hops of {show(each, 's')}, it rises to "
            f"{show(curve[-1], 's')}. One larger machine of as many chips, with all their sequences, comes "
            f"to {show(domain[-1], 's')}."
        ),
        tables={
            "curve": {
                "way": [way for way in WAYS for _ in STAGES],
                "stages": np.tile(STAGES, len(WAYS)),
                "seconds": np.concatenate(list(each_way.values())),
            },
            "ends": ends_of({way: (STAGES, line) for way, line in each_way.items()}, "stages", log=False),
            "here": {"stages": [stages], "seconds": [token], "said": [f"row: {show(token, 's')}"]},
            "joined": _joined(stages, alone, together),
        },
        values={
            "token": Value(token, "s", "A token in the row, every"),
            "alone": Value(alone, "s", "On one machine, every"),
            "domain": Value(together, "s", "On one larger machine, every"),
            "slower": _slower(token / alone),
            "limit": Value(
                later if stages > 1 and later > each - back else np.inf,
                "s",
                "Hop that makes it 10% later, by its latency",
                endless="none",
            ),
            "hop": Value(each, "s", "A hop"),
            "bytes": Value(each - back, "s", "Its bytes"),
            "user": Value(1 / token, "tokens/s", "A user of the row gets, at most"),
            "rate": Value(pipelining.throughput(batch, stages, token), "tokens/s", "All its users get, at most"),
            "idle": Value(1 - alone / token, "%", "Each stage of it waits", 2 if token < 10 * alone else 3),
            "fill": Value(fill, "", f"Micro-batches that keep {'its links' if waits else 'all'} busy", 9),
            "full": Value(full, "s", "A token with so many, every"),
            "full_user": Value(1 / full, "tokens/s", "A user then gets, at most"),
            "full_rate": Value(pipelining.throughput(batch, fill, full), "tokens/s", "All users then get, at most"),
        },
        notes=[
            *[WAITS] * waits,
            *where.notes(),
            *link_notes(where),
        ],
    )


def _slower(times: float) -> Value:
    """How much later the row is, or from twice the time on, how many times it takes."""
    return (
        Value(times - 1, "%", "The row is later by")
        if times < 2
        else Value(times, "x", "The row's time, over one machine's")
    )


def _sent(stages: Quantity, each: float) -> Quantity:
    """Seconds in which a link carries a hop of a micro-batch for each stage, one after the other."""
    return (stages > 1) * stages * each


def _joined(stages: float, alone: float, together: float) -> dict[str, list[Any]]:
    """The place of one larger machine of as many chips, where it is sooner than the row and not hidden by it."""
    told = together < (1 - KEPT) * alone
    return {"stages": [stages] * told, "seconds": [together] * told, "said": [show(together, "s")] * told}


def _latency_finding(stages: int, alone: float, token: float, together: float) -> str:
    if stages == 1:
        return f"One machine has no hops: by the simplest bound, a token every {show(alone, 's')}"
    later = token / alone - 1
    row = f"keeps the time of a token, {show(token, 's')}"
    if later > KEPT:
        slower = f"{show(later, '%')} later than" if later < 1 else f"{show(token / alone, 'x')} the time of"
        row = f"has a token every {show(token, 's')}, {slower} one machine"
    whole = f"one larger machine of as many chips could have one every {show(together, 's')}"
    if together > (1 - KEPT) * alone:
        whole = "one larger machine of as many chips would be no quicker"
    return f"By the simplest bound, a row of {stages} machines {row}; {whole}"


def latency_chart() -> Any:
    """A row, nearly level, and one larger machine, whose time falls."""
    import altair as alt

    x = (
        alt.X("stages:Q", title="Machines, in a row or joined into one")
        .scale(nice=False, domainMin=1)
        .axis(values=STAGES.tolist(), tickCount=len(STAGES))
    )
    y = alt.Y("seconds:Q", title="Time between two tokens").scale(zero=True).axis(**SECONDS)
    lines = labelled_series(alt, "way", WAYS, x, y)
    there = alt.Chart(alt.NamedData("joined")).encode(x="stages:Q", y="seconds:Q")
    words: dict[str, Any] = {
        "align": "left",
        "baseline": "bottom",
        "dx": 7,
        "dy": -4,
        "fontSize": 13,
        "fontWeight": 600,
    }
    said = there.mark_text(**words, color=look.FREE[1]).encode(text="said:N")
    joined = there.mark_point(color=look.FREE[1], size=110, opacity=1) + said
    return lines + joined + here_layer(alt, "stages", "seconds", label="said")


TOKEN = Figure(
    name="pipelining/latency",
    inputs=(stages_input(16, 4), LATENCY, LINKS, K2, NODE, PRECISION, CONTEXT, BATCH),
    compute=latency,
    chart=latency_chart,
    foremost=3,
    table="curve",
    columns={"way": "Way", "stages": "Machines", "seconds": "Seconds"},
    assumptions=(
        "A step on one machine takes what lecture 1 allows, as if it had room; a token then crosses all stages.",
        "A batch reads the experts that it wakes, lying evenly on the chips, and all of them once it is large.",
        "Nothing is guessed: guesses that are accepted give a user more tokens a step.",
        "Your batch is a micro-batch; there are as many as stages, and at the end of the readout as keep all busy.",
        "Stages are equally long. Back to the first machine go ids alone, which take the latency and no more.",
        "The larger machine is imagined: it reads and multiplies as all machines together, and its links are free.",
        "In practice each further chip has more messages to start, which takes longer in the end than it saves.",
    ),
    sources=("lecture", "aiconfigurator"),
)


FIGURES = (TOKEN,)
