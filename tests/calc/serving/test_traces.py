"""A trace is a distribution: what its means leave out, and what a fresh token sees puts in."""

from __future__ import annotations

import numpy as np
import pytest

from calc import catalog
from calc.serving.figures.traces import TRACES, _rack, _setting, in_flight, of_trace
from calc.serving.request import Request
from calc.step import decode
from calc.step.forecasting import forecast_of
from tests.calc.figure.asking import of

answer, number = of("serving")


def drawn(many=60):
    """Requests of very different lengths, and how much of each a cache holds."""
    draw = np.random.default_rng(8)
    inputs, shares = draw.lognormal(8.5, 1.0, many), draw.uniform(0.05, 0.9, many)
    return inputs * (1 - shares), inputs * shares


def test_what_a_fresh_token_sees_gives_the_sum_of_all_requests_read_one_by_one_and_means_do_not():
    fresh, cached = drawn()
    every = (_rack(Request(f + c, 500, c / (f + c))) for f, c in zip(fresh, cached, strict=True))
    whole = np.mean([each.forecast.of(each.request) - 500 * each.forecast.output for each in every])
    mean = Request(fresh.mean() + cached.mean(), 500, cached.sum() / (fresh + cached).sum())
    found = of_trace(mean, (fresh @ fresh) / fresh.sum(), (fresh @ cached) / fresh.sum(), mean.held)
    seen = found.of(mean) - 500 * found.output
    means = _rack(mean).forecast
    assert seen == pytest.approx(whole, rel=0.02)
    assert abs(means.of(mean) - 500 * means.output - whole) > 3 * abs(seen - whole)


def test_of_requests_that_are_all_alike_a_token_sees_the_mean():
    request = Request(4096, 1000, 0.5)
    found = of_trace(request, request.fresh, request.cached, request.held)
    alone = _rack(request).forecast
    for kind in ("fresh", "cached", "output"):
        assert getattr(found, kind) == pytest.approx(getattr(alone, kind))


@pytest.mark.parametrize("key", TRACES)
def test_a_token_sees_more_than_the_mean_request_and_means_are_too_cheap(key):
    assert number("traces", f"{key}_seen") > 1.9 * number("traces", f"{key}_input")
    assert -0.2 < number("traces", f"{key}_cost_off") < 0


@pytest.mark.parametrize("key", TRACES)
def test_short_answers_need_a_traffic_that_fills_the_batch_and_few_in_flight_make_a_request_dear(key):
    traffic, written = number("questions", "traffic"), number("traces", f"{key}_output")
    step = 72 * 4.54 / 3600 * 1e6 / number("traces", f"{key}_written")
    assert number("traces", f"{key}_rate") * written == pytest.approx(step, rel=1e-3), "tokens a second of the rack"
    few = in_flight(traffic, written, number("traces", f"{key}_held"))
    late = [forecast_of(decode(_setting(), each, number("traces", f"{key}_held"))).seconds for each in (few - 1, few)]
    assert (few - 1) / late[0] < traffic * written <= few / late[1]
    dearer = number("traces", f"{key}_few_request") - number("traces", f"{key}_request")
    output = 72 * 4.54 / 3600 / traffic - number("traces", f"{key}_written") / 1e6 * written
    assert dearer == pytest.approx(output), "input costs the same, and the rack's rent is paid busy or not"


def test_at_the_traffic_of_the_case_a_request_of_code_costs_eight_times_as_much():
    written, held = (number("traces", f"code_{each}") for each in ("output", "held"))
    assert number("traces", "code_few") == in_flight(number("questions", "traffic"), written, held) < 72
    assert number("traces", "code_few_request") / number("traces", "code_request") == pytest.approx(8, rel=0.02)
    assert 10.5 < number("traces", "kimi_request") / number("traces", "code_request") < 11


def test_facts_of_a_trace_agree_with_one_another():
    """The fresh tokens that a fresh token sees are no fewer than those of the mean request."""
    fresh, cached = (catalog.datum(f"trace-mooncake-{kind}-seen").value for kind in ("fresh", "cached"))
    mean, share = (catalog.datum(f"trace-mooncake-{kind}").value for kind in ("input", "cached"))
    assert fresh > mean * (1 - share)
    assert cached < mean * share  # a request of which much is cached has few fresh tokens


def test_calls_of_coding_agents_are_the_means_of_both_products_weighted_by_their_calls():
    """Printed: cached, fresh and written tokens of 140,338 and of 216,823 calls."""
    claude, codex = (194_361, 8_479, 690), (116_623, 5_283, 415)
    cached, fresh, written = ((140_338 * a + 216_823 * b) / 357_161 for a, b in zip(claude, codex, strict=True))
    fact = {each: catalog.datum(f"trace-tracelab-{each}").value for each in ("input", "output", "cached")}
    assert fact["input"] == pytest.approx(cached + fresh, abs=0.1)
    assert fact["output"] == pytest.approx(written, abs=0.1)
    assert fact["cached"] == pytest.approx(cached / (cached + fresh), abs=1e-4)
    assert fact["cached"] == pytest.approx(0.95746, abs=1e-4), "as the repository counts it over all calls"


def test_inputs_of_a_few_thousand_tokens_hardly_move_a_written_token_and_of_coding_agents_they_do():
    written = [number("traces", f"{key}_written") for key in TRACES]
    assert max(written) < 1.26 * min(written)
    assert number("agents", "written") > 3 * max(written)
    assert number("agents", "room") < number("sheet", "promised") / 10
    assert number("agents", "rate") < number("questions", "traffic"), "the case's traffic of them needs more racks"
    step = forecast_of(decode(_setting(), 2048, 153_707.1 + 523.1 / 2)).seconds
    assert number("agents", "written") == pytest.approx(72 * 4.54 / 3600 * step / 2048 * 1e6)


def test_a_request_of_kimis_costs_more_than_one_of_code_by_more_tokens_and_by_dearer_ones():
    costs, many = {}, {}
    for key in ("code", "kimi"):
        output = number("traces", f"{key}_output") * number("traces", f"{key}_written") / 1e6
        fresh = number("traces", f"{key}_input") * (1 - number("traces", f"{key}_cached"))
        costs[key], many[key] = (number("traces", f"{key}_request") - output) / fresh, fresh
    assert many["kimi"] > 7 * many["code"]
    assert costs["kimi"] > 1.25 * costs["code"], "of a fresh token, with what it finds in a cache"
