import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calc import catalog
from calc.batching.balance import critical_context, hardware_ratio
from calc.memory_wall.attention import (
    attended_positions,
    attended_tokens,
    attention_flops,
    attention_to_weights,
    cache_elements,
    cache_reduction,
    grouped_elements,
    latent_elements,
    multiplies_per_element,
    overtaking_context,
    prefill_flops,
)
from calc.quantities.errors import CalcError

COUNTS = st.integers(1, 256)
CONTEXTS = st.floats(1, 1e8)
MANY = settings(max_examples=40, deadline=None)
LATENT = latent_elements(512, 64)
CHARACTER = {"layers": 6, "full_layers": 1, "window": 1024, "head_sharing": 8}


def plain_flops(name):
    """Operations per token of context of a model with ordinary heads, in the layers that attend to everything."""
    model = catalog.model(name)
    layers = model.full_attention_layers or model.layers
    return attention_flops(layers, model.heads, model.head_dim, model.head_dim)


class TestCache:
    @pytest.mark.parametrize(
        ("name", "elements", "kilobytes"),
        [
            # DeepSeek, "Insights into DeepSeek-V3" (2025), Table 1: KV cache per token in BF16, in KB of 1,000 bytes.
            ("deepseek-v3", cache_elements(61, LATENT), 70.272),
            ("llama-3-405b", cache_elements(126, grouped_elements(8, 128)), 516.096),
        ],
    )
    def test_bytes_per_token_are_those_published(self, name, elements, kilobytes):
        assert 2 * elements / 1000 == pytest.approx(kilobytes)
        assert catalog.model(name).kv_elements_per_token == elements

    def test_qwen_2_5_72b_of_the_same_table(self):
        """80 layers, 8 key-value heads of 128: 327.680 KB in BF16 (the same Table 1)."""
        assert 2 * cache_elements(80, grouped_elements(8, 128)) == 327_680

    def test_llama_3_70b_of_the_scaling_book(self):
        """Scaling book, "Serving LLaMA 3-70B": 160 KiB per token in int8."""
        assert cache_elements(80, grouped_elements(8, 128)) == 160 * 2**10

    def test_one_shared_layer_of_eight_heads_is_the_lectures_two_kilobytes(self):
        assert grouped_elements(8, 128) == 2048

    def test_every_catalogue_model_with_heads_agrees_with_the_formula(self):
        models = [m for m in catalog.models().values() if m.kv_heads and m.head_dim and not m.sliding_window]
        assert len(models) > 3
        for model in models:
            layers = model.full_attention_layers or model.layers
            expected = cache_elements(layers, grouped_elements(model.kv_heads, model.head_dim))
            assert model.kv_elements_per_token == expected

    @MANY
    @given(COUNTS, COUNTS, st.integers(1, 16))
    def test_grouping_divides_by_the_group(self, kv_heads, width, group):
        assert grouped_elements(kv_heads * group, width) == group * grouped_elements(kv_heads, width)

    def test_the_latent_is_shared_by_all_heads(self):
        """DeepSeek-V2 (2024), section 2.1.4: MLA's cache equals grouped attention with 2.25 groups."""
        assert latent_elements(512, 64) / grouped_elements(1, 128) == 2.25


class TestWindows:
    def test_gpt_oss_stops_growing_in_half_of_its_layers(self):
        """36 layers, every second with a window of 128 tokens (gpt-oss model card, 2025)."""
        at = attended_positions(np.array([64, 128, 129, 10_000]), 18, 18, 128)
        assert at.tolist() == [36 * 64, 36 * 128, 18 * 129 + 18 * 128, 18 * 10_000 + 18 * 128]

    def test_without_windows_every_layer_sees_everything(self):
        assert attended_positions(1000, 32) == 32_000

    @MANY
    @given(CONTEXTS, st.integers(0, 100), st.integers(0, 100), st.integers(0, 10_000))
    def test_windows_only_ever_save(self, context, full, windowed, window):
        seen = attended_positions(context, full, windowed, window)
        assert full * context <= seen <= (full + windowed) * context * (1 + 1e-12)

    def test_the_cache_is_shared_by_neighbours(self):
        assert cache_elements(60, 576, 3) == 20 * 576


class TestReduction:
    def test_character_ai_saves_more_than_twentyfold(self):
        """Character.AI, "Optimizing AI Inference" (2024): multi-query 8x, one layer in six global, sharing 2-3x."""
        saved = cache_reduction(2000, **CHARACTER, layer_sharing=np.array([2, 3]))
        assert (saved > 20).all()
        assert saved.tolist() == pytest.approx([8 * 12000 / 7120 * 2, 8 * 12000 / 7120 * 3])

    def test_the_limit_of_long_contexts_is_the_share_of_full_layers(self):
        assert cache_reduction(1e12, **CHARACTER, layer_sharing=2) == pytest.approx(8 * 6 * 2, rel=1e-6)

    @MANY
    @given(CONTEXTS, st.integers(1, 50), st.integers(1, 4096), st.floats(1, 16), st.floats(1, 4), st.floats(0.5, 4))
    def test_it_is_the_ratio_of_two_caches(self, context, full, window, heads, sharing, precision):
        layers = 2 * full
        saved = cache_reduction(
            context,
            layers=layers,
            full_layers=full,
            window=window,
            head_sharing=heads,
            layer_sharing=sharing,
            precision_ratio=precision,
        )
        before = cache_elements(attended_positions(context, layers), 1000.0)
        after = cache_elements(attended_positions(context, full, layers - full, window), 1000 / heads, sharing)
        assert saved == pytest.approx(before / after * precision)

    def test_one_bad_layer_among_several_is_refused(self):
        with pytest.raises(CalcError, match="full_layers"):
            cache_reduction(5000, layers=4, full_layers=[1, 5], window=10)
        with pytest.raises(CalcError, match="window"):
            cache_reduction(5000, layers=4, full_layers=[1, 0], window=0)
        assert cache_reduction(5000, layers=4, full_layers=[4, 0], window=[0, 10]).tolist() == [1, 500]

    def test_with_no_full_layer_only_the_window_is_kept(self):
        assert cache_reduction(5000, layers=4, full_layers=0, window=1000) == 5

    def test_nothing_shared_saves_nothing(self):
        assert cache_reduction(5000, layers=4, full_layers=4, window=0) == 1

    def test_more_full_layers_than_layers_are_refused(self):
        with pytest.raises(CalcError, match="full_layers must be at most the number of layers, 4"):
            cache_reduction(5000, layers=4, full_layers=5, window=10)

    def test_layers_that_see_nothing_are_refused(self):
        with pytest.raises(CalcError, match="window must be above 0"):
            cache_reduction(5000, layers=4, full_layers=0, window=0)


class TestFlops:
    @pytest.mark.parametrize(
        ("name", "context"),
        [("llama-3-70b", 53_864), ("llama-3-405b", 98_092), ("qwen3-235b-a22b", 14_285)],
    )
    def test_attention_overtakes_the_weights_of_public_models_far_below_a_million_tokens(self, name, context):
        model = catalog.model(name)
        assert overtaking_context(model.active_params, plain_flops(name)) == pytest.approx(context, abs=1)

    def test_latent_attention_takes_more_operations_absorbed_than_expanded(self):
        """DeepSeek-V3: 128 heads; expanded keys 128 + 64 and values 128 wide, absorbed keys 512 + 64 and values 512."""
        expanded, absorbed = attention_flops(61, 128, 192, 128), attention_flops(61, 128, 576, 512)
        assert absorbed / expanded == pytest.approx(3.4)
        assert overtaking_context(37e9, expanded) == pytest.approx(14_809, abs=1)
        assert overtaking_context(37e9, absorbed) == pytest.approx(4_355, abs=1)
        assert attention_to_weights(8192 * absorbed, 37e9) == pytest.approx(1.88, abs=0.005)
        assert attention_to_weights(8192 * expanded, 37e9) == pytest.approx(0.55, abs=0.005)

    def test_ten_global_layers_reach_610_thousand_tokens(self):
        assert overtaking_context(100e9, attention_flops(10, 64, 128, 128)) == pytest.approx(610_352, abs=1)

    def test_a_dense_layer_of_the_scaling_book(self):
        """Scaling book, "All the Transformer Math": attention over other operations is T / 8 D where F = 4 D, D = N H.

        Such a layer has 3 D F + 4 D N H = 16 D^2 parameters.
        """
        width = 8192
        assert overtaking_context(16 * width**2, attention_flops(1, 64, 128, 128)) == 8 * width

    @MANY
    @given(st.floats(1e6, 1e12), st.floats(1, 1e9))
    def test_at_the_overtaking_context_both_are_equal(self, params, slope):
        context = overtaking_context(params, slope)
        assert attention_to_weights(context * slope, params) == pytest.approx(1)

    @MANY
    @given(st.floats(1e6, 1e12), st.floats(1, 1e9))
    def test_a_whole_prompt_reaches_it_at_twice_the_length(self, params, slope):
        prompt = 2 * overtaking_context(params, slope) - 1
        if prompt > 1:
            assert prefill_flops(prompt, params, slope) == pytest.approx(2 * 2 * params * prompt)

    def test_windows_bring_it_forward_and_never_below_zero(self):
        assert overtaking_context(1e9, 1e6, 5e8) == 1500
        assert overtaking_context(1e9, 1e6, 3e9) == 0

    @MANY
    @given(st.integers(0, 200), st.integers(0, 200))
    def test_attended_tokens_are_counted_one_by_one(self, new, before):
        assert attended_tokens(new, before) == sum(before + i for i in range(1, new + 1))

    @MANY
    @given(st.integers(1, 10**6), st.integers(1, 10**6), st.floats(1e6, 1e12), st.floats(0, 1e7))
    def test_a_prompt_in_two_parts_costs_what_the_whole_does(self, first, rest, params, slope):
        parts = prefill_flops(first, params, slope) + prefill_flops(rest, params, slope, cached=first)
        assert parts == pytest.approx(prefill_flops(first + rest, params, slope))

    def test_the_work_of_a_prompt_is_that_of_its_attended_tokens(self):
        assert prefill_flops(100, 7, 3, cached=20) == 2 * 7 * 100 + 3 * attended_tokens(100, 20)

    @pytest.mark.parametrize("prompt", [1e-300, 1e300])
    def test_an_absurd_prompt_has_an_answer(self, prompt):
        assert prefill_flops(prompt, 1, 0) == 2 * prompt

    def test_what_is_left_out_is_nothing(self):
        assert prefill_flops(2, 1, 1) == 2 * 2 + 3
        assert overtaking_context(1, 1) == 2
        assert attended_tokens(2) == 3
        assert cache_elements(5, 2) == 10
        assert multiplies_per_element(1, 1, 1, 1) == 2

    def test_without_attention_a_prompt_is_two_operations_per_parameter(self):
        assert prefill_flops(1000, 1e9, 0) == 2e12

    @MANY
    @given(COUNTS, COUNTS, st.floats(0, 1e6))
    def test_scalars_are_elements_of_arrays(self, heads, width, positions):
        several = attention_flops(np.array([positions, 2 * positions]), heads, width, width)
        assert several.tolist() == [attention_flops(p, heads, width, width) for p in (positions, 2 * positions)]


class TestIntensity:
    @MANY
    @given(st.integers(1, 16), st.integers(1, 64), COUNTS)
    def test_grouped_heads_multiply_once_for_each_of_the_group(self, group, kv_heads, width):
        got = multiplies_per_element(group * kv_heads, width, width, grouped_elements(kv_heads, width))
        assert got == pytest.approx(group)

    def test_absorbed_latent_attention_nears_the_ridge(self):
        got = multiplies_per_element(128, 576, 512, LATENT)
        chip = catalog.chip("h100-sxm")
        ridge = hardware_ratio(chip.flops("bf16"), chip.hbm_bandwidth, 2)
        assert got == pytest.approx(128 * 1088 / 576)
        assert 0.75 < got / ridge < 1

    def test_two_tokens_at_once_pass_it(self):
        assert multiplies_per_element(128, 576, 512, LATENT, 2) == 2 * multiplies_per_element(128, 576, 512, LATENT)

    def test_operations_over_bytes_agree_with_the_two_totals(self):
        multiplies = attention_flops(1000, 64, 128, 128) / 2
        assert multiplies / cache_elements(1000, grouped_elements(8, 128)) == 8


class TestLectureCrossover:
    def test_200k_tokens_and_100b_active_parameters_mean_1667_bytes(self):
        """N_a / (300 L): the critical context's formula, read with bytes per token and tokens exchanged."""
        flops, bandwidth = 600.0, 1.0  # 300 multiply-adds per byte
        assert critical_context(100e9, 200e3, flops, bandwidth) == pytest.approx(1666.67, abs=0.01)

    def test_public_models_keep_twice_to_many_times_that(self):
        elements = [model.kv_elements_per_token for model in catalog.models().values() if model.kv_elements_per_token]
        assert min(elements) / 1667 == pytest.approx(3_440 / 1667)  # DeepSeek-V4-Flash
        assert max(elements) / 1667 == pytest.approx(258_048 / 1667)
