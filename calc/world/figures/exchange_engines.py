"""Exchanges in a rack by other programs, what engines waited, and a layer of experts in one kernel."""

from __future__ import annotations

from calc import catalog
from calc.catalog.exchanges import EXCHANGES_SOURCE
from calc.catalog.node_exchanges import NODE_EXCHANGE_SOURCES, NodeExchange, node_exchanges
from calc.figure.declared import Answer, Figure, Value
from calc.moe.figures.timings import LIKE_OURS, RACK, rack_exchange
from calc.quantities.arithmetic import MICRO
from calc.world.exchange_starts import B200, DIRECT, KERNELS, LAUNCHED, timed_runs

MXFP4 = 0.5 + 1 / 32  # bytes of a number, its share of a scale included


def engines() -> Answer:
    """Times and bytes that a page quotes."""
    kernels, waits = (catalog.datum(f"exchange-{name}-glm52").value for name in ("kernels", "waits"))
    one, two = (catalog.datum(f"token-time-{name}").value for name in ("one-node", "two-nodes"))
    fused = catalog.datum("fused-layer-v4-pro").value
    model = catalog.model("deepseek-v4-pro")
    experts = model.known("routed_experts") / 8 * 3 * model.known("d_model") * model.known("d_ff_expert")
    older = [catalog.datum(name).value for name in ("fused-layer-glm52", "unfused-layer-glm52")]
    return Answer(
        finding="Exchanges in engines",
        values={
            "other": Value(_in_rack(DIRECT, 64).microseconds * MICRO, "s", "Another program, 64 chips of a rack"),
            "ours": Value(rack_exchange(LIKE_OURS).measured, "s", "NVIDIA's, 64 chips"),
            "launched": Value(_in_rack(LAUNCHED, 16).microseconds * MICRO, "s", "Launched from the host, 16 chips"),
            "kernels_16": Value(rack_exchange(LIKE_OURS, 16).measured, "s", "NVIDIA's kernels, 16 chips"),
            "kernels": Value(kernels, "s", "Exchanges of a step, kernels"),
            "waits": Value(waits, "s", "with waits"),
            "waited": Value(waits / kernels, "x", "over the kernels", 2),
            "one_node": Value(one, "s", "From token to token, one node"),
            "two_nodes": Value(two, "s", "two nodes"),
            "nodes_more": Value(two / one, "x", "over one", 2),
            "fused": Value(fused, "s", "A fused layer, 512 tokens a chip"),
            "fused_experts": Value(experts * MXFP4, "B", "The experts of a chip in MXFP4", 2),
            "fused_twice": Value(2 * experts * MXFP4 / fused, "B/s", "Reading them twice in that time takes", 2),
            "delivers": Value(catalog.system(B200).chip.known("hbm_bandwidth"), "B/s", "A B200 delivers", 1),
            "gain_low": Value(catalog.datum("fused-layer-v4-pro-gain").value, "x", "Several kernels over one", 2),
            "gain_high": Value(catalog.datum("fused-layer-v4-pro-gain-most").value, "x", "the most", 2),
            "older_fused": Value(older[0], "s", "Fused, on H200"),
            "older_apart": Value(older[1], "s", "In several kernels"),
            "older_waits": Value(catalog.datum("unfused-layer-glm52-waits").value, "s", "their waits counted", 3),
            "b200_called": Value(timed_runs(B200, DIRECT)[LIKE_OURS].seconds, "s", "A node of B200, from the host"),
            "b200_kernels": Value(timed_runs(B200, KERNELS)[LIKE_OURS].seconds, "s", "Its kernels"),
        },
    )


def _in_rack(way: str, chips: int) -> NodeExchange:
    """The one exchange of a kind among so many chips of a rack."""
    (row,) = (
        each
        for each in node_exchanges()
        if (each.system, each.way, each.chips, each.tokens) == (RACK, way, chips, LIKE_OURS)
    )
    return row


FIGURES = (
    Figure(
        name="world/exchange-engines",
        compute=engines,
        sources=(
            *NODE_EXCHANGE_SOURCES,
            EXCHANGES_SOURCE,
            "pegainfer-waits",
            "pegainfer-decode-graph",
            "mega-moe-times",
            "mad-two-nodes",
        ),
    ),
)
