"""Parameters are counted from the geometry, and agree with what makers publish; missing facts are named."""

from __future__ import annotations

import numpy as np
import pytest

from calc import catalog
from calc.quantities.errors import CalcError, MissingFact
from calc.setting import Architecture, Layers, architecture, compressed, dense, grouped, latent, linear, routed

UNKNOWN = {
    "llama-4-scout",
    "llama-4-maverick",
    "mistral-large-3",
    "kimi-k3",
    "mimo-v2-flash",
    "mimo-v2.5",
    "mai-base-1",
    "gpt-4-rumour",
}
"""Rows that lack a fact of their geometry."""
ROUNDED = {"kimi-k2": 0.03, "kimi-k2.5": 0.03, "deepseek-v4-pro": 0.02}
"""Published to one digit ("1T") or two ("1.6T"): what the geometry gives rounds to it."""


@pytest.mark.parametrize("name", [name for name in catalog.models() if name not in UNKNOWN])
def test_counted_parameters_are_those_published(name):
    row = catalog.model(name)
    assert architecture(name).params == pytest.approx(row.total_params, rel=ROUNDED.get(name, 0.01))


@pytest.mark.parametrize("name", sorted(UNKNOWN))
def test_a_row_without_its_geometry_is_refused_by_row_and_fact(name):
    with pytest.raises(MissingFact, match=f"^{name} must be a row whose “[a-z_]+” is known"):
        architecture(name)


@pytest.mark.parametrize("name", [name for name in catalog.models() if name not in UNKNOWN])
def test_active_parameters_are_between_what_is_published_and_that_without_embeddings(name):
    """Makers differ in whether embeddings, the head or neither count as active."""
    row, counted = catalog.model(name), architecture(name)
    tables = 2 * counted.vocabulary * counted.width
    assert abs(counted.active_params - row.active_params) < tables + 0.03 * row.active_params


def test_deepseek_v3_by_its_published_shapes():
    model = architecture("deepseek-v3")
    attention = 7168 * 1536 + 1536 * 128 * 192 + 7168 * 576 + 512 * 128 * 256 + 128 * 128 * 7168
    expert = 3 * 7168 * 2048
    layers = 61 * attention + 3 * 3 * 7168 * 18432 + 58 * (257 * expert + 256 * 7168)
    assert model.params == layers + 2 * 129280 * 7168
    assert model.active_params == model.params - 58 * 248 * expert - 129280 * 7168
    assert model.attention_share == pytest.approx(0.017, abs=5e-4)


def test_layers_of_two_kinds_are_laid_side_by_side():
    groups = architecture("step-3.5-flash").layers
    assert [(int(each.count), each.feed_forward.routed) for each in groups] == [(3, False), (9, True), (33, True)]
    assert [bool(each.attention.window) for each in groups] == [False, False, True]


def test_a_tied_head_is_counted_once():
    layers = (Layers(2, grouped(64, 4, 2, 16), dense(64, 256)),)
    own, tied = (Architecture(name="small", width=64, vocabulary=1000, layers=layers, tied=tied) for tied in (0, 1))
    assert own.params - tied.params == 64_000
    assert own.read_params == tied.read_params


def test_kinds_of_attention_by_hand():
    assert grouped(64, 4, 2, 16).params == 2 * 64 * 64 + 2 * 64 * 32
    assert grouped(64, 4, 2, 16, output_gate=True).params == 3 * 64 * 64 + 2 * 64 * 32
    assert grouped(64, 4, 2, 16, 8).entry == 2 * (16 + 8)
    plain, indexed = (latent(64, 4, 32, 8, 16, 16, query_latent=24, **more) for more in ({}, INDEX))
    assert indexed.params - plain.params == 24 * 2 * 10 + 64 * (10 + 2)
    assert linear(64, 2, 8, 4, 8, 4).state == 4 * 8 * 8 + 3 * (2 * 2 * 8 + 4 * 8)
    window, block = (compressed(64, 4, 16, 8, **LATENTS, **more) for more in ({}, {"compression": 4, "overlap": 2}))
    assert block.params - window.params == 2 * 2 * 64 * 16
    assert np.isinf(window.compression)


INDEX = {"index_heads": 2, "index_dim": 10, "top_k": 100}
LATENTS = {"query_latent": 24, "output_latent": 8, "output_groups": 2}


def test_more_experts_for_a_token_than_there_are_is_refused():
    with pytest.raises(CalcError, match="experts_per_token must be at most all experts in reach, 8"):
        routed(64, 16, 8, 9)


def test_a_limit_to_groups_leaves_room_for_the_experts_of_a_token():
    """Two of four groups of two hold four of the eight experts."""
    assert routed(64, 16, 8, 4, 0, 4, 2).groups_per_token == 2
    with pytest.raises(CalcError, match="experts_per_token must be at most all experts in reach, 4"):
        routed(64, 16, 8, 5, 0, 4, 2)
    with pytest.raises(CalcError, match="groups_per_token must be from 1 to all groups, 4"):
        routed(64, 16, 8, 1, 0, 4, 5)
