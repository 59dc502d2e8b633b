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
# # Lab: pipelining across racks
#
# This lab holds the formulas of [lecture 3](../) against timetables that are played task by task. Both are in
# `calc.pipelining`.

# %%
import altair as alt
import numpy as np

from calc import batching, pipelining, step
from calc.figure import look
from calc.pipelining import bubbles, schedules
from calc.quantities.units import show
from calc.setting import Layout, Scenario

# %% [markdown]
# ## A timetable
#
# Each stage has a list of tasks and starts each of them as soon as its input is there. The gaps follow.

# %%
played = schedules.timetable("zb-h1", stages=4, micro_batches=8)
kinds = {"F": "Forward", "B": "Gradient of inputs", "W": "Gradient of weights"}
rows = [
    {"stage": task.stage + 1, "start": task.start, "end": task.end, "kind": kinds[task.kind]} for task in played.tasks
]
alt.Chart(alt.Data(values=rows)).mark_rect(stroke=look.PAPER, strokeWidth=1).encode(
    x=alt.X("start:Q", title="Time (forward passes of a stage)").scale(nice=False),
    x2="end:Q",
    y=alt.Y("stage:O", title="Stage").scale(paddingInner=0.14).axis(grid=False),
    color=alt.Color("kind:N", title=None).scale(**look.series(*kinds.values())),
).properties(
    height=220,
    description="Timetable of four stages under ZB-H1: gradients of weights fill most of the gaps at the end.",
)

# %% [markdown]
# ## Do the formulas hold?
#
# For 1F1B the bubble is
#
# $$\frac{P - 1}{N_b + P - 1}$$
#
# of the step. Compare it, and those of the other schedules, with what was played.

# %%
{
    name: (
        round(float(bubbles.bubble_share(name, 4, 8)), 4),
        round(schedules.timetable(name, 4, 8).idle_share, 4),
        round(1 - 24 / (24 + max(schedules.timetable(name, 4, 8).waits)), 4),
    )
    for name in ("gpipe", "1f1b", "zb-h1", "zb-h2")
}

# %% [markdown]
# The three numbers are the formula, the idle share of the played step, and that of the stage that waits longest, from
# its own first task to its last. For ZB-H2 the formula counts only the last: its gaps lie at the ends of the step,
# where another step can begin.
#
# So far all passes took equally long. Let the gradient of the weights be shorter or longer than the others, at the same
# sum of all three.

# %%
shares = np.linspace(0.05, 0.6, 23)
names = ("1F1B", "ZB-H1", "ZB-H2")
bent = [
    {
        "weight": share,
        "schedule": name,
        "waits": float(
            bubbles.bubble_share(name.lower(), 8, 32, forward=(1 - share) / 2, backward=(1 - share) / 2, weight=share)
        ),
    }
    for name in names
    for share in shares
]
alt.Chart(alt.Data(values=bent)).mark_line().encode(
    x=alt.X("weight:Q", title="Gradient of the weights, share of the work").scale(zero=True).axis(format="%"),
    y=alt.Y("waits:Q", title="Bubble of eight stages, 32 micro-batches").scale(zero=True).axis(format="%"),
    color=alt.Color("schedule:N", title=None).scale(**look.series(*names)),
    strokeDash=alt.StrokeDash("schedule:N", title=None).scale(**look.dashes(*names)),
).properties(
    height=280,
    description="Bubble against the share of weight gradients: zero-bubble schedules need enough of them to fill gaps.",
)

# %% [markdown]
# Zero bubble needs filling: attention over long contexts has no weights, so long sequences leave less to fill with.
#
# ## Decoding: who waits for whom
#
# With hops of $t_h$, the way back counted as one of them, a full pipeline wants $N_b \ge P(1 + P t_h/t)$ micro-batches.
# Play it, with too few and with enough.

# %%
stages, hop = 4, 0.05
many = np.arange(1, 11)
counted = [
    {
        "micro": int(micro),
        "tokens": 200 * int(micro) / schedules.decode_timetable(stages, int(micro), 200, slot=0.25, hop=hop).seconds,
        "formula": float(pipelining.throughput(1, micro, pipelining.decode_cycle(1, stages, micro, hop).seconds)),
    }
    for micro in many
]
base = alt.Chart(alt.Data(values=counted)).encode(x=alt.X("micro:Q", title="Micro-batches in flight"))
(
    base.mark_line().encode(y=alt.Y("formula:Q", title="Micro-batches that gain a token in a step"))
    + base.mark_point(color=look.SERIES[1]).encode(y="tokens:Q")
).properties(
    height=260,
    description="Throughput against micro-batches: it rises in proportion, then is level, as played.",
)

# %%
float(pipelining.micro_batches_to_fill(1, stages, hop))

# %% [markdown]
# ## Room, or speed?
#
# $P$ racks can be $P$ copies of the model side by side, a pipeline, or, if somebody builds it, one domain. Give each
# of them as many sequences as fit and look at the speed of a user and the tokens of all. The model is DeepSeek-V3 in
# FP8 at a context of 100,000, on GB200 racks.

# %%
rack, context, racks = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8"), 100_000, 4
machine, larger = rack.step_arguments(), rack.times(racks).step_arguments()
room = {
    "hbm_bytes": rack.chip.hbm_bytes,
    "weight_bytes": rack.weight_bytes,
    "context": context,
    "kv_bytes_per_token": rack.kv_bytes_per_token,
}
copies = float(pipelining.largest_micro_batch(**room, chips_per_stage=rack.chips))
line = float(pipelining.largest_micro_batch(**room, chips_per_stage=rack.chips, stages=racks))
domain = float(pipelining.largest_micro_batch(**room, chips_per_stage=racks * rack.chips))
steps = {
    "copies": (racks * copies, batching.step_time(copies, context, **machine).bound),
    "pipeline": (racks * line, batching.step_time(line, context, **machine).bound),
    "one domain": (domain, batching.step_time(domain, context, **larger).bound),
}
{
    name: {"sequences": round(sequences), "a token every": show(step, "s"), "tokens a second": round(sequences / step)}
    for name, (sequences, step) in steps.items()
}

# %% [markdown]
# These are steps of the simple form. The first two again, operation by operation, with as many sequences as then fit:
# attention and experts over the chips of a stage, and what one stage hands to the next.

# %%
stages_of = {"copies": 1, "pipeline": racks}
settings = {name: rack.setting.with_layout(Layout(data=rack.chips, pipeline=each)) for name, each in stages_of.items()}
fitting = {name: float(step.most_sequences(setting, context)) for name, setting in settings.items()}
laid = {name: step.decode(settings[name], fitting[name], context) for name in settings}
held = {name: fitting[name] * racks / each for name, each in stages_of.items()}
{
    name: {
        "sequences": round(held[name]),
        "everything overlaps": show(found.bound_seconds, "s"),
        "operations in turn": show(found.in_turn_seconds, "s"),
        "nothing overlaps": show(found.serial_seconds, "s"),
        "tokens a second, in turn": round(held[name] / found.in_turn_seconds),
    }
    for name, found in laid.items()
}

# %% [markdown]
# With full memories copies and the domain take a drain time for a step by the simple form. The pipeline takes slightly
# longer, as a stage reads its weights anew for each micro-batch. All three decode about as much: the pipeline holds a
# few more sequences, and so does the domain. Operation by operation the pipeline holds an eighth more than the copies,
# as its chips keep attention's weights of one stage only, and takes an eighth longer: again both decode as much. For
# *few* sequences the domain is up to four times as fast by the simple form, but hardly faster operation by operation,
# as every chip reads all weights of attention.

# %% tags=["found"]
said, waited = float(bubbles.bubble_share("1f1b", 4, 8)), schedules.timetable("1f1b", 4, 8).idle_share
copied, piped = (held[name] / laid[name].in_turn_seconds for name in stages_of)
print(
    f"Played task by task, four stages under 1F1B wait for {waited:.1%} of a step of eight micro-batches, and by the "
    f"formula for {said:.1%}; {racks} full racks decode {show(copied, '', 2)} tokens a second as copies and "
    f"{show(piped, '', 2)} as a pipeline."
)

# %% [markdown]
# ## An open question
#
# Micro-batches are not equal. Contexts differ, so one micro-batch takes longer than another on every stage, and the
# line moves at the pace of its slowest. Sequences can be sorted into micro-batches of like length, or mixed so that
# all micro-batches take equally long; they grow while they decode, and finish at random. Which sorting keeps a
# pipeline busiest, how many spare micro-batches does it need, and does the cache that those take leave any of the
# memory that the stages have set free?
