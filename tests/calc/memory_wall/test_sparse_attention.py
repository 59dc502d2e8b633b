import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calc.memory_wall.attention import attention_flops
from calc.memory_wall.sparse_attention import (
    best_block,
    block_reads,
    growth_exponent,
    indexed_bytes,
    indexed_flops,
    indexed_saving,
)
from calc.quantities.errors import CalcError

CONTEXTS = st.floats(1, 1e8)
MANY = settings(max_examples=40, deadline=None)

# DeepSeek-V3.2-Exp (2025), configuration and kernels: 2048 tokens kept; a token's index is 128 bytes of FP8 and one
# 4-byte scale, its latent 512 bytes of FP8, four scales and 64 positional numbers in BF16.
V32 = {"index_bytes": 128 + 4, "kept_tokens": 2048, "kv_bytes": 512 + 4 * 4 + 2 * 64}


class TestIndexer:
    def test_what_deepseek_reads_at_128k(self):
        """Dense 85.98 MB, sparse 18.64 MB per layer and token: 4.6 times less."""
        assert 131_072 * V32["kv_bytes"] == pytest.approx(85.98e6, rel=1e-4)
        assert indexed_bytes(131_072, **V32) == pytest.approx(18.64e6, rel=1e-3)
        saved = indexed_saving(np.array([8192, 32_768, 131_072]), **V32)
        assert saved.tolist() == pytest.approx([2.216, 3.792, 4.612], abs=1e-3)

    @MANY
    @given(CONTEXTS)
    def test_the_saving_grows_and_never_exceeds_the_ratio_of_the_sizes(self, context):
        now, later = indexed_saving(context, **V32), indexed_saving(2 * context, **V32)
        assert now <= later * (1 + 1e-12)
        assert later < 656 / 132

    def test_the_limit_is_reached(self):
        assert indexed_saving(1e12, **V32) == pytest.approx(656 / 132)

    def test_a_short_context_pays_for_its_index(self):
        assert indexed_saving(2048, **V32) == pytest.approx(656 / (656 + 132))

    def test_it_is_constant_plus_linear(self):
        steps = np.diff(indexed_bytes(np.array([4096, 8192, 12_288]), **V32))
        assert steps.tolist() == [4096 * 132, 4096 * 132]
        assert indexed_bytes(2048, **V32) - indexed_bytes(2047, **V32) == 132 + 656
        assert indexed_bytes(2049, **V32) - indexed_bytes(2048, **V32) == 132

    def test_its_growth_nears_linear_not_square_root(self):
        exponent = growth_exponent(indexed_bytes(1e6, **V32), indexed_bytes(2e6, **V32))
        assert 0.99 < exponent < 1

    def test_operations_saved_are_the_ratio_of_index_to_attention(self):
        """64 index heads of 128, keys only, beside 128 absorbed heads: 17 times fewer in the limit."""
        index, attention = 2 * 64 * 128, attention_flops(1, 128, 576, 512)
        sparse = indexed_flops(1e9, index_flops=index, kept_tokens=2048, attention_flops=attention)
        assert 1e9 * attention / sparse == pytest.approx(17, rel=1e-3)
        assert indexed_flops(100, index_flops=2, kept_tokens=10, attention_flops=3) == 230


class TestBlocks:
    @MANY
    @given(st.floats(1e3, 1e9), st.floats(1, 16), st.floats(0.1, 8), st.floats(0.2, 5))
    def test_the_best_block_reads_least(self, context, kept, size, factor):
        best = best_block(context, kept, size)
        chosen = size * context / best + kept * best
        assert chosen == pytest.approx(2 * np.sqrt(size * kept * context))
        if kept * best * max(factor, 1) < context:
            assert block_reads(context, best, kept, size) == pytest.approx(chosen)
            assert block_reads(context, best * factor, kept, size) >= chosen * (1 - 1e-12)

    @MANY
    @given(st.floats(1e4, 1e9), st.floats(2, 100))
    def test_the_reading_at_best_grows_as_a_square_root(self, context, factor):
        contexts = (context, context * factor)
        before, after = (block_reads(at, best_block(at, 4), 4) for at in contexts)
        assert growth_exponent(before, after, factor) == pytest.approx(0.5)

    def test_a_fixed_block_is_linear_in_the_end(self):
        before, after = block_reads(np.array([1e9, 2e9]), 64, 16)
        assert growth_exponent(before, after) == pytest.approx(1, abs=1e-3)

    def test_what_is_covered_is_read_whole_without_summaries(self):
        assert block_reads(1000, 100, 10) == 1000
        assert block_reads(1001, 100, 10) == pytest.approx(1010.01)

    def test_an_array_is_its_elements(self):
        contexts = np.geomspace(100, 1e7, 9)
        assert block_reads(contexts, 64, 16).tolist() == [block_reads(at, 64, 16) for at in contexts]


class TestGrowth:
    @MANY
    @given(st.floats(1e-3, 1e9), st.floats(1.1, 100), st.floats(0, 3))
    def test_it_recovers_the_exponent(self, before, factor, exponent):
        assert growth_exponent(before, before * factor**exponent, factor) == pytest.approx(exponent, abs=1e-9)

    def test_no_growth_has_no_exponent(self):
        with pytest.raises(CalcError, match=r"factor must be above 1: without growth"):
            growth_exponent(1, 2, 1)

    def test_one_such_factor_among_several_is_refused(self):
        with pytest.raises(CalcError, match="factor"):
            growth_exponent(1, 2, [2, 1])


INDEXER = "context=1 index_bytes=1 kept_tokens=1 kv_bytes=1"


def test_summaries_are_one_token_and_growth_is_doubling_unless_said():
    assert block_reads(100, 10, 1) == 20
    assert best_block(100, 1) == 10
    assert growth_exponent(1, 2) == 1
