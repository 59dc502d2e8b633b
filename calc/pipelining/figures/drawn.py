"""Lecture 3 in pictures: who does what when, in decoding and in training."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from calc import pipelining
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.inputs import Number
from calc.figure.named import key_layer, present
from calc.pipelining import schedules
from calc.pipelining.figures.setting import SCHEDULE, micro_input, share_of, stages_input
from calc.pipelining.schedules import Task, Timetable
from calc.quantities.units import plain, show

TOKENS = 3
EDGE = 1e-9  # of a step: a box that would begin so near the end is not drawn
CHUNKS = 2  # of layers on a stage, when interleaved
FOLLOWED, OTHERS, WAITING = WHO = ("Micro-batch 1", "The others", "Waiting")
KINDS = {"F": "Forward", "B": "Backward", "I": "Backward, inputs", "W": "Backward, weights"}
READABLE = 9  # pixels that a number needs
NUMBERED = 160  # boxes, beyond which numbers would be too many to draw in a frame

HOP = Number(
    name="hop",
    label="Hop",
    default=0,
    low=0,
    high=0.25,
    unit="steps",
    help="Time from one rack to the next, in steps of a micro-batch alone.",
)


def decode(*, stages: float, micro: float, hop: float) -> Answer:
    """Micro-batches circling through stages, drawn for a few tokens each."""
    count, many = int(stages), int(micro)
    cycle = pipelining.decode_cycle(1, count, many, hop)
    played = _until(
        schedules.decode_timetable(count, many, TOKENS + 1, slot=1 / count, hop=hop), TOKENS * float(cycle.seconds)
    )
    fill = pipelining.micro_batches_to_fill(1, count, hop)
    tasks = [
        (task, FOLLOWED if task.micro_batch == 0 else OTHERS, 1.0 if task.micro_batch % 2 == 0 else 0.7)
        for task in played.tasks
    ]
    return Answer(
        finding=_decode_finding(count, many, float(cycle.idle_share), float(cycle.seconds)),
        description=(
            f"Timetable of {_counted(count, 'stage')}, one row each, with {_counted(many, 'micro-batch')} that circle "
            f"through them for {TOKENS} tokens. A micro-batch crosses all stages in {show(cycle.crossing, 'x')} "
            f"the step that it would take alone on one rack; a stage is busy for {show(cycle.utilisation, '%')} "
            f"of the time."
        ),
        tables=_rows(played, tasks)
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
            "crossing": Value(cycle.crossing, "x", "Once through all stages, in steps"),
            "rate": Value(many / cycle.seconds, "", "Micro-batches that gain a token in a step"),
            "fill": Value(fill, "", "Micro-batches that keep all busy"),
        },
        notes=["Shares and times are those of a pipeline that runs on; the drawing shows how it fills."],
    )


def _until(played: Timetable, seconds: float) -> Timetable:
    """The beginning of a timetable, its last boxes cut off: the line goes on beyond the drawing."""
    begun = [task for task in played.tasks if task.start < seconds - EDGE]
    return Timetable(played.stages, tuple(replace(task, end=min(task.end, seconds)) for task in begun))


def _decode_finding(stages: int, micro: int, idle: float, token: float) -> str:
    flight = f"{_counted(micro, 'micro-batch')} in flight"
    if stages == 1:
        return f"One stage is no pipeline: with {flight}, a sequence has a token every {_steps(token)}"
    kept = f"a sequence has a token every {_steps(token)}"
    if idle > 1e-9:
        return f"With {flight}, each of {stages} stages waits {show(idle, '%')} of the time; {kept}"
    return f"With {flight}, no stage of {stages} waits; {kept}"


def _steps(count: float) -> str:
    return "step" if abs(count - 1) < 1e-9 else f"{plain(count)} steps"


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 'es' if thing.endswith('ch') else 's'}"


def _rows(played: Timetable, tasks: Sequence[tuple[Task, str, float]]) -> dict[str, dict[str, list[Any]]]:
    """A lane for every stage, and in it a box for every task with the number of its micro-batch."""
    lanes = range(1, played.stages + 1)
    return {
        "key": present([*_by_order(what for _, what, _ in tasks), WAITING]),
        "lanes": {
            "stage": list(lanes),
            "start": [0.0] * played.stages,
            "end": [played.seconds] * played.stages,
            "what": [WAITING] * played.stages,
        },
        "tasks": {
            "stage": [task.stage + 1 for task, _, _ in tasks],
            "start": [task.start for task, _, _ in tasks],
            "end": [task.end for task, _, _ in tasks],
            "middle": [(task.start + task.end) / 2 for task, _, _ in tasks],
            "span": [(task.end - task.start) / played.seconds for task, _, _ in tasks],
            "what": [what for _, what, _ in tasks],
            "shade": [shade for _, _, shade in tasks],
            "label": [_label(task, len(tasks)) for task, _, _ in tasks],
        },
    }


def _by_order(drawn: Iterable[str]) -> list[str]:
    """The kinds of boxes that are drawn, in the order of their key."""
    there = set(drawn)
    return [what for what in (*WHO, *KINDS.values()) if what in there]


def _label(task: Task, many: int) -> str:
    """Numbers are worth drawing while there is room for them."""
    return str(task.micro_batch + 1) if many <= NUMBERED else ""


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
        finding=_schedule_finding(name, count, many, idle, held),
        description=(
            f"Timetable of a training step under {name}: {_counted(count, 'stage')}, one row each, "
            f"{_counted(many, 'micro-batch')}. Stages wait for {show(idle, '%')} of the step, and the fullest holds "
            f"the activations of {plain(held)} at once."
        ),
        tables=_rows(played, tasks)
        | {
            "stages": {
                "stage": list(range(1, count + 1)),
                "wait": [played.seconds - 3.0 * many for _ in range(count)],
                "inside": list(played.waits),
                "held": [each / chunks for each in played.peak_in_flight],
            }
        },
        values={
            "idle": Value(idle, "%", "Stages wait"),
            "length": Value(played.seconds, "", "The step, in forward passes of a stage"),
            "work": Value(3.0 * many, "", "of which a stage works"),
            "alone": Value(played.idle_share, "%", "Stages wait, if no step follows"),
            "held": Value(held, "", "Micro-batches held, fullest stage"),
            "micro": Value(many, "", "Micro-batches drawn"),
        },
        notes=_schedule_notes(schedule, int(micro), many, played.idle_share),
    )


def _drawn(schedule: str, stages: int, micro: int) -> int:
    """Interleaving wants whole groups of as many micro-batches as there are stages."""
    return max(stages, micro - micro % stages) if schedule == "interleaved" else micro


def _schedule_finding(name: str, stages: int, micro: int, idle: float, held: float) -> str:
    if stages == 1:
        return "One stage never waits: there is nothing to wait for"
    what = f"{name}, {stages} stages, {_counted(micro, 'micro-batch')}"
    return f"{what}: stages wait {show(idle, '%')} of the step, and the fullest holds activations of {plain(held)}"


def _schedule_notes(schedule: str, asked: int, drawn: int, alone: float) -> list[str]:
    notes = []
    if drawn != asked:
        notes.append(f"Interleaving wants a multiple of the stages: drawn with {_counted(drawn, 'micro-batch')}.")
    if schedule == "interleaved":
        notes.append(f"Each stage has {CHUNKS} chunks of layers; the second is paler.")
    if schedule == "zb-h2":
        notes.append(
            f"ZB-H2 pushes its gaps to the ends of the step, into which its neighbours reach; only the waiting in "
            f"between is counted. A step alone would wait {show(alone, '%')}."
        )
    return notes


def _timetable(alt: Any, kinds: list[str], colours: list[str], unit: str) -> Any:
    """Rows of boxes over pale lanes, with numbers where there is room."""
    x = alt.X("start:Q", title=f"Time ({unit})").scale(nice=False, zero=True)
    y = alt.Y("stage:O", title="Stage").scale(paddingInner=0.14, paddingOuter=0.07).axis(grid=False)
    scale: dict[str, Any] = {"domain": kinds, "range": colours}
    colour = alt.Color("what:N", legend=None).scale(**scale)
    lanes = alt.Chart(alt.NamedData("lanes")).mark_rect().encode(x=x, x2="end:Q", y=y, color=colour)
    tasks = alt.Chart(alt.NamedData("tasks"))
    boxes = tasks.mark_rect(stroke=look.PAPER, strokeWidth=0.8).encode(
        x=x,
        x2="end:Q",
        y=y,
        color=colour,
        fillOpacity=alt.FillOpacity("shade:Q", legend=None).scale(None),
    )
    words = (
        tasks.transform_filter("datum.label != ''")
        .mark_text(color=look.PAPER, fontSize=10.5, opacity=alt.expr(f"width * datum.span < {READABLE} ? 0 : 1"))
        .encode(x=alt.X("middle:Q"), y=y, text="label:N")
    )
    return lanes + boxes + words + key_layer(alt, scale, above=34)


def decode_chart() -> Any:
    """One micro-batch followed on its way round the stages, among the others."""
    import altair as alt

    colours = [look.ACCENT, look.MUTED, look.GRID]
    return _timetable(alt, list(WHO), colours, "steps of a micro-batch alone")


def schedule_chart() -> Any:
    """Forward passes, backward passes or their two halves, and the gaps between them."""
    import altair as alt

    colours = [look.MUTED, look.FREE[0], look.FREE[0], look.FREE[1], look.GRID]
    return _timetable(alt, [*KINDS.values(), WAITING], colours, "forward passes of a stage")


DECODE = Figure(
    name="pipelining/decode",
    inputs=(stages_input(8), micro_input(12, 4), HOP),
    compute=decode,
    chart=decode_chart,
    table="stages",
    columns={"stage": "Stage", "work": "Works (steps)", "wait": "Waits between (steps)"},
    assumptions=(
        "All stages take equally long, and all micro-batches have the same number of sequences.",
        "A step is the time of one micro-batch through all layers on the chips of one rack.",
        "A sequence starts its next token as soon as the last one has come round to the first stage.",
    ),
    sources=("lecture",),
)
TRAINING = Figure(
    name="pipelining/schedule",
    inputs=(SCHEDULE, stages_input(8), micro_input(12, 8)),
    compute=schedule,
    chart=schedule_chart,
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

FIGURES = (DECODE, TRAINING)
