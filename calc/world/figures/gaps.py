"""Gaps between two tokens of a user on lecture 1's node, where its chips read prompts: the mean, the long ones."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calc import catalog
from calc.batching import dollars_per_token
from calc.batching.figures.promise import (
    PROMPT,
    SEARCHED,
    beside,
    promised_period,
    promised_users,
    prompt_parts,
    read_seconds,
    users_beside_prompts,
    users_in_time,
)
from calc.batching.figures.setting import EXAMPLE_CONTEXT, OPENING
from calc.batching.figures.shared import ANSWER
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.arithmetic import MILLION
from calc.setting import Scenario, Setting
from calc.step.forecasting import forecast

CHUNK, SMALL = 1024, 512  # tokens
SHARES = {"p90": 0.9, "p99": 0.99}  # of all gaps
MOST = 9  # prompts that begin in one step; more hardly ever do
KEPT = 0.8  # of a prompt
SOUGHT = range(100, int(PROMPT), 100)  # tokens of a prompt

Gaps = tuple[NDArray[np.float64], NDArray[np.float64]]  # seconds, from the shortest, and their shares


def gaps() -> Answer:
    """Gaps of the users who keep the promise with their prompts, if these are read whole or in chunks."""
    (moved, multiplied, sent), where = prompt_parts(PROMPT, 0), Scenario.named(*OPENING)
    prompt = moved + multiplied + sent
    rent = catalog.rent(OPENING[1]).dollars_per_chip_hour * where.system.chips
    most, _ = promised_users()
    most_step = step(most)
    apart = dollars_per_token(most, most_step, rent)
    two = replace(where.setting, precisions=replace(where.setting.precisions, cache="bf16"))
    users = users_beside_prompts(where.setting)
    kept, kept_step = beside(where.setting, read_seconds((1 - KEPT) * PROMPT, KEPT * PROMPT))
    pays = pays_from(where.setting, 2 * apart, rent)
    split = halves(where, most / most_step, rent)
    late, alone, begins = step(users, PROMPT), step(users), users / ANSWER
    found = {"whole": whole(alone, prompt, begins), "chunks": in_chunks(alone, begins)}
    return Answer(
        finding="Gaps between two tokens, where prompts are read on the chips that write",
        values={
            "every": Value(1 / begins, "steps", "From prompt to prompt"),
            "prompt": Value(prompt, "s", "Of the node for one prompt"),
            "spread": Value(prompt / ANSWER, "s", "The same, spread over the steps of its answer"),
            "lone": Value(step(1, PROMPT), "s", "A lone user's step with it"),
            "further": Value(step(2, PROMPT) - step(1, PROMPT), "s", "Each further user, with a prompt"),
            "moved": Value(moved, "s", "Its memory"),
            "multiplied": Value(multiplied, "s", "Its multiplying"),
            "sent": Value(sent, "s", "Its sending between chips"),
            "busy": Value(most / most_step / ANSWER * prompt, "", "Nodes that their prompts keep busy", 2),
            "apart": Value(MILLION * apart, "$/Mtok", "Written alone, prompts not paid"),
            "two": Value(MILLION * 2 * apart, "$/Mtok", "One node that writes and one that reads"),
            "pays": Value(pays, "tokens", "Prompt from which two nodes pay", 2),
            **wide(two, rent),
            "likely_users": Value(
                users_in_time(where.setting, promised_period(), SEARCHED, PROMPT, ANSWER)[0], "", "By the forecast"
            ),
            **split,
            "two_saves": Value(1 - 2 * MILLION * apart / split["split_cost"].number, "%", "By two, against halves", 2),
            "users": Value(users, "users", "At the slow end, with their prompts"),
            "kept_users": Value(kept, "users", "The same, four fifths of a prompt kept"),
            "kept_cost": Value(MILLION * dollars_per_token(kept, kept_step, rent), "$/Mtok", "Their token"),
            "cost": Value(MILLION * dollars_per_token(users, late, rent), "$/Mtok", "Their token, prompts included"),
            "chunk": Value(CHUNK, "tokens", "A chunk", 9),
            "small_adds": Value(read_seconds(SMALL, PROMPT / 2), "s", "Of a step for a small chunk", 2),
            **{
                f"{how}_{key}": Value(seconds, "s", f"Gap, {how}, {key}")
                for how, each in found.items()
                for key, seconds in {"mean": float(np.dot(*each)), **longest(each)}.items()
            },
        },
    )


def halves(where: Scenario, written: float, rent: float) -> dict[str, Value]:
    """Prompts that half a node reads each: of users who write elsewhere, and on the other half.

    >>> found = halves(Scenario.named(*OPENING), 3477, 29.2)
    >>> bool(found["halved_busy"].number < 1 < found["halved"].number * 3.477)
    True
    """
    half = where.chips / 2
    prompt, part = read_seconds(PROMPT, 0, half), Scenario.named(*OPENING, chips=half)
    users, _ = promised_users(half)
    seconds = float(forecast(part.setting, users, EXAMPLE_CONTEXT).seconds)
    return {
        "halved": Value(prompt, "s", "Of half a node for one prompt"),
        "halved_busy": Value(written / ANSWER * prompt / 2, "%", "A node that reads two at once, busy", 2),
        "split": Value(users / seconds, "tokens/s", "By one half, the other reads", 4),
        "split_cost": Value(MILLION * dollars_per_token(users, seconds, rent), "$/Mtok", "Their token"),
    }


def wide(setting: Setting, rent: float) -> dict[str, Value]:
    """Users with caches of two bytes beside their prompts, and what tokens cost them and those who write alone.

    >>> setting = Scenario.named(*OPENING).setting
    >>> found = wide(replace(setting, precisions=replace(setting.precisions, cache="bf16")), 29.2)
    >>> round(found["wide_apart"].number / found["wide_cost"].number, 2)
    0.35
    """
    beside_prompts = users_beside_prompts(setting)
    _, writing = users_in_time(setting, promised_period(), SEARCHED)
    late = forecast(setting, beside_prompts, EXAMPLE_CONTEXT, prompt=PROMPT, output=ANSWER).seconds
    alone = forecast(setting, writing, EXAMPLE_CONTEXT).seconds
    return {
        "wide_users": Value(beside_prompts, "users", "With their prompts, caches of two bytes"),
        "wide_cost": Value(MILLION * dollars_per_token(beside_prompts, late, rent), "$/Mtok", "Their token"),
        "wide_apart": Value(MILLION * dollars_per_token(writing, alone, rent), "$/Mtok", "Written alone, two bytes"),
    }


def pays_from(setting: Setting, pair: float, rent: float) -> float:
    """Tokens of a prompt, in hundreds, not kept from before, from which a node that does both costs more than a pair.

    >>> pays_from(Scenario.named(*OPENING).setting, 4.666e-6, 29.2)
    3300.0
    """

    def dearer(new: float) -> bool:
        return bool(dollars_per_token(*beside(setting, read_seconds(new, PROMPT - new)), rent) > pair)

    place = bisect_left(SOUGHT, True, key=dearer)
    return float(SOUGHT[place]) if place < len(SOUGHT) else math.inf


def step(users: float, prompt: float = 0.0) -> float:
    """Seconds of a step of so many users by the forecast, with their share of prompts of some length.

    >>> step(53) < step(53, PROMPT)
    True
    """
    setting = Scenario.named(*OPENING).setting
    return float(forecast(setting, users, EXAMPLE_CONTEXT, prompt=prompt, output=ANSWER).seconds)


def whole(alone: float, prompt: float, begins: float) -> Gaps:
    """Steps with none, one, two or more whole prompts, which begin at random.

    >>> seconds, shares = whole(0.015, 0.4, 0.05)
    >>> [round(float(each), 3) for each in seconds[:3]], bool(abs(shares.sum() - 1) < 1e-12)
    ([0.015, 0.415, 0.815], True)
    """
    many = range(MOST + 1)
    shares = np.array([math.exp(-begins) * begins**n / math.factorial(n) for n in many])
    return np.array([alone + n * prompt for n in many]), shares


def in_chunks(alone: float, begins: float, chunk: int = CHUNK) -> Gaps:
    """Steps without a chunk and with one from any place of a prompt; a chunk may end one prompt and begin the next.

    >>> seconds, shares = in_chunks(0.015, 0.053, SMALL)
    >>> bool(seconds[0] == 0.015 < seconds[1] < seconds[-1]), round(float(shares[0]), 3)
    (True, 0.017)
    """
    chunks = PROMPT / chunk
    places = np.linspace(0.0, PROMPT - chunk, math.ceil(chunks), dtype=np.float64)
    busy = min(begins * chunks, 1)
    seconds = np.array([alone + read_seconds(chunk, place) for place in places], dtype=np.float64)
    shares = np.array([1 - busy, *[busy / places.size] * places.size], dtype=np.float64)
    return np.array([alone, *seconds], dtype=np.float64), shares


def longest(found: Gaps) -> dict[str, float]:
    """The gaps that a share of all does not pass.

    >>> longest((np.array([1.0, 2.0]), np.array([0.95, 0.05])))
    {'p90': 1.0, 'p99': 2.0}
    """
    seconds, shares = found
    return {key: float(seconds[np.searchsorted(np.cumsum(shares), most)]) for key, most in SHARES.items()}


FIGURES = (Figure(name="world/gaps", compute=gaps, sources=("aiconfigurator", "spheron")),)
