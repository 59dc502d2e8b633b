"""How near a number must lie to what was said: one of two bands for all claims, or a bound where no number was said."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import MappingProxyType

from calc.quantities.units import show

ORDERS = (
    "hundred",
    "hundredfold",
    "thousandth",
    "tenfold",
    "100 times",
    "millions",
    "terabyte",
    "minute",
    "hour",
    "month",
)
BANDS = MappingProxyType({"close": (0.75, 1.25), "order": (1 / 3, 3.0)})
BAND_NAMES = MappingProxyType({"close": "within ±25 %", "order": "within a factor of 3"})


@dataclass(frozen=True)
class Band:
    """The numbers that bear a claim out: round those that were `stated`, or between the ends of `accept`.

    >>> print(Band((20e-3,), "", (1.0, 1.0), "s"))
    15 ms to 25 ms, within ±25 % of what was said
    >>> 0.9 in Band((0.5,), "hundred", (1.0, 1.0), "%"), 1.1 in Band((0.5,), "hundred", (1.0, 1.0), "%")
    (True, False)
    """

    stated: tuple[float, ...]
    order: str
    accept: tuple[float, float]
    unit: str

    def __str__(self) -> str:
        """The band in words."""
        low, high = self.limits
        if high == math.inf:
            return f"{show(low, self.unit)} or more"
        ends = f"{show(low, self.unit)} to {show(high, self.unit)}"
        return f"{ends}, {BAND_NAMES[self.name]} of what was said" if self.stated else ends

    def __contains__(self, number: float) -> bool:
        low, high = self.limits
        return low <= number <= high

    @property
    def name(self) -> str:
        """The band of an order of magnitude, or of a number."""
        return "order" if self.order else "close"

    @property
    def limits(self) -> tuple[float, float]:
        """Its ends; a share ends at the whole."""
        if not self.stated:
            return self.accept
        reach = [factor * end for factor in BANDS[self.name] for end in self.stated]
        whole = 1.0 if self.unit == "%" and max(self.stated) <= 1 else math.inf
        return min(reach), min(max(reach), whole)
