"""Rows of stages that decoded or read prompts: the tables by hand, and what the page concludes."""

from __future__ import annotations

import pytest

from calc.catalog.decoding_rows import decoding_rows, prompt_rows
from calc.figure import registry
from calc.quantities.errors import CalcError
from calc.world.decoding_rows import filled, full, of_load, of_the_most, unwaited_over, wider_gains

PRINTED = {  # section 6.2: one request, by stages: measured, counted for a full row, counted with the waits of (1)
    2: (106.9, 260.4, 130.2),
    4: (73.4, 317.6, 79.4),
    8: (48.0, 357.6, 44.7),
}


@pytest.mark.parametrize("row", of_load(1), ids=lambda row: f"{row.stages} stages")
def test_a_lone_request_by_hand(row):
    """The authors' two counts differ by (1) alone: one of P stages computes at a time."""
    measured, whole, one = PRINTED[row.stages]
    assert filled(row.stages, 1) == 1 / row.stages
    assert whole / row.stages == pytest.approx(one, abs=0.06)
    assert row.counted_over == pytest.approx(one / measured)
    assert unwaited_over(row) == pytest.approx(whole / measured, rel=1e-3)


def test_every_layout_has_eight_chips_and_every_load():
    assert {row.stages * row.slices for row in decoding_rows()} == {8}
    assert [len(of_load(load)) for load in (1, 8, 32, 64, 128)] == [3] * 5


def test_what_is_not_printed_is_refused():
    with pytest.raises(CalcError):
        _ = of_load(8)[0].known_rate


def test_one_request_waits_as_equation_1_says_and_a_full_row_decodes_less():
    """The page: within a quarter for one request, never more than counted for a full row, and farther with load."""
    assert all(0.8 < row.counted_over < 1.25 for row in of_load(1))
    assert all(unwaited_over(row) > 2 for row in of_load(1))
    assert all(row.counted_over > 1 for row in decoding_rows() if full(row) and row.load > 1)
    least = [min(row.counted_over for row in of_load(load)) for load in (8, 32, 64, 128)]
    assert least == sorted(least)
    assert max(row.counted_over for row in decoding_rows()) == of_load(128)[0].counted_over == pytest.approx(2.73)


def test_slices_decode_more_in_one_machine_and_stages_more_than_their_reading_alone():
    assert all(row.over_slices < 1 for row in decoding_rows())
    assert all(row.over_slices > 1 / row.stages for row in of_load(1))


def test_twice_the_chips_bring_a_lone_request_less_than_twice_the_tokens():
    assert wider_gains() == pytest.approx([73.4 / 48, 106.9 / 73.4, 1 / 0.62])
    assert all(1.4 < each < 1.7 for each in wider_gains())
    assert 1 < registry.find("pipelining/rows").answer().values["wider"].number == 118 / 111 < 1.1


def test_prompts_by_hand():
    values = registry.find("world/prompt-rows").answer().values
    assert values["over_experts"].number == 4550 / 2407
    assert values["over_slices"].number == 4550 / 1652
    assert values["few_over"].number == 1947 / 1227
    assert (values["read_16"].number, values["read_8"].number) == (1227 / 4552, 961 / 3773)


def test_four_prompts_fill_sixteen_stages_as_equation_1_says_and_eight_half_as_much():
    rows = prompt_rows()
    assert of_the_most(rows["stages", 4]) == pytest.approx(filled(16, 4), rel=0.1)
    assert of_the_most(rows["both", 4]) == pytest.approx(filled(8, 4) / 2, rel=0.1)


def test_stages_read_most_with_many_prompts_and_spread_experts_with_few():
    rows = prompt_rows()
    for load, first in ((32, "stages"), (4, "experts")):
        assert max((row for row in rows.values() if row.load == load), key=lambda row: row.rate).way == first


def test_files_of_kimi_k3_are_more_than_a_node_of_b200_holds():
    values = registry.find("pipelining/rows").answer().values
    assert 1 < values["files"].number / values["files_node"].number < 1.05
