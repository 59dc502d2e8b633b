"""Measured rows of stages: the tables as printed, the authors' own counts, and what the page concludes."""

from __future__ import annotations

import pytest

from calc.catalog.pipelines import pass_times, pipeline_runs
from calc.world.pipelines import (
    FILLED,
    JOINED,
    PIECES,
    PLAIN,
    SPLIT,
    beside,
    idle_share,
    long_enough,
    micro_batch_gigabytes,
    row_runs,
    split_with_few,
)

PRINTED = {  # table 5: share of a step in which stages wait, as the authors count it from the times of table 6
    ("1.5B", 24): (0.2431, 0.1055, 0.1585),
    ("1.5B", 32): (0.1985, 0.0818, 0.1242),
    ("1.5B", 64): (0.1240, 0.0443, 0.0674),
    ("6.2B", 24): (0.2347, 0.0808, 0.1323),
    ("6.2B", 32): (0.1898, 0.0628, 0.1045),
    ("6.2B", 64): (0.1091, 0.0320, 0.0554),
    ("14.6B", 48): (0.2552, 0.1104, 0.1397),
    ("14.6B", 64): (0.2082, 0.0852, 0.1088),
    ("14.6B", 128): (0.1251, 0.0445, 0.0576),
    ("28.3B", 96): (0.2646, 0.1493, 0.1421),
    ("28.3B", 128): (0.2168, 0.1164, 0.1106),
    ("28.3B", 256): (0.1352, 0.0624, 0.0594),
}
CHUNKS = {row.model: row.chunks for row in pipeline_runs() if row.schedule == PIECES}


@pytest.mark.parametrize(("model", "micro"), PRINTED)
def test_timetables_with_hops_wait_as_the_authors_count(model, micro):
    """A copied time that is wrong, or a timetable that hands on wrongly, would part them."""
    times = pass_times()[model, micro]
    plain, pieces, split = PRINTED[model, micro]
    assert idle_share("1f1b", 1, times) == pytest.approx(plain, abs=6e-5)
    assert idle_share("zb-h1", 1, times) == pytest.approx(split, abs=6e-5)
    assert 1.02 < idle_share("interleaved", CHUNKS[model], times) / pieces < 1.043, "two to four per cent longer"


def test_a_run_by_hand():
    """24 micro-batches of six samples on eight chips: 11.8 samples a second and chip, passes of 45.945 ms."""
    (run,) = [each for each in row_runs(PLAIN) if (each.row.model, each.row.micro_batches) == ("1.5B", 24)]
    step = 24 * 6 / 8 / 11.8
    assert run.share == pytest.approx(24 * 0.045945 / step)
    assert run.formula == pytest.approx(24 / 31)
    assert run.longer == pytest.approx(step / (31 * 0.045945))


def test_no_step_is_shorter_than_its_formula_and_1f1b_comes_near():
    """(6) would be refuted by a shorter step, and would be of little use if steps took half as long again."""
    assert all(1 < each.longer < 1.125 for each in row_runs(PLAIN))
    assert all(1 < each.longer < 1.125 for each in row_runs(SPLIT))
    pieces = [each.longer for each in row_runs(PIECES)]
    assert 1.1 < min(pieces) < max(pieces) == pytest.approx(1.2, abs=0.01), "up to a fifth"


def test_runs_whose_stages_wait_between_steps_still_lead_1f1b():
    assert all(each.row.samples > 1.1 * plain.row.samples for each, plain in beside(JOINED, PLAIN))


def test_rows_in_one_node_come_nearer_than_those_that_cross_nodes():
    within = [each.longer for each in row_runs(PLAIN) if each.row.stages == 8]
    across = [each.longer for each in row_runs(PLAIN) if each.row.stages > 8]
    assert max(within) < min(across)


def test_hops_explain_all_with_few_micro_batches_and_a_part_with_many():
    over = {each.row.micro_batches: each.played / each.share for each in row_runs(PLAIN) if each.row.model == "6.2B"}
    assert over[2] == pytest.approx(1, abs=0.003)
    assert 1.03 < over[24] < over[64] < 1.06
    assert all(0.99 < each.played / each.share < each.longer for each in row_runs(PLAIN))


def test_hops_explain_all_with_two_micro_batches_and_not_with_four_over_two_nodes():
    """The page says so of both rows in one node; 0.39 samples a second are printed, known to 1.3 per cent."""
    two = [each for each in row_runs(PLAIN) if each.row.micro_batches == 2]
    assert {each.row.stages for each in two} == {8}
    assert all(each.played / each.share == pytest.approx(1, abs=0.003) for each in two)
    (four,) = [each for each in row_runs(PLAIN) if (each.row.stages, each.row.micro_batches) == (16, 4)]
    assert four.played / four.share > 1.05


def test_what_is_left_grows_with_micro_batches_so_that_it_is_no_single_wait():
    for model in ("1.5B", "6.2B", "14.6B", "28.3B"):
        rest = [each.rest for each in long_enough(row_runs(PLAIN)) if each.row.model == model]
        assert len(rest) == 3
        assert min(rest) > 0.7 * max(rest), "a wait of the step alone would fall as one over the micro-batches"
        assert 1e-3 < min(rest) < max(rest) < 5e-3


def test_interleaving_gains_less_than_its_formula_in_every_run_and_in_one_node():
    for each, plain in beside(PIECES, PLAIN):
        assert 1 < each.row.samples / plain.row.samples < each.played / plain.played


def test_the_smallest_gain_is_known_to_a_half_of_itself():
    """1.66 over 1.64 samples a second, each rounded to a hundredth."""
    gains = [(each.row.samples / plain.row.samples - 1, plain.row.samples) for each, plain in beside(PIECES, PLAIN)]
    least, plain = min(gains)
    assert 0.005 * (2 + least) / plain / least == pytest.approx(0.5, abs=0.02)


def test_splitting_gains_what_its_formula_says():
    for each, plain in beside(SPLIT, PLAIN):
        assert each.row.samples / plain.row.samples == pytest.approx(each.formula / plain.formula, abs=0.03)


def test_splitting_with_few_micro_batches_gains_what_the_authors_count():
    pairs = [pair for pair in beside(FILLED, PLAIN) if pair[0].for_each_stage <= 1]
    assert len(pairs) == 9
    for each, plain in pairs:
        assert each.row.samples / plain.row.samples - 1 == pytest.approx(split_with_few(each), abs=0.06)


def test_shorter_parts_for_the_weights_leave_more_of_the_bubble_by_hand():
    times = pass_times()["1.5B", 24]
    assert (times.forward + times.backward - times.weight) / times.all == pytest.approx(0.594, abs=5e-4)


def test_with_twice_the_memory_rows_gain_nearly_all_that_is_to_be_had():
    for each, plain in beside(FILLED, PLAIN):
        if each.for_each_stage > 1:
            assert each.row.samples / plain.row.samples == pytest.approx(1 / plain.formula, abs=0.065)


def test_a_gain_above_that_of_no_wait_needs_a_1f1b_that_is_longer_than_its_formula():
    """Three runs show one; a share above one would be a wrong time."""
    above = [
        (each, plain)
        for each, plain in beside(FILLED, PLAIN)
        if each.for_each_stage > 1 and each.row.samples / plain.row.samples > 1 / plain.formula
    ]
    assert len(above) == 3
    assert all(each.share < 1 and plain.longer > 1.1 for each, plain in above)


def test_stages_that_wait_for_each_other_lose_more_than_a_twentieth():
    pairs = beside(JOINED, FILLED)
    assert len(pairs) == 4
    assert all(0.9 < each.row.samples / other.row.samples < 0.95 for each, other in pairs)


def test_1f1b_holds_no_more_micro_batches_than_stages():
    """One gigabyte is the rounding of the table; GPipe would hold 64 micro-batches, which no chip could."""
    for model in ("1.5B", "6.2B", "14.6B"):
        runs = [each for each in row_runs(PLAIN) if each.row.model == model]
        for each in runs:
            said = runs[0].row.gigabytes + micro_batch_gigabytes(model) * (each.held - runs[0].held)
            assert each.row.gigabytes == pytest.approx(said, abs=1.01)


@pytest.mark.parametrize("name", [PIECES, SPLIT, FILLED])
def test_other_schedules_hold_a_little_more_than_counted(name):
    for each in row_runs(name):
        if each.row.model != "28.3B" and each.for_each_stage > 1:
            first = next(run for run in row_runs(PLAIN) if run.row.model == each.row.model)
            said = first.row.gigabytes + micro_batch_gigabytes(each.row.model) * (each.held - first.held)
            assert said < each.row.gigabytes < 1.15 * said
            if each.row.model == "1.5B":
                assert each.row.gigabytes == pytest.approx(1.1 * said, rel=0.015), "about a tenth more"
