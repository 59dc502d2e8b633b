# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Lab: the memory wall
#
# This lab takes the equations of [lecture 4](../) to its figures, in code, and then searches for the design that a
# hundred million tokens would need. The mathematics is in `calc`, the facts are in its catalogue.

# %%
import altair as alt
import numpy as np

from calc import batching, catalog, memory_wall, step
from calc.figure import look
from calc.memory_wall import attention, long_context, sparse_attention
from calc.quantities.units import show
from calc.setting import Scenario

# %% [markdown]
# ## Chips that read together
#
# $$t \ge \frac{W}{n\,w_1}$$
#
# Choose a model and two domains. The floor falls by a factor of chips and a factor of memory.

# %%
box, rack = (Scenario.named("deepseek-v3", domain, "fp8") for domain in ("hgx-h200", "gb200-nvl72"))
floors = [memory_wall.latency_floor(each.weight_bytes, each.chips, each.chip.hbm_bandwidth) for each in (box, rack)]
gain = memory_wall.domain_gain(
    rack.chips, rack.chip.hbm_bandwidth, chips_before=box.chips, bandwidth_before=box.chip.hbm_bandwidth
)
[show(floor, "s") for floor in floors], gain.chips, gain.bandwidth, floors[0] / floors[1]

# %% [markdown]
# The floor is the simple form: one copy of all weights, spread evenly, and nothing else. Operation by operation, with
# one sequence on each chip, a step differs from it both ways. Few sequences wake few experts, so the box reads less
# than its floor. The rack wakes nearly all, has attention's weights on every chip, and takes longer. Floor, everything
# overlapping, nothing overlapping, and what is to be expected:

# %%
{
    name: [
        show(float(seconds), "s") for seconds in (floor, whole.bound_seconds, whole.serial_seconds, expected.seconds)
    ]
    for name, floor, whole, expected in (
        (
            each.system.name,
            floor,
            step.decode(each.setting, each.chips, 4096),
            step.forecast(each.setting, each.chips, 4096),
        )
        for each, floor in zip((box, rack), floors, strict=True)
    )
}

# %% [markdown]
# A pipeline of boxes holds what one box cannot. Boxes, their room, and the floor of five terabytes of weights, the same
# each time, as stages are passed one after the other:

# %%
stages = np.arange(1, 9)
each = memory_wall.latency_floor(5e12 / stages, box.chips, box.chip.hbm_bandwidth)
held = stages * box.hbm_bytes
list(
    zip(
        stages.tolist(),
        [show(room, "B") for room in held],
        [show(s * t, "s") for s, t in zip(stages, each, strict=True)],
        strict=True,
    )
)

# %% [markdown]
# ## What fits
#
# $$B \le \frac{nM_1 - W}{L\,k}$$
#
# Users against context for the same weights on three domains. All lines have the slope of $-1$: it is the room that
# differs, and where not even one user fits the line ends.

# %%
contexts = np.geomspace(1000, 1e9, 191)
domains = {"HGX H200": "hgx-h200", "GB200 NVL72": "gb200-nvl72", "GB300 NVL72": "gb300-nvl72"}
rows = [
    {"context": context, "users": users, "domain": name}
    for name, key in domains.items()
    for context, users in zip(
        contexts,
        batching.largest_batch(catalog.system(key).hbm_bytes, rack.weight_bytes, contexts, rack.kv_bytes_per_token),
        strict=True,
    )
    if users > 0
]
alt.Chart(alt.Data(values=rows)).mark_line(interpolate="step-after").encode(
    x=alt.X("context:Q", title="Context (tokens)").scale(type="log", nice=False).axis(format="~s"),
    y=alt.Y("users:Q", title="Sequences that fit").scale(type="log").axis(format="~s"),
    color=alt.Color("domain:N", title=None).scale(**look.series(*domains)),
    strokeDash=alt.StrokeDash("domain:N", title=None).scale(**look.dashes(*domains)),
).properties(
    height=300,
    description="Sequences that fit beside the weights of DeepSeek-V3 against the context, on three domains.",
)

# %% [markdown]
# ## A design of attention, taken apart
#
# Start from multi-head attention in 80 layers and pull one lever after the other. The cache of a token and the
# operations to attend to one do not fall together: sharing heads saves bytes and none of these operations, and fewer
# global layers save both. What is kept and what is read in a step differ in the last row: two layers that share one
# cache each read it.

# %%
layers, heads, width, active = 80, 64, 128, 70.6e9
levers = {
    "every head its own": (layers, heads, 1),
    "eight share a pair": (layers, 8, 1),
    "all share one pair": (layers, 1, 1),
    "one global layer in eight": (layers // 8, 1, 1),
    "two layers, one cache": (layers // 8, 1, 2),
}
designs = [
    {
        "design": name,
        "kept": show(attention.cache_elements(full, attention.grouped_elements(kv_heads, width), sharing), "B"),
        "read": show(attention.cache_elements(full, attention.grouped_elements(kv_heads, width)), "B"),
        "overtakes": show(
            attention.overtaking_context(active, attention.attention_flops(full, heads, width, width)), "tokens"
        ),
        "per number": attention.multiplies_per_element(
            heads, width, width, attention.grouped_elements(kv_heads, width)
        ),
    }
    for name, (full, kv_heads, sharing) in levers.items()
]
list(designs)

# %% [markdown]
# The last column is the number of multiplications for each number that is read. Fewer key-value heads raise it until it
# is as large as the number of query heads; beside a chip's ratio of about three hundred it stays small. With a few
# tokens at once, multi-query attention leaves the memory's side:

# %%
at_once = np.arange(1, 17)
reuse = [
    {"tokens": int(tokens), "reuse": number, "design": name}
    for name, (_, kv_heads, _) in list(levers.items())[:3]
    for tokens, number in zip(
        at_once,
        attention.multiplies_per_element(heads, width, width, attention.grouped_elements(kv_heads, width), at_once),
        strict=True,
    )
]
ratio = rack.flops / rack.bandwidth / 2
names = tuple(list(levers)[:3])
(
    alt.Chart(alt.Data(values=[{"ratio": ratio}])).mark_rule(strokeDash=[2, 3]).encode(y="ratio:Q")
    + alt.Chart(alt.Data(values=reuse))
    .mark_line()
    .encode(
        x=alt.X("tokens:Q", title="Tokens at once"),
        y=alt.Y("reuse:Q", title="Multiplications for each number read")
        .scale(type="log")
        .axis(values=[1, 10, 100, 1000], format=",d"),
        color=alt.Color("design:N", title=None).scale(**look.series(*names)),
        strokeDash=alt.StrokeDash("design:N", title=None).scale(**look.dashes(*names)),
    )
).properties(
    height=300,
    description="Multiplications for each number read, against tokens at once; a dotted line is the ratio of GB200.",
)

# %% [markdown]
# ## How a choice grows
#
# The exponent of the reading from one doubling to the next, for blocks of the best length, for blocks of one length,
# and for the index of DeepSeek-V3.2.

# %%
lengths = np.geomspace(4096, 4096 * 2**14, 57)
v32 = catalog.model("deepseek-v3.2")
index = {"index_bytes": v32.index_key_bytes, "kept_tokens": v32.index_top_k, "kv_bytes": v32.attended_kv_bytes}
exponents = {
    "Best blocks": sparse_attention.growth_exponent(
        sparse_attention.block_reads(lengths, sparse_attention.best_block(lengths, 16), 16),
        sparse_attention.block_reads(2 * lengths, sparse_attention.best_block(2 * lengths, 16), 16),
    ),
    "Blocks of 64": sparse_attention.growth_exponent(
        sparse_attention.block_reads(lengths, 64, 16), sparse_attention.block_reads(2 * lengths, 64, 16)
    ),
    "Index": sparse_attention.growth_exponent(
        sparse_attention.indexed_bytes(lengths, **index), sparse_attention.indexed_bytes(2 * lengths, **index)
    ),
}
alt.Chart(
    alt.Data(
        values=[
            {"context": length, "exponent": exponent, "way": way}
            for way, column in exponents.items()
            for length, exponent in zip(lengths, column, strict=True)
        ]
    )
).mark_line().encode(
    x=alt.X("context:Q", title="Context (tokens)").scale(type="log").axis(format="~s"),
    y=alt.Y("exponent:Q", title="Exponent of the next doubling").scale(domain=[0, 1]),
    color=alt.Color("way:N", title=None).scale(**look.series(*exponents)),
    strokeDash=alt.StrokeDash("way:N", title=None).scale(**look.dashes(*exponents)),
).properties(
    height=300,
    description="Exponent of what is read, doubling by doubling: one half for best blocks, towards one for the others.",
)

# %% [markdown]
# ## A hundred million tokens
#
# By the bound, which cache would let a rack serve ten, a hundred, a thousand such contexts at 50 tokens a second?
# Reading and room each give a largest number of bytes a token.

# %%
users = np.array([1, 10, 100, 1000])
read = long_context.affordable_kv_bytes(1e8 * users, 1 / 50, rack.bandwidth, weight_bytes=rack.weight_bytes)
room = (rack.hbm_bytes - rack.weight_bytes) / (1e8 * users)
[
    {
        "users": int(many),
        "bytes": show(min(by_time, by_room), "B"),
        "of DeepSeek-V3's": show(min(by_time, by_room) / rack.kv_bytes_per_token, "%"),
    }
    for many, by_time, by_room in zip(users, read, room, strict=True)
]

# %% [markdown]
# For ten contexts the catalogue has models with a cache so small; for a thousand none comes near. What a smaller cache
# does not mend is the prompt: full attention's arithmetic over it is quadratic.

# %% tags=["found"]
ten, thousand = (np.minimum(read, room)[np.isin(users, many)].item() for many in (10, 1000))
print(
    f"For ten contexts of a hundred million tokens at 50 tokens a second a rack affords {show(ten, 'B')} a token, "
    f"{show(ten / rack.kv_bytes_per_token, '%')} of DeepSeek-V3's cache; for a thousand, {show(thousand, 'B')}."
)

# %% [markdown]
# ## An open question
#
# Blocks of the best length read $2\sqrt{\nu L}$, but their summaries have to say ever more about ever more tokens, and
# there is a second way to spend bytes: summaries of summaries. Build a tree of blocks with $j$ levels, each level
# choosing $\nu$ of the blocks below it. What does a token read, as a function of $L$, $\nu$ and $j$? Which $j$ is
# best at a hundred million tokens, and how does the best reading grow? Then ask what the count leaves out: how often
# the right token is missed, if each level finds it with the same probability. At which probability does full attention
# over a shorter context answer more questions for the same bytes?
