"""Two stages, each of two nodes that share its experts, memories full: between a row of nodes and spread layers."""

from __future__ import annotations

from calc.figure.declared import Value
from calc.pipelining.figures.setting import HOP_LATENCY, STAGES
from calc.pipelining.figures.worked.usual import BACK, PAIR, full_row, full_spread
from calc.setting import Scenario


def pairs(where: Scenario) -> dict[str, Value]:
    """Tokens of a node, and shares of the links' rate at which pairs of nodes are even with a row and with halves.

    Links that are so slow send in halves for longer than these read.
    """
    row, spread = full_row(where, where.setting, STAGES), full_spread(where, where.setting)
    two = full_row(where, where.setting, PAIR, PAIR)
    back = PAIR * HOP_LATENCY
    kept, sent = two.reading + spread.starts + back, two.hops - back + two.inside - spread.starts
    alone, hops = row.reading + BACK + row.inside, row.hops - BACK
    with_row = (two.most * alone - row.most * kept) / (row.most * sent - two.most * hops)
    with_halves = (spread.fit * kept - two.most * 2 * spread.starts) / (two.most * spread.carried - spread.fit * sent)
    return {
        "pairs": Value(two.rate, "tokens/s", "of a node, two wide stages", 2),
        "pairs_row": Value(1 / with_row, "%", "Links, pairs even with a row", 2),
        "pairs_halves": Value(1 / with_halves, "%", "Links, pairs even with halves", 2),
    }
