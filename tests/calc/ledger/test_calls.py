"""A calculation of the ledger: its numbers, and all that a reader needs to run it."""

from __future__ import annotations

import numpy as np
import pytest

from calc import batching, moe
from calc.catalog import model
from calc.ledger import calls
from calc.ledger.calls import Found

SCOUT = model("deepseek-v3")
TWICE = 2 * SCOUT.sparsity


def balanced() -> Found:
    return [batching.balanced_batch(ratio, TWICE) for ratio in (1, 2)]


def sparse() -> Found:
    return moe.sparsity(2, 1) > 1


@pytest.mark.parametrize(
    ("given", "numbers"), [(True, (1.0,)), ([3, 4], (3.0, 4.0)), (np.ones((2, 2)), (1.0,) * 4), (np.float64(2), (2.0,))]
)
def test_whatever_it_gives_is_plain_numbers(given, numbers):
    assert calls.evaluate(lambda: given) == numbers


def test_it_brings_all_that_it_names_however_deep_and_no_more():
    *before, last = calls.as_written(balanced).splitlines()
    assert before[:2] == ["from calc import batching", "from calc.catalog import model"]
    assert "TWICE = 2 * SCOUT.sparsity" in before
    assert not any("moe" in line or "np" in line for line in before)
    names: dict[str, object] = {}
    exec("\n".join(before), names)
    assert calls.flat(eval(last, names)) == calls.evaluate(balanced)


def test_calculations_name_the_modules_that_they_ask():
    assert calls.modules(balanced, sparse) == ("batching", "model", "moe")
