"""The passes that a service makes: writing, reading prompts, and both at once."""

from __future__ import annotations

import numpy as np

from calc.quantities.check import Quantity
from calc.setting import Layout, Precisions, Setting
from calc.step.requests import Requests
from calc.step.speculation import NO_DRAFTS, Drafts
from calc.step.step import Step


def decode_step(
    model: str,
    system: str,
    precision: str | Precisions,
    *,
    batch: Quantity,
    context: Quantity,
    chips: int | None = None,
    layout: Layout | None = None,
) -> Step:
    """The step of a catalogued model on a catalogued system in one call, over a domain or over so many chips.

    >>> print(decode_step("llama-3-70b", "hgx-h100", "fp8", chips=8, batch=64, context=8192))
    Llama 3 70B on 8 chips of HGX H100 (8 GPUs): at least 5.8 ms a step, limited by memory; 7.24 ms if nothing overlaps.
    """
    return decode(Setting.published(model, system, precision, layout=layout, chips=chips), batch, context)


def decode(
    setting: Setting,
    batch: Quantity,
    context: Quantity,
    *,
    shared: Quantity = 0.0,
    drafts: Drafts = NO_DRAFTS,
    micro_batches: Quantity | None = None,
) -> Step:
    """Writing: B sequences of L tokens each gain a token, or one and its drafts, in P micro-batches unless given.

    >>> step = decode(Setting.published("llama-3-70b", "hgx-h100", "fp8"), batch=64, context=8192)
    >>> round(step.bound_seconds * 1e3, 2), step.limit, round(step.serial_seconds * 1e3, 2)
    (5.8, 'memory', 7.24)
    """
    new = 1.0 + np.asarray(drafts.count)
    asked = Requests(batch=batch, new=new[()], context=context, shared=shared, answers=new[()])
    return Step(setting, (asked,), _in_turn(setting, micro_batches), drafts)


def prefill(
    setting: Setting,
    batch: Quantity,
    prompt: Quantity,
    *,
    cached: Quantity = 0.0,
    micro_batches: Quantity | None = None,
) -> Step:
    """Reading: B prompts of n new tokens after `cached` ones; its time is the one to their first tokens, unqueued.

    >>> step = prefill(Setting.published("llama-3-405b", "hgx-h200", "fp8"), batch=1, prompt=2048)
    >>> round(step.bound_seconds, 3), step.limit
    (0.105, 'compute')
    """
    asked = Requests(batch=batch, new=prompt, context=cached, answers=1.0)
    return Step(setting, (asked,), _in_turn(setting, micro_batches))


def mixed(
    setting: Setting,
    batch: Quantity,
    context: Quantity,
    *,
    prompts: Quantity,
    chunk: Quantity,
    cached: Quantity = 0.0,
    micro_batches: Quantity | None = None,
) -> Step:
    """Both at once: B sequences write while chunks of n tokens of so many prompts are read in the same pass.

    >>> setting = Setting.published("llama-3-70b", "hgx-h100", "fp8")
    >>> both = mixed(setting, 64, 8192, prompts=1, chunk=2048)
    >>> both.bound_seconds > decode(setting, 64, 8192).bound_seconds
    True
    """
    writing = Requests(batch=batch, context=context)
    reading = Requests(batch=prompts, new=chunk, context=cached, answers=0.0)
    return Step(setting, (writing, reading), _in_turn(setting, micro_batches))


def _in_turn(setting: Setting, micro_batches: Quantity | None) -> Quantity:
    return setting.layout.pipeline if micro_batches is None else micro_batches
