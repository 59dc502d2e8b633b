"""The cost of a token by its position: lines that DeepSeek drew of its own service.

`measurements/position-costs.csv` has the corners of the lines of one figure, in points of the page as the file stores
them (the repository is under the MIT licence). DeepSeek says that it estimated the costs from benchmarks of its
service on H800, at a rent of two dollars for an hour of a chip. The lines are straight between the corners: they are
what its makers made of their benchmarks, and no single run can be seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calc.catalog.measurement import read, text

POSITION_COSTS_SOURCE = "deepseek-position-costs"
POSITIONS = 128 * 1024  # tokens of the whole horizontal axis
LEFT, RIGHT = 66.71, 432.09  # points at which that axis begins and ends
BOTTOM, TOP = 49.16, 329.4  # and the vertical one
DOLLARS = {"read": 0.7, "written": 2.4}  # of the whole vertical axis


@dataclass(frozen=True, kw_only=True, slots=True)
class CostCorner:
    """A corner of a line: its model, whether tokens are read or written, and its place on the page in points."""

    model: str
    phase: str
    x: float
    y: float

    @property
    def position(self) -> float:
        """Tokens before this one."""
        return (self.x - LEFT) / (RIGHT - LEFT) * POSITIONS

    @property
    def dollars(self) -> float:
        """Cost of a million such tokens."""
        return (self.y - BOTTOM) / (TOP - BOTTOM) * DOLLARS[self.phase]


@cache
def cost_corners() -> tuple[CostCorner, ...]:
    """Every corner, in the order of the file.

    >>> last = cost_corners()[1]
    >>> last.model, last.phase, round(last.position), round(last.dollars, 3)
    ('V3.1-Terminus', 'read', 131071, 0.666)
    """
    return tuple(read(CostCorner, text("position-costs.csv")))
