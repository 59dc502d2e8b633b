"""For the reader's own traffic: what an API bill is made of, and which lever moves it.

A stream of requests shares a prefix (instructions, documents, the conversation so far), adds tokens of its own and gets
tokens back. Four things can be done about the bill: cache the prefix, send what can wait as batch, shorten what is read
or written, and pay more for what must be fast (`calc.pricing.value_of_an_hour`).

Prices are dollars per token; traffic is counted over any period, and the bill is for the same period. Left out: price
steps by context (price the two parts of the traffic apart), free allowances, tools billed by the call, and failed hits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from calc.quantities.check import Count, NonNegative, Quantity, Range, Share, checked
from calc.quantities.fields import accept, of_kind


@dataclass(frozen=True)
class Prices:
    """A price sheet in dollars per token. A vendor without a charge for writing has `write` equal to `input`."""

    input: Quantity
    output: Quantity
    write: Quantity
    hit: Quantity

    def __post_init__(self) -> None:
        accept(self, Range(0))

    @classmethod
    def per_million(
        cls, input: Quantity, output: Quantity, write: Quantity | None = None, hit: Quantity | None = None
    ) -> Prices:
        """The sheet as vendors print it, per million tokens; what has no price of its own costs as much as input.

        >>> Prices.per_million(5, 25, hit=0.5)
        Prices(input=5e-06, output=2.5e-05, write=5e-06, hit=5e-07)
        """
        printed = cls(input, output, input if write is None else write, input if hit is None else hit)
        return cls(*(price / 1e6 for price in vars(printed).values()))


@dataclass(frozen=True)
class Traffic:
    """Requests of a period, and the tokens in each: a prefix shared with others, its own prompt, the answer.

    `requests_per_write` is how many requests one written prefix serves, the one that writes it included: at least 1.
    """

    requests: Quantity
    shared_tokens: Quantity
    own_tokens: Quantity
    output_tokens: Quantity
    requests_per_write: Quantity = 1.0

    def __post_init__(self) -> None:
        accept(self, Range(0), requests_per_write=Range(1))


@dataclass(frozen=True)
class Bill:
    """Dollars by kind of token."""

    input: Quantity
    write: Quantity
    hit: Quantity
    output: Quantity

    @property
    def total(self) -> Quantity:
        """Dollars in all."""
        return self.input + self.write + self.hit + self.output


@checked
def bill(traffic: Traffic, prices: Prices, cached_share: Share = 0.0) -> Bill:
    """Cost of the traffic if a share of the requests sends its prefix through the cache.

    A share 1 / `requests_per_write` of the cached prefixes is written and the rest are hits.

    >>> day = Traffic(requests=1000, shared_tokens=10_000, own_tokens=1000, output_tokens=1000, requests_per_write=10)
    >>> sheet = Prices(input=5e-6, output=25e-6, write=6.25e-6, hit=0.5e-6)
    >>> round(bill(day, sheet).total, 2), round(bill(day, sheet, cached_share=1).total, 2)
    (80.0, 40.75)
    """
    traffic = of_kind(Traffic, "traffic", traffic, cached_share=cached_share)
    prices = of_kind(Prices, "prices", prices, traffic=traffic, cached_share=cached_share)
    prefixes = traffic.requests * traffic.shared_tokens
    written = cached_share * prefixes / traffic.requests_per_write
    fresh = (1 - cached_share) * prefixes + traffic.requests * traffic.own_tokens
    return Bill(
        input=fresh * prices.input,
        write=written * prices.write,
        hit=(cached_share * prefixes - written) * prices.hit,
        output=traffic.requests * traffic.output_tokens * prices.output,
    )


@dataclass(frozen=True)
class Levers:
    """Dollars that each measure saves by itself; below zero it costs money."""

    cache: Quantity
    batch: Quantity
    shorten_shared: Quantity
    shorten_own: Quantity
    shorten_output: Quantity


@checked
def levers(
    traffic: Traffic,
    prices: Prices,
    *,
    cached_share: Share = 0.0,
    batch_share: Share = 0.0,
    batch_multiplier: Share = 0.5,
    shorten: Share = 0.1,
) -> Levers:
    """Savings of each measure on the bill as it is: cache every prefix, batch a share, shorten one part by a share.

    >>> day = Traffic(requests=1000, shared_tokens=10_000, own_tokens=1000, output_tokens=1000, requests_per_write=10)
    >>> sheet = Prices(input=5e-6, output=25e-6, write=6.25e-6, hit=0.5e-6)
    >>> saved = levers(day, sheet, batch_share=0.5)
    >>> [round(dollars, 2) for dollars in (saved.cache, saved.batch, saved.shorten_shared, saved.shorten_output)]
    [39.25, 20.0, 5.0, 2.5]
    """
    measures = {"batch_share": batch_share, "batch_multiplier": batch_multiplier, "shorten": shorten}
    traffic = of_kind(Traffic, "traffic", traffic, **measures)
    now = bill(traffic, prices, cached_share).total

    def saved_by(**shorter: Quantity) -> Quantity:
        return now - bill(replace(traffic, **shorter), prices, cached_share).total

    return Levers(
        cache=now - bill(traffic, prices, 1.0).total,
        batch=now * batch_share * (1 - batch_multiplier),
        shorten_shared=saved_by(shared_tokens=traffic.shared_tokens * (1 - shorten)),
        shorten_own=saved_by(own_tokens=traffic.own_tokens * (1 - shorten)),
        shorten_output=saved_by(output_tokens=traffic.output_tokens * (1 - shorten)),
    )


@dataclass(frozen=True)
class Conversation:
    """Tokens of a conversation that sends its whole past with every turn: read first, read again, written."""

    new: Quantity
    repeated: Quantity
    output: Quantity

    @property
    def input(self) -> Quantity:
        """All tokens that are read, and billed as input if nothing is cached."""
        return self.new + self.repeated


@checked
def conversation(
    turns: Count, system_tokens: NonNegative, tokens_in: NonNegative, tokens_out: NonNegative
) -> Conversation:
    """Tokens of n turns, each of which adds a message and an answer to a context that begins with S tokens.

    New: S + n a + (n - 1) b, which grows with n. Repeated: (n - 1) (S + a) + (a + b) (n - 1) (n - 2) / 2, with n^2.

    >>> conversation(10, 1000, 100, 400)
    Conversation(new=5600.0, repeated=27900.0, output=4000.0)
    """
    earlier = turns - 1
    return Conversation(
        new=system_tokens + turns * tokens_in + earlier * tokens_out,
        repeated=earlier * (system_tokens + tokens_in) + (tokens_in + tokens_out) * earlier * (turns - 2) / 2,
        output=turns * tokens_out,
    )


@checked
def conversation_bill(
    turns: Count,
    system_tokens: NonNegative,
    tokens_in: NonNegative,
    tokens_out: NonNegative,
    prices: Prices,
    cached: Share = 1.0,
) -> Bill:
    """Cost of such a conversation if `cached` of it goes through the cache: new tokens written, repeated ones hit.

    >>> sheet = Prices(input=5e-6, output=25e-6, write=6.25e-6, hit=0.5e-6)
    >>> round(conversation_bill(10, 1000, 100, 400, sheet, cached=0).total, 4)
    0.2675
    >>> round(conversation_bill(10, 1000, 100, 400, sheet).total, 4)
    0.1489
    """
    tokens = conversation(turns, system_tokens, tokens_in, tokens_out)
    prices = of_kind(Prices, "prices", prices, tokens=tokens, cached=cached)
    return Bill(
        input=(1 - cached) * tokens.input * prices.input,
        write=cached * tokens.new * prices.write,
        hit=cached * tokens.repeated * prices.hit,
        output=tokens.output * prices.output,
    )


@checked
def requests_per_write(requests_per_second: NonNegative, lifetime: NonNegative) -> Quantity:
    """Requests that one written prefix serves if it expires `lifetime` after its writing and they come evenly: 1 + r t.

    A lower bound where a hit renews the lifetime.

    >>> requests_per_write(0.5, 300)
    151.0
    """
    return 1 + requests_per_second * lifetime
