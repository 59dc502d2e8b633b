"""The operations by which a model makes its own guesses, before it checks them in a pass."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from calc.quantities.arithmetic import anywhere
from calc.quantities.check import Quantity
from calc.step.listing import operations
from calc.step.operation import Operation
from calc.step.parts import Pass
from calc.step.speculation import Drafts

AMOUNTS = (
    *("layers", "flops", "weights", "cache", "state", "activations", "scale_up", "scale_out"),
    *("spared_up", "spared_out", "rounds", "launches"),
)


def guesses(work: Pass, drafts: Drafts) -> Iterable[Operation]:
    """The last layer and head of the model, for one token of each sequence, as often as there are drafts."""
    often = drafts.count * drafts.layers
    if not anywhere(often > 0):
        return
    setting = work.setting
    last = replace(setting.model.layers[-1], count=1.0)
    model = replace(setting.model, layers=(last,))
    alone = replace(setting, model=model, layout=replace(setting.layout, pipeline=1))
    one = tuple(replace(each, new=1.0, answers=1.0) for each in work.requests)
    for each in operations(Pass(alone, one)):
        yield _times(each, often)


def _times(each: Operation, often: Quantity) -> Operation:
    """The same so many times."""
    return replace(each, name=f"draft: {each.name}", **{name: getattr(each, name) * often for name in AMOUNTS})
