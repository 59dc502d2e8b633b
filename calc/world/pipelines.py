"""Rows of stages that trained, beside equation (6) of lecture 3 and its timetables.

A run's samples a second, times the passes that each sample takes a stage, are the share of the step in which stages
compute. No time is fitted: passes were timed apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property

from calc.catalog.pipelines import PassTimes, PipelineRun, pass_times, pipeline_runs
from calc.pipelining.bubbles import bubble_share, peak_activations
from calc.pipelining.schedules import timetable

PLAIN, PIECES, SPLIT, FILLED, JOINED = "1f1b", "interleaved", "zb-1p", "zb-2p", "zb-2p-joined"
BY_HAND = {PLAIN: "1f1b", PIECES: "interleaved", SPLIT: "zb-h1"}
"""Schedules of the lecture by those of the runs. With the memory of 1F1B the search found what ZB-H1 does by hand."""


@dataclass(frozen=True)
class RowRun:
    """A run of a row of stages, beside its count."""

    row: PipelineRun

    @property
    def key(self) -> tuple[str, int]:
        """The model and its micro-batches: runs of two schedules that share them are alike otherwise."""
        return self.row.model, self.row.micro_batches

    @property
    def name(self) -> str:
        """The model and its row."""
        return f"{self.row.model}, {self.row.stages} stages"

    @property
    def gigabytes(self) -> float:
        """Memory of the fullest chip, as printed."""
        assert self.row.gigabytes is not None, f"no memory is printed for {self.row.schedule}"
        return self.row.gigabytes

    @cached_property
    def passes(self) -> PassTimes:
        """Times of passes in this run, or those of the model with the fewest micro-batches that were timed."""
        known = pass_times()
        timed = [each for each in known.values() if each.model == self.row.model]
        return known.get(self.key, timed[0])

    @property
    def share(self) -> float:
        """Share of the step in which a stage computes, as measured."""
        each_second = self.row.samples * self.row.stages / self.row.micro_batch
        return each_second * self.passes.all / 1000

    @property
    def for_each_stage(self) -> float:
        """Micro-batches of a step for each stage."""
        return self.row.micro_batches / self.row.stages

    @property
    def formula(self) -> float:
        """Share of the step in which a stage computes, by the formula of its schedule, with free hops."""
        row, times = self.row, self.passes
        return 1 - float(
            bubble_share(
                BY_HAND[row.schedule],
                row.stages,
                row.micro_batches,
                row.chunks,
                forward=times.forward,
                backward=times.backward,
                weight=times.weight,
            )
        )

    @cached_property
    def played(self) -> float:
        """The same by the timetable, with the hops that were timed."""
        times = replace(self.passes, micro_batches=self.row.micro_batches)
        return 1 - idle_share(BY_HAND[self.row.schedule], self.row.chunks, times)

    @property
    def rest(self) -> float:
        """Seconds of a step that neither passes nor waits with hops explain, for each micro-batch."""
        return (1 / self.share - 1 / self.played) * self.passes.all / 1000

    @property
    def longer(self) -> float:
        """A step as measured, over that of the formula."""
        return self.formula / self.share

    @property
    def held(self) -> float:
        """Micro-batches that the fullest stage holds, by the lecture's table; for the search, as many as it may."""
        row = self.row
        if row.schedule in BY_HAND:
            return float(peak_activations(BY_HAND[row.schedule], row.stages, row.micro_batches, row.chunks))
        return float(min(2 * row.stages, row.micro_batches))


@cache
def idle_share(schedule: str, chunks: int, times: PassTimes) -> float:
    """Share of a step in which stages wait, by the timetable of such passes and hops.

    >>> round(idle_share("1f1b", 1, pass_times()["1.5B", 24]), 4)
    0.2431
    """
    return timetable(
        schedule,
        times.stages,
        times.micro_batches,
        chunks,
        forward=times.forward,
        backward=times.backward,
        weight=times.weight,
        hop=times.hop,
    ).idle_share


@cache
def row_runs(schedule: str) -> tuple[RowRun, ...]:
    """Every run under a schedule.

    >>> [len(row_runs(name)) for name in (PLAIN, PIECES, SPLIT, FILLED, JOINED)]
    [21, 12, 12, 21, 4]
    """
    return tuple(RowRun(row) for row in pipeline_runs() if row.schedule == schedule)


def long_enough(found: Iterable[RowRun]) -> list[RowRun]:
    """Those with more micro-batches than stages."""
    return [each for each in found if each.for_each_stage > 1]


def beside(schedule: str, other: str) -> list[tuple[RowRun, RowRun]]:
    """Runs of two schedules that are alike otherwise.

    >>> len(beside(PIECES, PLAIN))
    12
    """
    others = {each.key: each for each in row_runs(other)}
    return [(each, others[each.key]) for each in row_runs(schedule) if each.key in others]


def split_with_few(run: RowRun) -> float:
    """Gain of a split backward pass over 1F1B with no more micro-batches than stages, as the authors count it.

    Each micro-batch's last part is done while others pass, so a step is (M + P - 1)(F + B) + W.

    >>> round(split_with_few(row_runs(FILLED)[0]), 3)
    0.22
    """
    times, turns = run.passes, run.row.micro_batches + run.row.stages - 1
    return turns * times.all / (turns * (times.forward + times.backward) + times.weight) - 1


def micro_batch_gigabytes(model: str) -> float:
    """Memory that one more micro-batch takes under 1F1B, from the fewest to as many as stages.

    >>> micro_batch_gigabytes("1.5B")
    3.0
    """
    rising = [each for each in row_runs(PLAIN) if each.row.model == model and each.for_each_stage <= 1]
    first, last = rising[0], rising[-1]
    return (last.gigabytes - first.gigabytes) / (last.held - first.held)


def counted_gigabytes(run: RowRun) -> float:
    """Memory by the micro-batches that a stage holds, from the run of its model with the fewest under 1F1B.

    >>> counted_gigabytes(row_runs(PLAIN)[1])
    17.0
    """
    first = next(each for each in row_runs(PLAIN) if each.row.model == run.row.model)
    return first.gigabytes + micro_batch_gigabytes(run.row.model) * (run.held - first.held)
