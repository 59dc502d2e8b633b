"""Parts that might have had a constant of their own in the forecast, and what tells whether one would help."""

from __future__ import annotations

import numpy as np

from calc.setting import Setting
from calc.step import decode, prefill
from calc.world.sample import Sample
from calc.world.settings import setting_of
from calc.world.work import NAMES, Array, deployments, loads

READING = "kernels where prompts are read between steps"


def candidates(held: Sample) -> dict[str, Array]:
    """One column for each thing that was tried, as a part beside the five."""
    return {**_of_rows(held), **_of_steps(held)}


def _of_rows(held: Sample) -> dict[str, Array]:
    """Features of a run in the words of its source: chip, engine, format, year."""
    part = {name: held.parts[:, column] for column, name in enumerate(NAMES)}
    of = {name: np.array([getattr(row, name) for row in held.rows]) for name in ("system", "engine", "precision")}
    hopper, four = np.char.startswith(of["system"], "hgx-h"), of["precision"] == "fp4"
    early = np.array([row.date is not None and row.date.year < 2026 for row in held.rows])
    reading = np.array([row.mode == "agg" for row in held.rows])
    return {
        "a time of every step": np.ones(len(held.times)),
        "memory on Hopper": part["moving"] * hopper,
        "arithmetic on Hopper": part["arithmetic"] * hopper,
        "links on Hopper": part["sending"] * hopper,
        "kernels on Hopper": part["kernels"] * hopper,
        "four-bit weights": part["moving"] * four,
        "four-bit weights on chips without such arithmetic": part["moving"] * four * hopper,
        "kernels before 2026": part["kernels"] * early,
        READING: part["kernels"] * reading,
        "kernels, by the logarithm of the batch": part["kernels"] * np.log2(np.maximum(part["sequences"], 1)),
        **{f"kernels of {name}": part["kernels"] * (of["engine"] == name) for name in np.unique(of["engine"])},
    }


def _of_steps(held: Sample) -> dict[str, Array]:
    """Features that the operations of a step hold apart: cache, states, experts, layers with experts, prompts."""
    names = (
        "cache",
        "states",
        "weights of experts",
        "uneven experts",
        "attention of few sequences",
        "layers with experts",
        "passes of prompts",
        "activations of prompts",
    )
    found: dict[str, Array] = {name: np.zeros(len(held.rows)) for name in names}
    for places in deployments(held.rows):
        some = [held.rows[place] for place in places]
        setting, (in_flight, context) = setting_of(some[0]), loads(some)
        step, layers = decode(setting, in_flight, context), setting.model.layers
        found["cache"][places] = step.cache_seconds
        found["states"][places] = sum(each.state / each.memory_bytes_per_second for each in step.operations)
        experts = (each.memory_seconds for each in step.operations if each.name == "experts")
        found["weights of experts"][places] = read = sum(experts)
        found["uneven experts"][places] = read * _spread(setting, in_flight)
        own = np.maximum(setting.own_sequences(in_flight), 1.0)
        found["attention of few sequences"][places] = step.cache_seconds / own
        found["layers with experts"][places] = sum(group.count for group in layers if group.feed_forward.routed)
        if some[0].mode == "agg":
            begin = in_flight / np.array([row.mean_output for row in some])
            prompts = prefill(setting, begin, np.array([row.mean_input for row in some]))
            found["passes of prompts"][places] = begin * setting.model.layer_count
            found["activations of prompts"][places] = prompts.activation_seconds
    return found


def _spread(setting: Setting, tokens: Array) -> Array:
    """Spread of the load of a place with experts over its mean, if tokens draw them by an even lottery."""
    picks = max(float(group.feed_forward.experts_per_token) for group in setting.model.layers)
    return np.sqrt(setting.layout.expert / (tokens * max(picks, 1.0)))
