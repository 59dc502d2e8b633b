"""The usual layout, memories full: chips copy all but routed experts, in a row and in layers spread over its nodes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from calc.figure.declared import Value
from calc.figure.scenario import CONTEXT
from calc.pipelining.figures.setting import HOP_LATENCY, STAGES, in_a_row, largest_micro_batch, step_alone
from calc.pipelining.figures.shared import published
from calc.pipelining.figures.worked.sending import COPIES, HALVES, inside_seconds, passing, sending_seconds, spread_step
from calc.pipelining.figures.worked.stages import first_stage, longest_share, stored_weights
from calc.pipelining.figures.worked.timed import timed
from calc.quantities.check import Quantity
from calc.setting import Layout, Scenario, Setting
from calc.step import prefill

WIDE = 2 * STAGES  # nodes of a larger deployment
PAIR = 2  # nodes of a row with the published files in four bits, and of a wide stage
PROMPTS = 16  # read together, so that reading weights hides behind their arithmetic
SHORT = 500  # tokens of context, as of chats that have just begun
BACK = STAGES * HOP_LATENCY  # starts of a round's hops


class FullRow(NamedTuple):
    """A full row of nodes: bytes of its first stage, sequences of a node, and seconds of a token's three parts."""

    first: float
    most: int
    reading: float
    hops: float
    inside: float  # sending to experts on other chips of a stage, which nothing hides

    @property
    def token(self) -> float:
        return self.reading + self.hops + self.inside

    @property
    def rate(self) -> float:
        """Tokens a second of a node."""
        return self.most / self.token


class FullSpread(NamedTuple):
    """Full nodes that share every layer: bytes and sequences of a node, and a step's seconds, each way."""

    held: float
    fit: int
    sent: float  # with one copy a node
    starts: float  # of `sent`, however little is sent
    once: float  # sending after reading
    halved: float
    apart: float  # in halves, with a copy for each expert
    passed: float  # copies passed on inside nodes

    @property
    def carried(self) -> float:
        """Seconds of sending without its starts."""
        return self.sent - self.starts


def full_ways(where: Scenario) -> dict[str, Value]:
    """Both ways in FP8 and in four bits, there in a row of two, too, and where the ways are even."""
    bits, row = published(where), full_row(where, where.setting, STAGES)
    spread = full_spread(where, where.setting)
    return {
        **_in_a_row("bits_copied", full_row(where, bits, PAIR)),
        **_in_a_row("bits_row", full_row(where, bits, STAGES)),
        **_in_a_row("copied", row),
        **_in_halves("bits", full_spread(where, bits)),
        **_in_halves("copied", spread),
        **_weights(where, row, spread),
        **_spread_over(spread),
        **_even_with_as_many(where, row, spread),
        **_even_when_full(row, spread),
        **timed(where, spread.fit, (row.most, row.reading + row.hops)),
        **_prompts(where, row, spread),
    }


def full_row(where: Scenario, setting: Setting, stages: int, wide: int = 1) -> FullRow:
    """A row of stages, each of so many nodes, with all the sequences for which its longest stage has room.

    Nodes of a wide stage share its experts; links inside them send while those between them do.
    """
    first = first_stage(setting, stages, where.chips * wide) / wide
    each = longest_share(where.model, stages) * where.kv_bytes_per_token * CONTEXT.default
    most = int((where.hbm_bytes - first) / stages / each)
    hops = in_a_row(where, most, CONTEXT.default, stages) - step_alone(where, most, CONTEXT.default)
    inside = inside_seconds(where, most) if wide == 1 else float(sending_seconds(where, most, True, stages=wide))
    return FullRow(first, most, stages * (first + most * each) / where.bandwidth, hops, inside)


def full_spread(where: Scenario, setting: Setting) -> FullSpread:
    """As many nodes as the row has stages, with all the sequences for which they have room."""
    stored = stored_weights(setting, where.chips * STAGES)
    fit = int(largest_micro_batch(where, CONTEXT.default, STAGES, stored))
    return FullSpread(
        held=stored / STAGES,
        fit=fit,
        sent=float(sending_seconds(where, fit, True)),
        starts=2 * where.model.expert_layers * HOP_LATENCY,
        once=spread_step(where, fit, True, stored=stored),
        halved=spread_step(where, fit, True, HALVES, stored=stored),
        apart=spread_step(where, fit, False, HALVES, stored=stored),
        passed=passing(where, fit),
    )


def unhidden_below(where: Scenario, nodes: int) -> float:
    """Sequences of a node with which sending over so many nodes takes as long as reading a node's weights."""
    stored = stored_weights(where.setting, where.chips * nodes)
    fit = int(largest_micro_batch(where, CONTEXT.default, nodes, stored))
    starts = 2 * where.model.expert_layers * HOP_LATENCY
    carried = float(sending_seconds(where, fit, True, stages=nodes)) - starts
    return fit * (stored / nodes / where.bandwidth - starts) / carried


def _in_a_row(name: str, row: FullRow) -> dict[str, Value]:
    return {
        f"{name}_most": Value(row.most, "", "Sequences of a node in a row"),
        f"{name}_token": Value(row.token, "s", "A token in a row"),
        f"{name}_row": Value(row.rate, "", "Tokens/s of a node in a row", 2),
    }


def _in_halves(name: str, spread: FullSpread) -> dict[str, Value]:
    return {
        f"{name}_fit": Value(spread.fit, "", "Sequences of a node, spread"),
        f"{name}_halves_read": Value(spread.halved, "s", "A token, in halves"),
        f"{name}_halves": Value(spread.fit / spread.halved, "", "Tokens/s of a node in halves", 2),
    }


def _weights(where: Scenario, row: FullRow, spread: FullSpread) -> dict[str, Value]:
    alone = stored_weights(where.setting, where.chips)
    copy = (STAGES * spread.held - alone) / where.chips / (STAGES - 1)
    return {
        "copied_experts": Value(alone - where.chips * copy, "B", "Routed experts", 4),
        "copied_rest": Value(copy, "B", "All other weights"),
        "copied_row_held": Value(row.first, "B", "Weights of the first stage"),
        "copied_again": Value((STAGES - 1) * row.first / where.bandwidth, "s", "Read again"),
        "copied_floor": Value(STAGES * row.first / where.bandwidth, "s", "Weights of a row, read for a token"),
        "copied_inside": Value(row.inside, "s", "Sending inside nodes, in a row"),
        "copied_hops": Value(row.hops, "s", "Hops of a row and the way back"),
        "copied_between": Value(row.reading + row.hops, "s", "A token in a row, sending inside nodes apart"),
        "copied_between_row": Value(row.most / (row.reading + row.hops), "", "Tokens/s of a node then", 2),
        "copied_held_read": Value(spread.held / where.bandwidth, "s", "Weights of a node, read"),
        "copied_held": Value(spread.held, "B", "Weights of a node"),
    }


def _spread_over(spread: FullSpread) -> dict[str, Value]:
    return {
        "passed": Value(spread.passed, "s", "Passing on inside nodes"),
        "copied_sent": Value(spread.sent, "s", "Sending, one copy a node"),
        "copied_over": Value(spread.once, "s", "A token, spread"),
        "copied_once": Value(spread.fit / spread.once, "", "Tokens/s of a node, spread", 2),
        "copied_halves_sent": Value(spread.sent + spread.starts, "s", "Sending in halves"),
        "apart_rate": Value(spread.fit / spread.apart, "tokens/s", f"Halves, {COPIES[False]}"),
    }


def _prompts(where: Scenario, row: FullRow, spread: FullSpread) -> dict[str, Value]:
    """Tokens of prompts for each written one, and rate of arithmetic, at which a row and halves are even."""
    step = prefill(where.setting.with_layout(Layout()), PROMPTS, CONTEXT.default)
    attended = sum(float(each.flops) for each in step.operations if each.name == "attention")
    slower = attended / where.chip.flops("bf16") - attended / where.chip.flops("fp8")  # attention in BF16
    work = (float(step.bound_seconds) + slower) / where.chips / (PROMPTS * CONTEXT.default)
    handed = (row.hops - BACK + row.inside) / row.most
    sent = spread.carried / spread.fit
    written = row.token / row.most - spread.halved / spread.fit
    both = row.token / row.most - row.inside / row.most - (row.hops - BACK) / row.most - 2 * spread.starts / spread.fit
    return {
        "prompt_sent": Value(sent, "s", "Sending of a token, in halves"),
        "prompt_work": Value(work, "s", "Arithmetic of a prompt token"),
        "prompt_handed": Value(handed, "s", "Sending of a token, in a row"),
        "prompt_written": Value(written, "s", "A written token later, in a row"),
        "prompt_both": Value(both / (sent - handed) - 1, "", "The same, read in the steps that write", 2),
        "prompt_even": Value(
            written / (sent - work - handed), "", "Prompt tokens for each written, even with halves", 2
        ),
        "prompt_rate": Value(work / (sent - handed), "%", "Rate of arithmetic, even with halves", 2),
    }


def _even_with_as_many(where: Scenario, row: FullRow, spread: FullSpread) -> dict[str, Value]:
    """Sequences of a node, as many in each way, at which two ways write equally soon."""
    reread, read = STAGES * row.first / where.bandwidth, spread.held / where.bandwidth
    more = spread.carried / spread.fit - (row.hops - BACK + row.inside) / row.most  # seconds of links, each
    short = SHORT / CONTEXT.default
    cache = short * (row.reading - reread) / row.most  # in a row: its longest stage has more than its share
    even = short * (spread.once - spread.sent - read) / spread.fit
    return {
        "crowd_once": Value(
            (reread + BACK - read - spread.starts) / (more - cache + even), "sequences", "Even with spread layers", 2
        ),
        "crowd_from": Value((reread + BACK - 2 * spread.starts) / (more - cache), "sequences", "Even with halves", 2),
        "crowd_at": Value(SHORT, "tokens", "Context there"),
        **{
            name: Value(unhidden_below(where, nodes), "", f"Users of a node, unhidden below, {nodes} nodes", digits)
            for name, nodes, digits in (("few", STAGES, 3), ("few_wide", WIDE, 2))
        },
    }


def _even_when_full(row: FullRow, spread: FullSpread) -> dict[str, Value]:
    """Shares of the links' rate, and contexts, at which two ways write as much; fewer tokens leave room for more."""
    times = spread.fit / row.most  # sequences of spread layers for one of the row
    extra, left = spread.carried - times * (row.hops - BACK), times * (row.reading + BACK)
    hidden, inside = left - 2 * spread.starts, times * row.inside  # which grows with sequences, on links of full rate
    beside = left + inside - spread.once + spread.sent - spread.starts
    second, beyond = spread.halved - spread.once + spread.carried, extra - inside
    caches = 2 * (spread.once - spread.sent) - spread.halved  # seconds of reading them
    return {
        "slower": Value(extra / beside, "%", "Links, even with spread layers", 2),
        "slower_halves": Value(extra / (hidden + inside), "%", "Links, even with halves", 2),
        "hidden": Value(spread.carried / (spread.halved - 2 * spread.starts), "%", "Links, sending hides", 2),
        "short": Value(CONTEXT.default * beyond / hidden, "tokens", "Even with halves", 2),
        "short_once": Value(CONTEXT.default * beyond / (beside - inside), "tokens", "Even, unhidden", 2),
        "passed_slower": Value(extra / (beside - spread.passed), "%", "Links, even if passing on waits", 2),
        "passed_short": Value(CONTEXT.default * (beyond + spread.passed) / (beside - inside), "tokens", "then even", 2),
        "copied_apart": Value(spread.fit / spread.halved / row.rate, "x", "Rates of halves and of a row", 2),
        "long": Value(CONTEXT.default * spread.carried / second, "tokens", "Unhidden", 2),
        "fast": Value(
            1 / (spread.halved - (1 - second / spread.carried) * caches), "tokens/s", "For a user, unhidden", 2
        ),
    }


def full_rates(
    row: FullRow, spread: FullSpread, context: float, links: Quantity = 1.0, busy: tuple[float, float] = (0, 0)
) -> tuple[Quantity, Quantity, Quantity]:
    """Tokens a second of a node in a row, spread and in halves, memories as full at any context.

    Readings and starts take as long; links between nodes, at a share of their rate, send for more or fewer sequences.
    Seconds in which the row and spread layers are `busy` multiplying hide behind reading, or it behind them.
    """
    times = CONTEXT.default / context
    in_row = max(row.reading, busy[0]) + BACK + times * ((row.hops - BACK) / links + row.inside)
    sent = times * spread.carried / links + spread.starts
    once = max(spread.once - spread.sent, busy[1]) + sent
    halves = np.maximum(max(spread.halved, busy[1]), sent + spread.starts)
    return times * row.most / in_row, times * spread.fit / once, times * spread.fit / halves
