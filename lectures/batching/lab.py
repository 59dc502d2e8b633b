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
# # Lab: batch size, latency and cost
#
# This lab takes the equations of [lecture 1](../) to its figures, in code, and on to mixed company. The mathematics is
# in `calc`, the facts are in its catalogue.

# %%
import altair as alt
import numpy as np

from calc import batching, step
from calc.batching import departures, fast_mode
from calc.figure import look
from calc.quantities import draws
from calc.quantities.units import show
from calc.setting import Scenario
from calc.world.own_machine import recorded

# %% [markdown]
# ## A step
#
# $$t \ge \max\left(\frac{2BN_a}{F},\ \frac{W + BLk}{w}\right)$$
#
# Choose a model, a system and a precision, and the five numbers that the bound needs follow from the catalogue.

# %%
here = Scenario.named("llama-3-70b", "hgx-h100", "fp8")
machine = here.step_arguments()
list(machine.items())

# %% [markdown]
# Every function takes a number or an array, so one call is the headline and another is the curve. It ends where the
# node's memory is full.

# %%
context = 1000
batches = np.geomspace(1, step.most_sequences(here.setting, context), 81)
one, curve = batching.step_time(1, context, **machine), batching.step_time(batches, context, **machine)
show(one.bound, "s"), show(one.weights, "s"), show(one.compute, "s")

# %% [markdown]
# That is the simple form. `calc.step` counts the same node operation by operation, with attention's arithmetic and the
# sums between chips. How much longer is its step, if operations take turns or if nothing overlaps, and what is to be
# expected?

# %%
few = np.array([1, 64, 512])
whole = step.decode(here.setting, few, context)
ways = {
    "simple": batching.step_time(few, context, **machine).bound,
    "operations in turn": whole.in_turn_seconds,
    "nothing overlaps": whole.serial_seconds,
    "to be expected": step.forecast(here.setting, few, context).seconds,
}
{
    name: {f"batch {batch}": show(float(each), "s") for batch, each in zip(few, seconds, strict=True)}
    for name, seconds in ways.items()
}

# %% [markdown]
# A lone step comes out a little below the simple form: that counts the table of input embeddings as read, and a step
# looks up one row of it. From a few dozen sequences on, the sums between the eight chips are most of what taking turns
# adds. Back to the simple form:

# %%
parts = {
    "Step, at least": curve.bound,
    "Step without overlap": curve.serial,
    "Compute": curve.compute,
    "Memory": curve.memory,
}
rows = [
    {"batch": batch, "milliseconds": 1000 * seconds, "part": part}
    for part, column in parts.items()
    for batch, seconds in zip(batches, column, strict=True)
]
alt.Chart(alt.Data(values=rows)).mark_line().encode(
    x=alt.X("batch:Q", title="Batch (sequences)").scale(type="log").axis(format="~s"),
    y=alt.Y("milliseconds:Q", title="Time of a step (ms)").scale(type="log").axis(format="~r"),
    color=alt.Color("part:N", title=None).scale(**look.series(*parts)),
    strokeDash=alt.StrokeDash("part:N", title=None).scale(**look.dashes(*parts)),
).properties(
    height=300,
    description="Time of a decode step against the batch: level while it reads weights, then along the arithmetic.",
)

# %% [markdown]
# The bend lies where arithmetic and memory balance. Without a cache that is the ratio of the chip, as the model
# is dense; with one it is more, and from the critical context on it is nowhere.

# %%
ratio = batching.hardware_ratio(here.flops, here.bandwidth, 1)
critical = batching.critical_context(**here.token_arguments())
lengths = np.array([0, 500, 1000, 1400, 2000])
{
    "ratio": round(ratio, 1),
    "critical context": round(critical),
    "balanced batch": dict(
        zip(lengths.tolist(), batching.balanced_batch_with_cache(lengths, **machine).round().tolist(), strict=True)
    ),
}

# %% [markdown]
# ## Your own machine
#
# A matrix stands for the weights, its columns for users. `rooflines here`, on a command line, times such products on
# your computer; here are those of two cores of a server. Both rates are read off the ends. How far above the longer of
# reading and multiplying lies what is between?

# %%
timed = recorded()[0]
{
    f"{columns} columns": (show(seconds, "s"), f"{timed.over(columns):.2f} × the longer")
    for columns, seconds in timed.seconds.items()
}

# %% [markdown]
# Near balance it takes far longer than the longer of the two, even than their sum: for several columns the library runs
# another program than for one. Eight columns still take far less than eight times as long as one. Your own times go
# into `calc.world.own_machine.OwnMachine`.
#
# ## A price and a speed
#
# A provider that waits for memory, sells at cost and changes only its batch moves along $g = 1 + x(1 - 1/c)$, with
# speed $g$ at price $c$. Does an offer give the ratio of its batches? Step a machine by the simple form at two batches,
# price both, and read them back off the offer. That tests the algebra and not the world.

# %%
ordinary, fast = 400, 40
steps = batching.step_time(np.array([ordinary, fast]), 8000, **machine)
prices = batching.dollars_per_token(np.array([ordinary, fast]), steps.bound, dollars_per_hour=20)
price_ratio, speed_ratio = prices[1] / prices[0], steps.bound[0] / steps.bound[1]
implied = fast_mode.fast_mode(price_ratio, speed_ratio)
{
    "offer": f"{price_ratio:.2f} × the price for {speed_ratio:.2f} × the speed",
    "fast batch, read off the offer": round(implied.batch_share * ordinary, 6),
    "x, read off the offer": round(implied.cache_to_weights, 6),
    "x, from the step": round(float(steps.cache[0] / steps.weights), 6),
}

# %% [markdown]
# It does: the batch share times the ordinary batch is the fast one, and $x$ is the cache over the weights of the
# ordinary step. The whole curve, with other batches of the same machine as points on it, up to the largest that has
# room at this context:

# %%
others = np.append([10, 20, 40, 80, 160], step.most_sequences(here.setting, 8000)).astype(int)
stepped = batching.step_time(others, 8000, **machine)
points = [
    {"price": price, "speed": speed, "batch": f"{batch}"}
    for batch, price, speed in zip(
        others,
        batching.dollars_per_token(others, stepped.bound, 20) / prices[0],
        steps.bound[0] / stepped.bound,
        strict=True,
    )
]
asked = np.geomspace(fast_mode.price_floor(implied.cache_to_weights) * 1.001, points[0]["price"], 100)
line = [
    {"price": price, "speed": speed}
    for price, speed in zip(asked, fast_mode.speed_for_price(asked, implied.cache_to_weights), strict=True)
]
base = alt.Chart(alt.Data(values=points)).encode(
    x=alt.X("price:Q", title="Price (× ordinary)").scale(zero=False, nice=False),
    y=alt.Y("speed:Q", title="Speed (× ordinary)"),
)
(
    alt.Chart(alt.Data(values=line)).mark_line().encode(x="price:Q", y="speed:Q")
    + base.mark_point()
    + base.mark_text(align="left", dx=10, dy=6, color=look.MUTED).encode(text="batch:N")
).properties(
    height=300,
    description="Speed against price for six batches of one machine: all lie on the curve that one offer implies.",
)

# %% [markdown]
# ## How full may a train be?
#
# The lecture's two periods hold while there are seats. Requests come at random, so a train may be full although
# trains are not full on average. `departures.board` puts requests on trains; here on 500 trains, small and large, for
# loads from half full to nearly full.

# %%
period, trains = 0.02, 500
loads = np.linspace(0.5, 0.98, 25)
came = {seats: np.sort(draws.uniform(11, trains * seats)) * trains for seats in (4, 16, 64)}
waits = [
    {
        "load": load,
        "seats": f"{seats} seats",
        "periods": float(
            np.mean(departures.board(came[seats] * period / load, period, seats).arrives / period)
            - np.mean(came[seats] / load)
        ),
    }
    for seats in came
    for load in loads
]
names = ("4 seats", "16 seats", "64 seats")
alt.Chart(alt.Data(values=waits)).mark_line().encode(
    x=alt.X("load:Q", title="Load (requests for each seat)").axis(format="%"),
    y=alt.Y("periods:Q", title="Mean time to a token (periods)")
    .scale(type="log", nice=False)
    .axis(values=[1.5, 2, 3, 5], tickCount=40),
    color=alt.Color("seats:N", title=None).scale(**look.series(*names)),
    strokeDash=alt.StrokeDash("seats:N", title=None).scale(**look.dashes(*names)),
).properties(
    height=300,
    description="Mean time to a token against the load: 1.5 periods until trains fill, later for large ones.",
)

# %% [markdown]
# At half load a token comes after about 1.5 periods on average, as the formula says. Towards full load the queue grows,
# and large trains keep it away for longer: at hundreds of seats a system can be run almost full. Here a request leaves
# its seat after one train. A sequence keeps it for as many steps as its answer has tokens, so in a real queue the wait
# is counted in answers and not in periods.
#
# ## Mixed company
#
# All sequences of a figure have the same context. In a real batch they have not. By the simplest bound, that helps:
# short ones need arithmetic, long ones need memory, and a step that carries both uses both. Is it true of the step's
# operations? Take as many short as long sequences, on two systems, first apart and then mixed.

# %%
node = here.setting
count, short, long = 400, 100, 3000
apart = [step.decode(node, 2 * count, length) for length in (short, long)]
mixed = step.Step(node, tuple(step.Requests(batch=count, context=length) for length in (short, long)), 1)
{
    "everything overlaps, apart": show(sum(each.bound_seconds for each in apart), "s"),
    "everything overlaps, mixed": show(2 * mixed.bound_seconds, "s"),
    "operations in turn, apart": show(sum(each.in_turn_seconds for each in apart), "s"),
    "operations in turn, mixed": show(2 * mixed.in_turn_seconds, "s"),
}

# %% [markdown]
# Where everything overlaps, mixing helps in batches as large as these: the reading of the long sequences hides behind
# the arithmetic of the short ones. One operation after another, it helps nothing: attention waits for memory and
# products for multipliers, whoever is in the batch.

# %% tags=["found"]
together = {
    "if everything overlaps": 2 * mixed.bound_seconds / sum(each.bound_seconds for each in apart),
    "if operations take turns": 2 * mixed.in_turn_seconds / sum(each.in_turn_seconds for each in apart),
}
print(
    f"One batch of sequences of {short:,} and of {long:,} tokens takes "
    + ", and ".join(f"{share:.0%} of the time of two {how}" for how, share in together.items())
    + "."
)

# %% [markdown]
# ## An open question
#
# A fleet has many systems, and requests of every length. Which requests should share a system, if the aim is the
# least cost of all tokens and every user is promised a speed? By a bound alone, mixing never loses. Real
# schedulers have reasons to separate: promises differ, caches must move, and long prompts hold up short ones.
# Take a distribution of contexts (a log-normal one will do), a number of systems and a promise, and find the
# division that is cheapest. By how much does it beat a random one, and does the answer survive if every step
# takes what `step.forecast` expects?
