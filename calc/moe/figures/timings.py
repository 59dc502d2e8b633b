"""Exchanges of experts that were timed: DeepSeek's over nodes of H800, and NVIDIA's within a GB200 rack."""

from __future__ import annotations

from dataclasses import dataclass

from calc import catalog, moe
from calc.catalog.exchanges import rack_exchanges
from calc.quantities.arithmetic import MICRO
from calc.quantities.check import Quantity

NEWER_CHIPS = (8, 16, 32, 64)  # printed in June 2025, of programs that use the links within where they can
OLDER_CHIPS = (128, 256)  # printed in February 2025, of programs that send all over the network card
MEASURED_CHIPS = NEWER_CHIPS + OLDER_CHIPS
MEASURED_TOKENS, MEASURED_WIDTH, MEASURED_COPIES = 128, 7168, 8
SCALES = 4 / 128  # bytes that each number adds in FP8: a scale of four bytes for a block of 128


@dataclass(frozen=True)
class Timed:
    """One pass, or both, of an exchange between some chips: what was measured and the bound on it, in seconds."""

    measured: float
    bound: float

    @property
    def miss(self) -> float:
        """Measured over bound."""
        return self.measured / self.bound


def measured_exchange(chips: int, which: str, within: float | None = None) -> Timed:
    """DeepSeek's kernels on nodes of eight H800 against the bound over so many nodes.

    The older kernels send every copy over the card; those of a chip's own experts need no link in either. `within` is
    the rate of the links inside a node, the published one unless another is given.
    """
    node = catalog.system("hgx-h800")
    passes = ("dispatch", "combine") if which == "both" else (which,)
    seconds = sum(catalog.datum(f"deepep-{one}-{chips}").value for one in passes)
    sent = moe.exchange_bytes(MEASURED_TOKENS, MEASURED_WIDTH, MEASURED_COPIES, dispatch_bytes=1 + SCALES)
    inside, out = within or node.known("scale_up_bandwidth"), node.known("scale_out_bandwidth")
    others = moe.leaving_share(chips)
    leaving = 1.0 if chips in OLDER_CHIPS else moe.leaving_share(chips / node.chips) / others
    each = {one: moe.link_seconds(others * getattr(sent, one), leaving, inside, out) for one in passes}
    return Timed(seconds, float(sum(float(times.bound) for times in each.values())))


RACK = "gb200-nvl72"
LIKE_OURS, MANY, MOST_TIMED = 32, 512, 64  # tokens of a chip, of those timed the nearest to ours, and many; chips
WIDE = 2.0  # bytes of a number, out and back


def rack_exchange(tokens: int, chips: int = MOST_TIMED, which: str = "both") -> Timed:
    """One pass, or both, of an exchange as it was timed, and the bound on it: bytes at the full rate of a link.

    >>> found = rack_exchange(32)
    >>> round(found.measured * 1e6, 1), round(found.bound * 1e6, 1)
    (59.2, 8.0)
    """
    (row,) = (each for each in rack_exchanges() if (each.tokens, each.chips) == (tokens, chips))
    seconds = {"dispatch": row.dispatch_seconds, "combine": row.combine_seconds, "both": row.seconds}[which]
    return Timed(seconds, float(seconds_of_bytes(tokens, chips, which)))


def seconds_of_bytes(tokens: Quantity, chips: int, which: str = "both") -> Quantity:
    """Seconds that its bytes need on a link; those for a chip's own experts need none."""
    sent = moe.exchange_bytes(tokens, MEASURED_WIDTH, MEASURED_COPIES, dispatch_bytes=WIDE, combine_bytes=WIDE)
    counted = sent.total if which == "both" else getattr(sent, which)
    within = catalog.system(RACK).known("scale_up_bandwidth")
    return moe.exchange_seconds(moe.leaving_share(chips) * counted, within)


def rack_start(chips: int = MOST_TIMED, tokens: int = LIKE_OURS) -> float:
    """Microseconds: half of what an exchange took beyond its bytes, with about as many tokens as the lecture has.

    >>> round(rack_start(), 1), round(rack_start(32), 1)
    (25.6, 23.9)
    """
    timed = rack_exchange(tokens, chips)
    return (timed.measured - timed.bound) / 2 / MICRO
