"""Elementary functions beside the step that is made of them."""

from __future__ import annotations

import pytest

from calc import step
from calc.setting import Layout, Setting, architecture, cache_bytes_per_token, transformer


def test_a_transformer_in_one_call_is_the_catalogued_one():
    made, row = transformer(80, 8192, 28672, 64, 8, 128, 128256), architecture("llama-3-70b")
    assert made.layers == row.layers
    assert made.params == row.params


def test_the_cache_of_a_token_in_one_call_is_the_settings():
    assert (
        cache_bytes_per_token(80, 8, 128) == Setting.published("llama-3-70b", "hgx-h100", "bf16").kept_bytes_per_token
    )


def test_a_product_turns_from_memory_to_arithmetic_at_the_ridge():
    """With weights of a byte and few tokens beside them, at about half as many tokens as operations a byte."""
    ridge = step.ridge_intensity(1e15, 4e12)
    small, large = (step.matrix_product(tokens, 1e5, 1e5, weight_bytes=1) for tokens in (ridge / 2 * 0.9, ridge))
    assert step.roofline_flops(small.intensity, 1e15, 4e12) < 1e15
    assert large.intensity > ridge * 0.99
    assert step.product_seconds(small.flops, small.bytes, 1e15, 4e12) == pytest.approx(small.bytes / 4e12)


def test_tensor_chips_beyond_their_limit_are_bound_by_their_sums():
    llama = Setting.published("llama-3-70b", "hgx-h100", "fp8")
    layer = llama.model.layers[0]
    most = step.most_tensor_chips(
        layer.params / layer.count, 8192, flops=llama.machine.flops("fp8"), link_bandwidth=llama.machine.scale_up
    )
    assert 4 < most < 8
    for chips, slower in ((4, False), (8, True)):
        found = step.decode(llama.with_layout(Layout(tensor=chips)), 64, 0)
        products = sum(each.compute_seconds for each in found.operations if each.name not in ("attention", "head"))
        assert (found.scale_up_seconds > products) == slower


def test_the_rent_of_deepseeks_day():
    """226.75 nodes of eight at $2 an hour: the published $87,072."""
    assert step.rent_dollars(226.75 * 8, 86400, 2) == pytest.approx(87072)


def test_users_who_wait_for_first_tokens_do_not_write():
    assert step.decoding_sequences(64, 101, 0.02, 0) == 64
    assert step.requests_in_flight(64 / 4, 4) == 64
