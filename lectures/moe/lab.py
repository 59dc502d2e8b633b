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
# # Lab: experts on a rack
#
# This lab takes the equations of [lecture 2](../) to its figures, in code, and then to a router with favourites, as
# real text has them. The mathematics is in `calc`, the facts are in its catalogue.

# %%
import altair as alt
import numpy as np

from calc import batching, moe, step
from calc.figure import look
from calc.moe import routing
from calc.quantities import draws
from calc.quantities.units import show
from calc.setting import Scenario

# %% [markdown]
# ## Bytes of an exchange
#
# $$S = \frac{B}{n}\, E_a\, d\, (q_1 + q_2), \qquad t_\text{bytes} = \frac{l_e S}{u}$$
#
# A model and a system give every number; the batch is ours.

# %%
here = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8")
model, system = here.model, here.system
layers = model.layers - model.dense_layers
batch = 2048
sent = moe.exchange_bytes(batch / system.chips, model.d_model, model.active_routed_experts)
inside = layers * moe.exchange_seconds(sent.total, system.scale_up_bandwidth)
outside = layers * moe.exchange_seconds(sent.total, system.scale_out_bandwidth)
show(sent.dispatch, "B"), show(sent.combine, "B"), show(inside, "s"), show(outside, "s")

# %% [markdown]
# Lecture 1 gives the rest of the step. Two halves of a batch, each of which reads the weights, hide the exchange up to
# the batch $B_e = 2 t_w / (e - y)$; inside the rack, at every batch.

# %%
rest, one = (batching.step_time(each, 4096, **here.step_arguments()) for each in (batch, 1))
each = np.array([inside, outside]) / batch
show(rest.bound, "s"), moe.hidden_batch(each, one.weights, one.cache, one.compute, readings=2)

# %% [markdown]
# That is the simple form: one sum for reading, one for arithmetic, one for the wires. `calc.step` counts the same step
# operation by operation, as it is laid out. Every chip reads its own copy of the weights of attention, and two halves
# of a batch read what they share twice: where reading weights is most of the step, they take longer than no overlap.
# `calc.step` gives four answers, and a forecast of what would be measured.

# %%
whole = step.decode(here.setting, batch, 4096)
{
    "simple, the exchange hidden": show(max(float(rest.bound), float(inside)), "s"),
    "everything overlaps": show(whole.bound_seconds, "s"),
    "operations in turn": show(whole.in_turn_seconds, "s"),
    "two halves in turn": show(whole.halves_seconds, "s"),
    "nothing overlaps": show(whole.serial_seconds, "s"),
    "to be expected": show(step.forecast(here.setting, batch, 4096).seconds, "s"),
}

# %% [markdown]
# ## Racks, and what they are paid for
#
# Back to the simple form. The figure of the lecture compares racks at equal bytes for each chip. A buyer compares them
# at equal *batch*. Over $m$ racks each chip has $1/m$ of the tokens, so its exchange takes $1/m$ of equation (5); and
# it reads $1/m$ of the weights and of the cache. The step is the longer of the two.

# %%
racks = np.arange(1, 9)
ratios = {"Equal links: 1": 1, "GB300: 9": 9, "GB200: 18": 18}
curves = {
    name: np.maximum(rest.bound / racks, inside / racks * moe.spread_slowdown(racks, ratio))
    for name, ratio in ratios.items()
}
rack = ("deepseek-v3", "gb200-nvl72", "fp8")
turns = [step.decode_step(*rack, batch=batch, context=4096, chips=72 * int(count)).in_turn_seconds for count in racks]
curves["GB200, operations in turn"] = np.array(turns)
rows = [
    {"racks": int(count), "speed": curves[name][0] / seconds, "links": name}
    for name in curves
    for count, seconds in zip(racks, curves[name], strict=True)
]
alt.Chart(alt.Data(values=rows)).mark_line().encode(
    x=alt.X("racks:Q", title="Racks").axis(format="d"),
    y=alt.Y("speed:Q", title="Speed of a user, × one rack"),
    color=alt.Color("links:N", title=None).scale(**look.series(*curves)),
    strokeDash=alt.StrokeDash("links:N", title=None).scale(**look.dashes(*curves)),
).properties(
    height=300,
    description="Speed of a user against racks at one batch: proportional with equal links, far less with slow ones.",
)

# %% [markdown]
# Eight racks cost eight times as much. By the simple form and with links as fast as those inside they would be eight
# times as fast. With the cards of GB300 a second rack would still pay in full at this batch, because one rack's
# exchange left room to hide; with those of GB200 it would buy less than a fifth.
#
# The whole step says something else. Every chip reads its own copy of the weights of attention, which no second rack
# makes smaller, and in the fourth rack every expert lies alone on its chip: more chips stay unused. So with GB200's
# cards the second rack buys about a quarter, and eight buy less than half. With links as fast as those inside it would
# be about a third, and two thirds. Try four times the batch.
#
# ## How uneven is even?
#
# The busiest expert under even routing has an expected load between two bounds, which come from one binomial
# distribution. The mean of two hundred throws for each batch, which chance may put just outside, beside the bounds:

# %%
experts, picks = model.routed_experts, model.active_routed_experts
tokens = np.array([32, 64, 128, 256, 512, 1024, 2048])
bounds = routing.busiest_expert(tokens, experts, picks)
band = [
    {"tokens": int(count), "low": low / mean, "high": high / mean}
    for count, low, high, mean in zip(tokens, bounds.at_least, bounds.at_most, bounds.mean, strict=True)
]
thrown = [
    {
        "tokens": int(count),
        "load": float(
            np.mean([routing.drawn_loads(int(count), experts, picks, seed).max() for seed in range(1, 201)]) / mean
        ),
    }
    for count, mean in zip(tokens, bounds.mean, strict=True)
]
at_each = {"values": tokens.tolist(), "format": "d"}
across = alt.X("tokens:Q", title="Tokens in a step").scale(type="log", nice=False).axis(**at_each)
(
    alt.Chart(alt.Data(values=band))
    .mark_area(line=False)
    .encode(x=across, y=alt.Y("low:Q", title="Busiest expert, × average").scale(zero=False), y2="high:Q")
    + alt.Chart(alt.Data(values=thrown)).mark_point().encode(x=across, y="load:Q")
).properties(
    height=300,
    description="Busiest load over the average, against tokens: a narrow, falling band with throws along it.",
)

# %% [markdown]
# ## A router with favourites
#
# Now let some experts be liked better. Give expert $i$ the weight $i^{-0.4}$, and let every token take the eight
# largest of weight-shifted random scores (adding Gumbel noise to the logarithms draws without repetition in
# proportion to the weights). Shuffle the experts, put four on a chip, and look at the chips.

# %%
count = 2048
liked = -0.4 * np.log(np.arange(1, experts + 1))[np.argsort(draws.uniform(5, experts))]
noise = -np.log(-np.log(np.maximum(draws.uniform(7, (count, experts)), 1e-300)))
chosen = np.argpartition(-(liked + noise), picks - 1, axis=1)[:, :picks]
favoured = np.bincount(chosen.ravel(), minlength=experts).astype(float)
even = routing.drawn_loads(count, experts, picks)
placed = moe.place_experts(experts, system.chips)
vars(placed)

# %% [markdown]
# Eight chips have no experts: room for 32 copies. Copy the 32 most loaded experts, let both copies share, and put the
# copies on those chips.

# %%
hottest = np.argsort(-favoured)[: int(placed.copies_to_fill)]
shared = favoured.copy()
shared[hottest] /= 2
per_chip = int(placed.experts_per_chip)
plans = {
    "Even router": np.append(even.reshape(-1, per_chip).sum(axis=1), np.zeros(8)),
    "Favourites": np.append(favoured.reshape(-1, per_chip).sum(axis=1), np.zeros(8)),
    "Favourites, copied": np.append(shared, shared[hottest]).reshape(-1, per_chip).sum(axis=1),
}
fair = count * picks / system.chips
ranked = [
    {"rank": place + 1, "load": load / fair, "plan": name}
    for name, loads in plans.items()
    for place, load in enumerate(np.sort(loads)[::-1])
]
alt.Chart(alt.Data(values=ranked)).mark_line().encode(
    x=alt.X("rank:Q", title="Chips, from the busiest down").scale(domain=[1, system.chips]),
    y=alt.Y("load:Q", title="Load of a chip, × a fair share of the rack"),
    color=alt.Color("plan:N", title=None).scale(**look.series(*plans)),
    strokeDash=alt.StrokeDash("plan:N", title=None).scale(**look.dashes(*plans)),
).properties(
    height=300,
    description="Loads of 72 chips in order: favourites make the busiest chip far busier, copies take part of it back.",
)

# %%
eight_each = favoured.reshape(-1, 8).sum(axis=1) / (count * picks / 32)
{name: round(float(loads.max() / fair), 2) for name, loads in plans.items()}, round(float(eight_each.max()), 2)

# %% [markdown]
# The step waits for the leftmost chip. Even an even router leaves it above one: eight chips hold no expert, and chance
# does the rest. It is one draw of many. Copies halve the load of the hottest experts; but one chip now holds half of
# each of the four greatest favourites, and the step waits for that one.
#
# DeepSeek-R1's favourites, which NVIDIA counted, are stronger: with eight experts on each of 32 chips the hottest had
# more than two and a half times the mean, where ours has the last number. With copies placed by that count the hottest
# came down, for the same prompts, to little more than the mean. So it matters where a copy stands.

# %% tags=["found"]
second, eight = (float(turns[0] / turns[many - 1] - 1) for many in (2, 8))
plain, copied = (plans[name].max() / fair for name in ("Favourites", "Favourites, copied"))
print(
    f"For {batch:,} sequences a second rack of GB200 makes a user {second:.0%} faster, and eight racks {eight:.0%}; "
    f"favourites load the busiest chip with {plain:.1f} times a fair share, and with copies {copied:.1f} times."
)

# %% [markdown]
# ## An open question
#
# Which experts should be copied how often, and where should all of them stand, so that the busiest chip of a rack
# carries least? With the loads known this is a packing problem, and sorting gets you far: try placing the largest
# load on the emptiest chip. But loads change with the text, hour by hour, and moving an expert means sending its
# weights. How often is it worth while, if a move of one expert of one layer costs what it takes to send its bytes,
# `here.setting.model.layers[-1].feed_forward.expert` parameters, and every step until then waits for the busiest chip?
