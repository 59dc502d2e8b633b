from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calc import pipelining
from calc.pipelining import bubbles, schedules
from calc.quantities.errors import CalcError, UnknownName

QUICK = settings(max_examples=40, deadline=None)
TIMES = st.floats(0.1, 10)
NAMES = st.sampled_from(bubbles.SCHEDULES)


@st.composite
def steps(draw):
    name = draw(NAMES)
    stages, many = draw(st.integers(1, 6)), draw(st.integers(1, 12))
    if name == "interleaved":
        return name, stages, stages * draw(st.integers(1, 3)), draw(st.integers(1, 3))
    return name, stages, many, 1


def before(task, stages, chunks):
    """The tasks that must have ended before one starts: (stage, kind, micro-batch, chunk), or nothing."""
    virtual = task.chunk * stages + task.stage
    if task.kind == "F":
        return None if virtual == 0 else ((virtual - 1) % stages, "F", task.micro_batch, (virtual - 1) // stages)
    if task.kind == "W":
        return task.stage, "B", task.micro_batch, task.chunk
    if virtual == stages * chunks - 1:
        return task.stage, "F", task.micro_batch, task.chunk
    return (virtual + 1) % stages, "B", task.micro_batch, (virtual + 1) // stages


@QUICK
@given(steps(), TIMES, TIMES, st.floats(0, 10))
def test_every_task_is_done_once_and_after_what_it_needs(step, forward, backward, weight):
    name, stages, many, chunks = step
    table = schedules.timetable(name, stages, many, chunks, forward=forward, backward=backward, weight=weight)
    kinds = "FBW" if name.startswith("zb") else "FB"
    done = Counter((task.stage, task.kind, task.micro_batch, task.chunk) for task in table.tasks)
    assert set(done.values()) == {1}
    assert len(done) == stages * many * chunks * len(kinds)
    ends = {(task.stage, task.kind, task.micro_batch, task.chunk): task.end for task in table.tasks}
    for task in table.tasks:
        needed = before(task, stages, chunks)
        assert task.start >= (0 if needed is None else ends[needed])
    for stage in range(stages):
        mine = sorted((task.start, task.end) for task in table.tasks if task.stage == stage)
        assert all(one[1] <= other[0] for one, other in pairwise(mine))
    busy = sum(task.end - task.start for task in table.tasks)
    assert busy == pytest.approx(stages * many * (forward + backward + weight))
    assert table.idle_share == pytest.approx(1 - busy / (stages * table.seconds))
    assert table.seconds == ends[max(ends, key=ends.get)]


@QUICK
@given(st.sampled_from(["gpipe", "1f1b"]), st.integers(1, 8), st.integers(1, 16), TIMES, TIMES, st.floats(0, 10))
def test_played_gpipe_and_1f1b_have_the_bubble_of_the_formula(name, stages, many, forward, backward, weight):
    times = {"forward": forward, "backward": backward, "weight": weight}
    table = schedules.timetable(name, stages, many, **times)
    assert table.idle_share == pytest.approx(bubbles.bubble_share(name, stages, many, **times), abs=1e-9)


def test_in_1f1b_the_first_stage_waits_only_between_its_passes_and_the_last_never_does():
    table = schedules.timetable("1f1b", 4, 8, forward=1, backward=1, weight=1)
    waits = []
    for stage in range(4):
        mine = sorted((task.start, task.end) for task in table.tasks if task.stage == stage)
        inside = sum(later[0] - earlier[1] for earlier, later in pairwise(mine))
        waits.append((mine[0][0], inside, table.seconds - mine[-1][1]))
    assert waits == [(0, 9, 0), (1, 6, 2), (2, 3, 4), (3, 0, 6)]


@QUICK
@given(st.integers(1, 6), st.integers(1, 4), st.integers(1, 4))
def test_played_interleaving_has_the_bubble_of_the_formula(stages, groups, chunks):
    table = schedules.timetable("interleaved", stages, groups * stages, chunks)
    expected = bubbles.bubble_share("interleaved", stages, groups * stages, chunks)
    assert table.idle_share == pytest.approx(expected, abs=1e-9)


@QUICK
@given(st.integers(1, 8), st.integers(0, 12), st.floats(0.1, 1), st.floats(0.1, 10))
def test_played_zb_h1_has_the_bubble_of_the_formula_when_weight_gradients_are_short(stages, more, short, equal):
    times = {"forward": equal, "backward": equal, "weight": equal * short}
    table = schedules.timetable("zb-h1", stages, stages + more, **times)
    bubble = stages * bubbles.bubble_seconds("zb-h1", stages, **times)
    assert table.stages * table.seconds * table.idle_share >= bubble * (1 - 1e-9)
    if short == 1:
        assert table.idle_share == pytest.approx(bubbles.bubble_share("zb-h1", stages, stages + more), abs=1e-9)


@QUICK
@given(st.integers(1, 8), st.integers(0, 12))
def test_zero_bubble_schedules_keep_their_promise_for_equal_times(stages, more):
    """Qi et al. (2024): P - 1 slots for ZB-H1; for ZB-H2 no stage waits between its own first and last task."""
    first = schedules.timetable("zb-h1", stages, stages + more)
    assert first.seconds == 3 * (stages + more) + stages - 1
    second = schedules.timetable("zb-h2", stages, 2 * stages - 1 + more)
    assert second.waits == (0,) * stages
    assert second.seconds == 3 * (2 * stages - 1 + more) + stages - 1


@QUICK
@given(steps())
def test_no_stage_holds_more_activations_than_the_formula(step):
    name, stages, many, chunks = step
    peaks = schedules.timetable(name, stages, many, chunks).peak_in_flight
    allowed = bubbles.peak_activations(name, stages, many, chunks)
    assert max(peaks) == pytest.approx(allowed * chunks)
    assert list(peaks) == sorted(peaks, reverse=True)


def test_1f1b_holds_less_on_later_stages_and_zero_bubble_the_same_on_all():
    assert schedules.timetable("1f1b", 4, 8).peak_in_flight == (4, 3, 2, 1)
    assert schedules.timetable("zb-h1", 4, 8).peak_in_flight == (4, 4, 4, 4)
    assert schedules.timetable("zb-h2", 4, 8).peak_in_flight == (7, 7, 7, 7)
    assert schedules.timetable("1f1b", 4, 8).waits == (9, 6, 3, 0)


def test_the_first_tasks_of_1f1b_in_order():
    """Narayanan et al. (2019), figure 4: after P - 1 - s forwards, one forward and one backward in turn."""
    tasks = [task for task in schedules.timetable("1f1b", 3, 4).tasks if task.stage == 1]
    assert "".join(f"{task.kind}{task.micro_batch}" for task in tasks) == "F0F1B0F2B1F3B2B3"
    assert {task.chunk for task in tasks} == {0}


def test_the_unsplit_backward_takes_the_time_of_both_parts():
    table = schedules.timetable("gpipe", 1, 1, forward=1, backward=2, weight=4)
    assert [(task.kind, task.start, task.end) for task in table.tasks] == [("F", 0, 1), ("B", 1, 7)]
    table = schedules.timetable("zb-h1", 1, 1, forward=1, backward=2, weight=4)
    assert [(task.kind, task.start, task.end) for task in table.tasks] == [("F", 0, 1), ("B", 1, 3), ("W", 3, 7)]
    table = schedules.timetable("interleaved", 1, 1, 2, forward=1, backward=2, weight=4)
    assert [task.end for task in table.tasks] == [0.5, 1, 4, 7]


@QUICK
@given(st.integers(1, 6), st.integers(1, 8), st.integers(2, 6), TIMES, st.floats(0, 5))
def test_decoding_settles_into_the_cycle_of_the_formula(stages, many, tokens, slot, hop):
    table = schedules.decode_timetable(stages, many, tokens, slot=slot, hop=hop)
    cycle = pipelining.decode_cycle(slot * stages, stages, many, hop)
    starts = {(task.micro_batch, task.chunk): task.start for task in table.tasks if task.stage == 0}
    for micro in range(many):
        gaps = [starts[micro, token + 1] - starts[micro, token] for token in range(tokens - 1)]
        assert gaps == pytest.approx([cycle.seconds] * (tokens - 1))
    assert len(table.tasks) == stages * many * tokens
    assert table.waits == pytest.approx([(tokens - 1) * (cycle.seconds - cycle.work)] * stages, abs=1e-6)


def test_decoding_returns_to_the_first_stage_before_the_next_token():
    table = schedules.decode_timetable(2, 1, 2, slot=1, hop=0.25)
    assert [(task.stage, task.start, task.end) for task in table.tasks] == [
        (0, 0, 1),
        (1, 1.25, 2.25),
        (0, 2.5, 3.5),
        (1, 3.75, 4.75),
    ]
    assert table.idle_share == pytest.approx(1 - 4 / (2 * 4.75))
    assert schedules.decode_timetable(2, 3, 2) == schedules.decode_timetable(2, 3, 2, slot=1, hop=0)


@pytest.mark.parametrize("name", ["zb", "", None, 3, []])
def test_an_unknown_schedule_is_refused_with_the_known_ones(name):
    with pytest.raises(UnknownName, match=r"^schedule must be one of 1f1b, gpipe, interleaved, zb-h1, zb-h2"):
        schedules.timetable(name, 4, 4)


@pytest.mark.parametrize("bad", [0, -1, 2.5, float("nan"), float("inf"), "many", None, [], [1, 2]], ids=repr)
@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("stages", lambda x: schedules.timetable("gpipe", x, 4)),
        ("micro_batches", lambda x: schedules.timetable("gpipe", 4, x)),
        ("chunks", lambda x: schedules.timetable("interleaved", 4, 4, x)),
        ("tokens", lambda x: schedules.decode_timetable(4, 4, x)),
    ],
)
def test_what_must_be_a_count_is_refused_by_name(name, call, bad):
    with pytest.raises(CalcError, match=f"^{name} must be"):
        call(bad)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("forward", lambda: schedules.timetable("gpipe", 2, 2, forward=0)),
        ("forward", lambda: schedules.timetable("gpipe", 2, 2, forward=[1.0, 2.0])),
        ("backward", lambda: schedules.timetable("gpipe", 2, 2, backward=0)),
        ("weight", lambda: schedules.timetable("gpipe", 2, 2, weight=-1)),
        ("slot", lambda: schedules.decode_timetable(2, 2, 2, slot=0)),
        ("hop", lambda: schedules.decode_timetable(2, 2, 2, hop=-1)),
        ("chunks", lambda: schedules.timetable("1f1b", 2, 2, 2)),
        ("micro_batches", lambda: schedules.timetable("interleaved", 4, 6, 2)),
        ("micro_batches", lambda: schedules.timetable("1f1b", 100, 1000)),
        ("micro_batches", lambda: schedules.decode_timetable(10, 1000, 10)),
    ],
)
def test_impossible_values_are_refused_by_name(name, call):
    with pytest.raises(CalcError, match=f"^{name} must be"):
        call()
