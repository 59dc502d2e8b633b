"""DeepSeek-V3 in FP8 on a rack of 72 GB200: its experts, and what their exchange takes."""

from __future__ import annotations

from calc import batching, catalog, moe
from calc.batching.figures.setting import laid_out
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, CONTEXT
from calc.moe.figures.in_parts import STARTUP, parts
from calc.moe.figures.setting import exchange_step, links, sent_bytes
from calc.moe.figures.shared import EXAMPLE_TOKENS, MEASURED_CHIPS, measured_exchange
from calc.quantities.arithmetic import MICRO
from calc.setting import Layout, Scenario
from calc.step import decode

START = STARTUP.default


def worked() -> Answer:
    """DeepSeek-V3 in FP8 on a rack of 72 GB200."""
    where = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8")
    model, chips = where.model, where.system.chips
    experts, picks = model.routed
    placed = moe.place_experts(experts, chips)
    sent = moe.exchange_bytes(EXAMPLE_TOKENS, model.known("d_model"), picks)
    inside, outside = links(where)
    total = sent_bytes(model, EXAMPLE_TOKENS)
    step = batching.step_time(EXAMPLE_TOKENS * chips, CONTEXT.default, **where.step_arguments())
    return Answer(
        finding=f"{model.name} in FP8 on {where.system.name}",
        values={
            "experts": Value(experts, "", "Routed experts"),
            "run_tokens": Value(catalog.datum("clark-run-tokens").value, "tokens", "Tokens of a run of the law"),
            "picks": Value(picks, "", "of a token"),
            "one_in": Value(experts / picks, "", "Experts for each that a token uses"),
            "chips": Value(chips, "", "Chips"),
            "even": Value(experts / chips, "", "Experts for each chip"),
            "per_chip": Value(placed.experts_per_chip, "", "Experts on a chip"),
            "used": Value(placed.chips_used, "", "Chips with experts"),
            "idle": Value(placed.chips_idle, "", "Chips without"),
            "fill": Value(placed.copies_to_fill, "", "Copies that fill the rack"),
            "filled": Value(experts + placed.copies_to_fill, "", "Experts with copies"),
            "width": Value(model.known("d_model"), "", "Width", 9),
            "layers": Value(model.expert_layers, "", "Layers with experts"),
            "tokens": Value(EXAMPLE_TOKENS, "tokens", "Tokens of a chip"),
            "dispatch": Value(sent.dispatch, "B", "Dispatch"),
            "combine": Value(sent.combine, "B", "Combine"),
            "sent": Value(total, "B", "Both"),
            "inside": Value(moe.exchange_seconds(total, inside), "s", "A layer, links within"),
            "step_inside": Value(exchange_step(model, EXAMPLE_TOKENS, inside, chips), "s", "A step, links within"),
            "step_outside": Value(exchange_step(model, EXAMPLE_TOKENS, outside, chips), "s", "A step, links out"),
            **_parts_of_racks(),
            "rest": Value(step.bound, "s", "The rest of that step"),
            "context": Value(CONTEXT.default, "tokens", "Context", 9),
            "link_in": Value(inside, "B/s", "Link within"),
            "link_out": Value(outside, "B/s", "Link out"),
        },
    )


def _parts_of_racks() -> dict[str, Value]:
    """Half a rack and two beside a whole one, with as many sequences on each chip."""

    def step(
        racks: float,
        system: str = "gb200-nvl72",
        *,
        relay: bool = True,
        start: float = START,
    ) -> float:
        where = laid_out("deepseek-v3", system, "fp8", "usual")
        chips = where.machine.domain_chips * racks
        found = decode(where.with_layout(Layout(data=chips, relay=relay)), BATCH.default * racks, CONTEXT.default)
        return float(parts(found, start)["step"])

    whole, half, two, apart = step(1), step(0.5), step(2), step(2, relay=False)
    timed = measured_exchange(MEASURED_CHIPS[0], "both")
    slow, half_slow = (step(racks, start=(timed.measured - timed.bound) / 2 / MICRO) for racks in (1, 0.5))
    gained = step(1, start=0) - step(2, start=0)  # by a second rack, if starts took no time
    equal = gained / (two - whole + gained) * START  # a start takes more of two racks, in proportion
    return {
        "half_step": Value(half, "s", "Step on half a rack"),
        "whole_step": Value(whole, "s", "Step on a rack"),
        "half_less": Value(1 - whole / half, "%", "Tokens of a chip, fewer by"),
        "half_slow": Value(1 - slow / half_slow, "%", "Fewer by, with starts as long as measured", 2),
        "two_step": Value(two, "s", "Step on two racks, one copy a rack"),
        "two_less": Value(1 - whole / two, "%", "Tokens of a chip, fewer by"),
        "two_start": Value(equal * MICRO, "s", "Start at which both write as much", 2),
        "two_apart_less": Value(1 - whole / apart, "%", "The same, a copy for each expert"),
        "two_fast": Value(step(2, "gb300-nvl72"), "s", "Step on two GB300 racks"),
        "start": Value(START * MICRO, "s", "Start of a message"),
        "starts": Value(2 * START * MICRO, "s", "Starts of a layer"),
    }


FIGURES = (Figure(name="moe/worked", compute=worked, sources=("deepseek-v3-config", "aiconfigurator")),)
