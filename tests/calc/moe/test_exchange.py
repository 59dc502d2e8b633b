import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calc import catalog, moe
from calc.moe import routing
from calc.quantities.errors import CalcError

COUNTS = st.integers(1, 1000)
AMOUNTS = st.floats(1e-3, 1e12)
QUICK = settings(max_examples=40, deadline=None)


@pytest.mark.parametrize(
    ("total", "active", "expected"),
    [(671e9, 37e9, 18.1), (116.8e9, 5.13e9, 22.8), (70e9, 70e9, 1.0)],
    ids=["deepseek-v3", "gpt-oss-120b", "dense"],
)
def test_sparsity_of_published_models(total, active, expected):
    """Parameter counts of the model cards: DeepSeek-V3 671B/37B, gpt-oss-120b 116.8B/5.13B."""
    assert moe.sparsity(total, active) == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize(
    ("chips", "redundant", "expected"),
    [
        (72, 0, (4, 64, 8, 32)),  # Pope's rack
        (144, 32, (2, 144, 0, 0)),  # DeepSeek's decode unit: 2 routed experts on each of 144 GPUs
        (32, 32, (9, 32, 0, 0)),  # DeepSeek's prefill unit: 9 routed experts on each of 32 GPUs
        (72, 32, (4, 72, 0, 0)),
        (300, 0, (1, 256, 44, 44)),
        (60, 0, (5, 52, 8, 44)),
    ],
)
def test_placement_of_256_experts(chips, redundant, expected):
    """Deployments: DeepSeek, open-infra-index, day 6 (2025): EP144 and EP32, each with 32 redundant experts."""
    placement = moe.place_experts(256, chips, redundant)
    found = (placement.experts_per_chip, placement.chips_used, placement.chips_idle, placement.copies_to_fill)
    assert found == expected
    assert placement.idle_share == expected[2] / chips


def test_placement_of_one_number_is_a_number():
    assert type(moe.place_experts(256, 72).experts_per_chip) is float
    assert moe.place_experts(256, 72) == moe.place_experts(256, 72, 0)


@QUICK
@given(COUNTS, COUNTS, st.integers(0, 100))
def test_a_placement_holds_every_copy_and_no_chip_to_spare(experts, chips, redundant):
    placement = moe.place_experts(experts, chips, redundant)
    copies = experts + redundant
    assert placement.experts_per_chip * placement.chips_used >= copies
    assert placement.experts_per_chip * (placement.chips_used - 1) < copies
    assert (placement.experts_per_chip - 1) * chips < copies
    assert placement.chips_used + placement.chips_idle == chips
    assert moe.place_experts(experts, chips, redundant + placement.copies_to_fill).copies_to_fill == 0
    assert moe.place_experts(experts, chips, redundant + placement.copies_to_fill).chips_idle == 0


def test_the_published_bound_on_deepseeks_speed():
    """DeepSeek-AI (2025), "Insights into DeepSeek-V3", on interconnects: 32 tokens, 9 experts, width about 7,000.

    120.96 µs at 50 GB/s gives 14.76 ms or 67 tokens/s for 61 layers; 6.72 µs at 900 GB/s gives 0.82 ms or 1,200.
    """
    sent = moe.exchange_bytes(32, 7000, 9).total
    for bandwidth, microseconds, milliseconds, speed in ((50e9, 120.96, 14.76, 67), (900e9, 6.72, 0.82, 1200)):
        seconds = moe.exchange_seconds(sent, bandwidth)
        step = moe.exchange_bound_step(seconds, 61)
        assert seconds * 1e6 == pytest.approx(microseconds, rel=1e-9)
        assert step * 1e3 == pytest.approx(milliseconds, abs=0.005)
        assert 1 / step == pytest.approx(speed, rel=0.02)


@pytest.mark.parametrize(
    ("chips", "dispatch", "combine"),
    [
        (8, (77e-6, 98e9), (114e-6, 127e9)),
        (32, (155e-6, 48e9), (273e-6, 53e9)),
        (128, (192e-6, 39e9), (369e-6, 39e9)),
        (256, (194e-6, 39e9), (360e-6, 40e9)),
    ],
)
def test_bytes_of_a_measured_exchange(chips, dispatch, combine):
    """DeepEP README (V1, low-latency kernels, H800): 128 tokens, width 7168, 8 experts, FP8 out, BF16 back.

    Bytes are the table's latency times its bandwidth. Dispatch carries a 4-byte scale for each 128 elements.
    """
    sent = moe.exchange_bytes(128, 7168, 8, dispatch_bytes=1 + 4 / 128)
    assert sent.dispatch == pytest.approx(dispatch[0] * dispatch[1], rel=0.025)
    assert sent.combine == pytest.approx(combine[0] * combine[1], rel=0.025)


def test_the_bound_on_an_exchange_lies_below_the_measurement():
    """DeepEP README (V1), 256 chips: 194 µs and 360 µs on links of 50 GB/s."""
    sent = moe.exchange_bytes(128, 7168, 8, dispatch_bytes=1 + 4 / 128)
    assert 194e-6 / moe.exchange_seconds(sent.dispatch, 50e9) == pytest.approx(1.28, abs=0.01)
    assert 360e-6 / moe.exchange_seconds(sent.combine, 50e9) == pytest.approx(1.23, abs=0.01)


def test_experts_across_eighteen_nodes_leave_deepseeks_links_time_to_spare():
    """DeepSeek, open-infra-index, day 6: 144 chips share the experts, over InfiniBand, at 20 to 22 tokens/s a user."""
    day, model = catalog.deployment("deepseek-day-6"), catalog.model("deepseek-v3")
    links = catalog.system("hgx-h800").scale_out_bandwidth
    for speed in (day.user_tokens_per_second_low, day.user_tokens_per_second_high):
        tokens = day.decode_tokens_per_second / day.chips_per_node / speed
        half = moe.exchange_bytes(tokens / 2, model.d_model, model.active_routed_experts)
        layers = model.layers - model.dense_layers
        bound = moe.exchange_bound_step(moe.exchange_seconds(half.total, links), layers)
        assert 2.5 < 1 / speed / bound < 3


@QUICK
@given(AMOUNTS, AMOUNTS, st.floats(0, 64), st.floats(0, 4), st.floats(0, 4))
def test_an_exchange_grows_with_each_of_its_factors(tokens, width, copies, there, back):
    sent = moe.exchange_bytes(tokens, width, copies, dispatch_bytes=there, combine_bytes=back)
    twice = moe.exchange_bytes(2 * tokens, width, copies, dispatch_bytes=there, combine_bytes=back)
    assert twice.total == pytest.approx(2 * sent.total)
    assert sent.total == pytest.approx(tokens * width * copies * (there + back))
    swapped = moe.exchange_bytes(tokens, width, copies, dispatch_bytes=back, combine_bytes=there)
    assert (swapped.dispatch, swapped.combine) == (sent.combine, sent.dispatch)


def test_latency_is_paid_once_and_whatever_the_size():
    assert moe.exchange_seconds(0, 1e9, 5e-6) == 5e-6
    assert moe.exchange_seconds(1e6, 1e9, 5e-6) == pytest.approx(1.005e-3)


def test_micro_batches_default_to_two():
    assert moe.exchange_bound_step(1.0, 3) == 2 * moe.exchange_bound_step(1.0, 3, 1) == 6.0


@QUICK
@given(*[st.floats(1e-9, 1e-3)] * 4)
def test_an_exchange_hides_up_to_its_batch_and_no_further(exchange, weights, cache, compute):
    batch = moe.hidden_batch(exchange, weights, cache, compute)
    if batch == np.inf:
        assert exchange <= max(cache, compute)
        return
    assert exchange > compute
    assert exchange * batch == pytest.approx(weights + cache * batch)
    for within, hidden in ((0.9, True), (1.1, False)):
        tried = within * batch
        assert (exchange * tried <= max(compute * tried, weights + cache * tried)) == hidden


def test_what_an_exchange_hides_behind():
    assert moe.hidden_batch(np.array([1.0, 2.0, 4.0]), 6, 1, 1).tolist() == [np.inf, 6, 2]
    assert moe.hidden_batch(2, 6, 1, 2) == np.inf
    assert moe.hidden_batch(2, 0, 1, 1) == 0


@pytest.mark.parametrize(("ratio", "expected"), [(8, [1, 4, 16 / 3]), (9, [1, 4.5, 6]), (18, [1, 9, 12])])
def test_one_two_and_three_racks(ratio, expected):
    """The lecture's case at 38:43, and the ratios of the catalogue's links."""
    assert moe.spread_slowdown(np.array([1, 2, 3]), ratio) == pytest.approx(expected)


def test_a_fast_scale_out_network_makes_spreading_pay():
    assert moe.spread_slowdown(4, 0.5) == 0.375
    assert moe.spread_slowdown(4, 0.1) == 0.25


@QUICK
@given(st.integers(1, 500), st.floats(1, 100))
def test_spreading_slows_an_exchange_up_to_the_ratio(domains, ratio):
    slower = moe.spread_slowdown(domains + 1, ratio)
    assert moe.spread_slowdown(domains, ratio) <= slower * (1 + 1e-12) or domains == 1
    assert slower <= ratio
    assert moe.spread_slowdown(1e9, ratio) == pytest.approx(ratio)


@QUICK
@given(AMOUNTS, st.integers(1, 50), st.floats(1, 40))
def test_spreading_is_the_slower_of_both_networks(sent, domains, ratio):
    times = moe.link_seconds(sent, moe.leaving_share(domains), ratio * 50e9, 50e9)
    alone = moe.exchange_seconds(sent, ratio * 50e9)
    assert times.bound / alone == pytest.approx(moe.spread_slowdown(domains, ratio))
    assert max(times.scale_up, times.scale_out) == times.bound <= times.serial
    assert times.serial == times.scale_up + times.scale_out


def test_group_limits_keep_copies_off_the_slow_links():
    """DeepSeek-V3 report, section 3.2.2: at most 4 of 8 nodes, one copy to each; 8 experts would be 7 copies."""
    sent_each = 8 * moe.leaving_share(8)
    assert sent_each == 7
    assert routing.remote_groups(256, 8, 8, limit=4) < routing.remote_groups(256, 8, 8) < sent_each


def test_arrays_and_numbers_take_the_same_path():
    tokens = np.array([1.0, 10.0, 100.0])
    many = moe.exchange_bytes(tokens, 7168, 8)
    assert many.total.tolist() == [moe.exchange_bytes(one, 7168, 8).total for one in tokens]
    chips = np.array([8, 72, 144])
    spread = moe.place_experts(256, chips)
    assert spread.chips_idle.tolist() == [moe.place_experts(256, one).chips_idle for one in chips]
    assert moe.sparsity(np.array([10.0, 20.0]), 5).tolist() == [2, 4]


@pytest.mark.parametrize("params", [671e9, [1e9, 671e9]])
def test_more_active_parameters_than_all_are_refused(params):
    with pytest.raises(CalcError, match=r"^active_params must be"):
        moe.sparsity(37e9, params)


@QUICK
@given(AMOUNTS, AMOUNTS, AMOUNTS, AMOUNTS)
def test_stages_hide_a_layer_only_where_no_transfer_outlasts_a_computation(attention, experts, dispatch, combine):
    """Never quicker than the longer of the two sums, and as quick as computing where every stage hides its transfer."""
    layer, computing = moe.staged_layer(attention, experts, dispatch, combine), 2 * (attention + experts)
    assert layer >= max(computing, 2 * (dispatch + combine)) * (1 - 1e-12)
    hidden = max(dispatch, combine) <= min(attention, experts)
    assert not hidden or layer == pytest.approx(computing)


@QUICK
@given(AMOUNTS, AMOUNTS, st.floats(0, 1e3))
def test_from_where_halving_pays_both_ways_take_equally_long(exchange, weights, cache):
    batch = moe.halving_batch(exchange, weights)
    assert weights + (cache + exchange) * batch == pytest.approx(2 * weights + cache * batch)
