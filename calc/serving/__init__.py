"""Serving: every bound at once, for a model laid over chips.

Passes and their rates are here; models and machines are in `calc.serving.shapes`, who holds what in
`calc.serving.layout`, the layouts worth having in `calc.serving.frontier`, published measurements in
`calc.serving.measured`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from calc.face import handed_on

if TYPE_CHECKING:
    from calc.serving import frontier as frontier
    from calc.serving import layout as layout
    from calc.serving import measured as measured
    from calc.serving import shapes as shapes
    from calc.serving.rates import *
else:
    __getattr__ = handed_on(__name__, "rates")
