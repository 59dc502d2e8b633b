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
# From the equations of the lecture to its figures, in code, and then a step beyond them. The mathematics is in
# `calc`, the price sheets are in its catalogue; a lab only asks.

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
# Take every sheet of the catalogue that has a step for written tokens, and suppose that it marks the crossover.

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
# Each is below cost from half as much again, or twice, its own threshold. How many steps would it take to stay within
# a fifth of the cost up to a million tokens? Prices that rise by a fifth each time, from the crossover on:

# %%
crossover, longest = 200_000, 1_000_000
stairs = int(np.ceil(np.log(context_price.decode_cost(longest, crossover)) / np.log(1.2)))
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
# measured share of its arithmetic (prompts found in a cache are not computed and do not count) and decode at its bound
# on the nodes of DeepSeek's published day, and compute the ratio of a price at cost, over batch and context.

# %%
day = catalog.deployment("deepseek-day-6")
node = Scenario.named(day.model, day.system, "fp8-bf16-cache")
unit, model = node.times(day.decode_nodes), node.model
computed = day.prefill_tokens_per_second * (1 - day.cached_input_tokens / day.input_tokens)
busy = pricing.utilisation(computed, model.active_params, node.flops)
read = pricing.prefill_dollars_per_token(model.active_params, unit.flops, 1.0, utilisation=busy)
batches = np.geomspace(100, 50_000, 60)
ratios = [
    {"batch": batch, "ratio": ratio, "context": f"{context:,} tokens"}
    for context in (1000, 5000, 50_000)
    for batch, ratio in zip(
        batches,
        batching.dollars_per_token(batches, batching.step_time(batches, context, **unit.step_arguments()).bound, 1.0)
        / read,
        strict=True,
    )
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
# bound wastes nothing. Real decode misses its bound (lecture 1), and long contexts are dear. That a whole market asks
# four to eight times as much says as much about the miss as about the memory.
#
# ## Which hold pays
#
# Requests come evenly, `rate` a second, and a prefix expires if it is kept for $\tau$. Then each writing serves
# $1 + \text{rate}\cdot\tau$ requests, at least. Which of the two holds on Anthropic's list is cheaper?

# %%
sheet = catalog.price("claude-opus-5")
rates = np.geomspace(1 / 86_400, 1 / 10, 80)
offers = {
    "no cache": (sheet.input, None, 0.0),
    "kept 5 minutes": (sheet.cache_write_5m, sheet.cached_input, 300.0),
    "kept 1 hour": (sheet.cache_write_1h, sheet.cached_input, 3600.0),
}
paid = [
    {"pause": 1 / rate, "dollars": dollars, "offer": offer}
    for offer, (write, hit, hold) in offers.items()
    for rate, dollars in zip(
        rates,
        bill(
            Traffic(1.0, 1e6, 0.0, 0.0, np.floor(requests_per_write(rates, hold))),
            Prices.per_million(sheet.input, sheet.output, write, hit),
            cached_share=1.0,
        ).total,
        strict=True,
    )
]
alt.Chart(alt.Data(values=paid)).mark_line().encode(
    x=alt.X("pause:Q", title="Seconds between requests").scale(type="log").axis(format="~s"),
    y=alt.Y("dollars:Q", title="Dollars for a prefix of a million tokens").scale(type="log").axis(format="$~r"),
    color=alt.Color("offer:N", title=None).scale(**look.series(*offers)),
    strokeDash=alt.StrokeDash("offer:N", title=None).scale(**look.dashes(*offers)),
).properties(
    height=300,
    description="Price of a prefix against the pause between requests: the long hold is cheapest up to half an hour.",
)

# %% [markdown]
# The short hold pays while pauses are below its five minutes, the long one while they leave it two reuses: up to half
# an hour. Beyond that it is cheaper to send the prefix afresh. In a steady stream the long hold wins wherever either
# pays: it is written a twelfth as often for less than twice the price. The short one is for bursts, and for vendors
# where a hit renews the hold, so that a stream need never write again.
#
# ## A conversation

# %%
turns = np.array([5, 10, 20, 40, 80])
prices = Prices.per_million(sheet.input, sheet.output, sheet.cache_write_5m, sheet.cached_input)
fresh = conversation_bill(turns, 2000, 200, 600, prices, cached=0.0).total
kept = conversation_bill(turns, 2000, 200, 600, prices).total
dict(zip(turns.tolist(), zip(fresh.round(2).tolist(), kept.round(2).tolist(), strict=True), strict=True))

# %% [markdown]
# ## To keep or to compute again
#
# A cache is worth keeping for as long as holding it costs less than computing it again. Beside the drain time of the
# same memory, that gives two answers to one question.

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

# %% [markdown]
# ## An open question
#
# A vendor chooses a list: reading, writing, hits, one step, two holds. Customers then choose what to send. Suppose that
# requests come with log-normal contexts, prefixes are reused a geometric number of times at exponential pauses, and
# cost is that of the lecture. Which list of six numbers covers cost for *every* customer who picks the cheapest way to
# use it, and stays within a tenth of cost for the median one? How many more numbers would it take to halve the loss
# on the worst, and is a flat price with a larger margin better than all of them?
