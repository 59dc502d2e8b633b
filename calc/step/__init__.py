"""A step as a list of operations, its compositions, and the collectives and limits that it rests on.

>>> from calc import step
>>> step.decode_times("llama-3-70b", "hgx-h100", "fp8", chips=8, batch=64, context=8192).limit
'memory'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from calc.face import handed_on

if TYPE_CHECKING:
    from calc.step.collectives import *
    from calc.step.flow import *
    from calc.step.forecasting import *
    from calc.step.operation import *
    from calc.step.parallel_limits import *
    from calc.step.phases import *
    from calc.step.product import *
    from calc.step.requests import *
    from calc.step.room import *
    from calc.step.speculation import *
    from calc.step.step import *
    from calc.step.times import *
    from calc.step.woken import *
else:
    __getattr__ = handed_on(
        __name__,
        "step",
        "phases",
        "operation",
        "requests",
        "speculation",
        "collectives",
        "room",
        "woken",
        "product",
        "parallel_limits",
        "flow",
        "forecasting",
        "times",
    )
