"""A sweep that is declared: models × systems × workloads × layouts × batches, cut into parts that can be served apart.

A declaration is TOML: names of the catalogue, lengths of requests, and what to try of each. A part is one model on one
system with one workload and so many of the batches that it is served in a fraction of a second.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calc import catalog
from calc.quantities.arithmetic import HOUR, MILLION
from calc.quantities.check import Range, number
from calc.quantities.errors import DoesNotFit, MissingFact, UnknownName, WrongType
from calc.quantities.units import precision
from calc.serving import frontier
from calc.serving.request import Request
from calc.setting import Setting

MOST_POINTS = 100_000
"""Points of a part, unless its layouts alone are more."""

Columns = dict[str, NDArray[Any]]
TRIED = {"batch": frontier.BATCHES, "tensor": frontier.POWERS, "expert": frontier.POWERS, "stages": (1, 2, 4)}
NAMES = ("models", "systems", "precisions")
KNOWN: dict[str, Callable[[str], object]] = dict(zip(NAMES, (catalog.model, catalog.system, precision), strict=True))
WHOLE = Range(1, whole=True)
CACHED = 0.5  # of the input: how much a sequence holds while it writes does not depend on it


@dataclass(frozen=True)
class Part:
    """One model on one system with one workload, and the batches and layouts to try."""

    model: str
    system: str
    precision: str
    input_tokens: float
    output_tokens: float
    batch: tuple[float, ...]
    tensor: tuple[float, ...]
    expert: tuple[float, ...]
    stages: tuple[float, ...]
    dollars_per_chip_hour: float | None = None

    @property
    def points(self) -> int:
        """Combinations that are tried; a dense model has one group of experts."""
        groups = len(self.expert) if catalog.model(self.model).routed_experts else 1
        return len(self.batch) * len(self.tensor) * groups * len(self.stages)


@dataclass(frozen=True)
class Served:
    """Columns of a part, a row for each combination that is possible and fits; else why there is none."""

    columns: Columns
    refusal: str = ""


def parts(declaration: str) -> list[Part]:
    """The parts of a declaration, in its own order.

    >>> declared = 'models = ["deepseek-v3"]\\nsystems = ["gb200-nvl72", "hgx-h200"]\\nprecisions = ["fp8"]\\n'
    >>> workload = '[[workloads]]\\ninput_tokens = 4096\\noutput_tokens = 512\\n'
    >>> [(part.system, part.points) for part in parts(declared + workload)]
    [('gb200-nvl72', 8379), ('hgx-h200', 8379)]
    """
    try:
        told = tomllib.loads(declaration)
    except tomllib.TOMLDecodeError as error:
        raise WrongType("declaration", str(error), "TOML") from None
    rent = told.pop("dollars_per_chip_hour", None)
    names = [_names(told, name) for name in NAMES]
    workloads = told.pop("workloads", [])
    unknown = told.keys() - TRIED.keys()
    if unknown:
        known = (*NAMES, "workloads", *TRIED, "dollars_per_chip_hour")
        raise UnknownName("key of the declaration", min(unknown), known)
    requests = [_request(workload) for workload in workloads]
    if not requests:
        raise WrongType("workloads", None, "at least one table with input_tokens and output_tokens")
    paid = None if rent is None else float(number("dollars_per_chip_hour", rent, Range(0)))
    batch, tensor, expert, stages = (_numbers(name, told.pop(name, usual)) for name, usual in TRIED.items())
    cells = (
        Part(model, system, stored, *request, batch, tensor, expert, stages, paid)
        for model, system, stored in product(*names)
        for request in requests
    )
    return [part for cell in cells for part in _cut(cell)]


def serve(part: Part) -> Served:
    """Serve every combination of a part; each rate is a bound.

    >>> one = Part("llama-3-70b", "hgx-h100", "fp8", 4096, 512, (16, 64), (4, 8), (1,), (1,), 2.0)
    >>> served = serve(one).columns
    >>> served["batch"].tolist(), served["tensor"].tolist()
    ([16.0, 16.0, 64.0, 64.0], [4.0, 8.0, 4.0, 8.0])
    """
    context = Request(part.input_tokens, part.output_tokens, CACHED).held
    layouts: dict[str, Any] = {name: getattr(part, name) for name in TRIED}
    try:
        setting = Setting.published(part.model, part.system, part.precision)
        found = frontier.sweep(setting, context, **layouts)
    except (DoesNotFit, MissingFact) as error:
        return Served({}, f"{part.model} on {part.system}: {error}")
    cell = ("model", "system", "precision", "input_tokens", "output_tokens")
    columns: Columns = {name: np.full(found.batch.size, getattr(part, name)) for name in cell}
    columns |= {name: getattr(found, name) for name in (*TRIED, "chips")}
    columns |= {"user_tokens_per_second": found.per_user, "chip_tokens_per_second": found.per_chip}
    if part.dollars_per_chip_hour is not None:
        columns["dollars_per_million_output"] = part.dollars_per_chip_hour / HOUR / found.per_chip * MILLION
    return Served(columns)


def _names(told: dict[str, Any], name: str) -> list[str]:
    """The names under a key of a declaration, each known to the catalogue."""
    named = told.pop(name, None)
    if not isinstance(named, list) or not named or not all(isinstance(each, str) for each in named):
        raise WrongType(name, named, f'a list of {name}, such as {name} = ["…"]')
    for each in named:
        KNOWN[name](each)
    return named


def _numbers(name: str, told: object) -> tuple[float, ...]:
    """Numbers in a list, or from one to another in so many steps of equal ratio; whole, and each once."""
    if isinstance(told, dict):
        if told.keys() != {"from", "to", "points"}:
            raise WrongType(name, told, "a list of numbers, or a table of from, to and points")
        low, high, points = (float(number(f"{name}.{end}", told[end], WHOLE)) for end in ("from", "to", "points"))
        told = np.round(np.geomspace(low, high, int(points)))
    return tuple(np.unique(np.atleast_1d(number(name, told, WHOLE))).tolist())


def _request(told: object) -> tuple[float, float]:
    """Tokens in and tokens out."""
    if not isinstance(told, dict) or told.keys() != {"input_tokens", "output_tokens"}:
        raise WrongType("workload", told, "a table of input_tokens and output_tokens")
    request = Request(told["input_tokens"], told["output_tokens"], CACHED)
    return float(request.input_tokens), float(request.output_tokens)


def _cut(cell: Part) -> Iterator[Part]:
    """One cell of a declaration, in parts of at most so many points."""
    many = max(1, MOST_POINTS * len(cell.batch) // cell.points)
    for begin in range(0, len(cell.batch), many):
        yield replace(cell, batch=cell.batch[begin : begin + many])
