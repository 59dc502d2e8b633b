"""Serving: every bound at once, for a model laid over chips.

A step is in `calc.step`; here are the rates of chips that read and write in turn, the price list of a setting in
`calc.serving.sheet`, the layouts worth having in `calc.serving.frontier`, and published measurements in
`calc.serving.measured`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from calc.face import handed_on

if TYPE_CHECKING:
    from calc.serving import frontier as frontier
    from calc.serving import measured as measured
    from calc.serving import sheet as sheet
    from calc.serving.rates import *
else:
    __getattr__ = handed_on(__name__, "rates")
