"""The least and the most of several numbers, as two values that follow each other."""

from __future__ import annotations

from collections.abc import Collection

from calc.figure.declared import Value


def both_ends(
    name: str, numbers: Collection[float], label: str, unit: str = "%", digits: int = 2, *, most: str = "the most"
) -> dict[str, Value]:
    """Values `name_low` and `name_high`.

    >>> {key: (value.text, value.label) for key, value in both_ends("gain", [0.3, 0.1], "Gained").items()}
    {'gain_low': ('10%', 'Gained, least'), 'gain_high': ('30%', 'the most')}
    """
    return {
        f"{name}_low": Value(min(numbers), unit, f"{label}, least", digits),
        f"{name}_high": Value(max(numbers), unit, most, digits),
    }
