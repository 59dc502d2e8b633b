"""A prompt over racks in a row. Its tokens are all known, so its pieces follow one another through the stages.

Symbols: t seconds of the whole prompt on one rack, w those of reading the weights there, P stages, n pieces that take
equally long, h a hop.
"""

from __future__ import annotations

import numpy as np

from calc.quantities.check import Count, NonNegative, Positive, Quantity, checked


@checked
def prompt_seconds(
    seconds_alone: Positive,
    stages: Count,
    pieces: Count,
    hop_seconds: NonNegative = 0.0,
    weight_seconds: NonNegative = 0.0,
) -> Quantity:
    """Time until P stages have read a prompt in n pieces: max(t / n, w) (n + P - 1) / P + (P - 1) h, in seconds.

    Each piece reads all weights again, so it takes no less than w over all stages. It needs the caches of the pieces
    before it, each on the stage that made it. Pieces that take equally long are shorter towards the end, where
    attention looks back on more.

    >>> prompt_seconds(8, 4, 1), prompt_seconds(8, 4, 5), prompt_seconds(8, 4, 5, weight_seconds=2)
    (8.0, 3.2, 4.0)
    """
    piece = np.maximum(seconds_alone / pieces, weight_seconds)
    return piece * (pieces + stages - 1) / stages + (stages - 1) * hop_seconds
