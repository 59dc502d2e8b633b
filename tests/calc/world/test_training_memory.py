"""Memory of training: runs as they were printed, beside the count of lecture 7."""

from __future__ import annotations

from itertools import pairwise

import pytest

from calc import catalog
from calc.catalog.measurement import text, write
from calc.catalog.training import TrainingMemory, training_memories
from calc.figure import registry
from calc.overtraining import training_run
from calc.world.training_memory import GIB, held, of

ROWS = held()


def test_the_catalogue_has_them_in_the_order_and_digits_in_which_they_are_written():
    rows = training_memories()
    assert write(rows, TrainingMemory) == text("training-memory.csv")
    assert {row.model for row in rows} <= set(catalog.models())
    assert {row.loss for row in rows} <= set(training_run.LOGIT_BYTES)
    assert all(row.chips % (row.tensor * row.stages) == 0 for row in rows)


def test_a_run_by_hand():
    """Llama 3 8B on eight chips, 32,768 tokens on each, states kept and the loss taken whole."""
    run = of(ROWS, tokens=32768, model="llama-3-8b")[0]
    params, tokens, width, layers = 8.03e9, 32768, 4096, 32
    record = 2 * tokens * (6 * width + 2 * 8 * 128 + 4 * 14336)
    assert run.state * GIB == pytest.approx(16 * params / 8, rel=1e-3)
    assert run.gathered * GIB == pytest.approx(6 * params / layers, rel=1e-3)
    assert run.activations(1) * GIB == pytest.approx(layers * tokens * width * 2 + record)
    assert run.logits * GIB == 14 * tokens * 128_256
    assert run.counted == run.plain + run.logits


def test_a_run_in_stages_by_hand():
    """Llama 3.1 405B in eight stages, each on eight chips that slice its layers, eight micro-batches on the first."""
    run = of(ROWS, named="1F1B")[0]
    tokens, width, layers = 32768, 16384, 126
    record = 2 * tokens * (6 * width + 2 * 8 * 128 + 4 * 53248)
    assert run.gathered * GIB == pytest.approx(6 * catalog.model("llama-3-405b").total_params / 64)
    assert run.activations(8) * GIB == pytest.approx((layers / 8 * 8 * tokens * width * 2 + record) / 8)
    assert run.plain < run.printed
    assert run.counted == run.plain  # the first stage is fuller than the last with its logits


@pytest.mark.parametrize("run", of(ROWS, loss="whole", stages=1, tensor=1), ids=lambda run: f"{run.row.named}")
def test_where_the_loss_is_whole_the_count_holds_with_logits_and_not_without(run):
    assert 0.98 < run.over < 1.09
    assert run.over_plain > 1.25


def test_each_flag_of_one_trainer_frees_what_is_counted():
    """Each line adds one measure to the one before it, so their differences know nothing of the rest."""
    runs = of(ROWS, source="torchtune-flags")
    for before, after in pairwise(runs):
        assert before.printed - after.printed == pytest.approx(before.counted - after.counted, rel=0.08)


def test_sixteen_times_the_chips_free_what_is_counted():
    eight, many = (of(ROWS, source="torchtitan-llama-3", kept="selective", chips=chips) for chips in (8, 128))
    for before, after in zip(eight, many, strict=True):
        assert before.printed - after.printed == pytest.approx(before.state - after.state, rel=0.11)
        assert before.state - after.state == before.counted - after.counted


def test_the_figure_says_how_many_hold_and_how_many_did_not():
    found = registry.find("world/training-memory").answer()
    values = {name: value.number for name, value in found.values.items()}
    assert values["runs"] == len(ROWS) == len(found.tables["runs"]["of"]) == len(found.tables["marks"]["over"]) / 2
    assert values["near"] == sum(0.9 <= run.over <= 1.1 for run in ROWS)
    assert values["near"] > 2 * values["near_plain"]
    assert values["middle"] == pytest.approx(1, abs=0.05)
    assert values["middle_plain"] > 1.2


def test_most_counts_that_differ_are_met_within_a_tenth():
    values = {name: value.number for name, value in registry.find("world/training-memory").answer().values.items()}
    assert (values["counts"], values["counts_near"]) == (14, 10)
    assert values["most"] < 1.5  # so a third of a chip left free would have been enough for each


def test_logits_are_most_in_four_runs_of_one_count():
    most = max(run.logits / run.counted for run in ROWS)
    found = [run for run in ROWS if run.logits / run.counted == most]
    assert len(found) == registry.find("world/training-memory").answer().values["logits_runs"].number == 4
    assert len({run.counted for run in found}) == 1


def test_two_runs_slice_their_layers_without_stages():
    """The page names both ratios."""
    assert len([run for run in ROWS if run.row.tensor > 1 and run.row.stages == 1]) == 2
    assert all(run.row.tensor > 1 for run in ROWS if run.row.stages > 1)
