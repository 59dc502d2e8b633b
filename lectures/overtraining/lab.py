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
# The lecture says where the cheapest model lies by an equation. Here we look for it without one, see how flat its
# neighbourhood is, and then take away what the law takes for granted: that data never run out.

# %%
import altair as alt
import numpy as np

from calc import catalog, overtraining
from calc.figure import look
from calc.overtraining import lifetime, scaling_law, training_run
from calc.overtraining.figures.setting import COUNTED
from calc.quantities.units import show

# %% [markdown]
# ## Two laws
#
# $$\Lambda = \Lambda_0 + A_N N_a^{-\alpha} + A_D D^{-\delta}$$
#
# The catalogue has two fits of it to the same training runs. The refit gives standard errors and agrees with the rule
# of thumb; the original's optimiser stopped early. Trust the refit, and watch how far the other one would mislead.

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
guess, later = scaling_law.Allocation(100e9, 200e12), 600e12
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
# Trying and solving agree. The guess was chosen so that its bills are equal: $2D_l = 6D$. How flat is it around
# the cheapest model?

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
# Two valleys, a good way apart, and each so wide that the bottom of one lies on the slope of the other. A factor of
# two in tokens costs per cents.
#
# ## The exchange
#
# Equal bills are cheapest where the exchange $\gamma$ is a half. Along a line of equal loss it is
# $-\,\mathrm{d}\ln N_a / \mathrm{d}\ln D$, which a ratio of differences gives without any calculus.

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
# Last, what the guess would take in hours, at the utilisation that DeepSeek reached.

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
# ## An open question
#
# Repeated tokens are worth less than new ones, but not nothing. Replace $D$ in the law by an effective number of
# tokens that grows more slowly once data repeat (Muennighoff et al., 2023, fitted one such form), and let new tokens
# have a price: somebody writes, records or generates them. How long should a model then be trained for a given later
# life, how many epochs is that, and what is the most that one should pay for a trillion new tokens? The two laws will
# disagree. Which measurement, at which size and length of training, would tell them apart for the least money?
