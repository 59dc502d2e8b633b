from __future__ import annotations

import pytest

from calc.batching.figures.promise import promised_users
from calc.figure import registry


def number(name: str) -> float:
    slug, _, value = name.rpartition(".")
    return float(registry.find(slug).answer().values[value].number)


def test_seats_that_are_asked_for_at_random_are_not_all_taken_and_shared_ones_more():
    """By hand, for steps of one length: Erlang's formula by its recursion. Real steps are shorter with fewer users."""
    blocked, load, seats = 1.0, 40.6, int(promised_users()[0])
    for seat in range(1, seats + 1):
        blocked = load * blocked / (seat + load * blocked)
    assert blocked == pytest.approx(0.01, rel=5e-3)
    assert 0.6 * seats < number("world/arriving.taken") < load * (1 - blocked)
    full, shared, alone = map(
        number, ("batching/batches.sure_forecast_cost", "world/arriving.shared", "world/arriving.cost")
    )
    assert full < shared < alone


def test_a_step_that_shortens_with_fewer_users_is_counted_by_births_and_deaths():
    """By another road: one node's chances from state to state, its load found by halving: 37.81 users and $2.854."""
    assert number("world/arriving.taken") == pytest.approx(37.81, rel=1e-3)
    assert number("world/arriving.cost") == pytest.approx(2.854, rel=1e-3)
    assert number("world/arriving.shared") == pytest.approx(2.520, rel=1e-3)
