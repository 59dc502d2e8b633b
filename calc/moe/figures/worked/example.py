"""DeepSeek-V3 in FP8 on a rack of 72 GB200: its experts, and what their exchange takes."""

from __future__ import annotations

from calc import catalog, moe
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, CONTEXT
from calc.moe import routing
from calc.moe.figures.setting import links, sent_bytes
from calc.quantities.arithmetic import whole_up
from calc.setting import Scenario


def worked() -> Answer:
    """DeepSeek-V3 in FP8 on a rack of 72 GB200."""
    where = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8")
    model, chips = where.model, where.system.chips
    experts, picks = model.routed
    placed = moe.place_experts(experts, chips)
    tokens = float(whole_up(BATCH.default / chips))
    inside, outside = links(where)
    total = sent_bytes(model, tokens)
    sending = model.expert_layers * float(total) / inside
    fullest = placed.experts_per_chip * routing.tokens_per_expert(BATCH.default, experts, picks)
    fair = sending * BATCH.default / chips / tokens
    hidden = model.known("d_ff_expert")
    weights = 3.0 * model.known("d_model") * hidden
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
            "width": Value(model.known("d_model"), "", "Width", 9),
            "layers": Value(model.expert_layers, "", "Layers with experts"),
            "tokens": Value(tokens, "tokens", "Tokens of the fullest chip"),
            "sent": Value(total, "B", "Both"),
            "copy": Value(moe.exchange_bytes(1, model.known("d_model"), 1).total, "B", "A copy and its result"),
            "step_inside": Value(sending, "s", "A step, links within"),
            "sends": Value(tokens * picks, "", "Copies that it sends"),
            "received": Value(fullest, "", "Copies that a chip with most experts receives"),
            "step_received": Value(sending * fullest / (tokens * picks), "s", "A step, by those received"),
            "step_hottest": Value(fair * catalog.datum("hottest-chip").value, "s", "At the hottest chip", 2),
            "step_filled": Value(fair * catalog.datum("hottest-chip-with-copies").value, "s", "With copies", 2),
            "step_outside": Value(model.expert_layers * float(total) / outside, "s", "A step, links out"),
            "latent": Value(catalog.datum("kimi-k3-expert-width").value, "", "Width at an expert of Kimi K3", 9),
            "latent_of": Value(catalog.model("kimi-k3").known("d_model"), "", "of the stream", 9),
            "hidden": Value(hidden, "", "Hidden width of an expert", 9),
            "expert": Value(weights, "B", "An expert in FP8"),
            "context": Value(CONTEXT.default, "tokens", "Context", 9),
            "link_in": Value(inside, "B/s", "Link within"),
            "link_out": Value(outside, "B/s", "Link out"),
        },
    )


FIGURES = (
    Figure(
        name="moe/worked",
        compute=worked,
        sources=("deepseek-v3-config", "aiconfigurator", "tensorrt-llm-eplb", "kimi-k3-engine"),
    ),
)
