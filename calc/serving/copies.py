"""The fewest chips that hold a traffic at a promised speed: copies of a model, each on a domain or on part of one.

On fewer chips each holds more of the experts and reads them in every step, so that room falls faster than chips do.
"""

from __future__ import annotations

import math

import numpy as np

from calc.quantities.arithmetic import HOUR
from calc.quantities.check import Positive, Quantity, checked
from calc.quantities.errors import DoesNotFit
from calc.serving.modes import modes
from calc.serving.sheet import Sheet, of_steps
from calc.setting import Layout
from calc.step import decode


@checked
def room_on(found: Sheet, chips: Positive, user_tokens_per_second: Positive) -> Quantity:
    """Sequences of a sheet's request that keep a promised speed, on groups of one chip each; none where none does.

    >>> from calc.serving.request import Request
    >>> from calc.serving.sheet import sheet
    >>> from calc.setting import Setting
    >>> rack = sheet(Setting.published("deepseek-v3", "gb200-nvl72", "fp8"), Request(4096, 1000, 0.5), 2048, 4.54)
    >>> room_on(rack, 72, 50), room_on(rack, 36, 50)
    (5328.0, 2268.0)
    """
    setting = found.writing.setting.with_layout(Layout(data=chips))
    step = decode(setting, chips, found.request.held)
    rent = float(found.dollars_per_chip_second) * HOUR
    room = modes(of_steps(found.request, found.reading, step, rent), float(user_tokens_per_second)).promised.batch
    return room if math.isfinite(room) else 0.0


@checked
def fewest_chips(found: Sheet, sequences: Positive, user_tokens_per_second: Positive) -> tuple[Quantity, Quantity]:
    """Copies, as many as whole domains take, and the fewest chips of each on which they hold so many sequences.

    >>> from calc.serving.request import Request
    >>> from calc.serving.sheet import sheet
    >>> from calc.setting import Setting
    >>> rack = sheet(Setting.published("deepseek-v3", "gb200-nvl72", "fp8"), Request(4096, 1000, 0.5), 2048, 4.54)
    >>> fewest_chips(rack, 1200, 50), fewest_chips(rack, 8000, 50)
    ((1.0, 24.0), (2.0, 57.0))
    """
    domain = float(found.writing.setting.machine.domain_chips)
    whole = room_on(found, domain, user_tokens_per_second)
    if not whole:
        raise DoesNotFit("user_tokens_per_second", user_tokens_per_second, "a speed that a whole domain keeps")
    copies = float(np.ceil(sequences / whole))
    each = float(sequences) / copies
    least = math.ceil(domain * each / float(whole))  # a chip of a whole domain has the most room
    chips = next(n for n in range(least, int(domain) + 1) if room_on(found, n, user_tokens_per_second) >= each)
    return copies, float(chips)
