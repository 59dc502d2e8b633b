"""Seats of a promise that users ask for at random: not all are taken, so a token costs more than on a full node."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calc import batching, catalog
from calc.batching.figures.promise import PROMPT, promised_users, users_beside_prompts
from calc.batching.figures.setting import EXAMPLE_CONTEXT, OPENING
from calc.batching.figures.shared import ANSWER
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.arithmetic import MILLION
from calc.setting import Scenario
from calc.step.forecasting import forecast

TURNED_AWAY = 0.01  # of requests


def arriving() -> Answer:
    """The seats of the promise, if users come at random: on one node, and on four that read the prompts of theirs."""
    rent = catalog.rent(OPENING[1]).dollars_per_chip_hour * Scenario.named(*OPENING).system.chips
    (taken, rate), (few, own), (_, four) = seated(), beside_prompts(), beside_prompts(4)
    cost, lone, shared = (MILLION * batching.dollars_per_token(each, 1, rent) for each in (rate, own, four))
    return Answer(
        finding="The seats of the promise, if users come at random",
        values={
            "taken": Value(taken, "users", "Seats taken, on average"),
            "two": Value(2 * cost, "$/Mtok", "A token, with a node that reads prompts"),
            "few_taken": Value(few, "", "Seats taken, on average, where the node reads its prompts"),
            "few_cost": Value(lone, "$/Mtok", "A token on one such node"),
            "four_cost": Value(shared, "$/Mtok", "The same on four such nodes with the same users"),
        },
    )


def seated(nodes: int = 1) -> tuple[float, float]:
    """Seats taken and tokens a second on each of some nodes that share their users, if these come at random.

    One in a hundred finds all seats of the promise taken, and goes. An answer keeps its seat for its steps, by the
    forecast, which are shorter while fewer seats are taken; its length does not matter.

    >>> seated()[0] < seated(4)[0] < promised_users()[0]
    True
    """
    taken = np.arange(1.0, nodes * promised_users()[0] + 1)
    where = Scenario.named(*OPENING)
    steps = np.asarray(forecast(where.setting, taken / nodes, EXAMPLE_CONTEXT).seconds)
    return at_random(steps, nodes)


def beside_prompts(nodes: int = 1) -> tuple[float, float]:
    """The same on nodes that read their users' prompts themselves, and so have fewer seats.

    >>> beside_prompts()[0] < seated()[0] / 5
    True
    """
    where = Scenario.named(*OPENING).setting
    taken = np.arange(1.0, nodes * users_beside_prompts(where) + 1)
    steps = forecast(where, taken / nodes, EXAMPLE_CONTEXT, prompt=PROMPT, output=ANSWER).seconds
    return at_random(np.asarray(steps), nodes)


def at_random(steps: NDArray[np.float64], nodes: int = 1) -> tuple[float, float]:
    """Seats taken and tokens a second: n taken are offered^n times the product of steps / n as likely as none.

    With steps of one length this is Erlang's formula: 53 seats turn one in a hundred away at a load of 40.6.

    >>> round(at_random(np.ones(53))[0] / (1 - TURNED_AWAY), 1)
    40.6
    """
    taken = np.arange(1.0, steps.size + 1)
    offered = np.linspace(0.4, 1.1, 7001)[:, np.newaxis] * steps.size / steps[-1]
    logs = np.pad(np.cumsum(np.log(offered * steps / taken), axis=1), ((0, 0), (1, 0)))
    ways = np.exp(logs - logs.max(axis=1, keepdims=True))
    chances = ways / ways.sum(axis=1, keepdims=True)
    likely = chances[int(np.searchsorted(chances[:, -1], TURNED_AWAY)), 1:]
    mean, rate = (float(likely @ each) / nodes for each in (taken, taken / steps))
    return mean, rate


FIGURES = (Figure(name="world/arriving", compute=arriving, sources=("aiconfigurator", "spheron")),)
