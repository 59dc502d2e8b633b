"""Training held against benchmarks of it: how many operations a token takes, and how busy chips are kept.

Operations are counted product by product, as for a pass that reads, and three times: forward once, and twice as much
backward, for inputs and for weights. Layers that guess further tokens are layers like the last, with a head of their
own and a product that joins the two inputs. Nothing is fitted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np

from calc import catalog
from calc.catalog.training import TrainingStep, training_steps
from calc.pipelining.bubbles import bubble_share
from calc.setting import Setting
from calc.step.requests import Requests
from calc.step.step import Step

SYSTEMS = {"hgx-h100": "H100", "hgx-b200": "B200", "hgx-b300": "B300", "gb200-nvl72": "GB200", "gb300-nvl72": "GB300"}
RULE = 6
"""Operations for each active parameter and token by the rule of lecture 5."""
PASSES = 3
"""One forward pass, and two of its size backward."""


@dataclass(frozen=True)
class Learned:
    """A token that is learned from: its operations, and the least time that they take one chip, in seconds."""

    flops: float
    seconds: float


@cache
def learned(model: str, system: str, precision: str, sequence: int, predicted: int) -> Learned:
    """A token's cost when it is learned from, in a sequence of so many, each attending to those before it.

    >>> round(learned("llama-3-70b", "hgx-h100", "fp8", 8192, 0).flops / 1e9, 1)
    449.2
    """
    setting = Setting.published(model, system, precision, chips=1)
    read = Step(setting, (Requests(batch=1.0, new=float(sequence), answers=float(sequence)),), 1)
    flops, seconds = read.flops, read.compute_seconds
    if predicted:
        last = replace(setting.model.layers[-1], count=1.0)
        guess = replace(read, setting=replace(setting, model=replace(setting.model, layers=(last,))))
        joined = 2.0 * sequence * 2 * setting.model.width**2
        rate = setting.machine.flops(precision)
        flops = flops + predicted * (guess.flops + joined)
        seconds = seconds + predicted * (guess.compute_seconds + joined / rate)
    return Learned(float(PASSES * flops / sequence), float(PASSES * seconds / sequence))


WIDE = ("attention", "head")
"""Products that the trainer of the benchmarks leaves in 16 bits, if nothing else is asked of it."""


def in_part(model: str, system: str, precision: str, sequence: int) -> float:
    """The least time of a token if those products are in 16 bits, over that in one format; no layer guesses.

    >>> round(in_part("llama-3-70b", "hgx-h100", "fp8", 8192), 2)
    1.09
    """
    setting = Setting.published(model, system, precision, chips=1)
    read = Step(setting, (Requests(batch=1.0, new=float(sequence), answers=float(sequence)),), 1)
    wide = [each for each in read.operations if each.name in WIDE]
    longer = sum(each.flops / setting.machine.flops("bf16") - each.compute_seconds for each in wide)
    return float(1 + longer / read.compute_seconds)


@dataclass(frozen=True)
class Trained:
    """A benchmark beside what is counted for it; without a row in the catalogue, beside its maker's own count."""

    row: TrainingStep

    @cached_property
    def counted(self) -> Learned | None:
        """The course's count, if the catalogue knows the model's geometry."""
        row = self.row
        return learned(row.model, row.system, row.format, row.sequence, row.predicted) if row.model else None

    @property
    def count(self) -> float:
        """Operations for each token over those that the maker counts."""
        return self.known.flops / self.row.token_flops

    @property
    def rule(self) -> float:
        """Six operations for each active parameter over those that the maker counts."""
        return RULE * catalog.model(self.row.model).active_params / self.row.token_flops

    @property
    def over_bound(self) -> float:
        """Measured time of a token over the least that its operations take."""
        return 1 / self.row.chip_tokens_per_second / self.known.seconds

    @property
    def busy(self) -> float:
        """Share of the multipliers that were busy: each operation at the rate of the format it is counted in."""
        if self.counted is None:
            return self.row.chip_flops / catalog.system(self.row.system).chip.known(f"{self.row.format}_flops")
        return 1 / self.over_bound

    @property
    def dense(self) -> bool:
        """Whether every token uses every parameter; those that the catalogue lacks are mixtures of experts."""
        return bool(self.row.model) and catalog.model(self.row.model).dense

    @property
    def bubble(self) -> float:
        """Share of a step in which stages wait, by the equation of lecture 3."""
        row = self.row
        return float(bubble_share("interleaved", row.pipeline, row.micro_batches, row.interleaved))

    @property
    def known(self) -> Learned:
        """The course's count, of a model that the catalogue has."""
        assert self.counted is not None, f"{self.row.named} has no row in the catalogue"
        return self.counted


@cache
def trained() -> tuple[Trained, ...]:
    """Every benchmark of pre-training, in the order of the table."""
    return tuple(Trained(row) for row in training_steps())


def counted() -> list[Trained]:
    """Those whose operations the course can count, as the catalogue knows the model's geometry."""
    return [each for each in trained() if each.row.model]


def newest(rows: Sequence[Trained]) -> list[Trained]:
    """The last release of each model, system, format, number of chips and length: the fastest of its recipes."""
    best: dict[tuple[object, ...], Trained] = {}
    for each in rows:
        key = (*each.row.deployed, each.row.format)
        if key not in best or _rank(each) > _rank(best[key]):
            best[key] = each
    return list(best.values())


def _rank(each: Trained) -> tuple[str, float]:
    return each.row.release, each.row.chip_tokens_per_second


def changed(name: str, before: str, after: str) -> Iterator[tuple[Trained, Trained]]:
    """Pairs of one release that differ in a field: `format`, from fp8 to fp4, or `system`."""
    fields = ("release", "named", "system", "chips", "sequence", "format")
    same = [field for field in fields if field != name]
    best: dict[tuple[object, ...], Trained] = {}
    for each in trained():
        key = tuple(getattr(each.row, field) for field in (*same, name))
        if key not in best or each.row.chip_tokens_per_second > best[key].row.chip_tokens_per_second:
            best[key] = each
    for key, each in best.items():
        if key[-1] == before and (other := best.get((*key[:-1], after))):
            yield each, other


LAYOUT = ("sharded", "tensor", "pipeline", "context", "interleaved", "experts")


def one_layout(pair: tuple[Trained, Trained]) -> bool:
    """Whether both of a pair were laid out over their chips in the same way."""
    before, after = (tuple(getattr(each.row, name) for name in LAYOUT) for each in pair)
    return before == after


def on_both(before: str, after: str) -> Iterator[tuple[Trained, Trained]]:
    """The last releases of one model and format on two systems."""
    of = {(each.row.named, each.row.format, each.row.system): each for each in newest(trained())}
    for (named, form, system), each in of.items():
        if system == before and (other := of.get((named, form, after))):
            yield each, other


def gain(pair: tuple[Trained, Trained]) -> float:
    """How much faster the second of a pair learns."""
    before, after = (each.row.chip_tokens_per_second for each in pair)
    return after / before


def middle(numbers: Iterable[float]) -> float:
    """The median."""
    return float(np.median(list(numbers)))
