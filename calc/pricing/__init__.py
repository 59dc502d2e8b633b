"""Prices: what a token costs to read and to write, and what a price list gives away about the machine behind it.

Costs and what prices imply are here; steps of price with context are in `calc.pricing.context_price`, cached prompts in
`calc.pricing.prompt_cache`, a reader's own bill in `calc.pricing.bill`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from calc.face import handed_on

if TYPE_CHECKING:
    from calc.pricing import bill as bill
    from calc.pricing import context_price as context_price
    from calc.pricing import prompt_cache as prompt_cache
    from calc.pricing.implied import *
else:
    __getattr__ = handed_on(__name__, "implied")
