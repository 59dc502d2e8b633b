"""Numbers of claims as people write them."""

from __future__ import annotations

from calc.ledger import in_words


def test_few_numbers_are_listed_and_many_spanned():
    assert in_words.shown((1, 2, 3, 4), "x") == "1×, 2×, 3×, 4×"
    assert in_words.shown((5, 1, 2, 3, 4), "x") == "1× to 5×"
    assert in_words.shown((1, 0), in_words.TRUTH) == "true, false"


def test_counts_are_shown_in_full_and_measures_in_three_digits():
    assert in_words.shown((9216, 9216.5), "chips") == "9,216 chips, 9,220 chips"
    assert in_words.shown((2048,), "B") == "2.05 kB"
    assert in_words.shown((1234567,), "tokens") == "1,230,000 tokens"
