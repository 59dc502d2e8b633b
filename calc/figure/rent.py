"""The rent of a chip, as a reader sets it: one input in every lecture that counts money."""

from __future__ import annotations

from calc import catalog
from calc.figure.inputs import Number
from calc.figure.scenario import SYSTEM

RENT = Number(
    name="price",
    label="Rent",
    default=catalog.rent(SYSTEM.default).dollars_per_chip_hour,
    low=0.01,
    high=100,
    unit="$/chip-hour",
    log=True,
    help="What an hour of one chip costs you, all in.",
)
