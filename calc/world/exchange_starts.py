"""Exchanges that others timed, beside the bytes of lecture 2: how long starts take over nodes, and what relaying costs.

A start is half of what an exchange took beyond its bytes, as in the lecture. Nothing is fitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from calc import catalog, moe
from calc.catalog.node_exchanges import NodeExchange, node_exchanges
from calc.figure.scenario import BATCH
from calc.moe.figures.plans import plan_parts
from calc.moe.figures.timings import LIKE_OURS, MEASURED_WIDTH, rack_start
from calc.moe.figures.worked.spans import FAST, RACK, START, step
from calc.pipelining.figures.setting import HOP_LATENCY, OPENING, STAGES
from calc.pipelining.figures.worked.usual import full_row, full_spread
from calc.quantities.arithmetic import MICRO
from calc.setting import Scenario
from calc.step import visited_share

H100, B200 = "hgx-h100", "hgx-b200"
DIRECT, RELAY, LAUNCHED, KERNELS = "direct", "relay", "launched", "kernels"


@dataclass(frozen=True)
class TimedRun:
    """An exchange, beside its bytes."""

    row: NodeExchange

    @property
    def seconds(self) -> float:
        """There and back, as timed."""
        return self.row.microseconds * MICRO

    @property
    def copies(self) -> float:
        """Copies of a token that leave its node: one for each expert elsewhere, or one for each other node."""
        row = self.row
        if row.way == RELAY:
            return (row.nodes - 1) * float(visited_share(row.nodes, row.picks))
        return row.picks * float(moe.leaving_share(row.nodes))

    @property
    def bytes_seconds(self) -> float:
        """Time of its bytes alone, on links within and out at once; those for a chip's own experts need none."""
        row, system = self.row, catalog.system(self.row.system)
        each = row.tokens * MEASURED_WIDTH * (row.out + row.back)
        staying = row.picks * float(moe.leaving_share(row.chips) - moe.leaving_share(row.nodes))
        within = each * staying / system.known("scale_up_bandwidth")
        return max(within, each * self.copies / system.known("scale_out_bandwidth"))

    @property
    def start(self) -> float:
        """Half of the rest."""
        return (self.seconds - self.bytes_seconds) / 2


@cache
def timed_runs(system: str, way: str, nodes: int = 1) -> dict[int, TimedRun]:
    """Exchanges of one kind by the tokens of a chip.

    >>> round(timed_runs(H100, DIRECT, 2)[32].start * 1e6, 1)
    22.7
    """
    rows = [row for row in node_exchanges() if (row.system, row.way, row.nodes) == (system, way, nodes)]
    return {row.tokens: TimedRun(row) for row in rows}


def start_ratio(system: str, nodes: int = 2, tokens: int = LIKE_OURS) -> float:
    """A start over so many nodes, over one in a node.

    >>> round(start_ratio(H100), 2), round(start_ratio(B200), 2)
    (1.32, 1.53)
    """
    one, more = (timed_runs(system, DIRECT, count)[tokens] for count in (1, nodes))
    return more.start / one.start


def meeting(system: str) -> tuple[int, int]:
    """Tokens of a chip between which relaying over two nodes becomes the quicker way, of those timed both ways.

    >>> meeting(B200), meeting(H100)
    ((32, 64), (96, 128))
    """
    direct, relay = (timed_runs(system, way, 2) for way in (DIRECT, RELAY))
    both = sorted(direct.keys() & relay.keys())
    slower = [tokens for tokens in both if relay[tokens].seconds >= direct[tokens].seconds]
    return slower[-1], both[both.index(slower[-1]) + 1]


def two_racks(longer: float) -> float:
    """Seconds of lecture 2's step over two racks, a copy for each expert, with starts that many times as long.

    >>> round(1e3 * two_racks(1), 2)
    9.25
    """
    parts = plan_parts(2, RACK, BATCH.default, rack_start(), "expert")
    return sum(parts) + (longer - 1) * parts[-1]


def spread_nodes(start: float) -> float:
    """Seconds of lecture 3's token in layers spread over four nodes, if each crossing starts so late.

    >>> round(1e3 * spread_nodes(10e-6), 1), round(1e3 * spread_nodes(timed_runs(H100, DIRECT, 4)[32].start), 1)
    (47.1, 49.4)
    """
    where = Scenario.named(*OPENING)
    spread = full_spread(where, where.setting)
    return spread.once + spread.starts * (start / HOP_LATENCY - 1)


def spread_even() -> float:
    """The start with which those layers decode as much as lecture 3's row, whose own starts inside nodes are left out.

    >>> round(1e6 * spread_even())
    75
    """
    where = Scenario.named(*OPENING)
    row, spread = full_row(where, where.setting, STAGES), full_spread(where, where.setting)
    return HOP_LATENCY * (1 + (spread.fit / row.rate - spread.once) / spread.starts)


def relayed_racks(tokens: float, start: float) -> float:
    """Seconds of the same step with one copy a rack; its messages start twice."""
    return float(step(2, RACK, start, batch=tokens * catalog.system(RACK).chips))


def direct_racks(tokens: float, start: float) -> float:
    """Seconds of the same step with a copy for each expert that leaves; its messages start once."""
    batch = tokens * catalog.system(RACK).chips
    one = step(1, RACK, 1, batch=batch) - step(1, RACK, 0, batch=batch)  # of a start of a microsecond
    return float(step(2, RACK, 0, relay=False, batch=batch) + start * one)


def counted_meeting(start: float) -> int:
    """The fewest tokens of a chip from which one copy a rack is the quicker way over two racks, as counted.

    >>> counted_meeting(rack_start())
    40
    """
    return next(tokens for tokens in range(1, 1000) if relayed_racks(tokens, start) <= direct_racks(tokens, start))


def fast_racks_good(longer: float, most: int = 100) -> Sequence[int]:
    """Tokens of a chip at which two GB300 racks are as good as one, if starts over links out take so much longer.

    >>> good = fast_racks_good(1)
    >>> good[0], good[-1]
    (2, 28)
    """
    chips = catalog.system(FAST).chips
    good = []
    for tokens in range(1, most + 1):
        one, two = (step(racks, FAST, START, batch=float(tokens * chips)) for racks in (1, 2))
        again = step(2, FAST, START, batch=float(tokens * chips)) - step(2, FAST, 0, batch=float(tokens * chips))
        if two + (longer - 1) * again / 2 <= one:  # half of the starts are over links out
            good.append(tokens)
    return good
