"""Pipelines as timetables. Which stage does what when, in training and in decoding, as data to draw.

Every stage works down its list of tasks and starts each as soon as its input is there; idle time is what comes out, and
`calc.pipelining.bubbles` has the formulas for it, for hops that take no time. Stages are equally long.

The training schedules are GPipe (Huang et al., 2019), 1F1B (Narayanan et al., 2019), interleaved (Narayanan et al.,
2021), and the zero-bubble schedules ZB-H1 and ZB-H2 (Qi et al., 2024), which split the backward pass.

Symbols: P stages, M micro-batches, v chunks of layers per stage; F, B and W seconds per micro-batch and stage.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, repeat

import numpy as np

from calc.quantities.check import Range, number, single
from calc.quantities.errors import OutOfRange, UnknownName

MOST_TASKS = 50_000
_POSITIVE = Range(0, open_low=True)
_NON_NEGATIVE = Range(0)


@dataclass(frozen=True)
class Task:
    """A stage's work from `start` to `end`: F, B or W (B with W where the schedule does not split them).

    In a timetable of decoding all are F, and `chunk` is the position of the token.
    """

    stage: int
    micro_batch: int
    chunk: int
    kind: str
    start: float
    end: float


@dataclass(frozen=True)
class Timetable:
    """The tasks of every stage in time, and the idle time that follows from them."""

    stages: int
    tasks: tuple[Task, ...]

    @property
    def seconds(self) -> float:
        """End of the last task."""
        return max(task.end for task in self.tasks)

    @property
    def idle_share(self) -> float:
        """Share of all stages' time, from the first task to the last, in which nothing is done."""
        busy = sum(task.end - task.start for task in self.tasks)
        return 1 - busy / (self.stages * self.seconds)

    @property
    def waits(self) -> tuple[float, ...]:
        """Seconds for which each stage waits between its own first and its own last task.

        This is what remains of the bubble if no stage has to wait for the others between two steps.
        """
        return tuple(self._wait([task for task in self.tasks if task.stage == stage]) for stage in range(self.stages))

    @property
    def peak_in_flight(self) -> tuple[int, ...]:
        """Most activations that each stage holds at once, counted in micro-batches of one chunk."""
        return tuple(self._peak(stage) for stage in range(self.stages))

    def _wait(self, tasks: list[Task]) -> float:
        span = max(task.end for task in tasks) - min(task.start for task in tasks)
        return span - sum(task.end - task.start for task in tasks)

    def _peak(self, stage: int) -> int:
        frees = "W" if any(task.kind == "W" for task in self.tasks) else "B"
        changes = [(task.start, 1) for task in self.tasks if task.stage == stage and task.kind == "F"]
        changes += [(task.end, -1) for task in self.tasks if task.stage == stage and task.kind == frees]
        return int(max(np.cumsum([change for _, change in sorted(changes)])))


Job = tuple[str, int, int]  # kind, micro-batch, chunk


def timetable(
    schedule: str,
    stages: int,
    micro_batches: int,
    chunks: int = 1,
    *,
    forward: float = 1.0,
    backward: float = 1.0,
    weight: float = 1.0,
    hop: float = 0.0,
) -> Timetable:
    """Every task of one training step: each stage works down its list and starts as soon as its input is there.

    Handing a micro-batch on, forwards or backwards, takes `hop`; meanwhile the sender goes on.

    >>> for task in timetable("1f1b", 2, 1, weight=0).tasks:
    ...     print(task.stage, task.kind, task.start, task.end)
    0 F 0.0 1.0
    1 F 1.0 2.0
    1 B 2.0 3.0
    0 B 3.0 4.0
    """
    count, many, parts = _sizes(stages=stages, micro_batches=micro_batches, chunks=chunks)
    f, b = _one("forward", forward, _POSITIVE), _one("backward", backward, _POSITIVE)
    w, between = _one("weight", weight, _NON_NEGATIVE), _one("hop", hop, _NON_NEGATIVE)
    if str(schedule) not in _ORDERS:
        raise UnknownName("schedule", schedule, _ORDERS)
    if schedule != "interleaved" and parts > 1:
        raise OutOfRange("chunks", chunks, "1, unless the schedule is interleaved")
    if schedule == "interleaved" and many % count:
        raise OutOfRange("micro_batches", micro_batches, f"a multiple of the stages, {stages}, when interleaved")
    split = schedule.startswith("zb")
    seconds = {"F": f / parts, "B": b if split else (b + w) / parts, "W": w}
    lists = [list(_ORDERS[schedule](stage, count, many, parts)) for stage in range(count)]
    return Timetable(count, tuple(_played(lists, parts, seconds, between)))


def decode_timetable(stages: int, micro_batches: int, tokens: int, *, slot: float = 1.0, hop: float = 0.0) -> Timetable:
    """M micro-batches circle through P stages, `tokens` times; each token starts when the one before has come round.

    A stage takes `slot` seconds, handing over (also from the last stage to the first) takes `hop`.

    >>> [task.start for task in decode_timetable(3, 1, 2, hop=0.5).tasks]
    [0.0, 1.5, 3.0, 4.5, 6.0, 7.5]
    """
    count, many, rounds = _sizes(stages=stages, micro_batches=micro_batches, tokens=tokens)
    seconds = {"F": _one("slot", slot, _POSITIVE)}
    turns: list[Job] = [("F", micro, token) for token in range(rounds) for micro in range(many)]
    return Timetable(count, tuple(_played([turns] * count, rounds, seconds, _one("hop", hop, _NON_NEGATIVE))))


def _played(lists: list[list[Job]], chunks: int, seconds: dict[str, float], hop: float) -> Iterator[Task]:
    """Tasks with their times, in an order in which each comes after what it waits for."""
    ends: dict[tuple[int, Job], float] = {}
    free = [0.0] * len(lists)
    place = [0] * len(lists)
    while any(at < len(jobs) for at, jobs in zip(place, lists, strict=True)):
        for stage, jobs in enumerate(lists):
            while place[stage] < len(jobs):
                job = jobs[place[stage]]
                needed = _needed(stage, job, len(lists), chunks)
                if needed is not None and needed not in ends:
                    break
                start = free[stage]
                if needed is not None:
                    start = max(start, ends[needed] + (hop if needed[0] != stage else 0.0))
                free[stage] = ends[stage, job] = start + seconds[job[0]]
                place[stage] += 1
                yield Task(stage, job[1], job[2], job[0], start, free[stage])


def _needed(stage: int, job: Job, stages: int, chunks: int) -> tuple[int, Job] | None:
    """The task whose output a job waits for; the chunks follow each other round the stages."""
    kind, micro, chunk = job
    if kind == "W":
        return stage, ("B", micro, chunk)
    if kind == "F":
        back = (stage - 1, chunk) if stage else (stages - 1, chunk - 1)
        return None if back[1] < 0 else (back[0], ("F", micro, back[1]))
    ahead = (stage + 1, chunk) if stage < stages - 1 else (0, chunk + 1)
    return (stage, ("F", micro, chunk)) if ahead[1] == chunks else (ahead[0], ("B", micro, ahead[1]))


def _gpipe(stage: int, stages: int, micro_batches: int, chunks: int) -> Iterable[Job]:
    """All forwards, then all backwards, last in first out."""
    forwards = [("F", micro, 0) for micro in range(micro_batches)]
    return forwards + [("B", micro, 0) for micro in reversed(range(micro_batches))]


def _alternating(warm_up: int, forwards: list[Job], backwards: list[Job]) -> Iterable[Job]:
    """Some forwards first, then one of each for as long as there are forwards, then the other backwards."""
    yield from forwards[:warm_up]
    rest = chain(forwards[warm_up:], repeat(None))
    for backward, ahead in zip(backwards, rest, strict=False):
        if ahead is not None:
            yield ahead
        yield backward


def _one_forward_one_backward(stage: int, stages: int, micro_batches: int, chunks: int) -> Iterable[Job]:
    micros = range(micro_batches)
    return _alternating(
        stages - 1 - stage, [("F", micro, 0) for micro in micros], [("B", micro, 0) for micro in micros]
    )


def _interleaved(stage: int, stages: int, micro_batches: int, chunks: int) -> Iterable[Job]:
    """Groups of P micro-batches go through one chunk after the other (Narayanan et al., 2021, section 2.2)."""
    turns = [
        (group * stages + micro, chunk)
        for group in range(micro_batches // stages)
        for chunk in range(chunks)
        for micro in range(stages)
    ]
    forwards: list[Job] = [("F", micro, chunk) for micro, chunk in turns]
    backwards: list[Job] = [("B", micro, chunks - 1 - chunk) for micro, chunk in turns]
    return _alternating(2 * (stages - 1 - stage) + (chunks - 1) * stages, forwards, backwards)


def _zero_bubble(stage: int, stages: int, micro_batches: int, depth: int) -> Iterable[Job]:
    """More forwards ahead by `depth`, and weight gradients put off by as much, into the gaps at the end."""
    ahead, late = depth * (stages - stage) - (depth - 1), depth * stage
    yield from (("F", micro, 0) for micro in range(min(ahead, micro_batches)))
    for micro in range(micro_batches):
        yield "B", micro, 0
        if micro >= late:
            yield "W", micro - late, 0
        if micro + ahead < micro_batches:
            yield "F", micro + ahead, 0
    yield from (("W", micro, 0) for micro in range(max(micro_batches - late, 0), micro_batches))


_ORDERS: dict[str, Callable[[int, int, int, int], Iterable[Job]]] = {
    "gpipe": _gpipe,
    "1f1b": _one_forward_one_backward,
    "interleaved": _interleaved,
    "zb-h1": lambda stage, stages, micro_batches, _: _zero_bubble(stage, stages, micro_batches, 1),
    "zb-h2": lambda stage, stages, micro_batches, _: _zero_bubble(stage, stages, micro_batches, 2),
}


def _one(argument: str, value: object, accepted: Range) -> float:
    return single(argument, number(argument, value, accepted))


def _sizes(**given: int) -> list[int]:
    sizes = [int(_one(name, value, Range(1, whole=True))) for name, value in given.items()]
    if 3 * math.prod(sizes) > MOST_TASKS:
        raise OutOfRange("micro_batches", given["micro_batches"], f"so few that there are at most {MOST_TASKS:,} tasks")
    return sizes
