"""A prompt over racks in a row. Its tokens are all known, so its pieces follow one another through the stages.

Symbols: t seconds of the whole prompt on one rack, P stages, n pieces that take equally long, h a hop.
"""

from __future__ import annotations

from calc.quantities.check import Count, NonNegative, Positive, Quantity, checked


@checked
def prompt_seconds(seconds_alone: Positive, stages: Count, pieces: Count, hop_seconds: NonNegative = 0.0) -> Quantity:
    """Time until P stages have read a prompt in n pieces: t (n + P - 1) / (n P) + (P - 1) h, in seconds.

    A piece needs the caches of those before it, each on the stage that made it. Pieces that take equally long are
    shorter towards the end, where attention looks back on more.

    >>> prompt_seconds(8, 4, 1), prompt_seconds(8, 4, 5)
    (8.0, 3.2)
    """
    return seconds_alone * (pieces + stages - 1) / (pieces * stages) + (stages - 1) * hop_seconds
