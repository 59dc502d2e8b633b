"""Lecture 7 in pictures: one memory budget of training, and which measure it takes to stay within it."""

from __future__ import annotations

from typing import Any

from calc import catalog
from calc.figure import look
from calc.figure.boxes import table
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO, prefixed
from calc.figure.inputs import Number
from calc.figure.named import key_layer, present
from calc.overtraining import training_run
from calc.overtraining.figures.setting import TRAINING_SYSTEM, training_chip
from calc.quantities.units import plain, show
from calc.reversible import activation_memory, memory_budget
from calc.reversible.figures.setting import TRAINED

PLANS = {
    "alone": "One chip alone",
    "sharded": "State sharded",
    "recomputed": "and recomputed",
    "offloaded": "and offloaded",
    "reversed": "or reversible",
}
PARTS = {
    "model": "Model state",
    "gathered": "Layer in use",
    "records": "Records",
    "states": "States",
}
COLOURS = (look.WEIGHTS, look.FAINT, look.FREE[0], look.FREE[1])
SHOWN, CROWDED = 2.0, 1.6  # memories of the chip: up to which bars are drawn; from which labels stand inside them
LINK = catalog.datum("pcie-5-link")
GIGA = 1e9
LOGIT_BYTES = 4  # in 32 bits, as a loss takes them

TOKENS = Number(
    name="tokens",
    label="Tokens on a chip",
    default=131072,
    low=128,
    high=1e7,
    unit="tokens",
    log=True,
    whole=True,
    help="At once: sequences times their length, over the chips that share a sequence.",
)
SEQUENCE = Number(
    name="sequence",
    label="Tokens of a sequence",
    default=8192,
    low=128,
    high=1e7,
    unit="tokens",
    log=True,
    whole=True,
    help="Attention works longer on long ones, which gives the link more time. One may be shared by chips.",
)
REPLICAS = Number(
    name="replicas",
    label="Chips that share the state",
    default=256,
    low=1,
    high=1e5,
    unit="chips",
    log=True,
    whole=True,
    help="By ZeRO or FSDP: each trains on other tokens and holds its part.",
)
HOST = Number(
    name="link",
    label="Link to the host",
    default=LINK.value / GIGA,
    low=1,
    high=1000,
    unit="GB/s",
    log=True,
    help="One direction, for one chip. As set: PCIe 5.0, sixteen lanes, whatever the system; a GB200's own is faster.",
)


def budget(*, trained: str, system: str, tokens: float, sequence: float, replicas: float, link: float) -> Answer:
    """The bytes on one chip under each plan, against those that it has room for."""
    model = catalog.model(trained)
    layers, width = model.known("layers"), model.known("d_model")
    chip, flops = training_chip(system)
    room, rate = chip.hbm_bytes, GIGA * link
    given = {"params": model.total_params, "layers": layers, "replicas": replicas}
    state, record = (size(1, width) for size in (activation_memory.state_bytes, training_run.record_bytes))
    plans = {
        plan: memory_budget.held(plan, **given, state_bytes=tokens * state, record_bytes=tokens * record)
        for plan in PLANS
    }
    each = {plan: memory_budget.held(plan, **given, state_bytes=state, record_bytes=record) for plan in PLANS}
    most = {
        plan: max(0.0, float(memory_budget.most_tokens(room, one.fixed, one.states + one.records)))
        for plan, one in each.items()
    }
    stretch = activation_memory.whole_interval(layers, state, record)
    most["stretched"] = float(
        memory_budget.most_tokens(
            room, each["recomputed"].fixed, activation_memory.checkpoint(layers, stretch).bytes(state, record)
        )
    )
    needed = memory_budget.sending_rate(model.active_params, layers, width, sequence, flops)
    fits = [plan for plan in PLANS if plans[plan].total <= room]
    parts = _parts(plans, room)
    return Answer(
        finding=(
            f"{plain(tokens, 9)} tokens of {model.name} fit in {show(room, 'B')} "
            f"{_first(fits, tokens <= most['stretched'])}"
            f"{_verdict(needed, rate) if 'reversed' in fits else ''}"
        ),
        description=(
            f"Stacked bars, one a plan, against the {show(room, 'B')} of one {chip.name}: "
            + "; ".join(f"{PLANS[plan]} {show(one.total, 'B')}" for plan, one in plans.items())
            + f". Parts are {', '.join(PARTS.values()).lower()}. Bars beyond the memory are pale, and end at "
            f"{show(SHOWN * room, 'B')}."
        ),
        tables={
            "parts": table(parts),
            "key": present(row["part"] for row in parts),
            "ends": table(
                {
                    "plan": PLANS[plan],
                    "end": min(float(one.total), SHOWN * room),
                    "label": _label(one, room),
                    "side": "right" if float(one.total) > CROWDED * room else "left",
                }
                for plan, one in plans.items()
            ),
            "room": {"bytes": [room], "edge": [SHOWN * room], "label": [f"memory, {show(room, 'B')}"]},
            "plans": table(
                {
                    "plan": PLANS[plan],
                    **{part: float(getattr(one, part)) for part in PARTS},
                    "total": float(one.total),
                    "most": most[plan],
                }
                for plan, one in plans.items()
            ),
        },
        values={
            "offloaded": Value(plans["offloaded"].total, "B", "On the chip, offloaded"),
            "reversed": Value(plans["reversed"].total, "B", "On the chip, reversible"),
            "needed": Value(needed, "B/s", "Link that keeps pace", 2),
            "margin": Value(rate / needed, "x", "Link over what is needed", 2),
            "most_recomputed": Value(max(0.0, most["stretched"]), "tokens", "Most tokens, recomputed at best"),
            "most_reversed": Value(most["reversed"], "tokens", "Most tokens, reversible"),
            "host": Value(plans["offloaded"].host, "B", "In the host, offloaded"),
            "logits": Value(LOGIT_BYTES * tokens * model.known("vocabulary"), "B", "Logits, not drawn"),
        },
        notes=[
            f"Offloaded, {show(plans['offloaded'].host, 'B')} wait in the host's memory for this chip alone, "
            f"and the link must carry {show(needed, 'B/s', 2)} while the chip multiplies at its full rate in 16 bits."
        ],
    )


def _first(fits: list[str], stretched: bool) -> str:
    """From which measure on it fits; `stretched` if recomputing alone is enough at its best stretch."""
    if stretched and fits[0] == "offloaded":
        return "once records are computed again in longer stretches"
    if not fits:
        return "under none of these plans"
    said = {
        "alone": "as it is",
        "sharded": "once the state is sharded",
        "recomputed": "once records are computed again",
        "offloaded": "only offloaded or reversible" if "reversed" in fits else "only offloaded",
    }
    return said[fits[0]]


def _label(one: memory_budget.Held, room: float) -> str:
    """The length of a bar, and of the records in it where it is cut short."""
    whole = show(one.total, "B")
    return f"{whole}, records {show(one.records, 'B')}" if one.total > SHOWN * room and one.records else whole


def _verdict(needed: float, link: float) -> str:
    """Whether running backwards has a rival."""
    if link >= needed:
        return f"; the host's link keeps pace, {show(link / needed, 'x', 2)} over"
    slow = show(needed / link, "x", 2)
    return f"; the host's link is {slow} too slow for the states of all layers, which reversing need not send"


def _parts(plans: dict[str, memory_budget.Held], room: float) -> list[dict[str, Any]]:
    """Every piece of every bar, cut off where the drawing ends and paler beyond the memory."""
    rows = []
    for plan, one in plans.items():
        start = 0.0
        for part, name in PARTS.items():
            end = start + getattr(one, part)
            for low, high, shade in ((0.0, room, 1.0), (room, SHOWN * room, 0.4)):
                left, right = max(start, low), min(end, high)
                if right > left:
                    rows.append({"plan": PLANS[plan], "part": name, "from": left, "to": right, "shade": shade})
            start = end
    return rows


def budget_chart() -> Any:
    """A bar a plan, its parts side by side, and the memory of the chip as a rule."""
    import altair as alt

    colours: dict[str, Any] = {"domain": list(PARTS.values()), "range": list(COLOURS)}
    y = alt.Y("plan:N", title=None).scale(domain=list(PLANS.values()), paddingInner=0.35)
    y = y.axis(labelColor=look.INK, labelFontSize=12.5, domain=False, ticks=False, grid=False)
    x = alt.X("from:Q", title="Bytes on one chip").scale(nice=False, zero=True).axis(**prefixed("B"))
    bars = (
        alt.Chart(alt.NamedData("parts"))
        .mark_bar(cornerRadiusEnd=0)
        .encode(
            x=x,
            x2="to:Q",
            y=y,
            color=alt.Color("part:N", legend=None).scale(**colours),
            fillOpacity=alt.FillOpacity("shade:Q", legend=None).scale(None),
        )
    )
    ends = alt.Chart(alt.NamedData("ends")).encode(x="end:Q", y=y, text="label:N")
    words: dict[str, Any] = {"baseline": "middle", "fontWeight": 600}
    words |= {"align": alt.expr("datum.side"), "dx": alt.expr("datum.side == 'left' ? 6 : -6")}
    halo = ends.mark_text(**words, **HALO)
    room = alt.Chart(alt.NamedData("room")).encode(x="bytes:Q")
    line = room.mark_rule(color=look.INK, strokeWidth=1.75)
    said = room.mark_text(align="left", baseline="bottom", dx=3, y=0, dy=-3, color=look.INK, fontSize=11.5)
    edge = alt.Chart(alt.NamedData("room")).mark_rule(opacity=0).encode(x="edge:Q")
    named = halo + ends.mark_text(**words) + key_layer(alt, colours, above=30)
    return bars + edge + line + said.encode(text="label:N") + named


BUDGET = Figure(
    name="reversible/budget",
    inputs=(TRAINED, TRAINING_SYSTEM, TOKENS, SEQUENCE, REPLICAS, HOST),
    compute=budget,
    chart=budget_chart,
    foremost=4,
    table="plans",
    columns={
        "plan": "Plan",
        "model": "Weights, gradients, optimiser (B)",
        "gathered": "Layer in use (B)",
        "states": "States (B)",
        "records": "Records (B)",
        "total": "On the chip (B)",
        "most": "Most tokens",
    },
    assumptions=(
        "Adam in mixed precision: 16 bytes a parameter, shared evenly; two layers' weights and one layer's gradients "
        "are whole on the chip, in two bytes a parameter.",
        "A record is 34 bytes for each token and unit of width, a state two; run backwards, the one state has two "
        "halves of full width in 32 bits, as much as four. Logits, buffers and fragments are not counted.",
        "Each plan takes what the one above it does; the last runs backwards instead of sending away. Records are "
        "computed again from the state before each layer; with the best stretch between checkpoints more tokens fit.",
        "Computing again and running backwards both evaluate each layer twice. Attention is causal, and counted in the "
        "time that the link has.",
    ),
    sources=("lecture", "revnet-paper", "aiconfigurator"),
)

FIGURES = (BUDGET,)
