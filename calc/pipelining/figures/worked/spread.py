"""Every layer spread over the nodes of the row, and the row: the same chips, models and sequences."""

from __future__ import annotations

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, CONTEXT
from calc.moe import exchange_bytes
from calc.pipelining.figures.setting import (
    HOP_LATENCY,
    OPENING,
    STAGES,
    largest_micro_batch,
    read_together,
    step_alone,
    way_out,
)
from calc.pipelining.figures.shared import files, published
from calc.pipelining.figures.worked.pairs import pairs
from calc.pipelining.figures.worked.sending import (
    COPIES,
    HALVES,
    inside_seconds,
    multiplied,
    sending_seconds,
    spread_step,
)
from calc.pipelining.figures.worked.usual import PAIR, full_row, full_spread, full_ways
from calc.setting import Scenario
from calc.step import visited_share

EACH, PROMPTS = 480, 2000  # sequences of a chip, and their tokens at first, on Mooncake's nodes


def spread() -> Answer:
    """Seconds between two tokens, each way."""
    where = Scenario.named(*OPENING)
    full = int(largest_micro_batch(where, CONTEXT.default, STAGES))
    halved = spread_step(where, full, True, HALVES)
    values = {
        "once": Value(spread_step(where, BATCH.default, True), "s", f"A token, {COPIES[True]}"),
        "inside": Value(inside_seconds(where, full), "s", "Exchange inside a node of the row"),
        **_bits(where),
        **_busy(where),
        **full_ways(where),
        **pairs(where),
        "full_read": Value(read_together(where, full, CONTEXT.default), "s", "Reading, full"),
        "full_sent": Value(float(sending_seconds(where, full, True)), "s", "Sending, one copy a node"),
        "full_token": Value(spread_step(where, full, True), "s", "A token, one copy a node"),
        "full_once": Value(full / spread_step(where, full, True), "tokens/s", "Tokens of a node, one copy a node"),
        "full_halves": Value(halved, "s", "A token, in halves"),
        "full_halves_sent": Value(float(sending_seconds(where, full, True, HALVES)), "s", "Sending in halves"),
        "full_halves_rate": Value(full / halved, "tokens/s", "Tokens of a node, in halves"),
    }
    return Answer(finding="Layers in a row, and spread over its nodes", values=values | _sending(where) | _reported())


def _bits(where: Scenario) -> dict[str, Value]:
    """Four bits as published: spread over four nodes in halves, a row of two, and each alone."""
    stored = files(where)
    most = int(largest_micro_batch(where, CONTEXT.default, STAGES, stored))
    halved = max(spread_step(where, most, True, HALVES, stored=stored), multiplied(where, most))
    full = int(largest_micro_batch(where, CONTEXT.default, STAGES))
    fitting = {nodes: largest_micro_batch(where, CONTEXT.default, nodes, stored) for nodes in (1, PAIR)}
    return {
        "bits_most": Value(most, "sequences", "of a node, four bits over four nodes", 9),
        "bits_read": Value(
            HALVES * read_together(where, most / HALVES, CONTEXT.default, stored=stored), "s", "Reading, four bits"
        ),
        "bits_sent": Value(float(sending_seconds(where, most, True, HALVES)), "s", "Sending in halves, four bits"),
        "bits_token": Value(halved, "s", "A token, in halves, four bits"),
        "bits_rate": Value(most / halved, "tokens/s", "Tokens of a node, in halves, four bits"),
        "full_work": Value(multiplied(where, full, "fp8"), "s", "Arithmetic in FP8, attention's in BF16"),
        **{
            f"bits_work_{nodes}": Value(multiplied(where, int(each)), "s", "Arithmetic in BF16, attention's too")
            for nodes, each in fitting.items()
        },
    }


def _busy(where: Scenario) -> dict[str, Value]:
    """Shares of a token's time for which a node multiplies, memories full: four bits as published, in BF16, and FP8."""
    bits = published(where)
    pair, row, spread = full_row(where, bits, PAIR), full_row(where, bits, STAGES), full_spread(where, bits)
    ways = {"copied": (pair.most, pair.token), "row": (row.most, row.token), "halves": (spread.fit, spread.halved)}
    halves = full_spread(where, where.setting)
    return {
        f"bits_{name}_busy": Value(multiplied(where, most) / token, "%", "Multiplying in BF16", 2)
        for name, (most, token) in ways.items()
    } | {"copied_busy": Value(multiplied(where, halves.fit, "fp8") / halves.halved, "%", "In halves, in FP8", 2)}


def _sending(where: Scenario) -> dict[str, Value]:
    """The parts of a step of spread layers: copies, bytes and starts, and reading whole or in halves."""
    batch, width, link = BATCH.default, where.model.known("d_model"), way_out(where)[1]
    picks = where.model.routed[1]
    tokens, each = batch / where.chips, float(exchange_bytes(1, width, 1).total)
    once = (STAGES - 1) * float(visited_share(STAGES, picks, *where.model.groups))
    layers = where.model.expert_layers
    together = read_together(where, batch, CONTEXT.default)
    return {
        "picks": Value(picks, "", "Experts of a token"),
        "tokens": Value(tokens, "tokens", "of a chip in a step"),
        "copies_once": Value(once, "", "Copies of a token, one for each other node"),
        "bytes": Value(each, "B", "A copy, there and back", 5),
        "layer_once": Value(tokens * once * each / link, "s", "Sent in a layer, one copy a node", 3),
        "layers": Value(layers, "", "Layers with experts"),
        "layers_once": Value(layers * tokens * once * each / link, "s", "Sent in a step, one copy a node", 4),
        "starts": Value(2 * layers * HOP_LATENCY, "s", "Starts of all crossings"),
        "saved": Value(step_alone(where, batch, CONTEXT.default) - together, "s", "Saved by reading together"),
        "crossing_once": Value(float(sending_seconds(where, batch, True)), "s", "Sending", 4),
    }


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


FIGURES = (
    Figure(
        name="pipelining/spread",
        compute=spread,
        sources=("kimi-k2-repo", "kimi-k2-guide", "aiconfigurator", "modal-k2", "mooncake-k2", "deepep-legacy"),
    ),
)
