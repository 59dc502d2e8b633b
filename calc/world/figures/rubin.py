"""A new generation: Rubin's tokens over GB300's, for a dollar and for a chip, beside their bandwidths."""

from __future__ import annotations

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import show

OLD, NEW = "gb300-nvl72", "rubin-nvl72"


def rubin() -> Answer:
    """Ratios as published for a dollar of rent, and for a chip by the rents of the same survey."""
    dearer = catalog.rent(NEW).dollars_per_chip_hour / catalog.rent(OLD).dollars_per_chip_hour
    dollar = catalog.datum("rubin-tokens-a-dollar").value
    faster = catalog.system(NEW).chip.known("hbm_bandwidth") / catalog.system(OLD).chip.known("hbm_bandwidth")
    return Answer(
        finding=(
            f"A chip of Rubin gave {show(dollar * dearer, 'x')} GB300's tokens and reads {show(faster, 'x')} as fast"
        ),
        values={
            "dollar": Value(dollar, "x", "Tokens for a dollar of rent, Rubin over GB300"),
            "chip": Value(dollar * dearer, "x", "tokens a chip"),
            "bandwidth": Value(faster, "x", "bandwidth"),
            "chip_most": Value(
                catalog.datum("rubin-tokens-a-dollar-most").value * dearer, "x", "tokens a chip, at most", 2
            ),
        },
    )


FIGURES = (Figure(name="world/rubin", compute=rubin, sources=("inferencex-rubin",)),)
