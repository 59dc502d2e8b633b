from __future__ import annotations

from math import comb

import numpy as np
import pytest

from calc.figure import registry
from tests.calc.figure import asking

answer, number = asking.of("pipelining")
MEMORY, BANDWIDTH, LONGEST, STARTS = 8 * 85520809984, 26.8e12, 64 / 61, 1.2e-3
OUT = 60 * 3 * (1 - comb(288, 8) / comb(384, 8)) * 7168 * 3 / 400e9  # seconds of a user's copies, full rate
INSIDE = 60 / 8 * 7 * (1 - comb(336, 8) / comb(384, 8)) * 7168 * 3 / 450e9


def by_hand(context, links):
    """Tokens a second of a node in FP8, in a row, spread and in halves, from bytes; arithmetic left out."""
    row, over = 4 / LONGEST * number("spread", "copied_row_held"), number("spread", "copied_held")
    few, fit = ((room / context / 35136) for room in (MEMORY / LONGEST - row / 4, MEMORY - over))
    token = LONGEST * (row + few * context * 35136) / BANDWIDTH + few * INSIDE
    token += 3 * few * 7168 * 2 / 400e9 / links + 40e-6
    sent = OUT * fit / links + STARTS
    return few / token, fit / (MEMORY / BANDWIDTH + sent), fit / max((MEMORY + over) / BANDWIDTH, sent + STARTS)


@pytest.mark.parametrize(("context", "reached"), [(4096, 100), (4096, 30), (3000, 60), (16_000, 45)])
def test_its_numbers_are_those_of_bytes_over_rates(context, reached):
    found = answer("ways", context=context, reached=reached)
    drawn = [found.values[way].number for way in ("row", "spread", "halves")]
    assert drawn == pytest.approx(by_hand(context, reached / 100), rel=2e-3)
    assert found.tables["here"]["rate"] == [max(drawn)]


def test_its_rings_stand_where_the_table_of_the_text_puts_them():
    found = answer("ways")
    assert found.tables["even"]["said"] == ["39%", "72%"]
    places = [number("spread", name) for name in ("slower_halves", "slower")]
    assert found.tables["even"]["links"] == pytest.approx(places, rel=2e-3)
    for name, ways in (("short", ("row", "halves")), ("short_once", ("row", "spread")), ("long", ("spread", "halves"))):
        values = answer("ways", context=round(number("spread", name))).values
        assert values[ways[0]].number == pytest.approx(values[ways[1]].number, rel=2e-3)
    once = answer("spread").values
    shown = [once[f"copied_{name}"].number for name in ("row", "once", "halves")]
    assert [value.number for value in found.values.values()] == pytest.approx(shown)


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({}, "halves decode most, 61,000 tokens/s a node; a row leads both under 39% of the links' rate"),
        ({"reached": 30}, "a row decodes most, 42,000 tokens/s a node; a row leads both under 39%"),
        ({"context": 1000}, "a row decodes most, 140,000 tokens/s a node; a row leads both on all links drawn"),
        ({"context": 16_000}, "spread layers decode most, 19,000 tokens/s a node; a row leads both on no links drawn"),
        ({"bits": "4"}, "halves decode most, 65,000 tokens/s a node; a row leads both under 54%"),
    ],
)
def test_its_finding_says_which_way_leads_and_where_the_row_does(inputs, words):
    assert answer("ways", **inputs).finding.startswith(f"One copy a node: {words}")


def test_at_shorter_contexts_rings_move_right():
    """As the page says, in FP8 and in four bits."""
    for bits in ("8", "4"):
        places = [
            answer("ways", bits=bits, context=context).tables["even"]["links"][0] for context in (9000, 4096, 2000)
        ]
        assert places == sorted(places)
    assert number("ways", "halves") / number("ways", "row") > number("ways", "halves", bits="4") / number(
        "ways", "row", bits="4"
    )  # "halves lead by less"


def test_four_bits_agree_with_the_table_of_the_note_and_short_contexts_multiply_longer_than_they_read():
    values = answer("ways", bits="4").values
    once = answer("spread").values
    assert values["row"].number == pytest.approx(once["bits_row_row"].number)
    assert values["halves"].number == pytest.approx(once["bits_halves"].number)
    short = answer("ways", context=500).values
    assert short["row"].number < 0.9 * by_hand(500, 1)[0]
    assert short["halves"].number == pytest.approx(by_hand(500, 1)[2], rel=2e-3)


def test_a_row_hardly_loses_and_halves_only_where_sending_outlasts_both_readings():
    curve = answer("ways").tables["curve"]
    way, links, rate = (np.asarray(curve[name]) for name in ("way", "links", "rate"))
    lines = {name: rate[way == name] for name in ("row", "spread", "in halves")}
    assert lines["row"].min() > 0.98 * lines["row"].max()
    assert (np.diff(lines["spread"]) > 0).all()
    level = links[way == "in halves"] >= number("spread", "hidden")
    assert np.ptp(lines["in halves"][level]) < 1e-9 * lines["in halves"].max()
    assert (np.diff(lines["in halves"][~level]) > 0).all()


def test_it_is_drawn_where_the_page_says_and_not_below_a_fifth_of_the_rate():
    reached = next(given for given in registry.find("pipelining/ways").inputs if given.name == "reached")
    assert (reached.low, reached.high) == (20, 100)
    assert "in halves and row are even at 39%" in answer("ways").description
