"""Lecture 1's exercises: every number that they ask for or answer with."""

from __future__ import annotations

import numpy as np

from calc import batching, catalog
from calc.batching import departures, fast_mode
from calc.batching.figures.setting import balanced_batch, critical_context, largest_batch, latency_floor
from calc.batching.figures.shared import chip_ratio
from calc.figure import slips
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.arithmetic import DAY, HOUR, MILLION
from calc.setting import Scenario
from calc.step.forecasting import forecast

PRICE, SPEED = 4.0, 2.0
BALANCED_AT = 100_000
WEIGHT_SHARES = (0.0, 0.2, 0.5)
_ALL_SEATS = "This shares the rent among all tokens that a node could write, not among those that are asked for."
ANSWER, SEATS, PERIOD, PER_DAY = 800, 2000, 0.02, 10
CONTEXT, TRAFFIC, WANTED, TIMED = 8192, 10_000, 40.0, 50


def recall() -> dict[str, Value]:
    """1: a floor and a drain."""
    where = Scenario.named("llama-3-405b", "hgx-h200", "fp8")
    chips = where.system.chips
    return {
        "floor": Value(latency_floor(where), "s", "Latency floor", slips=slips.of_all(chips) + slips.BYTES_OF_A_NUMBER),
        "drain": Value(where.hbm_bytes / where.bandwidth, "s", "Drain time", slips=slips.of_all(chips)),
        "params": Value(where.model.total_params, "parameters", "Parameters"),
        "weights": Value(where.weight_bytes, "B", "Weights"),
        "chip_memory": Value(where.chip.hbm_bytes, "B", "Memory of a chip", 4),
        "chip_bandwidth": Value(where.chip.hbm_bandwidth, "B/s", "Memory bandwidth of a chip"),
        "bandwidth": Value(where.bandwidth, "B/s", "Bandwidth"),
        "memory": Value(where.hbm_bytes, "B", "Memory", 4),
    }


def balance() -> dict[str, Value]:
    """6: a balanced batch, with and without a cache."""
    where = Scenario.named("qwen3-235b-a22b", "hgx-b200", "fp8")
    context = 512.0
    guessed, cached = balanced_batch(where), balanced_batch(where, context)
    sparse = slips.forgotten(where.model.sparsity, "the parameters for each active one")
    without = slips.Slip(guessed / cached, "This is the batch without a cache, which has to be read too.")
    return {
        "qwen_total": Value(where.model.total_params, "parameters", "Parameters"),
        "qwen_active": Value(where.model.active_params, "parameters", "of them active"),
        "qwen_layers": Value(where.model.known("layers"), "layers", "Layers"),
        "qwen_heads": Value(where.model.known("kv_heads"), "", "Key-value heads"),
        "qwen_width": Value(where.model.known("head_dim"), "", "Width of a head"),
        "qwen_token": Value(where.kv_bytes_per_token, "B", "Cache of a token"),
        "qwen_flops": Value(where.chip.flops("fp8"), "FLOP/s", "Arithmetic of a chip"),
        "qwen_bandwidth": Value(where.chip.hbm_bandwidth, "B/s", "Memory bandwidth of a chip"),
        "qwen_ratio": Value(chip_ratio(where.chip, "fp8"), "", "Ratio", 4),
        "qwen_sparsity": Value(where.model.sparsity, "", "Sparsity", 4),
        "qwen_balanced": Value(guessed, "sequences", "Balanced batch", slips=sparse + slips.MULTIPLY_ADD),
        "qwen_critical": Value(critical_context(where), "tokens", "Critical context"),
        "qwen_context": Value(context, "tokens", "Context"),
        "qwen_with_cache": Value(cached, "sequences", "Balanced batch with a cache", slips=(without,)),
    }


def offer() -> dict[str, Value]:
    """2: what an offer implies."""
    implied = fast_mode.fast_mode(PRICE, SPEED)
    smaller = 1 / implied.batch_share
    added = slips.Slip(float(1 - 1 / implied.speed_ceiling), "This is x alone: the part that stays, 1, comes on top.")
    price_alone = slips.Slip(PRICE / float(smaller), "This is the price alone; a step of the fast mode is shorter too.")
    return {
        "offer_price": Value(PRICE, "", "Price"),
        "offer_speed": Value(SPEED, "", "Speed"),
        "offer_smaller": Value(smaller, "", "Batch, smaller by", slips=(price_alone,)),
        "offer_cache": Value(implied.cache_to_weights, "", "Cache for each byte of weights"),
        "offer_ceiling": Value(implied.speed_ceiling, "x", "Ceiling", slips=(added,)),
        "offer_saving": Value(1 / implied.speed_ceiling, "%", "Most that a slow mode saves"),
    }


def doubled() -> dict[str, Value]:
    """3: a step balanced at one context, at twice that context."""
    found = {f"busy_{share:.0%}".removesuffix("%"): _busy_when_doubled(share) for share in WEIGHT_SHARES}
    no_weights = {
        key: (slips.Slip(0.5 / busy, "This leaves out the weights, which take as long to read as before."),)
        for key, busy in found.items()
        if busy != 0.5
    }
    halved = batching.context_for_utilisation(0.5, BALANCED_AT, WEIGHT_SHARES[-1])
    return {
        key: Value(busy, "%", "Busy at twice the context", slips=no_weights.get(key, ())) for key, busy in found.items()
    } | {
        "balanced_at": Value(BALANCED_AT, "tokens", "Balanced at", 9),
        "half_at": Value(halved, "tokens", "Half busy at"),
    }


def _busy_when_doubled(weight_share: float) -> float:
    step = batching.StepTime(compute=1.0, weights=weight_share, cache=2 * (1 - weight_share))
    return float(step.utilisation)


def seats() -> dict[str, Value]:
    """7: how many people fill a system."""
    conversations = departures.sequences_per_second(SEATS, PERIOD, ANSWER)
    stay = ANSWER * PERIOD
    left_out = slips.forgotten(1 / PER_DAY, "each person asks several times a day")
    left_out += slips.forgotten(1 / stay, "an answer keeps its seat for all of its tokens")
    return {
        "answer": Value(ANSWER, "tokens", "Answer"),
        "seats": Value(SEATS, "", "Seats"),
        "period": Value(PERIOD, "s", "Period"),
        "conversations": Value(conversations, "", "New answers a second"),
        "stay": Value(stay, "s", "An answer takes"),
        "per_day": Value(PER_DAY, "", "Answers a day and person"),
        "people": Value(conversations * DAY / PER_DAY, "people", "People who fill it", slips=left_out),
    }


def design() -> dict[str, Value]:
    """4: a small service on one node."""
    where = Scenario.named("llama-3-70b", "hgx-h100", "fp8")
    fits = largest_batch(where, CONTEXT)
    arguments = where.step_arguments()
    step = batching.step_time(fits, CONTEXT, **arguments)
    kept = batching.batch_within(1 / WANTED, CONTEXT, **arguments)
    rent = catalog.rent("hgx-h100").dollars_per_chip_hour
    return {
        "design_context": Value(CONTEXT, "tokens", "Context", 9),
        "design_traffic": Value(TRAFFIC, "tokens/s", "Traffic", 9),
        "design_wanted": Value(WANTED, "tokens/s", "Speed wanted"),
        "design_chip": Value(where.chip.hbm_bytes, "B", "Memory of a chip", 4),
        "design_spare": Value(where.hbm_bytes - where.weight_bytes, "B", "Memory beside the weights"),
        "design_each": Value(CONTEXT * where.kv_bytes_per_token, "B", "Cache of a sequence"),
        "design_fits": Value(fits, "sequences", "Largest batch"),
        "design_step": Value(step.bound, "s", "Its step, at least"),
        "kept_batch": Value(kept, "sequences", "Largest batch that keeps the speed, by the bound"),
        "kept_tokens": Value(kept * WANTED, "tokens/s", "Together, at that speed"),
        "design_rent": Value(rent, "$/h", "Rent of a chip"),
        "design_cost": Value(
            MILLION * rent * where.system.chips / HOUR / TRAFFIC,
            "$/Mtok",
            "A million tokens, at least",
            slips=(*slips.of_all(where.system.chips), slips.Slip(TRAFFIC / kept / WANTED, _ALL_SEATS)),
        ),
        **design_for_real(where, fits, rent * where.system.chips),
    }


def design_for_real(where: Scenario, fits: float, rent: float) -> dict[str, Value]:
    """4, continued: the largest batches whose forecast and whose slow end keep the promise, and their nodes."""
    node, batches = where.setting, np.arange(1.0, fits + 1)
    every = forecast(node, batches, CONTEXT)
    seconds, high = (np.asarray(each) for each in (every.seconds, every.band_80[1]))
    last, sure = (np.searchsorted(steps, 1 / WANTED, side="right") - 1 for steps in (seconds, high))
    batch = batches[last]
    timed, slow = seconds[TIMED - 1], high[last] / seconds[last]
    further = (timed - seconds[0]) / (TIMED - 1)
    from_none = slips.Slip(
        float(1 / WANTED / further / batch), "A lone user's step comes off first, before you divide."
    )
    in_proportion = slips.Slip(
        float(TIMED / WANTED / timed / batch), "Steps are not in proportion to users: most of a lone user's step stays."
    )
    divided = slips.Slip(
        float(batch / slow / batches[sure]), "The slow end lengthens a step: divide the time, not the users."
    )
    hoped = slips.Slip(float(batch / batches[sure]), "These keep the speed by the forecast, and not at its slow end.")
    return {
        "real_alone": Value(seconds[0], "s", "A lone user's step, forecast", 4),
        "real_timed": Value(timed, "s", "A step of fifty, forecast", 4),
        "real_further": Value(further, "s", "One more"),
        "real_slow": Value(slow, "x", "Slow end over forecast"),
        "safe_allowed": Value(1 / slow / WANTED, "s", "Forecast that the speed allows"),
        "real_allowed": Value(1 / WANTED, "s", "Step allowed"),
        "real_high": Value(high[last], "s", "and below"),
        **_nodes("real", batch, rent, (from_none, in_proportion)),
        **_nodes("safe", batches[sure], rent, (divided, hoped)),
    }


def _nodes(name: str, batch: float, rent: float, own: slips.Slips) -> dict[str, Value]:
    nodes = departures.systems_needed(TRAFFIC, batch * WANTED)
    return {
        f"{name}_batch": Value(batch, "sequences", "Batch of a node", slips=own),
        f"{name}_tokens": Value(batch * WANTED, "tokens/s", "Tokens of a node"),
        f"{name}_nodes": Value(nodes, "", "Nodes"),
        f"{name}_cost": Value(MILLION * nodes * rent / HOUR / TRAFFIC, "$/Mtok", "A million tokens"),
    }


def idle() -> dict[str, Value]:
    """5: an idle share that was quoted without its batch."""
    where = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8")
    full = balanced_batch(where)
    busy = slips.Slip(99, "This is the batch at which so much is busy, not idle.")
    return {
        "idle_share": Value(0.99, "%", "Idle"),
        "idle_batch": Value(0.01 * full, "sequences", "Batch at which so much is idle", slips=(busy,)),
        "idle_balanced": Value(full, "sequences", "Balanced batch"),
        "idle_flops": Value(where.chip.flops("fp8"), "FLOP/s", "Arithmetic of a chip"),
        "idle_bandwidth": Value(where.chip.hbm_bandwidth, "B/s", "Memory bandwidth of a chip"),
    }


def answers() -> Answer:
    """All of them, under one name."""
    values = recall() | balance() | offer() | doubled() | seats() | design() | idle()
    return Answer(finding="The numbers of the exercises", values=values)


EXERCISE = Figure(name="batching/exercise", compute=answers, sources=("aiconfigurator", "aimultiple", "deepseek-day-6"))
FIGURES = (EXERCISE,)
