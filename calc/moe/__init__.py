"""Experts over chips: how many each chip holds, and what sending every token to its experts costs.

A mixture-of-experts layer sends each token from the chip that holds it to the chips that hold its experts (dispatch)
and the results back (combine): an all-to-all. Times are lower bounds: links at their full rate and evenly loaded.
Routing, and how uneven it is, is `calc.moe.routing`; what sparsity buys in quality is `calc.moe.routed_scaling`; the
balanced batch is in `calc.batching`, the experts that a batch wakes in `calc.batching.touched`.

Symbols: E routed experts, k experts per token, d width of the residual stream, n chips, m domains ("racks"), r rate of
a chip's scale-up link over that of its scale-out link, both in one direction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from calc.face import handed_on

if TYPE_CHECKING:
    from calc.moe import routed_scaling as routed_scaling
    from calc.moe import routing as routing
    from calc.moe.exchange import *
    from calc.moe.experts import *
    from calc.moe.fleet import *
else:
    __getattr__ = handed_on(__name__, "experts", "exchange", "fleet")
