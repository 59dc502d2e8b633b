"""The table of `make bench`: its stages add up, and its slow link is slow."""

from __future__ import annotations

import doctest
import time

from tests.bench import stages
from tests.bench.link import Link
from tests.bench.row import visits


def test_the_examples_of_stages_hold() -> None:
    assert doctest.testmod(stages).attempted == 3
    assert doctest.testmod(stages).failed == 0


def test_the_stages_of_a_visit_add_up_to_its_total_in_whatever_order_they_end() -> None:
    run = {
        "asked": 5,
        "begun": 95,
        "read": 105,
        "came": 405,
        "compiled": 400,
        "started": 700,
        "imported": 900,
        "shown": 1005,
    }
    found = stages.lengths(run, stages.VISIT)
    assert sum(found.values()) == stages.total(run) == 1000
    assert (found["worker"], found["compile"], found["Python"]) == (0, 0, 295)


def test_a_row_says_where_the_time_of_the_middle_run_goes() -> None:
    names = [*stages.VISIT]
    runs = [{"asked": 0, **dict.fromkeys(names, 1000 * seconds)} for seconds in (3, 1, 2)]
    first, second = visits("a visit", runs, "1 s").lines()
    assert "2.00 s" in first
    assert "page 2.00, worker 0.00" in second


def test_a_link_takes_as_long_as_its_rate_says() -> None:
    begun = time.perf_counter()
    pieces = list(Link(bits_per_second=8e6, round_trip=0.01)(bytes(50_000)))
    assert b"".join(pieces) == bytes(50_000)
    assert time.perf_counter() - begun >= 0.06
