"""Lecture 3 in pictures: who does what when, in a step of training."""

from __future__ import annotations

from typing import Any

from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.pipelining import schedules
from calc.pipelining.figures.setting import SCHEDULE, micro_input, share_of, stages_input
from calc.pipelining.figures.timetable import KINDS, WAITING, counted, rows, timetable
from calc.quantities.units import plain, show

CHUNKS = 2  # of layers on a stage, when interleaved


def schedule(*, schedule: str, stages: float, micro: float) -> Answer:
    """One training step, task by task."""
    count, many, chunks = int(stages), _drawn(schedule, int(stages), int(micro)), 1
    if schedule == "interleaved":
        chunks = CHUNKS
    played = schedules.timetable(schedule, count, many, chunks)
    split = schedule.startswith("zb")
    tasks = [
        (task, KINDS["I" if split and task.kind == "B" else task.kind], 0.72 if task.chunk else 1.0)
        for task in played.tasks
    ]
    idle, held = share_of(schedule, played), max(played.peak_in_flight) / chunks
    name = SCHEDULE.options[schedule]
    return Answer(
        finding=_schedule_finding(schedule, count, many, idle),
        description=(
            f"Timetable of a training step under {name}: {counted(count, 'stage')}, one lane each, "
            f"{counted(many, 'micro-batch')}. Stages wait for {show(idle, '%')} of the step"
            f"{_between(schedule)}, and the fullest holds "
            f"the activations of {plain(held)} at once."
        ),
        tables=rows(played, tasks)
        | {
            "stages": {
                "stage": list(range(1, count + 1)),
                "wait": [played.seconds - 3.0 * many for _ in range(count)],
                "inside": list(played.waits),
                "held": [each / chunks for each in played.peak_in_flight],
            }
        },
        values={
            "idle": Value(idle, "%", "Each stage waits"),
            "held": Value(held, "", "Micro-batches that the fullest stage holds"),
            "length": Value(played.seconds, "", "The step, in forward passes of a stage"),
            "work": Value(3.0 * many, "", "of which a stage works"),
            "micro": Value(many, "", "Micro-batches drawn"),
        },
        notes=_schedule_notes(schedule, int(micro), many, played.idle_share),
    )


def _drawn(schedule: str, stages: int, micro: int) -> int:
    """Interleaving wants whole groups of as many micro-batches as there are stages."""
    return max(stages, micro - micro % stages) if schedule == "interleaved" else micro


def _schedule_finding(schedule: str, stages: int, micro: int, idle: float) -> str:
    if stages == 1:
        return "One stage never waits: there is nothing to wait for"
    what = f"{SCHEDULE.options[schedule]}, {stages} stages, {counted(micro, 'micro-batch')}"
    return f"{what}: each stage waits {show(idle, '%')} of the step{_between(schedule)}"


def _between(schedule: str) -> str:
    """Where the waits lie that are counted, if they are not all."""
    return " between passes" if schedule == "zb-h2" else ""


def _schedule_notes(schedule: str, asked: int, drawn: int, alone: float) -> list[str]:
    notes = []
    if drawn != asked:
        notes.append(f"Interleaving wants a multiple of the stages: drawn with {counted(drawn, 'micro-batch')}.")
    if schedule == "interleaved":
        notes.append(f"Each stage has {CHUNKS} chunks of layers; the second is fainter.")
    if schedule == "zb-h2":
        notes.append(
            f"ZB-H2 pushes its gaps to the ends of the step, into which its neighbours reach; only the waiting in "
            f"between is counted. A step alone would wait {show(alone, '%')}."
        )
    return notes


def schedule_chart() -> Any:
    """Forward passes, backward passes or their two halves, and the gaps between them."""
    import altair as alt

    colours = [look.MUTED, look.FREE[0], look.FREE[0], look.FREE[1], look.GRID]
    return timetable(alt, [*KINDS.values(), WAITING], colours, "forward passes of a stage")


TRAINING = Figure(
    name="pipelining/schedule",
    inputs=(SCHEDULE, stages_input(8), micro_input(12, 8)),
    compute=schedule,
    chart=schedule_chart,
    foremost=1,
    table="stages",
    columns={
        "stage": "Stage",
        "wait": "Waits (forward passes)",
        "inside": "of these inside its own work",
        "held": "Holds at most (micro-batches)",
    },
    assumptions=(
        "A forward pass, the gradient of the inputs and that of the weights take equally long.",
        "Sending from stage to stage takes no time, so the gaps are the least that there can be.",
    ),
    sources=("lecture",),
)

FIGURES = (TRAINING,)
