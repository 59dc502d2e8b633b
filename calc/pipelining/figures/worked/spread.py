"""Every layer spread over the nodes of the row, and the row: the same chips, models and sequences."""

from __future__ import annotations

import math

import numpy as np

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, CONTEXT
from calc.moe import exchange_bytes
from calc.moe.figures.shared import crossing
from calc.pipelining.figures.setting import (
    HOP_LATENCY,
    OPENING,
    STAGES,
    in_a_row,
    largest_micro_batch,
    read_together,
    step_alone,
    way_out,
)
from calc.pipelining.figures.shared import files, published
from calc.pipelining.figures.worked.stages import first_stage
from calc.quantities.check import Quantity
from calc.setting import Layout, Scenario, Setting
from calc.step import decode, visited_share

COPIES = {True: "one copy a node", False: "a copy for each expert"}
HALVES = 2
PAIR = 2  # nodes of a row with the published files in four bits
MICRO = np.geomspace(1, 8000, 501).astype(np.float64)  # micro-batches close enough for two digits
SHORT = 500  # tokens of context, as of chats that have just begun
EACH, PROMPTS = 480, 2000  # sequences of a chip, and their tokens at first, on Mooncake's nodes


def spread() -> Answer:
    """Seconds between two tokens, each way, and the micro-batches at which the ways are even."""
    where = Scenario.named(*OPENING)
    row = np.array([in_a_row(where, micro, CONTEXT.default, STAGES) for micro in MICRO.tolist()])
    values: dict[str, Value] = {}
    for name, relay in (("once", True), ("apart", False)):
        for way, parts in (("", 1), ("halves_", HALVES)):
            over = np.array([_spread(where, micro, relay, parts) for micro in MICRO.tolist()])
            values[f"{way}{name}"] = Value(
                _spread(where, BATCH.default, relay, parts), "s", f"A token, {COPIES[relay]}"
            )
            even = crossing(MICRO, over, row)
            if math.isfinite(even):
                label = f"Micro-batch from which the row wins, {COPIES[relay]}"
                values[f"even_{way}{name}"] = Value(even, "sequences", label, 2)
    full = int(largest_micro_batch(where, CONTEXT.default, STAGES))
    halved = _spread(where, full, True, HALVES)
    node = decode(where.setting.with_layout(Layout(data=where.chips, relay=True)), full, CONTEXT.default)
    values |= {
        "inside": Value(node.scale_up_seconds, "s", "Exchange inside a node of the row"),
        **_bits(where),
        **_copied(where),
        "full_read": Value(read_together(where, full, CONTEXT.default), "s", "Reading, full"),
        "full_sent": Value(float(_sent(where, full, True)), "s", "Sending, one copy a node"),
        "full_token": Value(_spread(where, full, True), "s", "A token, one copy a node"),
        "full_once": Value(full / _spread(where, full, True), "tokens/s", "Tokens of a node, one copy a node"),
        "full_halves": Value(halved, "s", "A token, in halves"),
        "full_halves_sent": Value(float(_sent(where, full, True, HALVES)), "s", "Sending in halves"),
        "full_halves_rate": Value(full / halved, "tokens/s", "Tokens of a node, in halves"),
    }
    return Answer(finding="Layers in a row, and spread over its nodes", values=values | _sending(where) | _reported())


def _bits(where: Scenario) -> dict[str, Value]:
    """Four bits as published: spread over four nodes in halves, a row of two, and each alone."""
    stored = files(where)
    most = int(largest_micro_batch(where, CONTEXT.default, STAGES, stored))
    halved = max(_spread(where, most, True, HALVES, stored=stored), _multiplied(where, most))
    full = int(largest_micro_batch(where, CONTEXT.default, STAGES))
    fitting = {nodes: largest_micro_batch(where, CONTEXT.default, nodes, stored) for nodes in (1, PAIR)}
    return {
        "bits_most": Value(most, "sequences", "of a node, four bits over four nodes", 9),
        "bits_read": Value(
            HALVES * read_together(where, most / HALVES, CONTEXT.default, stored=stored), "s", "Reading, four bits"
        ),
        "bits_sent": Value(float(_sent(where, most, True, HALVES)), "s", "Sending in halves, four bits"),
        "bits_token": Value(halved, "s", "A token, in halves, four bits"),
        "bits_rate": Value(most / halved, "tokens/s", "Tokens of a node, in halves, four bits"),
        "full_work": Value(_multiplied(where, full, "fp8"), "s", "Arithmetic in FP8, attention's in BF16"),
        **{
            f"bits_work_{nodes}": Value(_multiplied(where, int(each)), "s", "Arithmetic in BF16, attention's too")
            for nodes, each in fitting.items()
        },
    }


def _copied(where: Scenario) -> dict[str, Value]:
    """The usual layout, memories full: chips copy all but routed experts; a row's longest stage sets its slots."""
    values: dict[str, Value] = {}
    for name, setting, nodes in (("bits_copied", published(where), PAIR), ("copied", where.setting, STAGES)):
        row, over = (_held(setting, where.chips * machines) for machines in (1, STAGES))
        first = first_stage(setting, nodes, where.chips)
        most, step = _full_row(where, first, nodes)
        fit = int(largest_micro_batch(where, CONTEXT.default, STAGES, over))
        hops = _hops(where, most, nodes)
        halved = _spread(where, fit, True, HALVES, stored=over)
        values |= {
            f"{name}_most": Value(most, "sequences", "of a node in a row", 9),
            f"{name}_again": Value((nodes - 1) * first / where.bandwidth, "s", "Read again"),
            f"{name}_hops": Value(hops, "s", "Hops of a round, and the way back"),
            f"{name}_token": Value(step + hops, "s", "A token in a row"),
            f"{name}_row": Value(most / (step + hops), "tokens/s", "Tokens of a node in a row"),
            f"{name}_halves": Value(fit / halved, "tokens/s", "Tokens of a node in halves"),
        }
    sent, starts = float(_sent(where, fit, True)), 2 * where.model.expert_layers * HOP_LATENCY
    once, back = _spread(where, fit, True, stored=over), STAGES * HOP_LATENCY
    copy = (over - row) / where.chips / (STAGES - 1)
    more = fit / most  # sequences of spread layers for one of the row
    extra, left = sent - starts - more * (hops - back), more * (step + back)
    apart, weights, held = _spread(where, fit, False, HALVES, stored=over), STAGES * first, over / STAGES
    caches, slope = (step - weights / where.bandwidth) / most, (sent - starts) / fit - (hops - back) / most
    short = CONTEXT.default * extra / (left - 2 * starts)
    reread, part = weights / where.bandwidth + back, SHORT / CONTEXT.default  # beside caches of short contexts
    read = held / where.bandwidth
    even = (reread - read - starts) / (slope - part * (caches - (once - sent - read) / fit))
    return values | {
        "crowd_once": Value(even, "sequences", "Even with spread layers", 2),
        "crowd_from": Value((reread - 2 * starts) / (slope - part * caches), "sequences", "Even with halves", 2),
        "crowd_at": Value(SHORT, "tokens", "Context there"),
        "apart_halves": Value(apart, "s", f"Halves, {COPIES[False]}"),
        "apart_rate": Value(fit / apart, "tokens/s", f"Halves, {COPIES[False]}"),
        "apart_lead": Value(more * (step + hops) / apart, "x", "and over the row"),
        "few": Value(fit * (held / where.bandwidth - starts) / (sent - starts), "sequences", "Unhidden below", 2),
        "copied_experts": Value(row - where.chips * copy, "B", "Routed experts", 4),
        "copied_rest": Value(copy, "B", "All other weights"),
        "copied_row_held": Value(first, "B", "Weights of the first stage"),
        "copied_held_read": Value(held / where.bandwidth, "s", "Weights of a node, read"),
        "copied_held": Value(held, "B", "Weights of a node"),
        "copied_fit": Value(fit, "sequences", "of a node", 9),
        "copied_sent": Value(sent, "s", "Sending, one copy a node"),
        "copied_over": Value(once, "s", "A token, spread"),
        "copied_once": Value(fit / once, "tokens/s", "Tokens of a node, spread"),
        "copied_halves_read": Value(halved, "s", "A token, in halves"),
        "copied_halves_sent": Value(sent + starts, "s", "Sending in halves"),
        "copied_lead": Value(more * (step + hops) / halved, "x", "Tokens in halves over those in a row"),
        "slower": Value(extra / (left - once + sent - starts), "%", "Links, even with spread layers", 2),
        "slower_halves": Value(extra / (left - 2 * starts), "%", "Links, even with halves", 2),
        "hidden": Value((sent - starts) / (halved - 2 * starts), "%", "Links, sending hides", 2),
        "short": Value(short, "tokens", "Even with halves", 2),
        "long": Value(CONTEXT.default * (sent - starts) / (halved - once + sent - starts), "tokens", "Unhidden", 2),
    }


def _full_row(where: Scenario, first: float, nodes: int) -> tuple[int, float]:
    """Sequences of a node in a row and its seconds of reading, memories full: the longest stage has `first` bytes."""
    layers = where.model.known("layers")
    each = math.ceil(layers / nodes) / layers * where.kv_bytes_per_token * CONTEXT.default
    most = int((where.hbm_bytes - first) / nodes / each)
    return most, nodes * (first + most * each) / where.bandwidth


def _hops(where: Scenario, micro: float, nodes: int) -> float:
    """Seconds of the hops of a round, and of the way back."""
    return in_a_row(where, micro, CONTEXT.default, nodes) - step_alone(where, micro, CONTEXT.default)


def _held(setting: Setting, chips: float) -> float:
    """Bytes of weights on so many chips that share the routed experts and copy the rest."""
    return float(setting.with_layout(Layout(data=chips)).chip_weight_bytes) * chips


def _multiplied(where: Scenario, tokens: float, dtype: str = "bf16") -> float:
    """Seconds of a node's arithmetic: weights in `dtype`, and attention in BF16 over the latent cache itself."""
    one = decode(where.setting.with_layout(Layout(data=where.chips)), where.chips, CONTEXT.default)  # a token a chip
    attended = sum(float(each.flops) for each in one.operations if each.name == "attention")
    weights = 2 * where.model.active_params / where.chip.flops(dtype)
    return tokens / where.chips * (weights + attended / where.chip.flops("bf16"))


def _sending(where: Scenario) -> dict[str, Value]:
    """The parts of a step of spread layers: copies, bytes and starts, and reading whole or in halves."""
    batch, width, link = BATCH.default, where.model.known("d_model"), way_out(where)[1]
    picks = where.model.routed[1]
    tokens, each = batch / where.chips, float(exchange_bytes(1, width, 1).total)
    apart = picks * (1 - 1 / STAGES)
    once = (STAGES - 1) * float(visited_share(STAGES, picks, *where.model.groups))
    layers = where.model.expert_layers
    together = read_together(where, batch, CONTEXT.default)
    values = {
        "picks": Value(picks, "", "Experts of a token"),
        "tokens": Value(tokens, "tokens", "of a chip in a step"),
        "copies_apart": Value(apart, "", "Copies of a token, one for each expert in other nodes"),
        "copies_once": Value(once, "", "Copies of a token, one for each other node"),
        "bytes": Value(each, "B", "A copy, there and back", 5),
        "layer_once": Value(tokens * once * each / link, "s", "Sent in a layer, one copy a node", 3),
        "layers": Value(layers, "", "Layers with experts"),
        "layers_once": Value(layers * tokens * once * each / link, "s", "Sent in a step, one copy a node", 4),
        "starts": Value(2 * layers * HOP_LATENCY, "s", "Starts of all crossings"),
        "saved": Value(step_alone(where, batch, CONTEXT.default) - together, "s", "Saved by reading together"),
        "halves_read": Value(
            HALVES * read_together(where, batch / HALVES, CONTEXT.default), "s", "Reading, in two halves"
        ),
    }
    for name, relay in (("once", True), ("apart", False)):
        sent = float(_sent(where, batch, relay))
        values[f"crossing_{name}"] = Value(sent, "s", f"Sending, {COPIES[relay]}", 4)
        values[f"halves_sent_{name}"] = Value(_sent(where, batch, relay, HALVES), "s", f"Sending, {COPIES[relay]}")
    return values


def _reported() -> dict[str, Value]:
    """Spread layers and rows as others ran them, and the bound of a row with the sequences of a measured step."""
    where = Scenario.named(OPENING[0], "hgx-h200", OPENING[2])
    batch = EACH * where.system.chips
    took = batch / catalog.datum("mooncake-k2-decode").value
    bound = step_alone(where, batch, PROMPTS)
    return {
        "wide_each": Value(EACH, "sequences", "of a chip, Mooncake"),
        "wide": Value(took, "s", "A token, Kimi K2 spread by Mooncake", 2),
        "wide_row": Value(bound, "s", "Bound of a row with as many"),
        "wide_over": Value(took / bound, "x", "A row may miss its bound by", 2),
        "lone_four": Value(catalog.datum("modal-k2-four-stages").value, "tokens/s", "A lone request, four stages"),
        "lone_two": Value(
            catalog.datum("modal-k2-two-stages").value, "tokens/s", "A lone request, two stages of two nodes"
        ),
        "guide_chips": Value(catalog.datum("k2-guide-slices").value, "chips", "Slices at most"),
        "guide_nodes": Value(catalog.datum("k2-guide-nodes").value, "nodes", "that decode"),
    }


def _spread(
    where: Scenario, micro: float, relay: bool, parts: int = 1, stages: int = STAGES, stored: float = 0
) -> float:
    """Seconds of a step of spread layers: crossing after reading, or in halves that each read while the other sends."""
    reading = parts * read_together(where, micro / parts, CONTEXT.default, stages, stored)
    sending = float(_sent(where, micro, relay, parts, stages))
    return reading + sending if parts == 1 else max(reading, sending)


def _sent(where: Scenario, micro: Quantity, relay: bool, parts: int = 1, stages: int = STAGES) -> Quantity:
    """Seconds of a step on links between nodes, experts spread over all; every crossing starts after a latency."""
    layout = Layout(data=where.chips * stages, relay=relay)
    step = decode(where.setting.with_layout(layout), micro * stages, CONTEXT.default)
    crossings = sum(float(each.layers) for each in step.operations if np.any(each.scale_out))
    return step.scale_out_seconds + parts * crossings * HOP_LATENCY


FIGURES = (
    Figure(
        name="pipelining/spread",
        compute=spread,
        sources=("kimi-k2-repo", "kimi-k2-guide", "aiconfigurator", "modal-k2", "mooncake-k2"),
    ),
)
