"""Lecture 3 in pictures: who does what when, in decoding."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from calc import pipelining
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.inputs import Number
from calc.pipelining import schedules
from calc.pipelining.figures.setting import micro_input, stages_input
from calc.pipelining.figures.timetable import FOLLOWED, OTHERS, WHO, counted, rows, timetable
from calc.pipelining.schedules import Timetable
from calc.quantities.units import plain, show

TOKENS = 3  # of each micro-batch, unless they take more than a drawing has room for:
SLOTS, BOXES = 96, 400  # times that a stage works, one after another, and times that all work
EDGE = 1e-9  # of a step: a box that would begin so near the end is not drawn

HOP = Number(
    name="hop",
    label="Hop",
    default=0,
    low=0,
    high=2.5,
    unit="steps",
    help="Time from one machine to the next, in steps of a micro-batch alone.",
)


def decode(*, stages: float, micro: float, hop: float) -> Answer:
    """Micro-batches circling through stages, drawn for a few tokens each."""
    count, many = int(stages), int(micro)
    cycle = pipelining.decode_cycle(1, count, many, hop)
    tokens, seconds = _drawn(count, many, float(cycle.seconds))
    played = _until(schedules.decode_timetable(count, many, tokens + 1, slot=1 / count, hop=hop), seconds)
    fill = pipelining.micro_batches_to_fill(1, count, hop)
    tasks = [
        (task, FOLLOWED if task.micro_batch == 0 else OTHERS, 1.0 if task.micro_batch % 2 == 0 else 0.7)
        for task in played.tasks
    ]
    return Answer(
        finding=_decode_finding(count, many, hop, float(cycle.idle_share), float(cycle.seconds)),
        description=(
            f"Timetable, a lane a stage: {counted(count, 'stage')} and {counted(many, 'micro-batch')}, for "
            f"{tokens} token{'s' * (tokens > 1)} of each. If none queues, a round takes {show(cycle.crossing, 'x')} "
            f"the step of one machine; a stage is busy for {show(cycle.utilisation, '%')} of the time."
        ),
        tables=rows(played, tasks)
        | {
            "stages": {
                "stage": list(range(1, count + 1)),
                "work": [
                    sum(task.end - task.start for task in played.tasks if task.stage == row) for row in range(count)
                ],
                "wait": list(played.waits),
            }
        },
        values={
            "idle": Value(cycle.idle_share, "%", "A stage waits, in the long run"),
            "token": Value(cycle.seconds, "x", "Between two tokens, in steps"),
            "crossing": Value(cycle.crossing, "x", "Once round all stages, in steps"),
            "rate": Value(many / cycle.seconds, "", "Micro-batches served in a step"),
            "fill": Value(fill, "", "Micro-batches that keep all busy"),
        },
        notes=["Shares and times are those of a pipeline that runs on; the drawing shows how it fills."],
    )


def _drawn(stages: int, micro: int, cycle: float) -> tuple[int, float]:
    """Tokens of a micro-batch that a drawing has room for, and the steps that it shows: if one, its return as well.

    >>> _drawn(4, 4, 1.0), _drawn(4, 4, 9.0), _drawn(8, 4, 21.0)
    ((3, 3.0), (2, 18.0), (1, 22.0))
    """
    room = min(SLOTS / (stages * cycle), BOXES / (stages * micro))
    tokens = min(max(int(room), 1), TOKENS)
    return tokens, tokens * cycle + (tokens == 1)


def _until(played: Timetable, seconds: float) -> Timetable:
    """The beginning of a timetable, its last boxes cut off: the line goes on beyond the drawing."""
    begun = [task for task in played.tasks if task.start < seconds - EDGE]
    return Timetable(played.stages, tuple(replace(task, end=min(task.end, seconds)) for task in begun))


def _decode_finding(stages: int, micro: int, hop: float, idle: float, token: float) -> str:
    many = counted(micro, "micro-batch")
    if stages == 1:
        return f"One stage is no pipeline: with {many} in flight, a sequence has a token every {_steps(token)}"
    kept = f"a sequence has a token every {_steps(token)}"
    if idle > 1e-9:
        return f"With {many} in flight, each of {stages} stages waits {show(idle, '%')} of the time; {kept}"
    begin = "After filling" if hop else "If hops take no time"
    return f"{begin}, {many} keep {counted(stages, 'stage')} busy; {kept}"


def _steps(count: float) -> str:
    return "step" if plain(count) == "1" else f"{plain(count)} steps"


def decode_chart() -> Any:
    """One micro-batch followed on its way round the stages, among the others."""
    import altair as alt

    colours = [look.ACCENT, look.MUTED, look.GRID]
    return timetable(alt, list(WHO), colours, "steps of a micro-batch alone")


DECODE = Figure(
    name="pipelining/decode",
    inputs=(stages_input(8), micro_input(24, 4), HOP),
    compute=decode,
    chart=decode_chart,
    foremost=2,
    table="stages",
    columns={"stage": "Stage", "work": "Works (steps)", "wait": "Waits between (steps)"},
    assumptions=(
        "All stages take equally long, and all micro-batches have the same number of sequences.",
        "A step is the time of one micro-batch through all layers on the chips of one machine.",
        "A sequence starts its next token as soon as the last one has come round; the way back takes a hop, too.",
    ),
    sources=("lecture",),
)
FIGURES = (DECODE,)
