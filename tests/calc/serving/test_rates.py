"""Prefill and decode on chips: by hand, beside the lectures' own formulas, and never past a bound."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc import batching, catalog, serving
from calc.quantities.errors import CalcError, OutOfRange
from calc.serving.layout import Layout
from calc.serving.rates import Efficiency, PassTime, Rate, decode, pass_time, prefill, read_weights
from calc.serving.shapes import Machine, ModelShape

SHAPE = ModelShape(
    shared_params=1e10,
    expert_params=1e9,
    experts=64,
    experts_per_token=4,
    layers=40,
    expert_layers=38,
    width=4096,
    bytes_per_weight=1,
    kv_bytes_per_token=4e4,
    cache_splits=8,
    decode_flops=1e6,
    prefill_flops=1e6,
)
CHIP = Machine(flops=1e15, bandwidth=4e12, hbm_bytes=1e11, domain_chips=8, scale_up=4e11, scale_out=5e10)
LAYOUTS = st.builds(Layout, st.sampled_from([1, 2, 4, 8]), st.integers(1, 64), st.integers(1, 40))


def shape(model, precision="fp8"):
    return ModelShape.published(catalog.model(model), precision)


def system(name, precision="fp8"):
    return Machine.published(catalog.system(name), precision)


def test_the_parts_of_a_pass_by_hand():
    parts = pass_time(SHAPE, Layout(2, 8, 2), CHIP, 16, 1, 1000, 1e6)
    assert parts.compute == pytest.approx((2 * 1e10 * 2 / 2 + 2 * 4e9 * 16 / 16 + 1e6 * 2 * 1001 / 2) / 1e15)
    woken = 1 - (1 - 4 / 64) ** 16
    assert parts.weights == pytest.approx((1e10 + 8 * woken * 1e9) / 2 / 4e12)
    assert parts.cache == pytest.approx(2 * 1000 * 4e4 / 2 / 4e12)
    # sixteen chips of a stage in two domains: of eight groups, four picks reach 7 (1 - (7/8)^4) others
    exchange = 38 * 3 * 4096 * 2 / 2
    away, beyond = 7 * (1 - (7 / 8) ** 4), 1 * (1 - (1 / 2) ** 4)
    reductions = 2 * 0.5 * 2 * 4096 * 2 * 2 * 40
    assert parts.scale_up == pytest.approx((reductions + exchange * (away - beyond)) / 4e11)
    assert parts.scale_out == pytest.approx(exchange * beyond / 5e10)


def test_three_new_tokens_are_three_times_the_work_of_the_weights():
    one, three = (pass_time(SHAPE, Layout(2, 8), CHIP, 16, new, 1000, 0) for new in (1, 3))
    assert three.compute == pytest.approx(3 * one.compute)
    assert three.scale_up == pytest.approx(3 * one.scale_up)
    assert three.cache == one.cache
    assert one.weights < three.weights < 3 * one.weights


def test_a_dense_model_on_one_domain_is_lecture_1():
    """Tensor chips alone and a large batch: the step of `batching`, to which links and attention are added."""
    dense = shape("llama-3-70b")
    node = catalog.system("hgx-h100")
    row = catalog.model("llama-3-70b")
    parts = pass_time(dense, Layout(8), system("hgx-h100"), 64, 1, 8192, 0)
    step = batching.step_time(
        64,
        8192,
        active_params=row.active_params,
        weight_bytes=row.weight_bytes("fp8"),
        kv_bytes_per_token=row.kv_bytes_per_token("fp8"),
        flops=node.flops("fp8"),
        bandwidth=node.hbm_bandwidth,
    )
    assert (parts.compute, parts.weights, parts.cache) == pytest.approx((step.compute, step.weights, step.cache))


def test_bound_and_sum_and_what_limits():
    parts = PassTime(1.0, 2.0, 3.0, 4.0, 6.0)
    assert (parts.memory, parts.bound, parts.serial, parts.limit) == (5.0, 6.0, 16.0, "scale-out")
    assert PassTime(9.0, 2.0, 3.0, 4.0, 6.0).limit == "compute"
    assert PassTime(1.0, 2.0, 3.0, 7.0, 6.0).limit == "scale-up"
    assert PassTime(1.0, 4.0, 3.0, 6.5, 6.0).limit == "memory"
    assert PassTime(np.array([1.0, 9.0, 9.0]), 2.0, 3.0, 4.0, 6.0).limit == "compute"


def test_what_is_missed_of_a_rate_lengthens_its_part_alone():
    perfect = pass_time(SHAPE, Layout(2, 8), CHIP, 64, 1, 1000, 1e6)
    half = pass_time(SHAPE, Layout(2, 8), CHIP, 64, 1, 1000, 1e6, Efficiency(mfu=0.5, mbu=0.25, link=0.2))
    assert half.compute == pytest.approx(2 * perfect.compute)
    assert half.memory == pytest.approx(4 * perfect.memory)
    assert half.scale_up == pytest.approx(5 * perfect.scale_up)
    assert half.scale_out == pytest.approx(5 * perfect.scale_out)
    for name in ("mfu", "mbu", "link"):
        for bad in (0, 1.01, -1, math.nan):
            with pytest.raises(CalcError, match=rf"^{name} must be a finite number above 0 up to 1"):
                Efficiency(**{name: bad})


def test_the_rate_of_a_pipeline_is_that_of_its_stages():
    """P micro-batches in P stages: each chip is as busy as on one stage with as many sequences of a micro-batch."""
    chip = Machine(flops=1e15, bandwidth=4e12, hbm_bytes=1e11, domain_chips=8, scale_up=4e11, scale_out=1e30)
    flat = decode(SHAPE, Layout(8), chip, 100, 1000)
    deep = decode(SHAPE, Layout(8, 1, 4), chip, 400, 1000)
    assert deep.bound.seconds == pytest.approx(flat.bound.seconds)
    assert deep.bound.per_chip == pytest.approx(flat.bound.per_chip)
    alone = decode(SHAPE, Layout(8, 1, 4), chip, 100, 1000, micro_batches=1)
    assert alone.bound.per_chip == pytest.approx(flat.bound.per_chip / 4)


def test_hops_stay_inside_the_domain_where_there_is_room():
    walled = Machine(flops=1e15, bandwidth=4e12, hbm_bytes=1e11, domain_chips=8, scale_up=4e11)
    inside = decode(SHAPE, Layout(2, 1, 4), walled, 4, 1000)
    hop = 1 * 4096 * 2 / (2 * 4e11)
    assert inside.bound.seconds - inside.parts.bound == pytest.approx(4 * hop)
    out = decode(SHAPE, Layout(4, 1, 4), CHIP, 4, 1000)
    assert out.bound.seconds - out.parts.bound == pytest.approx(4 * 4096 * 2 / (4 * 5e10))
    with pytest.raises(OutOfRange, match="no link out of the domain"):
        decode(SHAPE, Layout(4, 1, 4), walled, 4, 1000)


def test_rates_are_tokens_over_seconds():
    rate = Rate(0.5, 100, 10, 4)
    assert (rate.per_user, rate.per_chip) == (8, 80)
    assert Rate(0.5, 100, 10).per_user == 2
    assert rate.dollars_per_token(2.88) * 1e6 == pytest.approx(10)


def test_the_cost_of_a_token_is_that_of_lecture_1():
    served = decode(shape("llama-3-70b"), Layout(8), system("hgx-h100"), 64, 8192)
    expected = batching.dollars_per_token(64, served.bound.seconds, 8 * 2.5)
    assert served.bound.dollars_per_token(2.5) == pytest.approx(expected)


def test_a_prompt_takes_its_operations_and_a_cached_one_fewer():
    model, chip = shape("llama-3-405b"), system("hgx-h200")
    whole = prefill(model, Layout(8), chip, 1, 8192)
    assert whole.parts.limit == "compute"
    operations = 2 * 405e9 * 8192 + float(model.prefill_flops) * 8192 * 8193 / 2
    assert whole.bound.seconds == pytest.approx(operations / (8 * 1979e12), rel=2e-3)
    half = prefill(model, Layout(8), chip, 1, 4096, cached=4096)
    assert whole.bound.seconds / 2 < half.bound.seconds < whole.bound.seconds
    assert half.fit.cache == whole.fit.cache
    assert whole.bound.per_user == pytest.approx(8192 / whole.bound.seconds)


def test_prompts_in_a_pipeline_take_turns():
    model, chip = shape("llama-3-405b"), system("hgx-h200")
    alone = prefill(model, Layout(8, 1, 2), chip, 1, 2048, micro_batches=1)
    pair = prefill(model, Layout(8, 1, 2), chip, 2, 2048)
    assert pair.bound.per_chip == pytest.approx(2 * alone.bound.per_chip)


def test_only_experts_that_tokens_chose_are_read():
    read = [read_weights(SHAPE, Layout(1, 8), tokens) for tokens in (1, 10, 1e9)]
    assert read[0] == pytest.approx(1e10 + 8 * 4 / 64 * 1e9)
    assert read[2] == pytest.approx(1.8e10)
    assert sorted(read) == read


def test_half_a_byte_a_weight_is_read_in_half_the_time():
    narrow = dataclasses.replace(SHAPE, bytes_per_weight=0.5)
    assert read_weights(narrow, Layout(2, 8), 10) == read_weights(SHAPE, Layout(2, 8), 10) / 2


def test_a_prompt_takes_all_its_tokens_to_the_next_stage():
    read = prefill(SHAPE, Layout(4, 1, 4), CHIP, 8, 1000)
    assert read.bound.seconds - read.parts.bound == pytest.approx(4 * 2 * 1000 * 4096 * 2 / (4 * 5e10))


def test_reading_and_writing_share_the_chips():
    assert serving.blended_rate(0, 100, 0.5, 200) == 400
    assert serving.blended_rate(0.25, 100, 0.5, 200) == 200
    assert serving.blended_rate(10, 100, 1e-9, 200) == pytest.approx(10)


@given(LAYOUTS, st.floats(1, 1e6), st.floats(0, 1e6))
def test_no_overlap_is_never_faster_and_more_than_the_longest_part_counts(layout, batch, context):
    served = decode(SHAPE, layout, CHIP, batch, context)
    parts = served.parts
    assert max(parts.compute, parts.memory, parts.scale_up, parts.scale_out) == parts.bound
    assert parts.bound <= parts.serial <= 4 * parts.bound * (1 + 1e-12)
    assert served.bound.per_chip >= served.serial.per_chip > 0
    assert served.bound.per_chip * served.bound.chips == pytest.approx(batch * served.bound.per_user)


@given(LAYOUTS, st.floats(1, 1e5), st.floats(0, 1e5), st.floats(1.001, 10))
def test_a_longer_context_or_a_larger_batch_is_no_faster_for_a_user(layout, batch, context, factor):
    base = decode(SHAPE, layout, CHIP, batch, context).bound.seconds
    assert decode(SHAPE, layout, CHIP, batch, context * factor).bound.seconds >= base
    assert decode(SHAPE, layout, CHIP, batch * factor, context).bound.seconds >= base * (1 - 1e-12)


@given(LAYOUTS, st.floats(1, 1e5), st.floats(0, 1e5), st.floats(0.01, 1))
def test_times_scale_as_the_rates_do(layout, batch, context, share):
    fast = decode(SHAPE, layout, CHIP, batch, context)
    slow = decode(SHAPE, layout, CHIP, batch, context, efficiency=Efficiency(share, share, share))
    assert slow.bound.seconds * share == pytest.approx(fast.bound.seconds)
    assert slow.serial.seconds * share == pytest.approx(fast.serial.seconds)


def test_arrays_give_what_their_elements_give():
    batch, tensor = np.array([1.0, 50, 3000]), np.array([1, 4, 8])
    together = decode(SHAPE, Layout(tensor, 8), CHIP, batch, 4096)
    for at, (sequences, chips) in enumerate(zip(batch, tensor, strict=True)):
        alone = decode(SHAPE, Layout(chips, 8), CHIP, sequences, 4096)
        assert float(alone.bound.seconds) == np.asarray(together.bound.seconds)[at]
        assert float(alone.serial.per_chip) == np.asarray(together.serial.per_chip)[at]
        assert alone.fit.fits == np.asarray(together.fit.fits)[at]


@pytest.mark.parametrize("call", [decode, prefill])
def test_what_cannot_be_served_is_refused_by_name(call):
    last = "context" if call is decode else "prompt"
    good = {"model": SHAPE, "layout": Layout(8), "machine": CHIP, "batch": 8, last: 100}
    call(**good)
    for name in ("batch", last):
        for bad in (-1, math.nan, math.inf, "many", [], None):
            with pytest.raises(CalcError, match=rf"^{name} must be"):
                call(**{**good, name: bad})
    for name, kind in (("model", "ModelShape"), ("machine", "Machine")):
        with pytest.raises(CalcError, match=rf"^{name} must be a {kind}"):
            call(**{**good, name: "much"})
    with pytest.raises(CalcError, match=r"^layout must be a Layout"):
        pass_time(SHAPE, 8, CHIP, 1, 1, 1, 0)
    with pytest.raises(CalcError, match=r"^efficiency must be an Efficiency"):
        call(**good, efficiency=0.5)
    with pytest.raises(CalcError, match=r"^micro_batches must be"):
        call(**good, micro_batches=0.5)
