"""Reversible networks: training that need not store what it computed on the way.

The network that runs backwards is here; its gradients are in `calc.reversible.gradients`, training with them in
`calc.reversible.training`, the memory that it saves in `calc.reversible.activation_memory`, all that a chip holds in
training in `calc.reversible.memory_budget`, and the cipher with the same rounds in `calc.reversible.feistel`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from calc.face import handed_on

if TYPE_CHECKING:
    from calc.reversible import activation_memory as activation_memory
    from calc.reversible import feistel as feistel
    from calc.reversible import gradients as gradients
    from calc.reversible import memory_budget as memory_budget
    from calc.reversible import training as training
    from calc.reversible.rounds import *
else:
    __getattr__ = handed_on(__name__, "rounds")
