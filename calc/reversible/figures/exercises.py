"""Lecture 7's exercises: every number that they ask for or answer with."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import SupportsFloat

from calc import catalog
from calc.figure import slips
from calc.figure.declared import Answer, Figure, Value
from calc.overtraining import training_run
from calc.reversible import activation_memory, feistel, memory_budget
from calc.reversible.figures.crowded import SEQUENCE, per_width
from calc.reversible.figures.setting import ACHIEVED, DELIVERED
from calc.reversible.figures.shared import DEPTHS, best_differential, errors, memory_values

START = (3, 2)
TOKENS = 4096
DAYS = 30
TOLERATED = 2e-5
BUDGET = 40e9
THIN, SHORT = 512, 2048
WAYS = {
    "store": "stored",
    "checkpoint": "checkpoints at the best stretch",
    "offload": "offloaded",
    "reverse": "run backwards",
}


def by_hand() -> dict[str, Value]:
    """1: two rounds with a square for the round function, and back."""
    x, y = START
    first = (y, x + y**2)
    second = (first[1], first[0] + first[1] ** 2)
    return {
        "x": Value(x, "", "x"),
        "y": Value(y, "", "y"),
        "square": Value(y**2, "", "Square of y"),
        "one_x": Value(first[0], "", "x after one round"),
        "one_y": Value(first[1], "", "y after one round"),
        "one_square": Value(first[1] ** 2, "", "Its square"),
        "two_x": Value(second[0], "", "x after two"),
        "two_y": Value(second[1], "", "y after two"),
    }


def large_model() -> dict[str, Value]:
    """2: Llama 3.1 405B."""
    model = catalog.model("llama-3-405b")
    vocabulary = model.known("vocabulary")
    logits = float(training_run.logit_bytes(TOKENS, vocabulary))
    copies = {4: "That is one copy, in 32 bits.", 2: "That is one copy, in 16 bits."}
    numbers = TOKENS * vocabulary
    held = memory_values(model, TOKENS)
    state, record, best = (held[key].number for key in ("state", "record", "best"))
    wrong = {
        "store": slips.Slip(state / record, "These are the states; of every layer a whole record is kept."),
        "best": slips.Slip((best - 1) / best, "Compare both whole numbers next to the root: this one holds more."),
        "checkpoint": slips.Slip(
            (held["checkpoint"].number - (best - 1) * record) / held["checkpoint"].number,
            "Of the stretch in use every layer has its record.",
        ),
        "reverse": slips.Slip(
            (2 * state + record) / held["reverse"].number, "A reversible state has four ordinary ones' bytes, not two."
        ),
    }
    held |= {key: replace(held[key], given=held[key].number, slips=(slip,)) for key, slip in wrong.items()}
    return {f"large_{key}": value for key, value in held.items()} | {
        "large_gated": Value(per_width(model), "bytes", "A record, a token and unit of width", 4),
        "large_vocabulary": Value(vocabulary, "", "Entries of the vocabulary", 6),
        "large_logits": Value(
            logits,
            "B",
            "Logits, if the loss is taken whole",
            slips=tuple(slips.Slip(each * numbers / logits, said) for each, said in copies.items()),
        ),
    }


def work() -> dict[str, Value]:
    """3: days of a run that recomputes."""
    plan = activation_memory.reverse(64)
    return {
        "days": Value(DAYS, "days", "A run that stores"),
        "days_double": Value(
            DAYS * plan.overhead(),
            "days",
            "Recomputed, backward is two forward passes",
            slips=_whole_step(plan.overhead()),
        ),
        "days_equal": Value(
            DAYS * plan.overhead(1), "days", "Recomputed, backward is one", slips=_whole_step(plan.overhead(1))
        ),
    }


def _whole_step(overhead: SupportsFloat) -> slips.Slips:
    return (slips.Slip(2 / float(overhead), "Only the forward pass is computed again, not the whole step."),)


def depth() -> dict[str, Value]:
    """7: depths at which 32 bits are no longer enough."""
    full, short = errors("full", "1")["float32"], errors("short", "1")["float32"]
    deepest = max(layers for layers, error in zip(DEPTHS, full, strict=True) if error <= TOLERATED)
    return {
        "tolerated": Value(TOLERATED, "", "Tolerated error"),
        "deepest": Value(deepest, "layers", "Deepest, full steps"),
        "most": Value(DEPTHS[-1], "layers", "Deepest of the figure"),
        "most_short": Value(short[-1], "", "Error there, short steps", 1),
    }


def active() -> dict[str, Value]:
    """8: S-boxes that a difference must pass before it is less likely than chance."""
    each = -math.log2(best_differential())
    return {
        "best": Value(best_differential(), "", "Best of one S-box"),
        "halvings": Value(each, "bits", "Bits for each S-box"),
        "block": Value(feistel.BLOCK_BITS, "bits", "Block"),
        "active": Value(
            feistel.BLOCK_BITS / each,
            "S-boxes",
            "S-boxes",
            slips=slips.either(each, f"A chance of a quarter is worth {each:g} bits."),
        ),
    }


def budget() -> dict[str, Value]:
    """4: tokens that fit in what a machine has left."""
    model = catalog.model("llama-3-70b")
    one = memory_values(model, 1)
    sent = memory_budget.activations("offloaded", model.known("layers"), one["state"].number, one["record"].number)
    each = {way: one[way].number for way in WAYS if way in one}
    each["offload"] = float(sent.bytes(one["state"].number, one["record"].number))
    for way, plan in (("store", "stored"), ("reverse", "reversed")):  # elsewhere states kept stand for the gradient
        each[way] += memory_budget.TRAVELLING[plan] * one["state"].number
    fits = {way: math.floor(BUDGET / each[way]) for way in WAYS}
    unsent = "The gradient that a layer hands on to the layer before is missing."
    less = {  # bytes that are easily forgotten
        "checkpoint": (
            (one["best"].number - 1) * one["record"].number,
            "A stretch has a record for each of its layers.",
        ),
        "offload": (one["state"].number, unsent),
        "reverse": (memory_budget.TRAVELLING["reversed"] * one["state"].number, unsent),
    }
    levels = activation_memory.nested(model.known("layers"))
    nested = math.floor(BUDGET / levels.bytes(one["state"].number, one["record"].number))
    return {
        "budget": Value(BUDGET, "B", "Memory for activations"),
        "budget_layers": Value(model.known("layers"), "layers", "Layers", 9),
        "budget_width": one["width"],
        "budget_sequences": Value(fits["checkpoint"] // SEQUENCE, "sequences", "Sequences, checkpoints"),
        "budget_state": one["state"],
        "budget_record": one["record"],
        "budget_stretch": one["best"],
        "budget_nested": Value(nested, "tokens", "Tokens, checkpoints on two levels", 6),
        "budget_store": Value(fits["store"], "tokens", f"Tokens, {WAYS['store']}", 6),
        **{
            f"budget_{way}": Value(
                fits[way],
                "tokens",
                f"Tokens, {WAYS[way]}",
                6,
                slips=(slips.Slip(each[way] / (each[way] - forgotten), said),),
            )
            for way, (forgotten, said) in less.items()
        },
    }


def thin() -> dict[str, Value]:
    """6: a network too narrow for its host's link."""
    flops, link = catalog.chip("h100-sxm").flops("bf16"), catalog.datum("pcie-5-link").value
    params = memory_budget.PARAMS_PER_SQUARE * THIN**2
    needed, achieved = (memory_budget.sending_rate(params, 1, THIN, SHORT, flops, share) for share in (1.0, ACHIEVED))
    model = catalog.model("llama-3-70b")
    stored = model.known("layers") * SHORT * THIN * per_width(model)
    attention = "Attention is missing: next to the weights' 12h stands s."
    no_attention = slips.Slip(1 + SHORT / (memory_budget.PARAMS_PER_SQUARE * THIN), attention)
    full, enough, delivered = (
        math.ceil(float(memory_budget.narrowest(flops, rate, SHORT, share)))
        for rate, share in ((link, 1.0), (link, ACHIEVED), (round(DELIVERED, 3) * link, ACHIEVED))
    )
    return {
        "thin_width": Value(THIN, "", "Width", 9),
        "thin_sequence": Value(SHORT, "tokens", "Length of a sequence", 9),
        "thin_flops": Value(flops, "FLOP/s", "Rate of a chip"),
        "thin_link": Value(link, "B/s", "Link to the host"),
        "thin_needed": Value(
            needed, "B/s", "Link that keeps pace, at the full rate", slips=(no_attention, *slips.MULTIPLY_ADD)
        ),
        "thin_slow": Value(needed / link, "x", "Sending over computing", 2),
        "thin_busy": Value(ACHIEVED, "%", "Share of the rate that layers reach"),
        "thin_achieved": Value(
            achieved,
            "B/s",
            "Link that keeps pace, at the achieved rate",
            slips=(
                no_attention,
                slips.Slip(1 / ACHIEVED, "That is the link at the full rate; these layers reach less."),
                *slips.MULTIPLY_ADD,
            ),
        ),
        "thin_stored": Value(stored, "B", "Records of one sequence, all stored", 2),
        "thin_share": Value(
            DELIVERED * link / needed, "%", "Share of the rate up to which the delivered link keeps pace", 2
        ),
        "thin_full": Value(
            full, "", "Least width that is enough at the full rate", 4, slips=(_widened(full, attention),)
        ),
        "thin_delivered": Value(delivered, "", "Least width that is enough at what the link delivers", 3),
        "thin_enough": Value(
            enough,
            "",
            "Least width that is enough, at the achieved rate",
            3,
            slips=(
                slips.Slip(full / enough, "That is the width at the full rate; these layers reach less."),
                _widened(enough, attention),
            ),
        ),
    }


def _widened(width: float, said: str) -> slips.Slip:
    """The width if attention gave the link no time."""
    return slips.Slip(1 + SHORT / memory_budget.PARAMS_PER_SQUARE / width, said)


def exercises() -> Answer:
    """Everything, as one declaration without inputs."""
    values = by_hand() | large_model() | work() | depth() | active() | budget() | thin()
    return Answer(finding="Worked answers of lecture 7", values=values)


FIGURES = (Figure(name="reversible/exercise", inputs=(), compute=exercises, measures_rounding=True),)
