"""The machine of a row whose columns describe it wrongly."""

from __future__ import annotations

import pytest

from calc.world.replicas import Replica, replica
from tests.calc.world.test_repairs import ROW


@pytest.mark.parametrize(
    ("name", "tensor", "groups", "within", "between", "expected"),
    [
        ("r_tp8_0_ep8_0_3", "64", "1", "8", "8", Replica(8, 8, 1)),
        ("r_c64_cfg9", "64", "1", "8", "8", Replica(8, 8, 1)),
        ("r_c64_cfg9", "1", "64", "8", "8", Replica(8, 1, 8)),
        ("r_c64_cfg9", "4", "4", "1", "16", Replica(4, 4, 1)),
        ("r_tp4_ep4_12", "16", "1", "4", "4", Replica(4, 4, 1)),
        ("r_tp8_ep8_12", "8", "1", "1", "8", Replica(8, 8, 1)),
        ("r_c64_cfg9", "1", "8", "1", "8", Replica(8, 1, 8)),
        ("r_c64_cfg9", "4", "2", "8", "1", Replica(8, 4, 2)),
    ],
)
def test_a_width_multiplied_by_groups_of_experts_is_divided_again(name, tensor, groups, within, between, expected):
    sizes = {"tp_size": tensor, "attention_dp_size": groups, "moe_tp_size": within, "moe_ep_size": between}
    assert replica({**ROW, "id": name, **sizes}) == expected
