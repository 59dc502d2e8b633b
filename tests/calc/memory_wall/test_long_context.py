import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calc import catalog
from calc.memory_wall.attention import attention_flops
from calc.memory_wall.long_context import affordable_kv_bytes, long_context, longest_context, pace
from calc.memory_wall.sparse_attention import growth_exponent

MANY = settings(max_examples=40, deadline=None)
CONTEXTS = st.floats(1e3, 1e9)

RACK = {"hbm_bytes": 72 * 189_471 * 2**20, "bandwidth": 576e12, "flops": 3.6e17, "dollars_per_hour": 324.0}
V3 = {"active_params": 37e9, "weight_bytes": 671e9, "kv_bytes_per_token": 35_136.0}
ABSORBED = attention_flops(61, 128, 576, 512)


class TestLongContext:
    def test_a_hundred_million_tokens_of_deepseek_v3_on_a_blackwell_rack(self):
        """3.51 TB of cache, 6.1 ms to read it, three sequences beside the weights."""
        at = long_context(1e8, **V3, **RACK)
        assert at.cache_bytes == pytest.approx(3.5136e12)
        assert at.fastest_seconds == pytest.approx(0.0061 + 671e9 / 576e12)
        assert at.sequences == 3
        assert at.dollars_per_token == pytest.approx(324 / 3600 * at.step_seconds / 3)

    def test_the_lectures_own_cache_makes_the_reading_cheap(self):
        """1,667 bytes a token: 0.17 TB and 0.29 ms for a hundred million tokens, without the weights."""
        seconds = 1e8 * 1667 / 576e12
        assert seconds == pytest.approx(0.29e-3, abs=1e-5)
        assert affordable_kv_bytes(1e8, seconds, 576e12) == pytest.approx(1667)

    def test_the_catalogue_rack_is_the_one_in_these_tests(self):
        rack = catalog.system("gb200-nvl72")
        assert (rack.hbm_bytes, rack.hbm_bandwidth, rack.flops("fp8")) == tuple(RACK.values())[:3]

    def test_attention_turns_the_step_to_compute(self):
        plain, attending = (long_context(1e6, **V3, **RACK, flops_per_context_token=c) for c in (0, 100 * ABSORBED))
        assert plain.step_seconds == pytest.approx(
            (V3["weight_bytes"] + plain.sequences * plain.cache_bytes) / RACK["bandwidth"]
        )
        assert attending.step_seconds == pytest.approx(
            attending.sequences * (2 * 37e9 + 100 * ABSORBED * 1e6) / RACK["flops"]
        )
        assert attending.fastest_seconds == pytest.approx((2 * 37e9 + 100 * ABSORBED * 1e6) / RACK["flops"])

    def test_where_nothing_fits_a_token_has_no_price(self):
        at = long_context(np.array([1e6, 1e10]), **V3, **RACK)
        assert at.fits.tolist() == [True, False]
        assert at.sequences.tolist() == [388, 0]
        assert np.isinf(at.dollars_per_token).tolist() == [False, True]
        assert at.step_seconds[1] == pytest.approx(671e9 / 576e12)

    def test_one_sequence_is_enough_to_fit(self):
        at = long_context(3e8, **V3, **RACK)
        assert (at.sequences, at.fits) == (1, True)
        assert at.dollars_per_token == pytest.approx(0.09 * at.fastest_seconds)

    def test_prefill_takes_its_operations_over_the_rate(self):
        at = long_context(1000, **V3, **RACK, flops_per_context_token=1e6)
        assert at.prefill_seconds == pytest.approx((2 * 37e9 * 1000 + 1e6 * 500_500) / 3.6e17)

    def test_what_is_not_rented_costs_nothing(self):
        at = long_context(1000, **V3, hbm_bytes=1e13, bandwidth=1e14, flops=1e17)
        assert (at.dollars_per_token, at.prefill_dollars) == (0, 0)

    def test_single_numbers_come_out_of_single_numbers(self):
        at = long_context(1e6, **V3, **RACK)
        assert {type(value) for value in vars(at).values()} == {float}
        assert at.fits is True

    @MANY
    @given(CONTEXTS)
    def test_an_array_is_its_elements(self, context):
        alone = long_context(context, **V3, **RACK, flops_per_context_token=ABSORBED)
        among = long_context([1e4, context], **V3, **RACK, flops_per_context_token=ABSORBED)
        assert {name: value[1] for name, value in vars(among).items()} == vars(alone)

    @MANY
    @given(CONTEXTS, st.floats(1.01, 100))
    def test_longer_is_never_faster_cheaper_or_more_shared(self, context, factor):
        rest = {**V3, **RACK, "flops_per_context_token": ABSORBED}
        short, long = long_context(context, **rest), long_context(context * factor, **rest)
        assert long.fastest_seconds >= short.fastest_seconds
        assert long.sequences <= short.sequences
        assert long.prefill_seconds > short.prefill_seconds
        if short.sequences >= 50 * factor:  # beyond that, whole sequences make the step uneven
            assert long.dollars_per_token >= short.dollars_per_token * 0.98

    @MANY
    @given(CONTEXTS)
    def test_a_full_domain_takes_no_longer_than_its_drain(self, context):
        at = long_context(context, **V3, **RACK)
        computing = at.sequences * 2 * 37e9 / RACK["flops"]
        assert at.step_seconds <= max(RACK["hbm_bytes"] / RACK["bandwidth"], computing) * (1 + 1e-12)

    def test_prefill_is_quadratic_in_the_end(self):
        rest = {**V3, **RACK, "flops_per_context_token": ABSORBED}
        at = long_context(np.array([1e8, 2e8]), **rest)
        assert growth_exponent(*at.prefill_seconds) == pytest.approx(2, abs=1e-3)
        assert at.prefill_dollars.tolist() == pytest.approx((0.09 * at.prefill_seconds).tolist())


class TestInverses:
    @MANY
    @given(st.floats(2e-3, 0.02), st.integers(1, 100))
    def test_the_longest_context_takes_exactly_the_time(self, seconds, sequences):
        memory = {key: V3[key] for key in ("weight_bytes", "kv_bytes_per_token")}
        domain = {key: RACK[key] for key in ("hbm_bytes", "bandwidth")}
        longest = longest_context(seconds, sequences=sequences, **memory, **domain)
        read = memory["weight_bytes"] + sequences * longest * memory["kv_bytes_per_token"]
        assert read / domain["bandwidth"] == pytest.approx(seconds)

    def test_beyond_the_drain_time_room_is_what_ends_it(self):
        rest = {"weight_bytes": 4e10, "kv_bytes_per_token": 1e4, "hbm_bytes": 2e11, "bandwidth": 1e12}
        assert longest_context(0.2, **rest) == longest_context(100, **rest) == 1.6e7
        assert longest_context(0.2, **rest, sequences=2) == 8e6

    def test_too_fast_even_for_the_weights_is_no_context(self):
        rest = {"weight_bytes": 4e10, "kv_bytes_per_token": 1e4, "hbm_bytes": 2e11, "bandwidth": 1e12}
        assert longest_context(0.01, **rest) == 0
        assert affordable_kv_bytes(1e6, 0.01, 1e12, weight_bytes=4e10) == 0

    @MANY
    @given(CONTEXTS, st.floats(1e-3, 1))
    def test_affordable_bytes_are_read_in_time(self, context, seconds):
        bytes_per_token = affordable_kv_bytes(context, seconds, 576e12, weight_bytes=1e11)
        assert (1e11 + context * bytes_per_token) / 576e12 == pytest.approx(seconds)


class TestPace:
    def test_a_hundred_million_tokens_in_a_month_of_work(self):
        assert pace(1e8, 22, 8) == pytest.approx(158, abs=0.5)
        assert pace(1e8, 30) == pytest.approx(39, abs=0.5)

    @MANY
    @given(st.floats(1, 1e9), st.floats(0.1, 1000), st.floats(0.1, 24))
    def test_at_that_pace_it_fills_in_time(self, tokens, days, hours):
        assert pace(tokens, days, hours) * days * hours * 3600 == pytest.approx(tokens)


DOMAIN = "weight_bytes=1 kv_bytes_per_token=1 hbm_bytes=1 bandwidth=1"
