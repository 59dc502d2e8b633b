"""The work of reading a prompt, attention counted."""

from __future__ import annotations

from calc import catalog
from calc.setting import cache
from calc.setting.published import attention_layers
from calc.step.attending import sequence_attention_flops
from calc.step.requests import Requests


def reading_times(name: str, new: float, before: float = 0.0) -> float:
    """Operations of a token that is read, in the mean over new ones behind so many, over those with the weights.

    >>> round(reading_times("llama-3-405b", 200_000), 2), round(reading_times("deepseek-v4-pro", 200_000), 2)
    (2.02, 1.29)
    """
    model, asked = catalog.model(name), Requests(batch=1, new=new, context=before)
    attends = sum(
        count
        * (sequence_attention_flops(at, asked) + cache.indexed_entries(at, new, before) * at.index_flops_per_entry)
        for count, at in attention_layers(model)
    )
    return float(1 + attends / new / (2 * model.active_params))
