"""The lecture's one example, as its pictures show it before a reader changes anything."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np

from calc import batching, catalog
from calc.figure import registry
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import CONTEXT
from calc.moe.figures.plans import plan_parts
from calc.moe.figures.setting import exchange_step, links
from calc.moe.figures.timings import rack_start
from calc.quantities.check import Array
from calc.setting import Scenario

SHOWN = (  # what is quoted of each
    ("sizes", ("half_experts", "two_experts", "other", "starts", "two_exchange")),
    ("sizes", ("half_step", "one_step", "two_step", "half_less", "two_less")),
    ("users", ("speed", "one_users")),
    ("exchange", ("exchange", "pays")),
    ("batches", ("pays_simple", "outlasts", "outlasts_laid", "balanced")),
    ("layouts", ("single_reads", "single", "whole_reads", "whole", "positions")),
    ("chips", ("rounds",)),
    ("fleet", ("busy", "busy_writing")),
)
MOST_TOKENS = 1000  # of a chip


def ours() -> Answer:
    """Numbers of the pictures at their first setting, and what one sequence adds there to a step on the links out."""
    answers = [(registry.find(f"moe/{slug}").answer().values, names) for slug, names in SHOWN]
    where, context = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8"), CONTEXT.default
    chips = where.system.chips
    sending = float(exchange_step(where.model, 1 / chips, links(where)[1], chips))
    cache = batching.step_time(1, context, **where.step_arguments()).cache
    halved = _in_four_stages(registry.find("moe/overlap").answer().values["copied_others"].number)
    return Answer(
        finding="DeepSeek-V3 on GB200 racks, as the pictures begin",
        values={name: values[name] for values, names in answers for name in names}
        | {f"{key}_halved": Value(halved[at], "s", "In halves") for at, key in enumerate(("half", "one", "two"))}
        | {
            "exchange_out": Value(sending, "s", "Links out: a sequence's exchange"),
            "cache_each": Value(cache, "s", "A sequence's cache"),
            "pays_staged": Value(_pays_staged(rack_start()) * chips, "sequences", "Halves pay from, in four stages", 2),
            "long": Value(context * sending / cache, "tokens", "Links out: context at which both take as long", 2),
        },
    )


def _in_four_stages(others: float) -> Array:
    """Seconds of the three plans in two halves: each stage lasts as long as its computation or its transfer.

    Each half reads all weights, `others` those that every token uses, and starts each of its transfers once.
    """
    bars = registry.find("moe/sizes").answer().tables["bars"]
    experts, work, sent, starts = (np.array(bars[part]) for part in ("Experts", "Other work", "Bytes", "Starts"))
    return _stages((work + others) / 2, experts, sent, starts)


def _stages(attention: Array, experts: Array, sent: Array, starts: Array) -> Array:
    """Seconds of four stages: attention of each half and experts of each, and under them the transfers of both."""
    dispatch, combine = ((starts + share * sent) / 2 for share in (1 / 3, 2 / 3))  # one byte a number out, two back
    stages = [np.maximum(each, way) for each in (attention, experts) for way in (dispatch, combine)]
    whole: Array = np.sum(stages, axis=0)
    return whole


def _pays_staged(start: float) -> int:
    """Tokens of a chip of one rack from which its halves, in four stages, are quicker than the plan."""
    chips, tokens = catalog.system("gb200-nvl72").chips, range(2, MOST_TOKENS)

    def pays(each: int) -> bool:
        experts, work, sent, starts = map(np.array, plan_parts(1, "gb200-nvl72", each * chips, start, "expert"))
        half = [np.array(part) for part in plan_parts(1, "gb200-nvl72", each * chips / 2, start, "expert")]
        return bool(_stages(half[1], half[0], sent, starts) < experts + work + sent + starts)

    return tokens[bisect_left(tokens, True, key=pays)]


FIGURES = (Figure(name="moe/ours", compute=ours, sources=("deepseek-v3-config", "aiconfigurator")),)
