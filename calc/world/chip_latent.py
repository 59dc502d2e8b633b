"""Attention over a cache of latents on one chip: rows that ask share one reading of the cache.

A row is a head of a token that is written. All rows of a sequence read the same latents, so more of them add
operations and no bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calc import catalog
from calc.catalog.chip_times import TIMED_CHIPS, ChipTime, chip_times
from calc.world.chip import attentions, bandwidth, rate
from calc.world.two_chips import LARGE_CACHE, UNCUT

CHIP = TIMED_CHIPS[1]
NUMBER_BYTES = 2.0


@dataclass(frozen=True)
class Latent:
    """One timed attention over latents."""

    row: ChipTime

    @property
    def bytes(self) -> float:
        """Bytes of the cache, read once."""
        known = catalog.model(self.row.model).known
        return NUMBER_BYTES * self.row.tokens * self.row.context * (known("kv_lora_rank") + known("rope_dim"))

    @property
    def flops(self) -> float:
        """Operations of all rows: a score over the whole latent, and a sum over all of it but the turned key."""
        known = catalog.model(self.row.model).known
        width = 2 * known("kv_lora_rank") + known("rope_dim")
        return 2.0 * self.row.tokens * self.row.context * self.row.count * width

    @property
    def reading(self) -> float:
        """Seconds to read it at the published bandwidth."""
        return self.bytes / bandwidth(self.row.chip)

    @property
    def multiplying(self) -> float:
        """Seconds to make the operations at the published rate."""
        return self.flops / rate(self.row.chip, self.row.format)

    @property
    def memory_share(self) -> float:
        """Share of the published bandwidth that it reached."""
        return self.reading / self.row.seconds

    @property
    def arithmetic_share(self) -> float:
        """Share of the published arithmetic that it reached."""
        return self.multiplying / self.row.seconds


@cache
def latents() -> tuple[Latent, ...]:
    """Every timed one.

    >>> len(latents()), min(each.row.seconds / max(each.reading, each.multiplying) for each in latents()) > 1
    (54, True)
    """
    return tuple(Latent(row) for row in chip_times("latent", CHIP))


def of_load(tokens: int, context: int) -> list[Latent]:
    """Those of one batch and context, by their rows."""
    return [each for each in latents() if (each.row.tokens, each.row.context) == (tokens, context)]


def balanced_rows(chip: str = CHIP, form: str = "bf16") -> float:
    """Rows at which reading latents and multiplying with them take equally long, at published rates.

    >>> round(balanced_rows()), round(balanced_rows("h100-sxm"))
    (109, 156)
    """
    one = latents()[0]
    operations = one.flops / one.row.count / one.bytes
    return rate(chip, form) / bandwidth(chip) / operations


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
