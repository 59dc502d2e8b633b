"""Sending between nodes as kernels took it: published times and rates, scaled to a step with memories full."""

from __future__ import annotations

from calc import catalog
from calc.figure.declared import Value
from calc.pipelining.figures.setting import STAGES, way_out
from calc.setting import Scenario
from calc.step import visited_share

CHIPS, TOKENS = 32, 128  # of DeepEP's published time of decoding, and on each chip
WAYS = {"dispatch": 1.0, "combine": 2.0}  # bytes of a number: FP8 out, BF16 back


def timed(where: Scenario, fit: int, row: tuple[int, float]) -> dict[str, Value]:
    """Seconds of a step of spread layers on links, and the rate of a node if those set the pace.

    Spread layers have `fit` sequences on a node. A row has so many, and takes so many seconds beside sending inside
    nodes. All of the time there, from H800, shrinks with faster links, so the row's rate is the most.
    """
    layers, tokens = where.model.expert_layers, fit / where.chips
    most, beside = row
    apart = layers * tokens / TOKENS * _exchange(CHIPS)
    slower = catalog.system("hgx-h800").known("scale_up_bandwidth") / way_out(where)[0]
    inside = slower * layers * most / where.chips / TOKENS * _exchange(where.chips)
    once = layers * tokens * sum(_relayed(where, way) for way in WAYS)
    return {
        "timed_once": Value(once, "s", "Sending, one copy a node, at a published rate", 2),
        "timed_apart": Value(apart, "s", "Sending, a copy for each expert, by a published time", 2),
        "timed_rate": Value(fit / apart, "tokens/s", "Tokens of a node then, in halves", 2),
        "timed_over": Value(fit / (where.hbm_bytes / where.bandwidth + apart), "tokens/s", "in spread layers", 2),
        "timed_row": Value(most / (beside + inside), "tokens/s", "in a row, at most", 2),
        "timed_inside": Value(inside, "s", "Sending inside nodes, in a row", 2),
    }


def _exchange(chips: float) -> float:
    """Published seconds of an exchange of 128 tokens a chip, there and back, among so many chips."""
    return sum(catalog.datum(f"deepep-{way}-{chips:.0f}").value for way in WAYS)


def _relayed(where: Scenario, way: str) -> float:
    """Seconds of a token's copies, one for each node that has its experts; the rate counts its own node's too."""
    copies = STAGES * float(visited_share(STAGES, where.model.routed[1], *where.model.groups))
    sent = copies * where.model.known("d_model") * WAYS[way]
    return sent / catalog.datum(f"deepep-relay-{way}-{CHIPS}").value
