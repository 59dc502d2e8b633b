"""Starts of engines: read as they were written, and their weights and caches what the course counts."""

from __future__ import annotations

import pytest

from calc import catalog
from calc.catalog.measurement import read, write
from calc.catalog.starts import EngineStart, engine_starts
from calc.figure import registry
from calc.world.figures.starts import kept_wide
from calc.world.starts import GIB, Started, started, with_cache, with_weights

ROWS = started()


def named(**fields):
    return [each for each in ROWS if all(getattr(each.row, name) == value for name, value in fields.items())]


def test_the_catalogue_has_them_in_the_order_and_digits_in_which_they_are_written():
    rows = engine_starts()
    assert tuple(read(EngineStart, write(rows, EngineStart))) == rows
    assert {row.model for row in rows} <= set(catalog.models())
    assert {row.engine for row in rows} == {"vllm", "sglang", "trtllm"}
    assert all(row.thread.startswith("https://") for row in rows)


def test_every_start_says_what_weights_took_or_how_many_tokens_so_much_room_is_for():
    said = {id(each) for each in (*with_cache(ROWS), *(each for each in ROWS if each.row.weights_gib))}
    assert said == {id(each) for each in ROWS}


def test_weights_by_hand():
    """Llama 3 8B in BF16: 8.03 billion numbers of two bytes; a half of them on each of two."""
    alone, half = named(named="Meta-Llama-3-8B")
    assert alone.weights_gib == pytest.approx(8.030e9 * 2 / GIB, rel=1e-3)
    assert half.weights_gib == pytest.approx(alone.weights_gib / 2, rel=1e-3)


def test_a_token_by_hand():
    """Llama 3 8B: 32 layers, 8 heads of 128, keys and values, two bytes; of Kimi's latent 576 numbers on each GPU."""
    assert {each.token_bytes for each in named(model="llama-3-8b", cache="bf16", tensor=1)} == {32 * 8 * 128 * 2 * 2}
    whole, split = (named(model="kimi-k2.5", context=ways)[0] for ways in (1, 8))
    assert whole.token_bytes == 61 * 576 * 2 == 8 * split.token_bytes


PLAIN = [each for each in ROWS if each.row.model not in ("gpt-oss-120b", "glm-5", "deepseek-v4-flash")]


@pytest.mark.parametrize("each", with_weights(PLAIN), ids=lambda each: f"{each.row.engine}-{each.row.named}")
def test_weights_of_models_that_are_stored_in_one_way_are_those_counted(each: Started):
    assert 0.999 < each.weights_over < 1.015


@pytest.mark.parametrize("each", with_cache(PLAIN), ids=lambda each: f"{each.row.engine}-{each.row.named}")
def test_a_token_takes_what_is_counted_and_where_an_index_selects_the_scales(each: Started):
    scales = each.row.model == "deepseek-v3.2"
    assert each.token_over == pytest.approx((48_068 / 46_848) if scales else 1, rel=0.012)


def test_index_keys_have_eight_bits_beside_a_cache_in_sixteen():
    (each,) = named(model="glm-5", cache="bf16")
    assert each.token_bytes == 78 * (576 * 2 + 128)
    assert each.token_over == pytest.approx(1 + 78 * 4 / each.token_bytes, rel=1e-3), "with a scale for each key"


def test_one_engine_kept_the_windows_of_every_token():
    (each,) = with_cache(named(model="gpt-oss-120b"))
    assert each.token_over == pytest.approx(2, rel=1e-3)


def test_attention_in_sixteen_bits_makes_most_of_what_is_set_aside():
    each = kept_wide()
    assert each.row.weights_gib is not None
    layers = each.setting.model.layers
    attention = sum(group.count * group.attention.params for group in layers)
    ends = 2 * layers[0].feed_forward.params  # the first and the last layer were kept wide as well
    wider = (attention + ends) / each.row.tensor / GIB
    assert 0.85 < wider / (each.row.weights_gib - each.weights_gib) < 1


def test_the_page_quotes_what_the_rows_say():
    weights, tokens = (registry.find(f"world/starts-{name}").answer() for name in ("weights", "tokens"))
    assert weights.values["starts"].number == len(with_weights(ROWS))
    assert tokens.values["near"].number == sum(abs(each.token_over - 1) <= 0.03 for each in with_cache(ROWS))
    assert tokens.values["index_wide"].number < 0.95 < tokens.values["index_narrow"].number
    assert tokens.values["split"].number == pytest.approx(8, rel=0.01)
    assert tokens.values["less_room"].number == 8.11 * GIB
    assert {f"TP8 DCP{ways}" for ways in (2, 4, 8)} < set(tokens.tables["starts"]["layout"])
    assert weights.values["all"].number == len(ROWS)
    aside = {row.set_aside for row in engine_starts() if row.set_aside}
    assert weights.values["apart"].number == len(aside)
    assert aside == {"attention in 16 bits", "shared experts copied", "index not printed", "formats not shown"}


def test_weights_off_by_more_are_above_the_count_and_of_two_models():
    off = [each for each in with_weights(ROWS) if abs(each.weights_over - 1) > 0.03]
    assert {each.row.model for each in off} == {"gpt-oss-120b", "glm-5"}
    assert min(each.weights_over for each in off) > 1
    assert {each.row.engine for each in off if each.row.model == "gpt-oss-120b"} == {"vllm"}
    assert {each.row.tensor * each.row.stages * each.row.groups for each in with_weights(ROWS)} >= {1, 16}


def test_the_option_explains_less_than_a_third_of_the_room_that_two_engines_gave():
    """93 and 90 in a hundred of an H100."""
    less, more = sorted(each.room_gib * GIB for each in named(model="qwen3-235b-a22b"))
    assert 0.03 * catalog.chip("h100-sxm").hbm_bytes < (more - less) / 3


def test_as_much_room_held_as_many_times_the_tokens_as_sequences_were_split():
    """One user's four starts of GLM-5.1."""
    rows = named(model="glm-5", cache="fp8")
    assert [each.row.context for each in rows] == [1, 2, 4, 8]
    assert max(each.room_gib for each in rows) < 1.005 * min(each.room_gib for each in rows)


def test_half_of_the_layers_that_one_engine_kept_whole_have_windows():
    layers = named(model="gpt-oss-120b")[0].setting.model.layers
    windowed = sum(group.count for group in layers if group.attention.window)
    assert windowed == sum(group.count for group in layers) / 2
