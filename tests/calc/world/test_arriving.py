from __future__ import annotations

import pytest

from calc.batching.figures.promise import promised_users
from calc.figure import registry
from calc.world.figures.arriving import seated


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
    full, alone = number("world/gaps.two") / 2, number("world/arriving.two") / 2
    assert full < 29.2 / 3600 / seated(4)[1] * 1e6 < alone


def test_a_step_that_shortens_with_fewer_users_is_counted_by_births_and_deaths():
    """By another road: one node's chances from state to state, its load found by halving: 37.81 users and $2.854."""
    assert number("world/arriving.taken") == pytest.approx(37.81, rel=1e-3)
    assert 29.2 / 3600 / seated(4)[1] * 1e6 == pytest.approx(2.520, rel=1e-3)


def test_empty_seats_cost_nodes_that_read_their_prompts_as_much_if_they_share_their_users():
    """By another road, as above: 8.58 ms and 508 us a further user. One node has 6.48 users, four write at $10.7."""
    (taken, alone), (_, rate) = by_births_and_deaths(1), by_births_and_deaths(4)
    assert number("world/arriving.few_taken") == pytest.approx(taken, rel=2e-3) == pytest.approx(6.48, abs=0.01)
    assert number("world/arriving.four_cost") == pytest.approx(4 * 29.2 / 3600 / rate * 1e6, rel=2e-3)
    assert number("world/arriving.few_cost") == pytest.approx(29.2 / 3600 / alone * 1e6, rel=2e-3)
    assert number("world/arriving.few_cost") == pytest.approx(14.82, abs=0.01)
    assert number("world/arriving.two") == pytest.approx(2 * 2.854, rel=1e-3)
    full, random = (
        number(four) / number(two)
        for four, two in (
            ("world/gaps.cost", "world/gaps.two"),
            ("world/arriving.four_cost", "world/arriving.two"),
        )
    )
    assert full == pytest.approx(1.885, abs=0.01)
    assert random == pytest.approx(1.87, abs=0.01)
    assert rate > 1.3 * 4 * alone


def test_the_nodes_whose_prices_stand_beside_one_another_carry_about_as_much_traffic():
    """By hand, full: 3,477 tokens/s of two nodes, 4 x 922 of four. At random 2,842 and 3,036."""
    rent = 29.2 / 3600 * 1e6
    for two, four, most in (("gaps.two", "gaps.cost", 3_690), ("arriving.two", "arriving.four_cost", 3_036)):
        carried, mixed = 2 * rent / number(f"world/{two}"), 4 * rent / number(f"world/{four}")
        assert mixed == pytest.approx(most, rel=1e-3)
        assert 1 < mixed / carried < 1.08


def by_births_and_deaths(nodes: int) -> tuple[float, float]:
    """Seats taken on each node and tokens a second of all, the load found by halving."""
    most = nodes * int(number("world/gaps.users"))
    steps = [8.584e-3 + 508.1e-6 * (n / nodes - 1) for n in range(1, most + 1)]

    def chances(load: float) -> list[float]:
        ways = [1.0]
        for n, step in enumerate(steps, 1):
            ways.append(ways[-1] * load * step / n)
        return [each / sum(ways) for each in ways]

    low, high = 1.0, 5_000.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if chances(middle)[-1] > 0.01 else (middle, high)
    found = chances(low)
    rate = sum(each * n / steps[n - 1] for n, each in enumerate(found) if n)
    return sum(each * n for n, each in enumerate(found)) / nodes, rate
