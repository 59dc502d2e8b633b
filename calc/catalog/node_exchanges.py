"""Exchanges of experts that others timed: over nodes of eight Hopper chips and B200, and in a GB200 rack.

`measurements/exchanges.csv` has what took part, what was sent, and how long it took there and back, in microseconds:

- `aiconfigurator-exchanges`: DeepEP's first version on Hopper chips, the mean of kernels that start together. Its
  table is filed under H100 and H200 alike, and its extractor names H20-3e, so the chip is in doubt. `direct` is
  low-latency mode, `relay` is normal mode with 24 multiprocessors, its notices counted. Four bytes of scale for 128
  numbers are in the 1.03 of the way out. `kernels` is the same low-latency mode in one node of B200. In a GB200 rack
  it is NVIDIA's two-sided program with its preparation, started as a graph.
- `collectivex`: DeepEP's second version on B200, the median of round trips that the host calls one by one, timed on
  the slowest chip. So launches, and chips that enter late, are in the times. `launched` are exchanges in a GB200 rack
  by FlashInfer's one-sided program, called likewise. Only some of the run's series are carried.

`direct` sends a copy to each expert, `relay` one copy to another node, which passes it on.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calc.catalog.measurement import read, text

NODE_EXCHANGE_SOURCES = ("aiconfigurator-exchanges", "collectivex")


@dataclass(frozen=True, kw_only=True, slots=True)
class NodeExchange:
    """One exchange: tokens of 7,168 numbers on each of some chips, for `picks` experts each.

    `out` and `back` are bytes that a number takes.
    """

    source: str
    system: str
    way: str
    nodes: int
    chips: int
    picks: int
    out: float
    back: float
    tokens: int
    microseconds: float


@cache
def node_exchanges() -> tuple[NodeExchange, ...]:
    """Every exchange, in the order of the file.

    >>> first = node_exchanges()[0]
    >>> first.system, first.nodes, first.tokens, first.microseconds
    ('hgx-h100', 1, 2, 28.71)
    """
    return tuple(read(NodeExchange, text("exchanges.csv")))
