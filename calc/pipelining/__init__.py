"""Layers over racks. Decoding in stages is here: boundaries, memory, the way round.

Training's bubbles are in `calc.pipelining.bubbles`, timetables of both in `calc.pipelining.schedules`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from calc.face import handed_on

if TYPE_CHECKING:
    from calc.pipelining import bubbles as bubbles
    from calc.pipelining import schedules as schedules
    from calc.pipelining.boundary import *
    from calc.pipelining.decoding import *
    from calc.pipelining.holding import *
    from calc.pipelining.prompts import *
else:
    __getattr__ = handed_on(__name__, "boundary", "holding", "decoding", "prompts")
