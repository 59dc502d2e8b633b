"""Lecture 7 in pictures: one memory budget of training, and which measure it takes to stay within it."""

from __future__ import annotations

from calc import catalog
from calc.figure.boxes import table
from calc.figure.declared import Answer, Figure, Value
from calc.figure.inputs import Choice, Number
from calc.figure.named import present
from calc.overtraining import training_run
from calc.overtraining.figures.setting import TRAINING_SYSTEM, training_chip
from calc.quantities.units import plain, show
from calc.reversible import activation_memory, memory_budget
from calc.reversible.figures import budget_bars as bars
from calc.reversible.figures import budget_words as words
from calc.reversible.figures.setting import (
    ACHIEVED,
    GIGA,
    HOST,
    SEQUENCE,
    TRAINED,
    gradient_bytes,
    layer_params,
    record_bytes,
)

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
REPLICAS = Number(
    name="replicas",
    label="Chips that share the weights",
    default=256,
    low=1,
    high=1e5,
    unit="chips",
    log=True,
    whole=True,
    help="By ZeRO or FSDP: each trains on other tokens and holds its part of weights, gradients and optimiser.",
)
BUSY = Number(
    name="busy",
    label="Multipliers busy",
    default=100 * ACHIEVED,
    low=1,
    high=100,
    unit="%",
    help="Of the 16-bit rate. As set: about the average of Llama 3.1 405B's run. Layers alone reach more.",
)
LOSS = Choice(
    name="loss",
    label="The loss is taken",
    default="pieces",
    options={"pieces": "in pieces", "compiled": "whole, compiled", "whole": "whole"},
    help="Whole, it holds several copies of every logit: one number for each token and entry of the vocabulary.",
)


def budget(
    *, trained: str, system: str, tokens: float, sequence: float, replicas: float, link: float, busy: float, loss: str
) -> Answer:
    """The bytes on one chip under each plan, against those that it has room for."""
    model = catalog.model(trained)
    layers, width = model.known("layers"), model.known("d_model")
    chip, flops = training_chip(system)
    room, rate = chip.hbm_bytes, GIGA * link
    given = {"params": model.total_params, "layers": layers, "replicas": replicas}
    state, record = float(activation_memory.state_bytes(1, width)), record_bytes(model, 1)
    logits, whole = (training_run.logit_bytes(1, model.known("vocabulary"), way) for way in (loss, "whole"))

    def held(count: float) -> dict[str, memory_budget.Held]:
        each = {"state": state, "record": record, "gradient": gradient_bytes(model, 1), "logit": logits}
        sizes = {f"{name}_bytes": count * one for name, one in each.items()}
        plans = {plan: memory_budget.held(plan, **given, **sizes) for plan in bars.PLANS}
        return {plan: bars.drawn(plan, one, count * state) for plan, one in plans.items()}

    plans, each = held(tokens), held(1)
    most = {
        plan: max(0.0, float(memory_budget.most_tokens(room, one.fixed, one.total - one.fixed)))
        for plan, one in each.items()
    }
    needed, full = (
        memory_budget.sending_rate(layer_params(model), layers, width, sequence, flops, share)
        for share in (busy / 100, 1.0)
    )
    fits = [plan for plan in bars.PLANS if plans[plan].total <= room]
    pieces = bars.parts(plans, room)
    return Answer(
        finding=(
            f"By the sum alone, {plain(tokens, 9)} tokens, in {layers} layers as wide as {model.name}'s, "
            f"{words.fitting(fits, plans, room)}{words.verdict(fits, needed, rate)}"
        ),
        description=(
            f"Stacked bars, one a plan, against the {show(room, 'B')} of one {chip.name}: "
            + "; ".join(f"{bars.PLANS[plan]} {show(one.total, 'B')}" for plan, one in plans.items())
            + f". Parts are {', '.join(bars.PARTS.values()).lower()}. Bars beyond the memory are faint, and end at "
            f"{show(bars.SHOWN * room, 'B')}."
        ),
        tables={
            "parts": table(pieces),
            "key": present(row["part"] for row in pieces),
            "ends": table(
                {
                    "plan": bars.PLANS[plan],
                    "end": min(float(one.total), bars.SHOWN * room),
                    "room": room,
                    "label": bars.label(one, room),
                    "side": "right" if float(one.total) > bars.CROWDED * room else "left",
                }
                for plan, one in plans.items()
            ),
            "room": {"bytes": [room], "edge": [bars.SHOWN * room], "label": [f"memory, {show(room, 'B')}"]},
            "plans": table(
                {
                    "plan": bars.PLANS[plan],
                    **{part: float(getattr(one, part)) for part in bars.PARTS},
                    "total": float(one.total),
                    "most": most[plan],
                }
                for plan, one in plans.items()
            ),
        },
        values={
            **{plan: Value(one.total, "B", f"On the chip, {bars.PLANS[plan].lower()}") for plan, one in plans.items()},
            "nested_work": Value(activation_memory.nested(layers).overhead(), "x", "Work on two levels, over storing"),
            "needed": Value(needed, "B/s", "Link that keeps pace", 2),
            "needed_full": Value(full, "B/s", "The same, at the full rate", 2),
            "margin": Value(rate / needed, "x", "Link over what is needed", 2),
            "most_recomputed": Value(most["recomputed"], "tokens", "Most tokens, recomputed on one level"),
            "most_reversed": Value(most["reversed"], "tokens", "Most tokens, reversible"),
            "host": Value(plans["offloaded"].host, "B", "In the host, offloaded"),
            "records": Value(plans["stored"].records, "B", "Records, if all are kept"),
            "needed_records": Value(needed * record / state, "B/s", "Link that would carry records", 2),
            "logits": Value(tokens * whole, "B", "Logits, if the loss is taken whole"),
        },
        notes=[
            f"Offloaded, {show(plans['offloaded'].host, 'B')} wait in the host's memory for this chip alone, "
            f"and the link must carry {show(needed, 'B/s', 2)} while the chip multiplies at {plain(busy)}% of its rate "
            "in 16 bits" + (f"; at the full rate it would be {show(full, 'B/s', 2)}." if busy < BUSY.high else "."),
            *words.in_parts(tokens / sequence, float(held(sequence)["recomputed"].total), room),
        ],
    )


BUDGET = Figure(
    name="reversible/budget",
    inputs=(TRAINED, TRAINING_SYSTEM, TOKENS, SEQUENCE, REPLICAS, HOST, BUSY, LOSS),
    compute=budget,
    chart=bars.budget_chart,
    foremost=4,
    table="plans",
    columns={
        "plan": "Plan",
        "model": "Share of weights, gradients, optimiser (B)",
        "gathered": "Layer in use (B)",
        "states": "States (B)",
        "records": "Records (B)",
        "gradients": "Layer's gradients (B)",
        "handed": "Gradient handed on (B)",
        "logits": "Logits (B)",
        "total": "On the chip (B)",
        "most": "Most tokens",
    },
    assumptions=(
        "Adam in mixed precision: 16 bytes a parameter, shared evenly; two layers' weights and one layer's gradients "
        "are whole on the chip, in two bytes a parameter, each layer counted as an even part of all parameters.",
        "A record is that of the model's own layers, gated and not fused, without dropout. A state is two bytes for "
        "each token and unit of width; run backwards, the one state has two halves of full width in 32 bits, "
        "as much as four.",
        "A layer's gradients are two arrays of the feed-forward part; these and the one handed on have 16 bits.",
        "A loss taken whole holds 14 bytes for each token and entry of the vocabulary, a compiled one 8, one taken in "
        "pieces next to none. Buffers and fragments are not counted.",
        "On one level equal stretches have the best length. On two, the first stretch is the longest and each next "
        "one a layer shorter. Offloaded, the state before each layer leaves the chip.",
        "Stored, a layer runs forward once; on two levels almost every layer three times; in the other plans twice. "
        "The time that the link has counts the model's own layers, and attention, which is causal.",
    ),
    sources=("lecture", "revnet-paper", "cut-cross-entropy", "aiconfigurator"),
)

QUOTED = ("offloaded", "reversed", "recomputed", "nested", "nested_work", "logits")


def ours() -> Answer:
    """The lecture's one example, as the picture shows it before a reader changes anything."""
    found = BUDGET.answer()
    return Answer(finding=found.finding, values={name: found.values[name] for name in QUOTED})


FIGURES = (BUDGET, Figure(name="reversible/ours", compute=ours, sources=BUDGET.sources))
