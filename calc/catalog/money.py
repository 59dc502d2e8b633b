"""Costs of tokens and chips: dated price sheets of APIs, and rents."""

from __future__ import annotations

from dataclasses import dataclass

from calc.catalog.hardware import Chip
from calc.catalog.records import Record, quantity
from calc.quantities.check import Range

AT_LEAST_ONE = Range(1)
SHARE = Range(0, 1, open_low=True)
OFFERS = (
    "across the market, on demand",
    "on demand",
    "across the market, terms unstated",
    "reserved for a year",
    "reserved for three years",
    "list price",
    "list price, on demand",
    "maker's assumption",
)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Price(Record):
    """One API price sheet, in dollars per million tokens, as its maker prints it.

    `above_tokens` is the length of prompt past which the prices called `…_above` hold for the whole request. A fast
    mode has either prices of its own or, where it is sold in credits, a multiplier on them.
    """

    maker: str
    input: float = quantity("Input", "$/Mtok", optional=False)
    output: float = quantity("Output", "$/Mtok", optional=False)
    cached_input: float | None = quantity("Cached input", "$/Mtok")
    cache_write: float | None = quantity("Cache write, no time chosen", "$/Mtok")
    cache_write_5m: float | None = quantity("Cache write, kept 5 minutes", "$/Mtok")
    cache_write_1h: float | None = quantity("Cache write, kept 1 hour", "$/Mtok")
    cache_storage: float | None = quantity("Cache storage", "$/Mtok·h")
    above_tokens: int | None = quantity("Length from which the long prices hold", "tokens")
    input_above: float | None = quantity("Input of a long request", "$/Mtok")
    output_above: float | None = quantity("Output of a long request", "$/Mtok")
    cached_above: float | None = quantity("Cached input of a long request", "$/Mtok")
    fast_input: float | None = quantity("Input in fast mode", "$/Mtok")
    fast_output: float | None = quantity("Output in fast mode", "$/Mtok")
    fast_input_above: float | None = quantity("Input of a long request in fast mode", "$/Mtok")
    fast_output_above: float | None = quantity("Output of a long request in fast mode", "$/Mtok")
    fast_credit_multiplier: float | None = quantity("Credits in fast mode", "x", accepted=AT_LEAST_ONE)
    fast_speed: float | None = quantity("Speed in fast mode, as claimed", "x", accepted=AT_LEAST_ONE)
    ultrafast_input: float | None = quantity("Input in ultrafast mode", "$/Mtok")
    ultrafast_output: float | None = quantity("Output in ultrafast mode", "$/Mtok")
    ultrafast_speed: float | None = quantity("Speed in ultrafast mode, as claimed", "x", accepted=AT_LEAST_ONE)
    priority_multiplier: float | None = quantity("Price of priority", "x", accepted=AT_LEAST_ONE)
    peak_multiplier: float | None = quantity("Price in peak hours", "x", accepted=AT_LEAST_ONE)
    batch_multiplier: float | None = quantity("Price of batches", "x", accepted=SHARE)

    @property
    def batch(self) -> float:
        """Price of a batch over the ordinary one; all of it where the sheet names none.

        >>> from calc import catalog
        >>> catalog.price("claude-opus-5").batch, catalog.price("deepseek-v4-pro").batch
        (0.5, 1.0)
        """
        return 1.0 if self.batch_multiplier is None else self.batch_multiplier

    @property
    def storage(self) -> float:
        """Price of keeping a million tokens in the cache for an hour; nothing where the sheet bills none.

        >>> from calc import catalog
        >>> catalog.price("gemini-1.5-pro").storage, catalog.price("claude-opus-5").storage
        (4.5, 0.0)
        """
        return 0.0 if self.cache_storage is None else self.cache_storage

    @property
    def fast_multiplier(self) -> float | None:
        """How many times dearer an output token is in fast mode; None where there is no fast mode.

        >>> from calc import catalog
        >>> catalog.price("claude-opus-4.6").fast_multiplier, catalog.price("claude-opus-5").fast_multiplier
        (6.0, 2.0)
        """
        return self.fast_output / self.output if self.fast_output else self.fast_credit_multiplier

    @property
    def ultrafast_multiplier(self) -> float | None:
        """How many times dearer an output token is in the mode faster than fast; None where there is none.

        >>> from calc import catalog
        >>> catalog.price("gpt-6-astra").ultrafast_multiplier, catalog.price("claude-opus-5").ultrafast_multiplier
        (6.0, None)
        """
        return self.ultrafast_output / self.output if self.ultrafast_output else None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Hosted(Record):
    """Prices of an open model at a host that did not make it, in dollars per million tokens."""

    host: str
    model: str
    input: float = quantity("Input", "$/Mtok", optional=False)
    output: float = quantity("Output", "$/Mtok", optional=False)
    cached_input: float | None = quantity("Cached input", "$/Mtok")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Rent(Record):
    """A price at which an hour of one chip was offered."""

    chip: Chip
    offer: str
    dollars_per_chip_hour_low: float = quantity("Rent, low", "$/chip-hour", optional=False)
    dollars_per_chip_hour_high: float = quantity("Rent, high", "$/chip-hour", optional=False)

    @property
    def dollars_per_chip_hour(self) -> float:
        """The middle of the range that was offered, to the cent; of one offer, what it says.

        >>> from calc import catalog
        >>> catalog.rent("hgx-b200").dollars_per_chip_hour
        5.0
        """
        low, high = self.dollars_per_chip_hour_low, self.dollars_per_chip_hour_high
        return low if low == high else round((low + high) / 2, 2)

    @property
    def preference(self) -> int:
        """Rank of the kind of offer as a default: what many providers ask now, before one provider or a contract."""
        return OFFERS.index(self.offer)
