"""Timetables as charts: a lane for every stage, and in it a box for every task."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from calc.figure import look
from calc.figure.named import key_layer, present
from calc.pipelining.schedules import Task, Timetable

FOLLOWED, OTHERS, WAITING = WHO = ("Micro-batch 1", "The others, in greys", "Waiting")
KINDS = {"F": "Forward", "B": "Backward", "I": "Backward, inputs", "W": "Backward, weights"}
EDGE, PART = 0.8, 8  # pixels between boxes, or less: a part of a box's own
READABLE = 9  # pixels that a number needs
NUMBERED = 160  # boxes, beyond which numbers would be too many to draw in a frame


def counted(count: int, thing: str) -> str:
    """So many of a thing, in words.

    >>> counted(1, "micro-batch"), counted(2, "micro-batch")
    ('1 micro-batch', '2 micro-batches')
    """
    return f"{count} {thing}{'' if count == 1 else 'es' if thing.endswith('ch') else 's'}"


def rows(played: Timetable, tasks: Sequence[tuple[Task, str, float]]) -> dict[str, dict[str, list[Any]]]:
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


def timetable(alt: Any, kinds: list[str], colours: list[str], unit: str) -> Any:
    """Rows of boxes over pale lanes, with numbers where there is room."""
    x = alt.X("start:Q", title=f"Time ({unit})").scale(nice=False, zero=True)
    y = alt.Y("stage:O", title=None).scale(paddingInner=0.14, paddingOuter=0.07)
    y = y.axis(grid=False, labelExpr="'Stage ' + datum.label")
    scale: dict[str, Any] = {"domain": kinds, "range": colours}
    colour = alt.Color("what:N", legend=None).scale(**scale)
    lanes = alt.Chart(alt.NamedData("lanes")).mark_rect().encode(x=x, x2="end:Q", y=y, color=colour)
    tasks = alt.Chart(alt.NamedData("tasks"))
    edge = alt.expr(f"min({EDGE}, width * datum.span / {PART})")
    boxes = tasks.mark_rect(stroke=look.PAPER, strokeWidth=edge).encode(
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
    return lanes + boxes + words + key_layer(alt, scale, above=16)
