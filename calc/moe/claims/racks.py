"""Claims of lecture 2 about experts on racks: places, links, domains and power."""

from __future__ import annotations

import numpy as np

from calc import catalog, moe
from calc.ledger.calls import Found
from calc.moe import routing
from calc.moe.figures.in_parts import starting
from calc.moe.figures.timings import rack_start
from calc.setting import Setting
from calc.step import decode

V3 = catalog.model("deepseek-v3")
RACK = catalog.system("gb200-nvl72")
GB200 = catalog.chip("gb200")
ULTRA = catalog.announced("rubin-ultra-nvl576")
DAY = catalog.deployment("deepseek-day-6")
DEPLOYED = moe.place_experts(256, DAY.decode_expert_parallel)
B3_STEP = decode(Setting.published("deepseek-v3", "gb200-nvl72", "fp8"), 88 * RACK.chips, DAY.mean_context)
B3_OWN = sum(each.roofline_seconds for each in B3_STEP.operations if not each.sends)
B3_LAYERS = V3.known("layers") - V3.known("dense_layers")
B3_LAYER = moe.exchange_seconds(
    moe.exchange_bytes(88, V3.known("d_model"), V3.known("active_routed_experts")).total,
    RACK.known("scale_up_bandwidth"),
)
B3_STARTS = starting(B3_STEP, rack_start())


def b1() -> Found:
    return V3.known("routed_experts") / V3.known("active_routed_experts")


def b1_used() -> Found:
    return V3.active_routed_experts


def b1_all() -> Found:
    return V3.routed_experts


def b2() -> Found:
    return moe.place_experts(256, 72).chips_idle


def b2_otherwise() -> Found:
    return moe.place_experts(256 + DEPLOYED.copies_to_fill, 72).chips_idle


def b2_each() -> Found:
    return moe.place_experts(256, 72).experts_per_chip


def b2_used() -> Found:
    return moe.place_experts(256, 72).chips_used


def b2_copies() -> Found:
    return moe.place_experts(256, 72).copies_to_fill


def b3() -> Found:
    return (B3_LAYERS * B3_LAYER + B3_STARTS) / B3_OWN


def b3_out() -> Found:
    slower = RACK.known("scale_up_bandwidth") / RACK.known("scale_out_bandwidth")
    return (B3_LAYERS * B3_LAYER * slower + B3_STARTS) / B3_OWN


def b3_context() -> Found:
    return DAY.mean_context


def b3_layer() -> Found:
    return B3_LAYER


def b3_layers() -> Found:
    return B3_LAYERS


def b3_starts() -> Found:
    return B3_STARTS


def b4() -> Found:
    return [
        s.known("scale_up_bandwidth") / s.known("scale_out_bandwidth")
        for s in (catalog.system(n) for n in ("hgx-h100", "gb200-nvl72", "gb300-nvl72", "rubin-nvl72"))
    ]


def b5() -> Found:
    return 2 * RACK.known("scale_up_bandwidth")


def b6() -> Found:
    return moe.spread_slowdown(2, np.array([8, 9, 18]))


def b6_chips() -> Found:
    return DAY.decode_expert_parallel


def b7() -> Found:
    return routing.expected_groups(
        V3.known("routed_experts"),
        V3.known("active_routed_experts"),
        V3.known("expert_groups"),
        limit=V3.known("groups_per_token"),
    )


def b7_nodes() -> Found:
    return DAY.decode_nodes


def b8_gb200() -> Found:
    return RACK.chips * GB200.known("watts")


def b8_rubin() -> Found:
    return catalog.system("rubin-nvl72").chips * catalog.chip("rubin").known("watts")


def b8_ultra() -> Found:
    return ULTRA.watts


def b20() -> Found:
    return moe.spread_slowdown(2, 9) > 1


def b20_otherwise() -> Found:
    return DAY.decode_expert_parallel <= catalog.system("hgx-h800").chips


def b20_slower() -> Found:
    return moe.spread_slowdown(2, 9)


def b20_domains() -> Found:
    return DAY.decode_expert_parallel / catalog.system("hgx-h800").chips


def b20_box() -> Found:
    return V3.weight_bytes("fp8") / catalog.system("hgx-h800").hbm_bandwidth


def b20_halves() -> Found:
    return decode(Setting.decoding(DAY), DAY.decode_batch, DAY.mean_context).halves_seconds


def b20_low() -> Found:
    return DAY.user_tokens_per_second_low


def b20_high() -> Found:
    return DAY.user_tokens_per_second_high
