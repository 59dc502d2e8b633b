"""Quantities are shown as people write them, and what is shown can be read back."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from calc.figure import registry
from calc.figure.inputs import Number
from calc.ledger import claims
from calc.quantities.errors import UnknownName, WrongType
from calc.quantities.parsing import parse
from calc.quantities.units import BITS_PER_ELEMENT, bytes_per_element, plain, precision, short, show, singular

UNITS = ["", "B", "B/s", "FLOP", "FLOP/s", "W", "s", "%", "x", "$", "$/Mtok", "$/chip-hour", "tokens", "parameters"]
NUMBERS = st.floats(-1e30, 1e30, allow_nan=False).filter(lambda value: value == 0 or abs(value) > 1e-12)


@given(NUMBERS, st.sampled_from(UNITS), st.integers(1, 9))
@example(999.5, "B", 3)
@example(999_949_999.0, "tokens", 4)
@example(119.96, "s", 4)
@example(5e-8, "s", 9)
@example(5e-5, "s", 9)
@example(0.5, "s", 9)
@example(5000.0, "s", 9)
@example(100_000.0, "s", 9)
@example(1e6, "s", 9)
@example(0.9999, "$", 3)
@example(-3.2e15, "tokens", 2)
@example(1e-12, "", 1)
def test_what_is_shown_is_read_back_within_its_rounding(value, unit, digits):
    shown = show(value, unit, digits)
    cents = 0.005 if unit.startswith("$") and 0.1 <= abs(value) < 100 else 0.0
    assert parse(shown, unit) == pytest.approx(value, rel=0.51 * 10 ** (1 - digits), abs=cents * 1.01)


@given(NUMBERS, st.sampled_from(UNITS))
def test_a_negative_number_is_shown_as_its_opposite_with_a_minus(value, unit):
    assume(value > 0)
    assert show(-value, unit) == "−" + show(value, unit)


@given(NUMBERS, st.integers(1, 12))
def test_plain_has_no_exponent_and_is_the_rounded_number(value, digits):
    text = plain(value, digits).replace("−", "-").replace(",", "")
    assert "e" not in text
    assert float(text) == pytest.approx(float(f"{value:.{digits - 1}e}"), rel=1e-15)
    assert "." not in text or text[-1] != "0"


@given(st.floats(1e-9, 1e20), st.integers(1, 6))
def test_more_is_never_shown_as_less(value, digits):
    more = math.nextafter(value, math.inf) * 1.0001
    for unit in ("", "s", "B", "%"):
        assert parse(show(value, unit, digits), unit) <= parse(show(more, unit, digits), unit) * (1 + 1e-12)


@pytest.mark.parametrize(
    ("value", "unit", "digits", "text"),
    [
        (0, "", 3, "0"),
        (0, "s", 3, "0 s"),
        (0, "$", 3, "$0"),
        (-0.0, "B", 3, "0 B"),
        (999.5, "B", 3, "1 kB"),
        (999.4, "B", 3, "999 B"),
        (0.9996e-3, "s", 3, "1 ms"),
        (999.6e-9, "s", 3, "1 µs"),
        (999.4e-9, "s", 3, "999 ns"),
        (119.4, "s", 3, "119 s"),
        (120.0, "s", 3, "2 min"),
        (7200.0, "s", 3, "2 h"),
        (172800.0, "s", 3, "2 days"),
        (59.0, "s", 3, "59 s"),
        (90.0, "s", 3, "90 s"),
        (300.0, "s", 3, "5 min"),
        (84210.5, "s", 3, "23.4 h"),
        (400_000.0, "s", 3, "4.63 days"),
        (9_994_999, "tokens", 3, "9,990,000 tokens"),
        (9_999_999, "tokens", 3, "10M tokens"),
        (1, "layers", 3, "1 layer"),
        (0.9999, "sequences", 3, "1 sequence"),
        (-1, "tokens", 3, "−1 token"),
        (1.01, "tokens", 3, "1.01 tokens"),
        (0, "tokens", 3, "0 tokens"),
        (1e9, "parameters", 3, "1B parameters"),
        (1, "tokens/s", 3, "1 token/s"),
        (1, "people", 3, "1 person"),
        (1, "GB/s", 3, "1 GB/s"),
        (999.9e9, "", 3, "1T"),
        (3.2e15, "tokens", 3, "3.2 quadrillion tokens"),
        (5.76e14, "B/s", 3, "576 TB/s"),
        (1e25, "B", 3, "10,000,000 EB"),
        (1e-10, "", 3, "1 × 10⁻¹⁰"),
        (-1.5e300, "x", 3, "−1.5 × 10³⁰⁰×"),
        (1.7976931348623157e308, "", 3, "1.8 × 10³⁰⁸"),
        (0.125, "$", 3, "$0.125"),
        (0.5, "$", 3, "$0.50"),
        (0.1, "$", 3, "$0.10"),
        (0.09, "$", 3, "$0.09"),
        (1.0, "$", 3, "$1.00"),
        (99.5, "$", 3, "$99.50"),
        (557.87, "$", 3, "$558"),
        (326.88, "$", 5, "$326.88"),
        (999.5, "$", 3, "$1,000"),
        (1000.0, "$", 3, "$1,000"),
        (1000.4, "$", 5, "$1,000.4"),
        (0.0028, "$/Mtok", 3, "$0.0028/Mtok"),
        (6.25, "$", 3, "$6.25"),
        (-2.0, "$", 3, "−$2.00"),
        (87072.0, "$", 3, "$87,100"),
        (5e8, "$", 3, "$500M"),
        (-0.13, "%", 3, "−13%"),
        (math.nan, "B", 3, "not a number"),
        (math.inf, "tokens", 3, "unlimited"),
        (-math.inf, "s", 3, "−unlimited"),
    ],
)
def test_quantities_are_shown_as_people_write_them(value, unit, digits, text):
    assert show(value, unit, digits) == text


@pytest.mark.parametrize(
    ("unit", "one"),
    [
        ("copies", "copy"),
        ("dies", "die"),
        ("S-boxes", "S-box"),
        ("people", "person"),
        ("chip-hours", "chip-hour"),
        ("steps/s", "step/s"),
        ("tokens per parameter", "token per parameter"),
        ("bytes a token", "byte a token"),
        ("billion parameters", "billion parameters"),
        ("ms", "ms"),
        ("GB/s", "GB/s"),
        ("a day", "a day"),
    ],
)
def test_the_unit_of_one(unit, one):
    assert singular(unit) == one


def test_every_unit_that_counts_has_a_singular_that_is_no_plural_and_half_of_none():
    used = {v.unit for f in registry.every() for v in f.answer().values.values()}
    used |= {given.unit for f in registry.every() for given in f.inputs if isinstance(given, Number)}
    used |= {claim.unit for claim in claims.claims().values()}
    first = {re.split("[ /]", singular(unit))[0] for unit in used}
    assert {"token", "layer", "sequence"} <= first
    assert {word for word in first if re.search(r"[a-z]{3}s$|(i|x|ch|sh)e$", word)} == {"pass"}


def test_three_digits_are_shown_unless_more_are_asked_for():
    assert (show(1.23456, "s"), plain(1.23456), short(1.23456e10)) == ("1.23 s", "1.23", "12.3B")


def test_plain_and_short_say_what_is_no_finite_number():
    assert plain(math.inf) == "inf"
    assert short(-14.8e12) == "−14.8T"


class TestFormats:
    @pytest.mark.parametrize(
        ("name", "known"),
        [("FP8", "fp8"), (" bf16 ", "bf16"), ("bfloat16", "bf16"), ("E5M2", "fp8"), ("NVFP4", "nvfp4"), ("f8", "fp8")],
    )
    def test_are_known_by_the_names_that_people_use(self, name, known):
        assert precision(name) == known

    def test_take_the_bits_in_their_names(self):
        for name in BITS_PER_ELEMENT:
            assert bytes_per_element(name) * 8 == int(re.search(r"[0-9]+$", name)[0])
        assert bytes_per_element("float32") == 4

    def test_an_unknown_one_is_refused_with_the_nearest(self):
        with pytest.raises(UnknownName, match="did you mean “nvfp4”"):
            precision("nvfp5")
        with pytest.raises(WrongType, match="precision must be the name of a storage format"):
            bytes_per_element(8)


class TestAgainstPint:
    """The same texts, read by an independent library of units."""

    @given(number=st.floats(1e-12, 1e24), unit=st.sampled_from(["B", "B/s", "FLOP/s", "s", "W"]))
    def test_what_is_shown(self, read, number, unit):
        shown, _, written = show(number, unit, 12).rpartition(" ")
        if "×" not in shown:
            assert read(float(shown.replace(",", "")), written, unit) == pytest.approx(number, rel=1e-11)
