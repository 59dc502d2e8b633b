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
# # Lab: a hundred times past Chinchilla
#
# [Lecture 5](../) says where the cheapest model lies by an equation. Here we look for it without one, see how flat its
# neighbourhood is, and then take away what the law takes for granted: that data never run out. At the end stands a run
# of another kind: a robot's, in which memory can limit training.

# %%
import altair as alt
import numpy as np

from calc import batching, catalog, overtraining
from calc.figure import look
from calc.overtraining import lifetime, reinforcement, scaling_law, training_run
from calc.overtraining.figures.setting import COUNTED
from calc.quantities.units import show

# %% [markdown]
# ## Two laws
#
# $$\Lambda = \Lambda_0 + A_N N_a^{-\alpha} + A_D D^{-\delta}$$
#
# The catalogue has two fits of it to the same training runs. The refit gives standard errors and agrees with the rule
# of thumb; the original's fitting stopped early. Trust the refit, and watch how far the other one would mislead.

# %%
fits = catalog.loss_fits()
laws = {
    row.name: scaling_law.ScalingLaw(
        row.irreducible, row.params_factor, row.tokens_factor, row.params_exponent, row.tokens_exponent
    )
    for row in fits.values()
}
{name: vars(law) for name, law in laws.items()}

# %% [markdown]
# ## The cheapest model, by brute force
#
# Take the lecture's guess, and ask for all models that are as good: for each number of tokens there is one size.
# Each has a life to pay for, $N_a (6D + 2D_l)$. We try two thousand of them and keep the cheapest.

# %%
guess, later = scaling_law.Allocation(100e9, 200e12), 1200e12  # passes: half are reinforcement, half serving
tried = np.geomspace(20e12, 2e15, 2000)
found = {}
for name, law in laws.items():
    target = scaling_law.loss(law, guess.params, guess.tokens)
    model = scaling_law.Allocation(scaling_law.params_for_loss(law, target, tried), tried)
    cost = model.lifetime_operations(later)
    best = lifetime.cheapest_at_loss(law, target, later)
    found[name] = {
        "tokens, tried": show(tried[cost.argmin()], "tokens"),
        "tokens, solved": show(best.tokens, "tokens"),
        "size": show(best.params, "parameters"),
        "the guess costs more by": show(guess.lifetime_operations(later) / cost.min() - 1, "%"),
    }
dict(found)

# %% [markdown]
# Trying and solving agree. The guess was chosen so that its three bills are equal. Two of them are its later life, so
# $2D_l$ is twice $6D$. How flat is it around the cheapest model?

# %%
rows = [
    {"tokens": tokens, "cost": above, "fit": name}
    for name, law in laws.items()
    for target in [scaling_law.loss(law, guess.params, guess.tokens)]
    for model in [scaling_law.Allocation(scaling_law.params_for_loss(law, target, tried[::20]), tried[::20])]
    for tokens, above in zip(
        model.tokens,
        model.lifetime_operations(later) / lifetime.cheapest_at_loss(law, target, later).lifetime_operations(later),
        strict=True,
    )
    if above < 2
]
alt.Chart(alt.Data(values=rows)).mark_line().encode(
    x=alt.X("tokens:Q", title="Trained on (tokens)").scale(type="log", nice=False).axis(**COUNTED),
    y=alt.Y("cost:Q", title="Cost of a life (× the cheapest)").scale(zero=False),
    color=alt.Color("fit:N", title=None).scale(**look.series(*laws)),
    strokeDash=alt.StrokeDash("fit:N", title=None).scale(**look.dashes(*laws)),
).properties(
    height=300,
    description="Cost of a model's life over the cheapest, against its training tokens: two flat valleys side by side.",
)

# %% [markdown]
# Two valleys, a good way apart, and each so wide that the bottom of one lies on the slope of the other. Half or twice
# the tokens cost less than a tenth more.
#
# ## The exchange
#
# Half and half is cheapest where the exchange $\gamma$ is a half, three equal bills where it is a third. Along a line
# of equal loss it is $-\,\mathrm{d}\ln N_a / \mathrm{d}\ln D$, which a ratio of differences gives without any calculus.

# %%
points = []
for name, law in laws.items():
    target = scaling_law.loss(law, guess.params, guess.tokens)
    sizes = scaling_law.params_for_loss(law, target, tried)
    exchange = -np.diff(np.log(sizes)) / np.diff(np.log(tried))
    ratio = lifetime.serving_that_justifies(law, sizes, tried)[:-1]
    print(f"{name}: 1/γ is 1 plus the ratio of the equation, to {np.abs(1 / exchange / (1 + ratio) - 1).max():.1%}")
    points += [
        {"tokens": tokens, "exchange": value, "fit": name}
        for tokens, value in zip(tried[:-1:20], exchange[::20], strict=True)
    ]
half = alt.Chart(alt.Data(values=[{"exchange": 0.5}])).mark_rule(strokeDash=[2, 3]).encode(y="exchange:Q")
(
    half
    + alt.Chart(alt.Data(values=points))
    .mark_line()
    .encode(
        x=alt.X("tokens:Q", title="Trained on (tokens)").scale(type="log", nice=False).axis(**COUNTED),
        y=alt.Y("exchange:Q", title="Size saved for a per cent more tokens (%)").scale(domainMin=0),
        color=alt.Color("fit:N", title=None).scale(**look.series(*laws)),
        strokeDash=alt.StrokeDash("fit:N", title=None).scale(**look.dashes(*laws)),
    )
).properties(
    height=300,
    description="The exchange against training tokens falls through a half, at other tokens for each of two fits.",
)

# %% [markdown]
# ## When data run out
#
# The law takes each token to be new. Suppose that only so many new ones exist, and that nothing else helps. Then
# $D$ has a ceiling, the model must be larger to be as good, and the life costs more. By how much?

# %%
ceilings = np.geomspace(30e12, 400e12, 40)
short = []
for name, law in laws.items():
    target = scaling_law.loss(law, guess.params, guess.tokens)
    best = lifetime.cheapest_at_loss(law, target, later)
    used = np.minimum(ceilings, best.tokens)
    forced = scaling_law.Allocation(scaling_law.params_for_loss(law, target, used), used)
    extra = forced.lifetime_operations(later) / best.lifetime_operations(later) - 1
    short += [
        {"ceiling": ceiling, "extra": above, "fit": name}
        for ceiling, above in zip(ceilings, extra, strict=True)
        if above < 1
    ]
alt.Chart(alt.Data(values=short)).mark_line().encode(
    x=alt.X("ceiling:Q", title="New tokens that exist").scale(type="log", nice=False).axis(**COUNTED),
    y=alt.Y("extra:Q", title="Dearer by").axis(format="%"),
    color=alt.Color("fit:N", title=None).scale(**look.series(*laws)),
    strokeDash=alt.StrokeDash("fit:N", title=None).scale(**look.dashes(*laws)),
).properties(
    height=300,
    description="What a ceiling on training tokens adds to the cost of a life: nothing at first, then steeply more.",
)

# %% [markdown]
# Under the original fit scarcity bites early, under the refit late: they disagree about what data are worth, and so
# about how much one should pay for them.
#
# ## Chips
#
# How many hours would the guess take, at the utilisation of BF16's peak that DeepSeek reached?

# %%
known = catalog.model("deepseek-v3")
chip = catalog.chip("h800-sxm")
busy = training_run.achieved_utilisation(
    overtraining.training_operations(known.active_params, known.train_tokens),
    chip.bf16_flops,
    known.pretrain_chip_hours,
)
hours = training_run.chip_hours(guess.training_operations, catalog.chip("gb200").bf16_flops, busy)
{"busy": show(busy, "%"), "GB200-hours": show(hours), "days on 100,000 of them": round(hours / 24 / 100_000, 1)}

# %% [markdown]
# ## When few samples share an update
#
# So far arithmetic sets the hours of training. Why not memory, which limits a decode step? Because millions of tokens
# share each update of a language model, and an update moves its bytes once for all of them. To see memory limit
# training, take a run in which few samples share an update, as reinforcement of a robot can be.
#
# A *policy* is the network that chooses the robot's actions. It learns in *environments*, simulated worlds; a *sample*
# is one action in one of them and what came of it. Three things take turns. The *world* steps, many environments side
# by side. The policy *acts*, in one pass for all of them. And it *learns*, in updates of many samples.
#
# How many must share a pass or an update? As in [lecture 1](../../batching/), so many that arithmetic takes as
# long as moving the bytes. Count how many operations an H100 does in the time in which it moves one byte.
#
# - *Acting* reads a weight, two bytes, and does two operations with it for each environment: an operation a byte. So
#   the balance is as many environments as the chip does operations for each byte.
# - *Learning* moves 34 bytes for each parameter, as the optimiser's state moves too, and does six operations for each
#   sample. So the balance is 34/6 as many.
#
# With fewer, memory is the limit.

# %%
gpu = catalog.chip("h100-sxm")
rates = {"flops": gpu.bf16_flops, "bandwidth": gpu.hbm_bandwidth}
{
    "operations for each byte": round(gpu.bf16_flops / gpu.hbm_bandwidth),
    "acting, environments": round(batching.hardware_ratio(*rates.values(), training_run.WEIGHT_BYTES)),
    "learning, samples": round(reinforcement.balanced_minibatch(**rates)),
}

# %% [markdown]
# With each of its $X$ samples the policy acts once, and learns from it $\kappa$ times, which takes
# $X N_a (2 + 6\kappa)$ operations. $V$ environments each take $\phi$ steps a second, so the world needs $X/(V\phi)$.
# Acting is $X/V$ passes in a batch of $V$, learning $\kappa X/U$ updates of $U$ samples. An update reads the weights
# twice and writes them (six bytes for each parameter), and reads and writes gradients (four) and optimiser
# (twenty-four). So each of the two has a time for its arithmetic and one for its bytes:
#
# $$
# \begin{aligned}
# t_\text{act} &\ge \frac{X}{V}\max\!\left(\frac{2 N_a V}{F},\ \frac{b N_a}{w}\right), \\
# t_\text{learn} &\ge \frac{\kappa X}{U}\max\!\left(\frac{6 N_a U}{F},\ \frac{34 N_a}{w}\right).
# \end{aligned}
# $$
#
# In learning the two are equal at $U^* = 34F/6w$, the same however many parameters there are, if layers are wide.
#
# Activations are left out. For each sample a layer of width $d$ does $2d^2$ operations and moves $4d$ bytes. Their
# times are equal at $d = 2F/w$, some six hundred on an H100. Below that width no batch keeps the multipliers busy,
# unless what passes between layers stays on the chip, as where they are *fused*. Kernels too small to fill a chip make
# small networks slower still.
#
# Weights that fit into the memory *beside* the multipliers are not read from main memory at all. We suppose 50 MB of
# it, of the right order for a large GPU.
#
# Take a billion samples from 4,096 environments at 50 steps a second, each learned from five times, and let the policy
# grow. A second curve of learning has updates of 256 samples.

# %%
world = {"environments": 4096, "steps_per_second": 50, "epochs": 5, "on_chip_bytes": 50e6, **rates}
sizes = np.geomspace(4e6, 5e9, 63)
usual = reinforcement.reinforcement_time(sizes, 1e9, minibatch=24_576, **world)
small = reinforcement.reinforcement_time(sizes, 1e9, minibatch=256, **world)
parts = {
    "world": np.full_like(sizes, usual.simulating),
    "acting": usual.acting,
    "learning": usual.learning,
    "learning, small updates": small.learning,
}
timed = [
    {"parameters": size, "hours": seconds / 3600, "part": name}
    for name, times in parts.items()
    for size, seconds in zip(sizes, times, strict=True)
]
alt.Chart(alt.Data(values=timed)).mark_line().encode(
    x=alt.X("parameters:Q", title="Parameters of the policy").scale(type="log", nice=False).axis(**COUNTED),
    y=alt.Y("hours:Q", title="Hours on one H100, at least").scale(type="log").axis(format="~g"),
    color=alt.Color("part:N", title=None).scale(**look.series(*parts)),
    strokeDash=alt.StrokeDash("part:N", title=None).scale(**look.dashes(*parts)),
).properties(
    height=300,
    description="Hours of a robot's run against its policy's size: the world's stay, acting and learning rise.",
)

# %% [markdown]
# In numbers, for ten million parameters:

# %%
robot = reinforcement.reinforcement_time(10e6, 1e9, minibatch=24_576, **world)
operations = reinforcement.policy_operations(10e6, 1e9, 5)
rent = catalog.rent("h100-sxm").dollars_per_chip_hour
alone = reinforcement.reinforcement_time(10e6, 1e9, minibatch=24_576, **world | {"environments": 1})
{
    "world": show(robot.simulating, "s"),
    "acting": show(robot.acting, "s"),
    "learning": show(robot.learning, "s"),
    "one robot": show(alone.simulating, "s"),
    "operations": show(operations, "operations"),
    "rent while it runs, by turns": show(robot.serial / 3600 * rent, "$"),
    "state": show(training_run.model_state_bytes(10e6), "B"),
    "leaves the chip at": show(reinforcement.params_on_chip(50e6), "parameters"),
    "fills memory at": show(training_run.largest_trainable(gpu.hbm_bytes), "parameters"),
}

# %% [markdown]
# Both batches are far above their balance, so memory limits neither. A small policy waits for its world: buy a faster
# simulator. A larger one waits for arithmetic, unless so few samples share an update that it waits for memory.
#
# Now design a run. A policy of 50 million parameters is to learn from two billion samples, each used four times, in an
# hour on one H100; a world runs at 100 steps a second, while the chip acts and learns. How many worlds do you need,
# does memory limit acting or learning, and which batch do you choose? Answer before you read on.

# %%
worlds = int(-(-2e9 // (100 * 3600)))
batch = int(-(-reinforcement.balanced_minibatch(**rates) // 1))
task = {"environments": worlds, "steps_per_second": 100, "epochs": 4, "on_chip_bytes": 50e6, **rates}
policy = reinforcement.reinforcement_time(50e6, 2e9, minibatch=batch, **task)
hasty = reinforcement.reinforcement_time(50e6, 2e9, minibatch=256, **task)
{
    "worlds": worlds,
    "samples of an update": batch,
    "acting": show(policy.acting, "s"),
    "learning": show(policy.learning, "s"),
    "learning, as busy as DeepSeek": show(policy.learning / busy, "s"),
    "learning, 256 an update": show(hasty.learning, "s"),
    "worlds, if the three take turns": round(2e9 / (100 * (3600 - policy.acting - policy.learning))),
}

# %% [markdown]
# The weights do not fit beside the multipliers, so they are read in each pass; but so many worlds share a pass that
# arithmetic is the limit. Learning takes its least at the balance or above, and far longer with small updates, for then
# memory is the limit. With so many worlds the world alone takes the hour, so the three have to overlap. And these are
# bounds: on a chip as busy as DeepSeek's were, learning alone takes nearly two hours, and one H100 would not do.

# %% tags=["found"]
places = [f"{each['size']} on {each['tokens, solved']} ({name})" for name, each in found.items()]
print(
    f"As good as {show(guess.params, 'parameters')} on {show(guess.tokens, 'tokens')}, and cheapest over its life, is "
    + " or ".join(places)
    + "."
)

# %% [markdown]
# ## An open question
#
# Repeated tokens are worth less than new ones, but not nothing. Replace $D$ in the law by an effective number of
# tokens that grows more slowly once data repeat (`scaling_law.worth_in_new_tokens` is one form), and let new tokens
# have a price: somebody writes, records or generates them. How long should a model then be trained for a given later
# life, how many epochs is that, and what is the most that one should pay for a trillion new tokens? The two laws will
# disagree. Which measurement, at which size and length of training, would tell them apart for the least money?
