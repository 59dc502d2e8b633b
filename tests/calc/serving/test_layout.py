"""A model over chips: what each holds and sends, and which layouts make no sense."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.memory_wall.domain import DomainFit
from calc.quantities.errors import CalcError, DoesNotFit, OutOfRange
from calc.serving.layout import (
    Layout,
    cache_ways,
    chip_fit,
    held_weights,
    most_sequences,
    own_sequences,
    possible,
    require_possible,
    sent_bytes,
    why_not,
)
from tests.calc.serving.small import machine, mixed, published


def test_deepseek_holds_two_routed_experts_and_one_shared_on_a_chip_of_144():
    """DeepSeek, day 6 (2025): decode over 144 chips, 2 routed experts and 1 shared on each; prefill over 32."""
    model = published("deepseek-v3")
    held = held_weights(model, Layout(1, 144))
    assert held == pytest.approx(model.shared_params + 2 * model.expert_params)
    assert held_weights(model, Layout(1, 32)) == pytest.approx(model.shared_params + 8 * model.expert_params)


def test_a_split_by_tensors_and_stages_divides_everything():
    whole = held_weights(mixed(), Layout())
    assert whole == 1120
    assert held_weights(mixed(), Layout(4, 1, 2)) == whole / 8
    assert held_weights(mixed(), Layout(1, 5)) == 1000 + 3 * 10


def test_heads_split_a_cache_no_further_than_they_go():
    assert cache_ways(mixed(), Layout(2, 1, 3)) == 6
    assert cache_ways(mixed(), Layout(8)) == 4
    assert cache_ways(published("deepseek-v3"), Layout(8)) == 1


def test_memory_of_a_chip_is_weights_and_its_own_sequences():
    fit = chip_fit(mixed(), Layout(1, 4), machine(), batch=9, context=2)
    assert fit == DomainFit(1200, 1030, 3 * 2 * 10)
    assert fit.fits
    assert not chip_fit(mixed(), Layout(1, 4), machine(), batch=40, context=2).fits


@given(st.integers(1, 12), st.integers(1, 8), st.integers(1, 10), st.floats(0.5, 30))
def test_the_most_sequences_fit_and_one_round_more_does_not(expert, tensor, stages, context):
    layout = Layout(tensor, expert, stages)
    most = most_sequences(mixed(), layout, machine(), context)
    assert chip_fit(mixed(), layout, machine(hbm_bytes=1200 * (1 + 1e-9)), most, context).fits
    assert not chip_fit(mixed(), layout, machine(hbm_bytes=1200 * (1 - 1e-9)), most + expert, context).fits


def test_without_a_context_or_without_room():
    assert most_sequences(mixed(), Layout(), machine(), 0) == math.inf
    assert most_sequences(mixed(), Layout(), machine(hbm_bytes=1), 5) == 0
    assert most_sequences(mixed(), Layout(), machine(hbm_bytes=1), 1e-3) == 0


def test_why_it_does_not_fit_is_a_sentence():
    assert why_not(DomainFit(100, 50, 50)) == ""
    assert "weights alone, 101 B, exceed the 100 B" in why_not(DomainFit(100, 101, 0))
    assert "leave 0 B of a chip and the cache needs 1 B" in why_not(DomainFit(100, 100, 1))
    assert "leave 20 B of a chip and the cache needs 21 B" in why_not(DomainFit(100, 80, 21))
    with pytest.raises(DoesNotFit, match="a single layout"):
        why_not(DomainFit(np.array([1.0, 2.0]), 1.0, 1.0))


@pytest.mark.parametrize(
    ("layout", "sentence"),
    [
        (Layout(1, 13), "^expert must be at most the number of routed experts, 12"),
        (Layout(1, 1, 11), "^stages must be at most the number of layers, 10"),
        (Layout(9, 12, 10), "^tensor must be at most the chips"),
        (Layout(8, 12, 11), "^stages must be at most the number of layers, 10"),
        (Layout(9), "^tensor must be at most the chips of one scale-up domain, 8"),
        (Layout(4, 4), "^layout must be of at most 8 chips, as no link out"),
    ],
)
def test_a_layout_that_makes_no_sense_is_refused(layout, sentence):
    walled = machine(scale_out=0)
    assert not possible(mixed(), layout, walled)
    with pytest.raises(OutOfRange, match=sentence):
        require_possible(mixed(), layout, walled)


def test_possible_layouts_up_to_every_edge():
    for layout in (Layout(8), Layout(1, 12), Layout(1, 1, 10), Layout(4, 4)):
        require_possible(mixed(), layout, machine())
    require_possible(mixed(), Layout(2, 4), machine(scale_out=0))
    assert possible(mixed(), Layout([1, 9]), machine()).tolist() == [True, False]
    assert possible(mixed(), Layout(1, [12, 13]), machine()).tolist() == [True, False]
    assert possible(mixed(), Layout(1, 1, [10, 11]), machine()).tolist() == [True, False]
    with pytest.raises(OutOfRange, match=r"^expert must be at most the number of routed experts, 12"):
        require_possible(mixed(), Layout(1, [12, 13]), machine())


def test_one_chip_sends_nothing():
    sent = sent_bytes(mixed(), Layout(), machine(), 100)
    assert (sent.scale_up, sent.scale_out) == (0, 0)


def test_reductions_by_hand():
    """Ring all-reduce: 2 (t - 1) / t of 7 tokens x 100 x 2 bytes, twice in each of ten layers."""
    assert sent_bytes(mixed(expert_layers=0), Layout(4), machine(), 7).scale_up == pytest.approx(42_000)


def test_an_exchange_by_hand():
    """Two of two groups: each of two picks misses the other group one time in four, 3 bytes x 100 x 5 layers."""
    assert sent_bytes(mixed(), Layout(1, 2), machine(), 1).scale_up == pytest.approx(3 * 100 * 5 * 0.75)
    far = sent_bytes(mixed(), Layout(1, 2), machine(domain_chips=1), 1)
    assert (far.scale_up, far.scale_out) == (0, pytest.approx(3 * 100 * 5 * 0.75))


def test_a_domain_that_is_reached_once_serves_all_its_experts():
    near, far = (sent_bytes(mixed(), Layout(1, 12), machine(domain_chips=chips), 1) for chips in (12, 4))
    assert near.scale_out == 0
    assert far.scale_out == pytest.approx(1500 * 2 * (1 - (2 / 3) ** 2))
    assert near.scale_up == pytest.approx(far.scale_up + far.scale_out)


@given(st.integers(1, 12), st.integers(1, 8), st.integers(1, 30), st.floats(0, 1e6))
def test_what_travels_is_never_negative_nor_more_than_a_copy_for_every_expert(expert, tensor, domain, tokens):
    sent = sent_bytes(mixed(), Layout(1, expert), machine(domain_chips=domain), tokens)
    assert sent.scale_up >= -1e-9 * tokens
    assert sent.scale_out >= 0
    assert sent.scale_up + sent.scale_out <= 3 * 100 * 5 * 2 * tokens * (1 - 1 / expert) + 1e-9
    split = sent_bytes(mixed(), Layout(tensor, expert), machine(domain_chips=96), tokens)
    assert split.scale_out == 0


def test_arrays_give_what_their_elements_give():
    tensor, expert, stages = np.array([1, 2, 4, 8]), np.array([12, 6, 3, 1]), np.array([1, 2, 5, 10])
    together = Layout(tensor, expert, stages)
    one_by_one = [Layout(*parts) for parts in zip(tensor, expert, stages, strict=True)]
    for ask in (
        lambda layout: held_weights(mixed(), layout),
        lambda layout: cache_ways(mixed(), layout),
        lambda layout: most_sequences(mixed(), layout, machine(), 3),
        lambda layout: chip_fit(mixed(), layout, machine(), 50, 3).needed,
        lambda layout: sent_bytes(mixed(), layout, machine(), 9).scale_up,
        lambda layout: sent_bytes(mixed(), layout, machine(), 9).scale_out,
        lambda layout: layout.chips,
    ):
        assert np.allclose(ask(together), [float(ask(layout)) for layout in one_by_one], rtol=1e-15)


def test_what_is_no_model_layout_or_machine_is_refused():
    with pytest.raises(CalcError, match=r"^model must be a ModelShape"):
        chip_fit("deepseek-v3", Layout(), machine(), 1, 1)
    with pytest.raises(CalcError, match=r"^layout must be a Layout"):
        chip_fit(mixed(), 8, machine(), 1, 1)
    with pytest.raises(CalcError, match=r"^machine must be a Machine"):
        sent_bytes(mixed(), Layout(), "hgx-h800", 1)
    with pytest.raises(CalcError, match="combines with"):
        possible(mixed(layers=np.full(3, 10)), Layout(np.ones(2)), machine())
    for bad in (0, -1, 1.5, math.nan, math.inf, "8"):
        with pytest.raises(CalcError, match=r"^tensor must be a whole number of at least 1"):
            Layout(bad)
    with pytest.raises(CalcError, match=r"^batch must be"):
        own_sequences(-1, 2)
