"""DeepSeek's costs by position: corners by hand, and what the page concludes of them."""

from __future__ import annotations

import pytest

from calc import catalog
from calc.catalog.position_costs import CostCorner, cost_corners
from calc.figure import registry
from calc.pricing.figures.setting import attention_context
from calc.world.figures.position_costs import sheet
from calc.world.position_costs import (
    DENSE,
    READ,
    SPARSE,
    WRITTEN,
    attention_busy,
    cost_line,
    day_contexts,
    day_dollars,
    day_over_lines,
    level_until,
    weights_busy,
)


def test_a_line_by_hand():
    """Ticks of the page: 0 and 128K at 66.71 and 432.09 points, $0, $1.20 and $2.40 at 49.16, 189.28 and 329.40."""
    assert CostCorner(model=DENSE, phase=WRITTEN, x=66.71, y=189.28).dollars == pytest.approx(1.2)
    first, last = [each for each in cost_corners() if (each.model, each.phase) == (DENSE, WRITTEN)]
    assert first.dollars == pytest.approx(2.4 * (57.391711 - 49.16) / (329.4 - 49.16))
    assert last.dollars == pytest.approx(2.4 * (300.715518 - 49.16) / (329.4 - 49.16))
    rise = (300.715518 - 57.391711) / ((432.087212 - 66.71) / 365.38 * 131_072)
    assert cost_line(DENSE, WRITTEN).doubling == pytest.approx((57.391711 - 49.16) / rise)


def test_a_line_with_a_corner_has_no_one_rise():
    with pytest.raises(ValueError, match="too many values"):
        _ = cost_line(SPARSE, READ).rise


def test_every_line_ends_at_the_last_token_of_the_window():
    """A misread axis would end them elsewhere."""
    for model in (DENSE, SPARSE):
        for phase in (READ, WRITTEN):
            begin, *_, end = cost_line(model, phase).corners
            assert begin.position == 0
            assert end.position == pytest.approx(131_071, abs=0.5)


def test_with_grouped_queries_fetching_is_as_long_as_the_weights_far_before_operations_are():
    """Llama 3.1 405B by hand: 126 layers with 8 heads of 128, keys and values of a byte, 406e9 weights."""
    rate, bandwidth = 1979e12, 3.35e12
    fetched = 2 * 126 * 8 * 128 / bandwidth
    assert level_until("llama-3-405b") == pytest.approx(2 * 406e9 / rate / fetched, rel=0.01)
    assert level_until("llama-3-405b") < attention_context("llama-3-405b") / 10


def test_cost_rises_from_the_first_token_and_doubles_where_operations_do():
    """(4) says level up to some thousand tokens; a line with a level part would have a corner there."""
    written = cost_line(DENSE, WRITTEN)
    assert len(written.corners) == 2
    assert written.dollars(level_until()) > 1.7 * written.first
    assert written.doubling == pytest.approx(attention_context("deepseek-v3"), rel=0.03)
    assert cost_line(DENSE, READ).doubling < 0.8 * 4355 * 1088 / 320, "read weights ran at a higher rate"


def test_lines_rise_as_the_operations_of_attention_do():
    """Expanded, a head multiplies 192 and 128 numbers for a token of context; latent, 576 and 512."""
    read, written = cost_line(DENSE, READ), cost_line(DENSE, WRITTEN)
    assert read.rise / written.rise == pytest.approx((192 + 128) / (576 + 512), rel=1e-5)
    assert attention_busy(READ) == pytest.approx(attention_busy(WRITTEN), rel=1e-5)


def test_shares_are_round():
    shares = weights_busy(READ), weights_busy(WRITTEN), attention_busy(WRITTEN)
    assert shares == pytest.approx((0.4, 0.3, 0.6), rel=0.02)
    assert cost_line(DENSE, WRITTEN).first / cost_line(DENSE, READ).first == pytest.approx(4 / 3, rel=1e-5)


def test_two_splits_of_the_day_give_one_ratio():
    day = catalog.deployment("deepseek-day-6")
    read, written = day_dollars()
    assert written / read == pytest.approx(day.computed_tokens_per_second / day.decode_tokens_per_second, rel=0.005)
    work = registry.find("pricing/day").answer().values["work"].number
    assert work == pytest.approx(written / read, rel=0.05)
    attended, context = day_contexts()
    assert attended == pytest.approx(registry.find("pricing/day").answer().values["attends"].number)
    assert context == day.mean_context


def test_the_day_was_half_as_fast_in_both_phases():
    """By hand: $16 an hour and $0.1498 a million make 29,670 tokens a second, and the day's nodes wrote 14,800."""
    read, written = day_over_lines()
    assert written == pytest.approx(14_800 / (16 / 3600 / 0.149812e-6), rel=1e-4)
    assert (read, written) == pytest.approx((0.5, 0.5), rel=0.01)


def test_one_price_was_below_cost_at_the_end_of_the_window_until_attention_selected():
    dense, sparse = sheet(DENSE), sheet(SPARSE)
    written = cost_line(DENSE, WRITTEN)
    assert dense.above_tokens is None
    assert written.dollars(written.covered(dense.output)) == pytest.approx(dense.output)
    assert written.covered(dense.output) < 0.8 * 131_072
    assert sparse.output > 1.6 * max(each.dollars for each in cost_line(SPARSE, WRITTEN).corners)
