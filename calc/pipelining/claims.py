"""Calculations of the ledger's claims about this lecture.

`a1` decides claim A1, `a1_otherwise` is the circumstance in which it fails, `a1_by_lecture` a source's reading of it;
any other `a1_name` is a number that its reason quotes.
"""

from __future__ import annotations

import numpy as np

from calc import catalog, moe, pipelining, step
from calc.ledger.calls import Found
from calc.pipelining import bubbles

V3 = catalog.model("deepseek-v3")
RACK = catalog.system("gb200-nvl72")
GB200 = catalog.chip("gb200")
DAY = catalog.deployment("deepseek-day-6")
STORED = V3.weight_bytes("fp8")  # each weight once, as in the lecture

LATENCY = 10e-6  # of a hop, and of the way back, which carries ids alone
HOPS = [
    pipelining.hop_seconds(
        2000, V3.known("d_model"), links=links, link_bandwidth=RACK.known("scale_out_bandwidth"), latency=LATENCY
    )
    for links in (RACK.chips, 1)
]


def c1() -> Found:
    return pipelining.boundary_margin(8, 1, np.array([8, 9, 18]))


def c1_layers() -> Found:
    return pipelining.free_layers(8, 18)


def c2() -> Found:
    return [pipelining.boundary_margin(8, 10, 9), pipelining.boundary_margin(8, 10, 18)]


def c2_merged() -> Found:
    return [
        pipelining.boundary_margin((chips - 1) * step.visited_share(chips, 8, experts=384), 10, ratio, dispatch_bytes=1)
        for chips, ratio in ((8, 9), (72, 18))
    ]


def c3() -> Found:
    return [pipelining.decode_cycle(0.02, 4, 4, hop, LATENCY).seconds / 0.02 for hop in HOPS]


def c3_otherwise() -> Found:
    return pipelining.decode_cycle(0.02, 4, 4, 3e-3, 3e-3).seconds / 0.02


def c4() -> Found:
    return [
        P
        * pipelining.chip_memory(
            STORED, 2400, 1e5, V3.kv_bytes_per_token("fp8"), chips_per_stage=RACK.chips, stages=P
        ).weights
        / pipelining.chip_memory(STORED, 2400, 1e5, V3.kv_bytes_per_token("fp8"), chips_per_stage=RACK.chips).weights
        for P in (1, 2, 4, 8)
    ]


def c4_one() -> Found:
    return pipelining.chip_memory(STORED, 2400, 1e5, V3.kv_bytes_per_token("fp8"), chips_per_stage=RACK.chips).weights


def c4_eight() -> Found:
    return pipelining.chip_memory(
        STORED, 2400, 1e5, V3.kv_bytes_per_token("fp8"), chips_per_stage=RACK.chips, stages=8
    ).weights


def c5() -> Found:
    return [
        pipelining.chip_memory(
            STORED, 2400, 1e5, V3.kv_bytes_per_token("fp8"), chips_per_stage=RACK.chips, stages=P
        ).cache
        / pipelining.chip_memory(STORED, 2400, 1e5, V3.kv_bytes_per_token("fp8"), chips_per_stage=RACK.chips).cache
        for P in (1, 2, 4, 8)
    ]


def c5_cache() -> Found:
    return pipelining.chip_memory(STORED, 2400, 100_000, V3.kv_bytes_per_token("fp8"), chips_per_stage=RACK.chips).cache


def c5_weights() -> Found:
    return pipelining.chip_memory(
        STORED, 2400, 100000, V3.kv_bytes_per_token("fp8"), chips_per_stage=RACK.chips
    ).weights


def c6() -> Found:
    return [pipelining.micro_batches_to_fill(0.02, P) / P for P in (2, 4, 8, 16)]


def c7() -> Found:
    return pipelining.decode_cycle(0.02, 4, 1).idle_share


def c8() -> Found:
    idle = [bubbles.bubble_share("1f1b", 4, M) for M in (1, 4, 8, 16)] + [bubbles.bubble_share("zb-h2", 4, 16)]
    return [all(share <= 3 / 4 for share in idle), all(share > 0 for share in idle)]


def c8_single() -> Found:
    return bubbles.bubble_share("1f1b", 4, 1)


def c8_more() -> Found:
    return [bubbles.bubble_share("1f1b", 4, M) for M in (4, 8, 16)]


def c8_zero() -> Found:
    return bubbles.bubble_share("zb-h2", 4, 16)


def c9() -> Found:
    return [
        bubbles.peak_activations("1f1b", 4, 16) < bubbles.peak_activations("gpipe", 4, 16),
        bubbles.bubble_share("zb-h1", 4, 16) < bubbles.bubble_share("1f1b", 4, 16),
    ]


def c9_plain() -> Found:
    return bubbles.bubble_share("1f1b", 4, 16)


def c9_zero() -> Found:
    return bubbles.bubble_share("zb-h1", 4, 16)


def c11() -> Found:
    each = [pipelining.chip_memory(STORED, 0, 0, 1, chips_per_stage=RACK.chips, stages=P).weights for P in (1, 2, 4, 8)]
    return [
        all(each[P - 1] - each[P] > each[P] - each[P + 1] for P in (1, 2)),
        max(pipelining.decode_cycle(0.02, 4, 4, hop, LATENCY).seconds for hop in HOPS) > 1.1 * 0.02,
    ]


def c11_freed() -> Found:
    one, four = (pipelining.chip_memory(STORED, 0, 0, 1, chips_per_stage=RACK.chips, stages=P).weights for P in (1, 4))
    return (one - four) / GB200.hbm_bytes


def c11_more() -> Found:
    four, eight = (
        pipelining.chip_memory(STORED, 0, 0, 1, chips_per_stage=RACK.chips, stages=P).weights for P in (4, 8)
    )
    return (four - eight) / GB200.hbm_bytes


def c16() -> Found:
    return [
        moe.spread_slowdown(2, 18) > 1,
        pipelining.stages_to_hold(5e12, RACK.chips, GB200.hbm_bytes) <= 2,
    ]


def c16_otherwise() -> Found:
    return [
        DAY.decode_expert_parallel <= catalog.system("hgx-h800").chips,
        pipelining.stages_to_hold(5e12, 8, catalog.chip("h800-sxm").hbm_bytes) <= 2,
    ]


def c16_rack() -> Found:
    return pipelining.stages_to_hold(5e12, RACK.chips, GB200.hbm_bytes)


def c16_box() -> Found:
    return pipelining.stages_to_hold(5e12, 8, catalog.chip("h800-sxm").hbm_bytes)


def c16_slower() -> Found:
    return moe.spread_slowdown(2, 18)


def c17() -> Found:
    return [*HOPS, catalog.datum("sglang-ids-hop").value]


def c21() -> Found:
    return [
        pipelining.chip_memory(
            STORED, 2400, 1e5, V3.kv_bytes_per_token("fp8"), chips_per_stage=RACK.chips, stages=P
        ).cache_share
        for P in (1, 2, 4, 8)
    ]
