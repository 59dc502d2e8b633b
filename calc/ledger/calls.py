"""The calls of the ledger: what an expression over `calc` gives, and what it needs to be run elsewhere."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.resources import files
from types import CodeType
from typing import Any, TypeAlias

import numpy as np

ROOMS = {
    "calc": (
        "batching",
        "catalog",
        "memory_wall",
        "moe",
        "overtraining",
        "pipelining",
        "pricing",
        "reversible",
    ),
    "calc.batching": (
        "departures",
        "fast_mode",
        "touched",
    ),
    "calc.memory_wall": (
        "attention",
        "long_context",
        "sparse_attention",
    ),
    "calc.moe": (
        "routed_scaling",
        "routing",
    ),
    "calc.overtraining": (
        "lifetime",
        "scaling_law",
    ),
    "calc.pipelining": (
        "bubbles",
        "schedules",
    ),
    "calc.pricing": (
        "context_price",
        "prompt_cache",
    ),
    "calc.quantities": ("units",),
    "calc.reversible": (
        "activation_memory",
        "feistel",
    ),
}
"""The modules that a call may name, by the package that they are imported from."""
MODULES = {name: f"{room}.{name}" for room, names in ROOMS.items() for name in names}
Numbers: TypeAlias = tuple[float, ...]


@cache
def ledger() -> dict[str, Any]:
    """The file of the ledger as it is written: its claims, and the names that their calls take as given."""
    return tomllib.loads(files("calc.ledger").joinpath("claims.toml").read_text(encoding="utf-8"))


def evaluate(call: str) -> Numbers:
    """The numbers that an expression over `calc` gives, true as 1 and false as 0.

    >>> evaluate("batching.balanced_batch(300, 8)")
    (2400.0,)
    """
    result = eval(call, {"np": np, **_modules(), **_given()})  # the ledger is part of calc, like its modules
    return flat(result)


def flat(result: Any) -> Numbers:
    """What a call gives, as plain numbers.

    >>> flat([True, 2])
    (1.0, 2.0)
    """
    return tuple(float(number) for number in np.atleast_1d(np.asarray(result, dtype=float)).flat)


def names(call: str) -> tuple[str, ...]:
    """Every name that an expression uses, those within its comprehensions included."""
    return tuple(_names(compile(call, "call", "eval")))


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


def assumed(call: str) -> dict[str, str]:
    """The names of the ledger that an expression uses, with what they stand for.

    >>> assumed("batching.balanced_batch(300, v3.sparsity)")
    {'v3': 'catalog.model("deepseek-v3")'}
    """
    used = names(call)
    return {name: meaning for name, meaning in ledger()["given"].items() if name in used}


def imported(*calls: str) -> tuple[str, ...]:
    """The modules of `calc` that expressions use, those behind the ledger's own names included."""
    used = {name for call in calls for part in (call, *assumed(call).values()) for name in names(part)}
    return tuple(name for name in MODULES if name in used)


@cache
def _modules() -> dict[str, Any]:
    return {name: import_module(place) for name, place in MODULES.items()}


@cache
def _given() -> dict[str, Any]:
    return {name: eval(meaning, _modules()) for name, meaning in ledger()["given"].items()}
