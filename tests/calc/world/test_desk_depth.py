"""One user with a longer context: bytes by hand, and what the page concludes."""

from __future__ import annotations

import itertools

import pytest

from calc.catalog.desk import desk_depths, desk_models
from calc.world.desk import sweep, user_cache_bytes
from calc.world.desk_depth import deeper, of_heads, weights_over

SPARK, ULTRA = "dgx-spark", "m2-ultra"


def test_every_machine_ran_every_model_at_every_context():
    assert len({(row.machine, row.model, row.depth) for row in desk_depths()}) == 2 * 4 * 5 + 5 == len(desk_depths())


def test_a_cache_by_hand_and_a_window_that_fills():
    model = desk_models()["gpt-oss-120b"]
    token = 2 * 8 * 64 * 2
    assert user_cache_bytes(model, 100) == 36 * 100 * token
    assert user_cache_bytes(model, 1000) == (18 * 1000 + 18 * 128) * token


def test_a_context_by_hand():
    """Qwen2.5-Coder-7B on the Spark: 22.7 tokens a second with 32,768 of context, 29.3 without."""
    (each,) = [
        run for run in deeper() if (run.row.machine, run.row.model, run.row.depth) == (SPARK, "qwen2.5-coder-7b", 32768)
    ]
    assert each.added == pytest.approx(1 / 22.70 - 1 / 29.30)
    assert each.reading == pytest.approx(32768 * 28 * 2 * 4 * 128 * 2 / 273e9)


def test_no_context_costs_less_than_its_reading():
    """The law of lecture 4 would fall with a single one below; one ten times above would make it useless."""
    assert all(1.2 < each.over_reading < 3.3 for each in of_heads())
    assert min(each.over_reading for each in deeper()) > 1.2


def test_time_rises_with_every_step_of_context_and_about_as_fast():
    runs = of_heads()
    for first, second in itertools.pairwise(runs):
        if (first.row.machine, first.row.model) == (second.row.machine, second.row.model):
            assert 1.4 < second.added / first.added < 2.3


def test_twice_the_context_reads_about_twice_the_bytes():
    for machine, model in {(each.row.machine, each.row.model) for each in of_heads()}:
        reading = [each.reading for each in of_heads() if (each.row.machine, each.row.model) == (machine, model)]
        assert all(1.95 < more / half <= 2.0001 for half, more in itertools.pairwise(reading))


def test_the_faster_memory_is_the_farther_from_its_rate():
    over = {
        name: [each.over_reading for each in of_heads() if (each.row.machine, each.row.depth) == (name, 32768)]
        for name in (SPARK, ULTRA)
    }
    assert max(over[SPARK]) < min(over[ULTRA])


def test_caches_take_longer_for_their_bytes_than_weights():
    """The dense model without context reads its file; with one, the cache on top takes relatively longer."""
    read = 7.54 * 2**30 - 152064 * 3584 * 34 / 32
    assert weights_over(SPARK, "qwen2.5-coder-7b") == pytest.approx(273e9 / 29.30 / read)
    for machine in (SPARK, ULTRA):
        runs = [each for each in of_heads() if (each.row.machine, each.row.model) == (machine, "qwen2.5-coder-7b")]
        assert 1 < weights_over(machine, "qwen2.5-coder-7b") < 0.9 * runs[-1].over_reading


def test_in_mixtures_a_byte_of_cache_is_not_always_the_dearer():
    mixtures = [each for each in of_heads() if each.row.file.experts and each.row.depth == 32768]
    lone = {(each.row.machine, each.row.model): sweep(each.row.machine, each.row.model)[0] for each in mixtures}
    reading = {name: step.bound - step.cache_bytes / step.bandwidth for name, step in lone.items()}
    weights = [1 / each.without.rate / reading[each.row.machine, each.row.model] for each in mixtures]
    assert {each.over_reading > over for each, over in zip(mixtures, weights, strict=True)} == {True, False}


def test_a_latent_of_half_the_bytes_takes_thrice_the_time_on_one_machine():
    """By bytes alone the latent would take half; that it does not is why the page warns."""
    deepest = {each.row.model: each for each in deeper() if (each.row.machine, each.row.depth) == (ULTRA, 32768)}
    heads, latent = deepest["qwen3-coder-30b"], deepest["glm-4.7-flash"]
    assert latent.reading == pytest.approx(32768 * 47 * 576 * 2 / 800e9)
    assert latent.reading < 0.56 * heads.reading
    assert latent.added > 3 * heads.added
