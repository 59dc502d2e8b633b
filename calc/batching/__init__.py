"""A decode step: how long it takes, what it costs, and which batch makes it worth running.

A decode step reads every weight that the batch touches and the whole cache of every sequence, and multiplies each
active weight once per sequence. Its time is at least the larger of the two, so everything here is a lower bound on
time and on cost: communication, scheduling and the arithmetic of attention are left out. Which weights a small batch
touches is `calc.batching.touched`, what a fast mode gives away `calc.batching.fast_mode`, who waits for a batch
`calc.batching.departures`.

Symbols: B batch (sequences), L context (tokens), N_a and N_t active and total parameters, W weight bytes, k cache bytes
per token of context, F dense FLOP/s, w memory bandwidth in bytes/s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from calc.face import handed_on

if TYPE_CHECKING:
    from calc.batching import departures as departures
    from calc.batching import fast_mode as fast_mode
    from calc.batching import touched as touched
    from calc.batching.balance import *
    from calc.batching.capacity import *
    from calc.batching.cost import *
    from calc.batching.step import *
else:
    __getattr__ = handed_on(__name__, "step", "balance", "capacity", "cost")
