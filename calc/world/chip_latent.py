"""Attention over a cache of latents on one chip: rows that ask share one reading of the cache.

A row is a head of a token that is written. All rows of a sequence read the same latents, so more of them add
operations and no bytes.
"""

from __future__ import annotations

from functools import cache

from calc import catalog
from calc.catalog.chip_times import TIMED_CHIPS, ChipTime, chip_times
from calc.world.chip import UNCUT, Timing, attentions, bandwidth, rate
from calc.world.two_chips import LARGE_CACHE

CHIP = TIMED_CHIPS[1]
NUMBER_BYTES = 2.0


@cache
def latents() -> tuple[Timing, ...]:
    """Every timed one: its cache, read once, and the operations of all rows.

    A row makes a score over the whole latent, and a sum over all of it but the turned key.

    >>> len(latents()), min(each.over_bound for each in latents()) > 1
    (54, True)
    """
    return tuple(_latent(row) for row in chip_times("latent", CHIP))


def _latent(row: ChipTime) -> Timing:
    known = catalog.model(row.model).known
    content, turned = known("kv_lora_rank"), known("rope_dim")
    entries = float(row.tokens * row.context)
    return Timing(row, NUMBER_BYTES * entries * (content + turned), 2.0 * entries * row.count * (2 * content + turned))


def of_load(tokens: int, context: int) -> list[Timing]:
    """Those of one batch and context, by their rows."""
    return [each for each in latents() if (each.row.tokens, each.row.context) == (tokens, context)]


def balanced_rows(chip: str = CHIP, form: str = "bf16") -> float:
    """Rows at which reading latents and multiplying with them take equally long, at published rates.

    >>> round(balanced_rows()), round(balanced_rows("h100-sxm"))
    (109, 156)
    """
    one = latents()[0]
    return rate(chip, form) / bandwidth(chip) / (one.intensity / one.row.count)


def shared_heads(chip: str = CHIP) -> list[float]:
    """Attention of Llama 3 70B over that of 8B, over large caches of few sequences: the same bytes, twice the rows.

    Both have eight pairs of keys and values, which eight heads share in one model and four in the other.

    >>> found = sorted(shared_heads())
    >>> len(found), round(found[0], 2), round(found[-1], 2)
    (12, 0.92, 1.13)
    """
    of = {(each.row.model, each.row.tokens, each.row.context): each for each in attentions(chip)}
    return [
        of["llama-3-70b", tokens, context].row.seconds / each.row.seconds
        for (model, tokens, context), each in of.items()
        if model == "llama-3-8b" and each.bytes >= LARGE_CACHE and tokens < UNCUT
    ]
