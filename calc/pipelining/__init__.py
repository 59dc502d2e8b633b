"""Layers over racks. Decoding in stages is here; training's bubbles are in `calc.pipelining.bubbles`.

Timetables of both are in `calc.pipelining.schedules`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from calc.face import handed_on

if TYPE_CHECKING:
    from calc.pipelining import bubbles as bubbles
    from calc.pipelining import schedules as schedules
    from calc.pipelining.decoding import *
    from calc.pipelining.prompts import *
else:
    __getattr__ = handed_on(__name__, "decoding", "prompts")
