"""Experts awake in served models: the tables as they were printed, the line by hand, and what the page concludes."""

from __future__ import annotations

import numpy as np
import pytest

from calc.catalog.awake import MOST_AT_ONCE, awake_counts, awake_models
from calc.world.awake import by_rule, layers, line, ordinary

SMALL, LARGE = "qwen3-30b-a3b", "qwen3-235b-a22b"
PRINTED = {  # the averages over tasks that the paper's tables end with: experts awake, microseconds
    (SMALL, 3): (25.1, 106.8),
    (SMALL, 4): (29.9, 120.9),
    (SMALL, 5): (35.1, 136.0),
    (SMALL, 6): (40.3, 151.3),
    (SMALL, 7): (44.4, 163.0),
    (SMALL, 8): (48.8, 175.7),
    (LARGE, 3): (28.3, 87.7),
    (LARGE, 4): (34.4, 94.8),
    (LARGE, 5): (40.2, 101.4),
    (LARGE, 6): (44.7, 106.9),
    (LARGE, 8): (54.0, 119.4),
}


@pytest.mark.parametrize(("model", "chosen"), PRINTED)
def test_printed_averages_agree_with_the_four_tasks(model, chosen):
    """Rounding lets them differ by a tenth; a row that was copied wrongly would part them by more."""
    rows = [row for row in awake_counts() if (row.model, row.chosen) == (model, chosen)]
    found = np.mean([(row.awake, row.microseconds) for row in rows], axis=0)
    assert found == pytest.approx(PRINTED[model, chosen], abs=0.08)
    assert len({row.task for row in rows}) == len(rows) == 4


def test_every_row_belongs_to_a_printed_average():
    assert {(row.model, row.chosen) for row in awake_counts()} == set(PRINTED)


def test_an_expert_and_its_reading_by_hand():
    small, large = layers(SMALL)[0], layers(LARGE)[0]
    assert small.expert_bytes == 3 * 2048 * 768 * 2
    assert small.expert_seconds == pytest.approx(3 * 2048 * 768 * 2 / 3.35e12)
    assert large.expert_bytes == 3 * 4096 * 1536 * 2 / 8


def test_one_more_expert_costs_the_reading_of_its_bytes_on_one_chip():
    """The law of lecture 1 in a served model; half or twice the reading would refute it."""
    fitted = line(layers(SMALL))
    assert fitted.each == pytest.approx(layers(SMALL)[0].expert_seconds, rel=0.1)
    assert fitted.farthest < 0.01 * fitted(50)


def test_by_one_rule_alone_an_expert_costs_its_reading_in_both_models():
    """Over all rules the larger model's line is flatter than reading: its rules differ in more than experts."""
    for name, close in ((SMALL, 0.12), (LARGE, 0.05)):
        for rows in by_rule(layers(name)).values():
            assert line(rows).each == pytest.approx(rows[0].expert_seconds, rel=close)
    assert line(layers(LARGE)).each < 0.9 * layers(LARGE)[0].expert_seconds


def test_no_layer_is_faster_than_reading_the_experts_that_are_awake():
    assert min(each.over_reading for name in (SMALL, LARGE) for each in layers(name)) > 1.25


def test_fewer_are_awake_than_even_choices_wake_in_every_run():
    rows = [each for name in (SMALL, LARGE) for each in layers(name)]
    assert all(each.row.chosen < each.row.awake < each.even for each in rows)
    assert 0.5 < min(each.share for each in rows) < max(each.share for each in rows) < 0.75


def test_batches_that_vary_do_not_explain_the_count():
    """Even tokens that wake as many would be as many whatever each brings, were batches alike; varied, little more."""
    for name in (SMALL, LARGE):
        for task in {each.row.task for each in layers(name)}:
            found = {each.row.chosen: each for each in layers(name) if each.row.task == task}
            few, usual = found[3], found[8]
            assert usual.as_if < few.as_if_most(usual) < 0.97 * few.as_if


def test_the_most_by_batches_that_vary_is_that_of_one_and_sixteen_by_hand():
    found = {each.row.chosen: each for each in layers(SMALL) if each.row.task == "MATH 500"}
    few, usual = found[3], found[8]
    part = (usual.row.awake - 8) / (usual.even - 8)
    awake = 3 + part * (few.even - 3)
    assert few.as_if_most(usual) == pytest.approx(np.log(1 - awake / 128) / np.log(1 - 3 / 128))
    assert usual.as_if_most(usual) == pytest.approx(usual.as_if)


def test_even_choices_of_sixteen_tokens_by_hand():
    each = ordinary(layers(SMALL))[0]
    assert each.even == pytest.approx(128 * (1 - (15 / 16) ** 16))
    assert each.as_if < each.as_if_mixed < MOST_AT_ONCE


def test_as_if_undoes_the_count_of_even_choices():
    for each in ordinary(layers(SMALL)):
        woken = each.model.experts * (1 - (1 - each.row.chosen / each.model.experts) ** each.as_if)
        assert woken == pytest.approx(each.row.awake)
        assert each.as_if < MOST_AT_ONCE
    assert len(ordinary(layers(LARGE))) == 4
    assert set(awake_models()) == {SMALL, LARGE}
