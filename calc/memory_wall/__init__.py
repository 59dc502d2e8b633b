"""The memory wall: what a scale-up domain holds and reads, and what a context asks of it.

The domain is here; a token's bytes and operations are in `calc.memory_wall.attention`, attention that skips most of the
context in `calc.memory_wall.sparse_attention`, and the way to long contexts in `calc.memory_wall.long_context`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from calc.face import handed_on

if TYPE_CHECKING:
    from calc.memory_wall import attention as attention
    from calc.memory_wall import long_context as long_context
    from calc.memory_wall import sparse_attention as sparse_attention
    from calc.memory_wall.domain import *
else:
    __getattr__ = handed_on(__name__, "domain")
