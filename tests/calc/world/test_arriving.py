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


def test_empty_seats_cost_the_node_that_reads_its_prompts_more():
    """By another road, as above: 14 seats and steps of 8.58 ms and 508 us a further user: 6.48 users, $14.8."""
    steps = [8.584e-3 + 508.1e-6 * n for n in range(int(number("world/gaps.users")))]

    def chances(load: float) -> list[float]:
        ways = [1.0]
        for n, step in enumerate(steps, 1):
            ways.append(ways[-1] * load * step / n)
        return [each / sum(ways) for each in ways]

    low, high = 1.0, 5_000.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if chances(middle)[-1] > 0.01 else (middle, high)
    rate = sum(each * n / steps[n - 1] for n, each in enumerate(chances(low)) if n)
    taken = sum(each * n for n, each in enumerate(chances(low)))
    assert number("world/arriving.few_taken") == pytest.approx(taken, rel=2e-3) == pytest.approx(6.48, abs=0.01)
    assert number("world/arriving.few_cost") == pytest.approx(29.2 / 3600 / rate * 1e6, rel=2e-3)
    assert number("world/arriving.three") == pytest.approx(3 * 2.854, rel=1e-3)
    gaps, random = (
        number(few) / number(three)
        for few, three in (
            ("world/gaps.cost", "world/gaps.three"),
            ("world/arriving.few_cost", "world/arriving.three"),
        )
    )
    assert gaps == pytest.approx(1.26, abs=0.01)
    assert random == pytest.approx(1.73, abs=0.01)
