"""An exercise of lecture 4: a hundred million tokens of context on one rack."""

from __future__ import annotations

from calc import batching, catalog
from calc.figure import slips
from calc.figure.declared import Value
from calc.memory_wall import long_context
from calc.memory_wall.figures.setting import domain, slope
from calc.memory_wall.figures.shared import awake, beside_reading, prompt_seconds
from calc.setting import Scenario

HUGE = 100e6


def journey() -> dict[str, Value]:
    """4: a cache for a hundred million tokens on one rack."""
    rack = catalog.system("gb200-nvl72")
    where = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8")
    users, pace = 20.0, 50.0
    woken = float(awake(where.model)(users))
    affordable, affordable_woken = (
        long_context.affordable_kv_bytes(
            users * HUGE, 1 / pace, rack.hbm_bandwidth, weight_bytes=where.weight_bytes * share
        )
        for share in (1.0, woken)
    )
    beside = beside_reading(where, users)
    later = long_context.affordable_kv_bytes(
        users * HUGE,
        1 / pace - beside,
        rack.hbm_bandwidth,
        weight_bytes=where.weight_bytes,
    )
    room = (rack.hbm_bytes - where.weight_bytes) / (users * HUGE)
    rent = catalog.rent("gb200-nvl72").dollars_per_chip_hour * rack.chips
    each = rent / users
    held = batching.largest_batch(context=HUGE, **domain(where))
    prompt = prompt_seconds(where, HUGE)
    return {
        "far_users": Value(users, "users", "Users"),
        "far_pace": Value(pace, "tokens/s", "Speed"),
        "far_chips": Value(rack.chips, "", "Chips"),
        "far_chip": Value(rack.chip.hbm_bytes, "B", "Memory of a chip", 4),
        "far_bandwidth": Value(rack.chip.hbm_bandwidth, "B/s", "Its bandwidth"),
        "far_flops": Value(where.chip.flops("fp8"), "FLOP/s", "Its rate in FP8"),
        "far_slope": Value(slope(where.model), "FLOP", "Attention to one token of context"),
        "far_read": Value(affordable, "B", "Affordable to read"),
        "far_woken": Value(woken, "%", "Weights read, if choices are even"),
        "far_read_woken": Value(affordable_woken, "B", "Affordable to read then"),
        "far_room": Value(room, "B", "Affordable to hold"),
        "far_most": Value(
            min(affordable, room),
            "B",
            "Affordable",
            slips=(
                *slips.forgotten(1 / users, "there are several users"),
                slips.Slip(rack.hbm_bandwidth / pace / (users * HUGE) / affordable, "A step reads the weights, too."),
                slips.Slip(
                    max(affordable, room) / min(affordable, room), "This is the other limit; the smaller counts."
                ),
            ),
        ),
        "far_own": Value(where.kv_bytes_per_token, "B", "DeepSeek-V3"),
        "far_smaller": Value(where.kv_bytes_per_token / min(affordable, room), "x", "Smaller than DeepSeek-V3's"),
        "far_beside": Value(beside, "s", "Kernels and sending"),
        "far_later": Value(later, "B", "Affordable with kernels and sending", 2),
        "far_smaller_later": Value(where.kv_bytes_per_token / later, "x", "DeepSeek-V3's over that"),
        "far_held": Value(held, "sequences", "Held with its own"),
        "far_rent": Value(each, "$/h", "Rent for each user"),
        "far_step": Value(1 / pace, "s", "Step, as promised"),
        "far_decode": Value(
            users * HUGE * slope(where.model) / where.flops,
            "s",
            "Attention of all users",
            slips=slips.forgotten(users, "there are several users"),
        ),
        "far_prompt": Value(prompt, "s", "One prompt"),
        "far_prompts": Value(users * prompt, "s", "All prompts"),
    }
