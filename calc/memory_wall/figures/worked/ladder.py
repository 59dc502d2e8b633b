"""From the users that the bound allows to those that are expected: step by step, each with what the last left out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calc import catalog
from calc.batching.figures.shared import published_guess
from calc.figure.declared import Answer, Figure, Value
from calc.memory_wall.figures.kept import (
    ANSWER,
    KEPT,
    PROMISED,
    in_time,
    line,
    most_in_time,
    planned,
    prompt_chips,
    whole_rounds,
)
from calc.memory_wall.figures.setting import slope, token_operations
from calc.memory_wall.figures.shared import LONG, PACE, RACK, SLOW, indexed_token_bytes
from calc.quantities import draws
from calc.setting import Scenario, Setting
from calc.step import decode, forecast_of, most_sequences

FLEETS = 100  # that are simulated side by side


def ladder() -> Answer:
    """The time that a promised step leaves for users, the time that each takes, and so how many there are."""
    bound = Scenario.named("deepseek-v3", RACK, "fp8")
    rack, many = whole_rounds("deepseek-v3")
    step = decode(rack, many, LONG)
    expected = forecast_of(step)
    kernels, weights = float(np.max(expected.kernel_seconds)), float(np.max(step.weights_seconds))
    chips = rack.machine.domain_chips
    each = LONG * bound.kv_bytes_per_token / bound.chip.hbm_bandwidth
    first, left = (PROMISED - seconds for seconds in (bound.weight_bytes / bound.bandwidth, weights + kernels))
    fixed = weights / expected.fit.memory_share + kernels
    left_at_rates = PROMISED - fixed
    in_turn, at_rates = (in_time(seconds, many) for seconds in (step.serial_seconds + kernels, expected.seconds))
    operations = token_operations(bound.model, LONG)
    multiplied = chips * operations / bound.flops
    read_at_rates = each / expected.fit.memory_share
    multiplied_at_rates = multiplied / expected.fit.arithmetic_share
    each_at_rates = chips * left_at_rates / at_rates
    overlapped = each_at_rates - min(read_at_rates, multiplied_at_rates)
    late, early = PROMISED / expected.fit.high_80, PROMISED / expected.fit.low_80
    sending = chips * left / in_turn - each - multiplied
    first_link, last_link = np.asarray(step.scale_up_seconds)[[0, -1]]
    linked = float(chips * (last_link - first_link) / (many[-1] - many[0]))
    return Answer(
        finding="Users of one rack, from the bound to the forecast",
        values={
            "first": Value(first, "s", "Left by the weights, each on one chip", 5),
            "each": Value(each, "s", "A chip reads the cache of a user", 4),
            "in_bound": Value(first / each, "", "Users of a chip in it", 4),
            "left": Value(left, "s", "Left by kernels and copies"),
            "operations": Value(operations, "FLOP", "Operations for a token of a user", 4),
            "multiplied": Value(multiplied, "s", "A chip multiplies for it", 4),
            "attended": Value(chips * slope(bound.model) * LONG / bound.flops, "s", "of which attention", 4),
            "sending": Value(sending, "s", "Messages of a user", 2),
            "linked": Value(linked, "s", "on links", 2),
            "passed": Value(sending - linked, "s", "through memory, from kernel to kernel", 2),
            "each_in_turn": Value(chips * left / in_turn, "s", "A user on its chip, if nothing overlaps"),
            "in_turn": Value(in_turn / chips, "", "Users of a chip then"),
            "sending_at_rates": Value(
                each_at_rates - read_at_rates - multiplied_at_rates, "s", "and a delay, at fitted rates", 2
            ),
            "fixed": Value(fixed, "s", "Weights and kernels at fitted rates, of any step for many", 4),
            "slow_left": Value(1 / SLOW - fixed, "s", "Left by both at the slow promise"),
            "at_once": Value(chips * left / (each + sending), "", "if multiplying overlaps"),
            "left_at_rates": Value(left_at_rates, "s", "Left at fitted rates"),
            "each_at_rates": Value(each_at_rates, "s", "A user on its chip at those rates", 4),
            "chip": Value(at_rates / chips, "", "Users at those rates, on a chip", 2),
            "each_overlapped": Value(overlapped, "s", "A user, if multiplying overlaps"),
            "overlapped": Value(chips * np.floor(left_at_rates / overlapped), "", "Users then, whole on each chip", 4),
            "late_overlapped": Value(chips * np.floor((late - fixed) / overlapped), "", "at the slow end"),
            "late": Value(late, "s", "Step to plan for at the slow end", 4),
            "late_left": Value(late - fixed, "s", "Left in it", 4),
            "late_chip": Value((late - fixed) / each_at_rates, "", "Users of a chip in it"),
            "early_chip": Value((early - fixed) / each_at_rates, "", "at the fast end"),
            "expected": Value(most_in_time(expected.seconds, many), "", "Users at those rates, whole on each chip"),
            "fewest": Value(most_in_time(expected.band_80[1], many), "", "if a step is as slow as its range allows"),
            "most": Value(most_in_time(expected.band_80[0], many), "", "if it is as fast"),
        },
    )


def expected() -> Answer:
    """Users that are expected at other promises, with an index and without, and the steps at which that turns."""
    rack, many = whole_rounds("deepseek-v3")
    chosen, more = whole_rounds("deepseek-v3.2")
    room = most_sequences(rack, LONG)
    kept = catalog.datum("sglang-long-memory-share").value
    few = _room(rack, float(rack.kept_bytes_per_token), kept)
    seconds = {
        name: float(forecast_of(decode(rack, users, LONG)).seconds)
        for name, users in (("room_step", room), ("kept_step", few))
    }
    ours = forecast_of(decode(rack, many, LONG))
    slow, slow_fewest = (most_in_time(each, many, 1 / SLOW) for each in (ours.seconds, ours.band_80[1]))
    indexed = most_in_time(forecast_of(decode(chosen, more, LONG)).seconds, more)
    return Answer(
        finding="Users of one rack, as they are expected",
        values={
            "slow": Value(slow, "", "Users at the slow promise", 2),
            "slow_fewest": Value(slow_fewest, "", "at the slow end", 4),
            "indexed": Value(indexed, "", "Users at the usual promise, with an index", 2),
            "indexed_room": Value(_room_with_scales(chosen), "", "Users that have room beside copies, then"),
            "indexed_kept": Value(_room_with_scales(chosen, kept), "", "Users that have room in an engine's share", 4),
            "kept": Value(few, "", "the same without an index", 4),
            "kept_step": Value(seconds["kept_step"], "s", "A step of so many"),
            "room": Value(room, "", "Users that have room beside copies", 4),
            "room_each": Value(room / rack.machine.domain_chips, "", "of them on a chip"),
            "room_step": Value(seconds["room_step"], "s", "A step of so many"),
            "stored": Value(np.max(rack.chip_weight_bytes), "B", "Weights that a chip stores, with copies"),
        },
    )


def plan() -> Answer:
    """Users to plan with, if chips take prompts in, contexts differ by three tenths, or each step checks a draft."""
    rack, many = whole_rounds("deepseek-v3")
    chips, guess = float(rack.machine.domain_chips), published_guess()
    (fixed, each), (draft_fixed, draft_each) = line(rack, chips), line(rack, chips, guess)
    wide = replace(rack, precisions=replace(rack.precisions, attention_products="bf16"))
    wide_load, wide_each = sent_to_the_emptiest(chips, 2, 0.3), line(wide, chips)[1]
    drafted = forecast_of(decode(rack, many, LONG, drafts=guess)).seconds
    period = float(PROMISED * guess.tokens_per_pass)
    crowds = (2.0, 0.3), (3.0, 0.3), (2.0, 0.6)  # users of a chip, deviation of their contexts over the mean
    loads = [fullest_of(chips, users, spread) for users, spread in crowds]
    sent = [sent_to_the_emptiest(chips, users, spread) for users, spread in crowds]
    kept, kept_sent = ([PROMISED / (fixed + load * each) for load in some] for some in (loads, sent))
    lone = fullest_of(chips, 1, 1)
    return Answer(
        finding="Users to plan with",
        values={
            "again": Value(prompt_chips(1, KEPT) * ANSWER / PACE, "s", "A prompt on a chip, nine tenths of it kept", 2),
            "begun": Value((prompt_chips(1) - prompt_chips(1, KEPT)) * ANSWER / PACE, "s", "Those nine tenths", 2),
            "three": Value(chips * 3, "", "Users, three a chip"),
            "fullest": Value(loads[0], "", "Average users on the fullest chip", 2),
            "three_fullest": Value(loads[1], "", "With three on average", 2),
            "two_fullest": Value(loads[2], "", "With two, that differ twice as much", 2),
            "one_fullest": Value(lone, "", "With one, spread as much as the mean", 2),
            "one_uneven": Value(PROMISED / (fixed + lone * each), "x", "Steps over forecast that keep it so"),
            "uneven": Value(kept[0], "x", "Steps over forecast that keep the promise so"),
            "three_uneven": Value(kept[1], "x", "With three on average"),
            "two_uneven": Value(kept[2], "x", "With two, that differ twice as much"),
            "sent_load": Value(sent[0], "", "The fullest, if each user is sent to the emptiest chip"),
            "three_load": Value(sent[1], "", "With three on average"),
            "sent": Value(kept_sent[0], "x", "Such steps, if each user is sent so"),
            "three_sent": Value(kept_sent[1], "x", "With three on average", 4),
            "two_sent": Value(kept_sent[2], "x", "With two, that differ twice as much", 4),
            "wide_each": Value(wide_each, "s", "A user that attends in BF16, at fitted rates"),
            "wide_sent": Value(PROMISED / (fixed + wide_load * wide_each), "x", "With two that attend in BF16"),
            "wide_apart": Value(
                PROMISED / (fixed + fullest_of(chips, 1, 0.6) * wide_each), "x", "With one that differs twice as much"
            ),
            "guessed": Value(most_in_time(drafted, many, period), "", "Users with a guess a step", 4),
            "guessed_fewest": Value(planned(guess=True) * chips, "", "and the slow end"),
            "guessed_tokens": Value(guess.tokens_per_pass, "", "Tokens of such a step"),
            "guessed_step": Value(period, "s", "It may last"),
            "guessed_fixed": Value(draft_fixed, "s", "Weights and kernels of it"),
            "guessed_each": Value(draft_each, "s", "A user in it"),
            "guessed_pays": Value(
                (draft_fixed + draft_each * (PROMISED - fixed) / each) / PROMISED - 1, "%", "Kept from which it pays", 2
            ),
        },
    )


def fullest_of(chips: float, users: float, spread: float) -> float:
    """Load of the fullest of so many chips, in users, on average: contexts by a gamma law, so many on each.

    >>> round(fullest_of(2, 1, 1), 2), round(fullest_of(72, 4, 0.3), 2)
    (1.5, 5.58)
    """
    grid, below = _law(users, spread)
    return float(grid[-1] - np.sum(below**chips) * (grid[1] - grid[0]))


def sent_to_the_emptiest(chips: float, users: float, spread: float) -> float:
    """The same load, simulated, if a user leaves at random and the next one is sent to the chip with least load.

    >>> round(sent_to_the_emptiest(72, 3, 0.3), 1), round(fullest_of(72, 3, 0.3), 1)
    (4.0, 4.4)
    """
    seats, fleet = int(chips * users), np.arange(FLEETS)
    drawn = draws.uniform(1, (2, 3 * seats, FLEETS))
    grid, below = _law(1, spread)
    contexts, leaving = np.interp(drawn[0], below, grid), (drawn[1] * seats).astype(int)
    leaving[:seats] = np.arange(seats)[:, None]  # seats that are still empty
    load, held, where = np.zeros((FLEETS, int(chips))), np.zeros((FLEETS, seats)), np.zeros((FLEETS, seats), int)
    fullest = []
    for context, seat in zip(contexts, leaving, strict=True):
        load[fleet, where[fleet, seat]] -= held[fleet, seat]
        where[fleet, seat], held[fleet, seat] = load.argmin(axis=1), context
        load[fleet, where[fleet, seat]] += context
        fullest.append(load.max(axis=1).mean())
    return float(np.mean(fullest[2 * seats :]))


def _law(users: float, spread: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Loads of so many users whose contexts follow a gamma law, and the share of draws below each."""
    grid = np.asarray(np.linspace(0, 20 * users, 100_001)[1:], np.float64)
    density = (users / spread**2 - 1) * np.log(grid) - grid / spread**2
    below: NDArray[np.float64] = np.cumsum(np.exp(density - density.max()))
    return grid, below / below[-1]


def remedies() -> Answer:
    """Time of a step before any user, over today's, with half the kernels, half the bytes or twice the chips."""
    racks = (Setting.published("deepseek-v3", RACK, "fp8", chips=count) for count in (72, 144))
    one, two = (decode(each, 20_000.0, LONG) for each in racks)
    expected = forecast_of(one)
    kernels = float(np.max(expected.kernel_seconds))
    read, less = (float(np.max(each.weights_seconds)) / expected.fit.memory_share for each in (one, two))
    return Answer(
        finding="A step before any user, over today's",
        values={
            "kernels": Value((read + kernels / 2) / (read + kernels), "x", "With half the kernels", 2),
            "bytes": Value((read / 2 + kernels) / (read + kernels), "x", "With half the bytes a weight", 2),
            "chips": Value((less + kernels) / (read + kernels), "x", "On twice the chips", 2),
        },
    )


def _room_with_scales(rack: Setting, share: float = 1.0) -> float:
    """Users that have room beside copies, with index and scales as they are stored."""
    return _room(rack, indexed_token_bytes(), share)


def _room(rack: Setting, token_bytes: float, share: float) -> float:
    """Users that have room beside copies of attention, in a share of the memory."""
    room = share * rack.machine.hbm_bytes - float(np.max(rack.chip_weight_bytes))
    return float(rack.machine.domain_chips * np.floor(room / (LONG * token_bytes)))


FIGURES = (
    Figure(name="memory_wall/ladder", compute=ladder),
    Figure(name="memory_wall/expected", compute=expected),
    Figure(name="memory_wall/plan", compute=plan),
    Figure(name="memory_wall/remedies", compute=remedies),
)
