"""A link that carries so many bits a second, whoever asks; every answer sets out a round trip after its question."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

PIECE = 4096  # bytes


@dataclass(frozen=True)
class Link:
    """All answers share it, piece by piece."""

    bits_per_second: float
    round_trip: float  # seconds
    turn: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, body: bytes) -> Iterator[bytes]:
        """The pieces of an answer, each when it has come across."""
        time.sleep(self.round_trip)
        for begin in range(0, len(body), PIECE):
            piece = body[begin : begin + PIECE]
            with self.turn:
                time.sleep(8 * len(piece) / self.bits_per_second)
            yield piece
