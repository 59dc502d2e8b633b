"""An expression of the ledger: its numbers, and all that a reader needs to run it."""

from __future__ import annotations

import pytest

from calc.ledger import calls


@pytest.mark.parametrize(
    ("call", "numbers"),
    [("2 > 1", (1.0,)), ("[3, 4]", (3.0, 4.0)), ("np.ones((2, 2))", (1.0,) * 4), ("v3.routed_experts", (256.0,))],
)
def test_whatever_it_gives_is_plain_numbers(call, numbers):
    assert calls.evaluate(call) == numbers


def test_it_brings_the_names_that_it_assumes_however_deep():
    call = "[[v3.sparsity * r for r in (1, 2)] for _ in (opus,)]"
    assert set(calls.assumed(call)) == {"v3", "opus"}
    assert calls.imported(call) == ("catalog",)
    assert calls.imported("1 + 1") == ()


def test_two_calls_import_the_modules_of_both():
    assert calls.imported("moe.sparsity(2, 1)", "batching.balanced_batch(1)") == ("batching", "moe")
