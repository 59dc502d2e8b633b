"""Numbers of a claim in words: each of a few, the range of many, and the answer to each question."""

from __future__ import annotations

from calc.ledger.calls import Numbers
from calc.quantities.units import show

TRUTH = "true or false"
LISTED = 4  # numbers up to which all are shown, beyond it their range
COUNTED = 1e6  # whole numbers up to which every digit is shown
MEASURED = ("B", "B/s", "FLOP/s", "W", "s", "%", "$", "$/h")


def shown(numbers: Numbers, unit: str) -> str:
    """Numbers as people write them: each of a few, the range of many.

    >>> shown((0.00116, 0.025), "s"), shown((1.0, 0.0), TRUTH), shown((1, 2, 3, 4, 5), "x")
    ('1.16 ms, 25 ms', 'true, false', '1× to 5×')
    """
    if unit == TRUTH:
        return ", ".join("true" if number else "false" for number in numbers)
    if len(numbers) > LISTED:
        return f"{_shown(min(numbers), unit)} to {_shown(max(numbers), unit)}"
    return ", ".join(_shown(number, unit) for number in numbers)


def answered(numbers: Numbers, unit: str, tests: tuple[str, ...]) -> str:
    """Numbers as people write them, and each answer of true or false after its question."""
    if unit != TRUTH or not tests:
        return shown(numbers, unit)
    return "; ".join(f"{test}: {shown((number,), unit)}" for test, number in zip(tests, numbers, strict=True))


def _shown(number: float, unit: str) -> str:
    """Three digits, and counts in full."""
    counted = unit not in MEASURED and float(number).is_integer() and abs(number) < COUNTED
    return show(number, unit, 7 if counted else 3)
