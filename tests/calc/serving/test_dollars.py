"""Sentences of lecture 8's figures by which one decides about money: whose rent, what traffic, at which speed."""

from __future__ import annotations

import re

import pytest

from calc import catalog
from tests.calc.figure.asking import of

answer, _ = of("serving")
NODE = {"model": "llama-3-70b", "system": "hgx-h100"}
OFFERED = catalog.rent("hgx-h100").dollars_per_chip_hour


def told(name, **inputs):
    """The notes that a published rent is not the reader's."""
    return [note for note in answer(name, **inputs).notes if "was offered at" in note]


def test_two_systems_are_compared_with_the_rent_of_each():
    older = answer("frontier", **NODE, second_system="hgx-a100")
    rents = re.findall(r"(\$[\d.]+)(?: a million)? at (\$[\d.]+) a chip-hour", older.finding)
    mine, other = answer("frontier", **NODE), answer("frontier", **NODE | {"system": "hgx-a100"}, price=1.9)
    assert rents == [(mine.values["cost"].text, "$4.54"), (other.values["cost"].text, "$1.90")]


@pytest.mark.parametrize("second", [{}, {"second_model": "llama-3-8b"}, {"second_precision": "bf16"}])
def test_on_one_system_the_finding_names_no_rent(second):
    assert "chip-hour" not in answer("frontier", **NODE, **second).finding


def test_a_rent_that_is_not_the_system_s_is_said_with_the_cost_at_that():
    there = answer("frontier", **NODE, price=OFFERED).values["cost"].text
    (said,) = told("frontier", **NODE, second_system="hgx-a100")
    assert said == (
        f"HGX H100 was offered at ${OFFERED:.2f} a chip-hour, at which a million written tokens would cost {there}; "
        "the box says $4.54."
    )


@pytest.mark.parametrize(
    ("name", "inputs", "cost"),
    [
        ("sheet", {"batch": 64}, "output"),
        ("speed", {"batch": 64}, "kept_cost"),
        ("tornado", {"batch": 64}, "cost"),
    ],
)
def test_other_figures_with_a_rent_say_the_same(name, inputs, cost):
    (said,) = told(name, **NODE, **inputs)
    there = answer(name, **NODE, **inputs, price=OFFERED).values[cost].text
    assert f"would cost {there};" in said


def test_a_list_of_models_has_no_one_cost():
    assert told("lists", system="hgx-h100", batch=64) == [
        f"HGX H100 was offered at ${OFFERED:.2f} a chip-hour; the box says $4.54."
    ]


def test_a_rent_within_a_tenth_an_own_system_and_one_that_nobody_offers_have_no_such_note():
    for name in ("sheet", "frontier", "speed", "tornado", "lists"):
        assert not told(name), name
    assert not told("sheet", **NODE, batch=64, price=1.09 * OFFERED)
    assert told("sheet", **NODE, batch=64, price=1.11 * OFFERED)
    assert not told("sheet", system="own", price=1)
    assert not told("sheet", system="tpu-v6e-pod", price=1)


def test_never_idle_has_its_traffic():
    found = answer("sheet", **NODE, batch=91, price=OFFERED)
    each = found.values
    assert each["traffic"].number == pytest.approx(91 / 1000 * each["user"].number)
    assert f"never idle at {each['traffic'].text}" in found.notes[-1]


def test_a_price_that_breaks_the_promise_says_so():
    broken, kept = (answer("sheet", **NODE, batch=batch, context=1024) for batch in (400, 64))
    assert f"users should see {broken.values['user'].text}, not the promised 50 tokens/s" in broken.finding
    assert "promised" not in kept.finding
    assert "users would see" in answer("sheet", **NODE, batch=4000).finding, "it does not fit"


def test_hosts_are_named_by_their_range_and_a_margin_by_whose_price():
    hosts, maker = answer("sheet", **NODE, batch=64), answer("sheet")
    asked = sorted(row.output for row in catalog.hosts("llama-3-70b").values())
    assert f"hosts asked ${asked[0]:.2f} to ${asked[-1]:.2f} for the first in 2026" in hosts.finding
    assert f"hosts ask ${asked[0]:.2f} to ${asked[-1]:.2f}" in hosts.tables["said"]["text"]
    assert hosts.values["margin"].label == "Left of the price of Together"
    assert maker.finding.endswith("DeepSeek asked $1.10 for the first in 2025")
