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
# # Lab: price your own model
#
# This lab goes from an architecture to a price list, in code, as [lecture 8](../) does. The mathematics is in `calc`,
# the facts are in its catalogue.

# %%
import altair as alt
import numpy as np

from calc import catalog
from calc.figure import look
from calc.quantities.units import show
from calc.serving.frontier import sweep
from calc.serving.public import left_over, offers
from calc.serving.request import Request
from calc.serving.sheet import sheet
from calc.serving.usual import usual
from calc.setting import Setting, transformer
from calc.setting.layout import Layout
from calc.setting.machine import Machine
from calc.setting.precisions import Precisions

# %% [markdown]
# ## A sheet
#
# A request brings tokens, finds a share of them in a cache, and gets an answer. A margin is what a list price leaves
# over the forecast cost of a rack that is never idle.

# %%
request = Request(input_tokens=4096, output_tokens=1000, cached_share=0.5)
rack = usual(Setting.published("deepseek-v3", "gb200-nvl72", "fp8"))
rent = catalog.rent("gb200-nvl72").dollars_per_chip_hour
found = sheet(rack, request, batch=2048, dollars_per_chip_hour=rent)
{
    "step, at least": show(float(found.writing.bound_seconds), "s"),
    "step, expected": str(found.expected),
    "a million tokens of output": show(1e6 * float(found.forecast.output), "$"),
    "margins": {
        f"{name}, list of {offer.effective:%B %Y}": show(left_over(offer, found.forecast, request), "%")
        for name, offer in offers("deepseek-v3").items()
    },
}

# %% [markdown]
# ## A model of your own
#
# The same for a model that is in no catalogue: layers, widths, heads.

# %%
mine = transformer(48, 6144, 20480, 48, 8, 128, 131072, name="mine")
node = Setting(mine, Machine.published("hgx-h200"), Precisions.named("fp8"), Layout(tensor=8))
own = sheet(node, request, batch=128, dollars_per_chip_hour=catalog.rent("hgx-h200").dollars_per_chip_hour)
show(float(mine.params)), show(1e6 * float(own.bound.output), "$"), show(1e6 * float(own.forecast.output), "$")

# %% [markdown]
# ## Cost against batch
#
# Both lines fall, and level off where little is left to share.

# %%
batches = [72.0 * 2**power for power in range(10)]
sheets = [sheet(rack, request, batch, rent) for batch in batches]
rows = [
    {"batch": batch, "dollars": 1e6 * float(each.output), "line": name}
    for batch, one in zip(batches, sheets, strict=True)
    for name, each in (("bound", one.bound), ("forecast", one.forecast))
]
alt.Chart(
    alt.Data(values=rows), description="Dollars for a million tokens of output against the batch, bound and forecast."
).mark_line().encode(
    x=alt.X("batch:Q", title="Batch (sequences)").scale(type="log").axis(format="~s"),
    y=alt.Y("dollars:Q", title="Dollars for a million tokens").scale(type="log").axis(format="$~g"),
    color=alt.Color("line:N", title=None).scale(domain=["bound", "forecast"], range=[look.INK, look.ACCENT]),
    strokeDash=alt.StrokeDash("line:N", title=None).scale(**look.dashes("bound", "forecast")),
)

# %% [markdown]
# ## Every layout
#
# Hundreds of batches in every layout, and the points that no other beats, about one in a hundred.

# %%
every = sweep(rack, 4596.0, batch=np.unique(np.round(np.geomspace(1, 1e5, 800))).tolist())
best = every.frontier()
show(every.tried), show(best.batch.size)

# %%
alt.Chart(
    alt.Data(
        values=[
            {"user": user, "chip": chip}
            for user, chip in zip(best.per_user.tolist(), best.per_chip.tolist(), strict=True)
        ]
    ),
    description="Tokens a second a chip against tokens a second for each user, on the frontier of bounds.",
).mark_line(color=look.INK).encode(
    x=alt.X("user:Q", title="Tokens a second for each user").scale(type="log").axis(format="~s"),
    y=alt.Y("chip:Q", title="Tokens a second a chip").scale(type="log").axis(format="~s"),
)

# %% tags=["found"]
print(
    f"A million tokens that DeepSeek-V3 writes on a rack of GB200 cost {show(1e6 * float(found.bound.output), '$')} at "
    f"least and {show(1e6 * float(found.forecast.output), '$')} by the forecast; those of a model with "
    f"{show(float(mine.params), 'parameters')} on eight H200 {show(1e6 * float(own.bound.output), '$')} and "
    f"{show(1e6 * float(own.forecast.output), '$')}."
)

# %% [markdown]
# ## An open question
#
# A provider serves two kinds of customer on the same rack: readers of long documents, who want a short answer soon, and
# agents, who write much and wait. Requests of both come at random. Which shares of the rack should read, write for the
# first and write for the second, if the split may change only once an hour, and how much dearer is that than a split
# that follows the traffic at once?
