"""The work of reading a prompt, and the time of writing behind it, attention counted."""

from __future__ import annotations

from calc import catalog
from calc.batching.figures.shared import BLACKBOARD
from calc.pricing.figures.shared import ANYWHERE, AT_RATE, Slower, attention_work
from calc.setting import Setting, cache
from calc.setting.published import attention_layers
from calc.step.attending import sequence_attention_flops
from calc.step.requests import Requests


def reading_times(name: str, new: float, before: float = 0.0, slower: Slower = AT_RATE) -> float:
    """Time of a token that is read, in the mean over new ones behind so many, over that of the weights alone.

    Attention multiplies at the weights' rate, or so many times slower.

    >>> round(reading_times("llama-3-405b", 200_000), 2), round(reading_times("deepseek-v4-pro", 200_000), 2)
    (2.02, 1.29)
    """
    model, asked = catalog.model(name), Requests(batch=1, new=new, context=before)
    attends = sum(
        count
        * (
            slower.heads * sequence_attention_flops(at, asked)
            + slower.index * cache.indexed_entries(at, new, before) * at.index_flops_per_entry
        )
        for count, at in attention_layers(model)
    )
    return float(1 + attends / new / (2 * model.active_params))


def full_times(name: str, new: float, before: float) -> float:
    """Time of a token that is read, over that of the weights alone, without what attention takes by its length.

    It stays in a prompt twice as long: windows and chosen entries, or what is expanded for each token read.

    >>> round(full_times("deepseek-v4-pro", 1e5, 9e5), 3), round(full_times("llama-3-405b", 1e5, 9e5), 3)
    (1.103, 1.0)
    """
    return 2 * reading_times(name, new, before) - reading_times(name, 2 * new, 2 * before)


def writing_times(name: str, context: float, slower: Slower = AT_RATE) -> float:
    """Time of a token that is written behind so many, on Pope's chip, over that of multiplying with the weights.

    Both are counted, attention's multiplying and all bytes fetched, and the longer is taken.

    >>> round(writing_times("deepseek-v4-pro", 1e6), 2), round(writing_times("llama-3-405b", 1e6))
    (3.93, 191)
    """
    model = catalog.model(name)
    fetched = float(Setting.published(name, ANYWHERE, "fp8").read_bytes(context))
    multiplied = float(1 + attention_work(model, context, slower) / (2 * model.active_params))
    return max(multiplied, fetched * BLACKBOARD / model.active_params)
