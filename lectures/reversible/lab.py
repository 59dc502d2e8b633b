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
# # Lab: there and back
#
# This lab takes the equations of [lecture 7](../) to its figures, in code, and then to a way back without any error,
# which costs something else. The mathematics is in `calc`.

# %%
import altair as alt
import numpy as np

from calc import reversible
from calc.figure import look
from calc.quantities.units import show
from calc.reversible import activation_memory, feistel
from calc.reversible.training import train

# %% [markdown]
# ## A cipher
#
# $$(\mathbf x, \mathbf y) \mapsto (\mathbf y, \mathbf x \oplus f(\mathbf y))$$
#
# Encrypt a number, look at the halves, and take them back.

# %%
keys = feistel.round_keys(seed=1, rounds=8)
code = feistel.encrypt(0, 2026, keys)
[hex(half) for half in code], [int(half) for half in feistel.decrypt(*code, keys)]

# %% [markdown]
# What makes differences uncertain is the S-box: how many of its 16 inputs turn an input difference (row) into an output
# difference (column)? The one row without a 4 is the difference that is hardest to follow.

# %%
table = feistel.difference_table()
cells = [
    {"in": row, "out": column, "inputs": int(table[row, column])} for row in range(1, 16) for column in range(1, 16)
]
alt.Chart(alt.Data(values=cells)).mark_rect(color=look.SERIES[0]).encode(
    x=alt.X("out:O", title="Output difference").axis(labelAngle=0),
    y=alt.Y("in:O", title="Input difference"),
    opacity=alt.Opacity("inputs:Q", title="Inputs of 16").scale(domain=[0, 4], range=[0.04, 1]),
).properties(
    height=300,
    description="Grid of 15 by 15 cells: how often the S-box turns one difference into another, never above 4 of 16.",
)

# %% [markdown]
# ## A network, and how long its steps may be
#
# $$\frac{\Delta_R}{\Delta_0} \approx \left(1 + \frac{\sigma^2 c_J}{2}\right)^{R/2}$$
#
# That is with one $c_J$ for all layers; where steps are long, states grow and $c_J$ falls. Between full steps and
# $\sigma = 1/\sqrt R$ lies $\sigma = R^{-p}$. Where does the way back stay open in 32 bits?

# %%
depths = [4, 8, 16, 32, 64, 128, 256, 512]
powers = {"σ = 1": 0, "σ = 1/⁴√R": 0.25, "σ = 1/√R": 0.5}
rows = [
    {
        "layers": depth,
        "step": name,
        "error": reversible.reconstruction_error(
            reversible.network(depth, 16, step=depth**-power, dtype="float32"), samples=8
        ),
    }
    for name, power in powers.items()
    for depth in depths
]
alt.Chart(alt.Data(values=rows)).mark_line().encode(
    x=alt.X("layers:Q", title="Depth (layers)").scale(type="log", base=2, nice=False),
    y=alt.Y("error:Q", title="Error of the start").scale(type="log").axis(format=".0e", tickCount=5),
    color=alt.Color("step:N", title=None).scale(**look.series(*powers)),
    strokeDash=alt.StrokeDash("step:N", title=None).scale(**look.dashes(*powers)),
).properties(
    height=300,
    description="Error of the reconstructed start against depth, for three laws of the step: the shorter, the flatter.",
)

# %% [markdown]
# ## Memory against stretches
#
# $$\frac{R}{R_c}\, a_s + R_c\, a_r$$
#
# With records as large as states the best equal stretch is the root of the depth; with a transformer's it is short.

# %%
layers = 80
sizes = {"Record = state": 1, "Record = 20.25 states": 20.25}
stretches = np.arange(1, layers + 1)
held = [
    {"stretch": int(stretch), "memory": float(memory), "records": name}
    for name, size in sizes.items()
    for stretch, memory in zip(
        stretches,
        activation_memory.checkpoint(layers, stretches).bytes(1, size) / activation_memory.store(layers).bytes(1, size),
        strict=True,
    )
]
alt.Chart(alt.Data(values=held)).mark_line().encode(
    x=alt.X("stretch:Q", title="Layers between checkpoints").scale(type="log", nice=False),
    y=alt.Y("memory:Q", title="Memory, of that for storing all").axis(format="%"),
    color=alt.Color("records:N", title=None).scale(**look.series(*sizes)),
    strokeDash=alt.StrokeDash("records:N", title=None).scale(**look.dashes(*sizes)),
).properties(
    height=300,
    description="Memory against the stretch between checkpoints: a valley, further left where records are larger.",
)

# %%
[float(activation_memory.best_interval(layers, 1, size)) for size in sizes.values()]

# %% [markdown]
# ## The same training
#
# Sixty steps in 32 bits, storing and running backwards: states held, evaluations of a layer in a step, last losses.

# %%
runs = {way: train(way, steps=60, rounds=8, points=48, width=4, dtype="float32") for way in ("store", "reverse")}
{way: (run.last.peak_states, run.last.evaluations, float(run.losses[-1])) for way, run in runs.items()}

# %% [markdown]
# ## An open question
#
# The cipher comes back exactly, the network does not, for a sum rounds and exclusive or never does. So let a network's
# states be whole numbers: round the *update* to a multiple of $2^{-m}$ before it is added. Sums of such numbers are
# exact as long as they fit.

# %%
net = reversible.network(512, 16)
grid = 2.0**-16
start = [np.round(half / grid) * grid for half in reversible.inputs(net, 8)]
x, y = start
for index in range(net.rounds):
    x, y = y, x + np.round(net.branch(index, y) / grid) * grid
for index in reversed(range(net.rounds)):
    x, y = y - np.round(net.branch(index, x) / grid) * grid, x
float(np.abs(x - start[0]).max()), float(np.abs(y - start[1]).max())

# %% tags=["found"]
missed = next(row["error"] for row in rows if row["layers"] == net.rounds and row["step"] == "σ = 1")
rounded = max(float(np.abs(each - begun).max()) for each, begun in zip((x, y), start, strict=True))
print(
    f"Through {net.rounds} layers with full steps the way back misses the start by {show(missed, digits=1)} in 32 bits "
    f"and by {rounded:g} if each update is rounded to a grid."
)

# %% [markdown]
# Not a bit is lost, through 512 layers with full steps. But the gradient of a rounded update is zero almost
# everywhere; one pretends that the rounding is not there. How coarse may the grid be before training notices? And if
# the states are that coarse, are eight bits enough to *store* them, and was it worth running backwards at all?
