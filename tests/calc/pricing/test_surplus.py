"""The long request's price and costs, as bars: what they are made of, and which verdict they have."""

from __future__ import annotations

import pytest

from calc.pricing.figures import request, surplus
from calc.pricing.figures.shared import LEFT_OUT
from tests.calc.figure import asking

answer, number = asking.of("pricing")
STANDING = {"deepseek-v4-pro": "pro", "deepseek-v3": "v3"}


def sums(**inputs):
    table = answer("surplus", **inputs).tables["sums"]
    return dict(zip(table["row"], table["dollars"], strict=True))


@pytest.mark.parametrize("design", STANDING)
def test_its_bars_are_those_of_the_numbers_in_the_text(design):
    name = STANDING[design]
    drawn, halved = sums(design=design), sums(design=design, rate="half")
    assert drawn[surplus.PRICE] == pytest.approx(number("request", "paid"))
    assert drawn[surplus.COUNTED] / drawn[surplus.PRICE] == pytest.approx(number("request", f"asks_{name}"))
    assert halved[surplus.COUNTED] / drawn[surplus.PRICE] == pytest.approx(number("request", f"asks_{name}_half"))
    assert drawn[surplus.PLAIN] / drawn[surplus.PRICE] == pytest.approx(number("request", f"plain_{name}"))


def test_the_parts_of_the_lowest_bar_are_the_two_sums_of_the_table():
    parts = request.costs("deepseek-v4-pro", 1e6, surplus.RATES["weights"])
    assert parts[request.HITS] == pytest.approx(number("request", "found_short"))
    read = number("request", "fresh_short") * number("request", "works_pro") / number("request", "weights_pro")
    assert parts[request.READ] + parts[request.ATTENTION] == pytest.approx(read)
    fetched = number("request", "fetches_pro") / number("family", "pro_budget")
    assert parts[request.ANSWER] == pytest.approx(number("request", "written_short") * fetched)


def test_attention_in_reading_overruns_the_gap_below_the_price():
    """The page says so of the first drawing: the answer's fetching is in both costs alike."""
    drawn = sums()
    plain, counted = (request.costs("deepseek-v4-pro", 1e6, slower) for slower in (LEFT_OUT, surplus.RATES["weights"]))
    assert plain[request.ATTENTION] == 0
    assert plain[request.ANSWER] == counted[request.ANSWER]
    gap = drawn[surplus.PRICE] - drawn[surplus.PLAIN]
    assert gap > 0.4 * drawn[surplus.PRICE]
    assert 1 < counted[request.ATTENTION] / gap < 1.1


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({}, "attention uses up about the whole surplus"),
        ({"rate": "half"}, "attention uses up the surplus"),
        ({"prompt": 500_000}, "a surplus is left with attention counted"),
        ({"prompt": 200_000}, "exactly its price with attention left out"),
        ({"design": "deepseek-v3"}, "4.88× even with attention left out"),
    ],
)
def test_the_title_says_what_becomes_of_the_surplus(inputs, words):
    assert answer("surplus", **inputs).finding.endswith(words)


def test_the_higher_prices_are_asked_past_the_step_alone():
    below, past = (sums(prompt=tokens)[surplus.PRICE] for tokens in (200_000, 200_001))
    assert past == pytest.approx(2 * below, rel=0.1)
    assert answer("surplus", prompt=200_000).notes
    assert not answer("surplus", prompt=200_001).notes


@pytest.mark.parametrize("inputs", [{}, {"rate": "half", "design": "deepseek-v3"}, {"prompt": 10_000}])
def test_a_bar_is_as_long_as_its_parts(inputs):
    found = answer("surplus", **inputs)
    for row, whole in sums(**inputs).items():
        ends = [
            end
            for each, end in zip(found.tables["parts"]["row"], found.tables["parts"]["to"], strict=True)
            if each == row
        ]
        assert ends[-1] == pytest.approx(whole)
        assert ends == sorted(ends)
