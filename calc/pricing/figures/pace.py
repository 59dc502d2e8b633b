"""How far measured racks went past the forecast, for the one model and the racks of which runs are known."""

from __future__ import annotations

from calc import catalog
from calc.figure.scenario import PRECISION
from calc.quantities.units import show

MODEL, RACKS = "deepseek-v4-pro", ("gb200-nvl72", "gb300-nvl72")
PACES = (1.259331, 1.379553, 1.580864)  # least, middle, most: world/young-racks, whose runs stay at the build


def measured_pace(model: str, system: str, precision: str) -> tuple[float, ...]:
    """Least, middle and most of measured over forecast; nothing for other models, racks and formats."""
    return PACES if model == MODEL and system in RACKS and precision == PRECISION.default else ()


def said_of(dollars: list[float]) -> str:
    """A cost at that pace, for a sentence that has named the forecast's."""
    return f", {show(dollars[1], '$')} at measured pace" if dollars else ""


def told_of(model: str, system: str, precision: str) -> list[str]:
    """How far runs went past the forecast, as a note."""
    paces = [show(each, "x") for each in measured_pace(model, system, precision)]
    if not paces:
        return []
    low, middle, high = paces
    return [
        f"Measured pace: parts of such racks took {catalog.model(model).name}, four weeks old, {low} to {high} its "
        f"forecast, {middle} in the middle."
    ]
