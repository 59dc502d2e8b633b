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
# # Lab: what the price list gives away
#
# This lab takes the equations of [lecture 6](../) to its figures, in code, and on to conversations. The mathematics is
# in `calc`, the price sheets are in its catalogue.

# %%
import altair as alt
import numpy as np

from calc import batching, catalog, pricing
from calc.figure import look
from calc.pricing import context_price, prompt_cache
from calc.pricing.bill import Prices, Traffic, bill, conversation_bill, requests_per_write
from calc.quantities.units import show
from calc.setting import Scenario

# %% [markdown]
# ## A step and a slope
#
# $$C(L) = \max\left(1, \frac{L}{L^*}\right), \qquad L_\text{max} = q\,(1 + \mu)\,L^*$$
#
# Take every sheet of the catalogue that has a step for written tokens, and suppose that it marks the crossover,
# attention's multiplying left out.

# %%
stepped = [sheet for sheet in catalog.prices().values() if sheet.output_above]
{
    sheet.name: (
        show(sheet.above_tokens, "tokens", 6),
        sheet.output_above / sheet.output,
        show(
            float(context_price.longest_profitable_context(sheet.above_tokens, sheet.output_above / sheet.output)),
            "tokens",
        ),
    )
    for sheet in stepped
}

# %% [markdown]
# The numbers are the threshold, the factor of the step, and, without a markup, $L_\text{max}$: beyond that context the
# price is below cost. (Qwen3 Max has a second step, left out.) How many steps would it take to stay within a fifth of
# the cost up to a million tokens? Prices that rise by a fifth each time, from the crossover on:

# %%
crossover, longest = 200_000, 1_000_000
stairs = int(np.ceil(np.log(context_price.decode_cost(longest, crossover)) / np.log(1.2)))
f"{stairs} steps"

# %%
lengths = np.geomspace(5e4, 2e6, 160)
cost = context_price.decode_cost(lengths, crossover)
many = 1.2 ** np.clip(np.ceil(np.log(cost) / np.log(1.2)), 0, stairs)
one = context_price.tiered_price(lengths, crossover, 1, 1.5)
rows = [
    {"context": length, "times": times, "line": name}
    for name, column in {"Cost": cost, "One step": one, f"{stairs} steps": many}.items()
    for length, times in zip(lengths, column, strict=True)
]
names = ("Cost", "One step", f"{stairs} steps")
alt.Chart(alt.Data(values=rows)).mark_line().encode(
    x=alt.X("context:Q", title="Context (tokens)").scale(type="log").axis(format="~s"),
    y=alt.Y("times:Q", title="× the cost of a short request").scale(type="log").axis(values=[1, 2, 5, 10]),
    color=alt.Color("line:N", title=None).scale(**look.series(*names)),
    strokeDash=alt.StrokeDash("line:N", title=None).scale(**look.dashes(*names)),
).properties(
    height=300,
    description="Cost of a token against the context, a price of one step that falls below it, and stairs that follow.",
)

# %% [markdown]
# ## A ratio of prices from a machine
#
# The lecture reads utilisation off $p_o/p_i$. Go the other way: take a machine and a model, let prefill run at a
# measured share of its arithmetic (prompts found in a cache do not count) and decode at its bound on the nodes of
# DeepSeek's published day, and compute the ratio of a price at cost, over batch and context. Each line ends where the
# caches fill what the weights leave of the memory.

# %%
day = catalog.deployment("deepseek-day-6")
node = Scenario.named(day.model, day.system, "fp8-bf16-cache")
unit, model = node.times(day.decode_nodes), node.model
computed = day.prefill_tokens_per_second * (1 - day.cached_input_tokens / day.input_tokens)
busy = pricing.utilisation(computed, model.active_params, node.flops)
read = pricing.prefill_dollars_per_token(model.active_params, unit.flops, 1.0, utilisation=busy)
ratios = []
for context in (1000, 5000, 50_000):
    most = batching.largest_batch(unit.hbm_bytes, unit.weight_bytes, context, unit.kv_bytes_per_token)
    batches = np.geomspace(100, most, 60)
    steps = batching.step_time(batches, context, **unit.step_arguments()).bound
    written = batching.dollars_per_token(batches, steps, 1.0)
    ratios += [
        {"batch": batch, "ratio": ratio, "context": f"{context:,} tokens"}
        for batch, ratio in zip(batches, written / read, strict=True)
    ]
names = ("1,000 tokens", "5,000 tokens", "50,000 tokens")
alt.Chart(alt.Data(values=ratios)).mark_line().encode(
    x=alt.X("batch:Q", title="Batch (sequences)").scale(type="log").axis(format="~s"),
    y=alt.Y("ratio:Q", title="Writing over reading, at cost").scale(type="log").axis(format="~r"),
    color=alt.Color("context:N", title=None).scale(**look.series(*names)),
    strokeDash=alt.StrokeDash("context:N", title=None).scale(**look.dashes(*names)),
).properties(
    height=300,
    description="Ratio of prices at cost against the batch for three contexts: it falls, then levels off at the cache.",
)

# %% [markdown]
# In a large batch at a short context writing would be *cheaper* than reading at this utilisation: a decode step at its
# bound wastes nothing. Real decode misses its bound (lecture 1), and long contexts are dear. What does the market ask?

# %%
asked = np.array([sheet.output / sheet.input for sheet in catalog.prices().values()])
{
    "lists": asked.size,
    "median": float(np.median(asked)),
    "from three to five": f"{np.mean((asked >= 3) & (asked <= 5)):.0%}",
}

# %% [markdown]
# So a listed ratio tells of that miss too, not of the memory alone.
#
# ## Which hold pays
#
# A prefix of a million tokens is asked for all day at even pauses. On Anthropic's list it can be kept for five minutes
# or for an hour, and a hit begins the time anew without a charge. So a prefix is written once a day where the pause is
# within the hold, and at every request where it is not. Which hold is cheaper?

# %%
sheet = catalog.price("claude-opus-5")
day_seconds = 86_400
pauses = np.geomspace(10, 4 * 3600, 120)
offers = {
    "no cache": (sheet.input, None, 0.0),
    "kept 5 minutes": (sheet.cache_write_5m, sheet.cached_input, 300.0),
    "kept 1 hour": (sheet.cache_write_1h, sheet.cached_input, 3600.0),
}
once = {"requests": 1.0, "shared_tokens": 1e6, "own_tokens": 0.0, "output_tokens": 0.0}
lists = {offer: Prices.per_million(sheet.input, sheet.output, *pair[:2]) for offer, pair in offers.items()}
paid = [
    {"pause": pause, "dollars": dollars, "offer": offer}
    for offer, (_, _, hold) in offers.items()
    for pause, dollars in zip(
        pauses,
        bill(
            Traffic(**once, requests_per_write=np.where(pauses <= hold, day_seconds / pauses, 1.0)),
            lists[offer],
            cached_share=1.0,
        ).total,
        strict=True,
    )
]
alt.Chart(alt.Data(values=paid)).mark_line().encode(
    x=alt.X("pause:Q", title="Seconds between requests").scale(type="log").axis(format="~s"),
    y=alt.Y("dollars:Q", title="Dollars a request, for a prefix of a million tokens")
    .scale(type="log")
    .axis(format="$~r"),
    color=alt.Color("offer:N", title=None).scale(**look.series(*offers)),
    strokeDash=alt.StrokeDash("offer:N", title=None).scale(**look.dashes(*offers)),
).properties(
    height=300,
    description="Price of a prefix against the pause: the short hold is cheapest to five minutes, the long to an hour.",
)

# %% [markdown]
# At pauses within five minutes the short hold is the cheaper one by a little, as its one writing costs less. From there
# to an hour only the long one helps, and beyond an hour it is cheapest to send the prefix afresh. With a vendor whose
# hits do not renew the hold, each writing serves $1 + \text{rate}\cdot\tau$ requests, and in a fast stream the long
# hold is the cheaper one, as it is written about a twelfth as often. At a pause of fifty minutes neither hold pays. By
# that rule a request costs, at a minute, twenty and fifty:

# %%
each = {
    offer: bill(
        Traffic(**once, requests_per_write=np.floor(requests_per_write(1 / np.array([60.0, 1200.0, 3000.0]), hold))),
        lists[offer],
        cached_share=1.0,
    ).total
    for offer, (_, _, hold) in offers.items()
}
{offer: [f"${dollars:.2f}" for dollars in np.broadcast_to(found, 3)] for offer, found in each.items()}

# %% [markdown]
# ## A conversation
#
# Every turn sends the whole past again. What do so many turns cost in dollars, without a cache and with one, after a
# system prompt of 2,000 tokens, with 200 in each question and 600 in each answer?

# %%
turns = np.array([5, 10, 20, 40, 80])
prices = Prices.per_million(sheet.input, sheet.output, sheet.cache_write_5m, sheet.cached_input)
fresh = conversation_bill(turns, 2000, 200, 600, prices, cached=0.0).total
kept = conversation_bill(turns, 2000, 200, 600, prices).total
dict(zip(turns.tolist(), zip(fresh.round(2).tolist(), kept.round(2).tolist(), strict=True), strict=True))

# %% [markdown]
# ## To keep or to compute again
#
# A cache is worth keeping for as long as holding it costs less than computing it again. That is for a cache in FP8
# which is certain to be used once more, and counts the medium alone, without a server, power or the way back. The drain
# time answers another question: which hold uses the memory evenly?

# %%
again = pricing.prefill_dollars_per_token(
    model.active_params, node.chip.flops("fp8"), day.dollars_per_chip_hour, utilisation=busy
)
owned = [tier for tier in catalog.tiers().values() if tier.dollars_per_gb_low]
{
    tier.name: (
        "drains in " + show(tier.drain_seconds, "s"),
        "worth keeping for "
        + show(
            float(
                prompt_cache.hold_worth_storing(
                    again,
                    model.kv_bytes_per_token("fp8"),
                    prompt_cache.owned_dollars_per_byte_hour(tier.dollars_per_gb_low / 1e9, 4),
                )
            ),
            "s",
        ),
    )
    for tier in owned
}

# %% tags=["found"]
print(
    f"Of {asked.size} price lists the middle one asks {np.median(asked):g} times as much for writing as for reading; a "
    f"conversation of {turns[-1]} turns costs ${fresh[-1]:.2f} without a cache and ${kept[-1]:.2f} with one."
)

# %% [markdown]
# ## An open question
#
# A vendor chooses a list: reading, writing, hits, one step, two holds. Customers then choose what to send. Suppose that
# requests come with log-normal contexts up to a million tokens, prefixes are reused a geometric number of times at
# exponential pauses, and cost is that of the lecture. Which list of six numbers covers cost for *every* customer who
# picks the cheapest way to use it, and stays within a tenth of cost for the median one? How many more numbers would it
# take to halve the loss on the worst, and is a flat price with a larger margin better than all of them?
