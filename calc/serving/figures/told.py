"""The sentences beside lecture 8's sheet: promises that are kept or not, own rates, and prices beside a cost."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from calc.catalog import Hosted, Price
from calc.quantities.check import Quantity
from calc.quantities.units import plain, show
from calc.serving.figures.costs import dollars
from calc.serving.figures.setting import FITTED
from calc.serving.modes import Modes, modes
from calc.serving.public import token_dollars
from calc.serving.sheet import Sheet, most_prompts


def promised(found: Sheet, within: float) -> str:
    """Where a promised first token makes passes shorter, by how much; and where none is short enough."""
    each, most = found.prompts / found.writing.setting.layout.data, most_prompts(found.request)
    longest, started = found.longest_first_token_seconds, found.expected.kernel_seconds
    if longest > within:
        other = (
            f"Shorter input would not do, for kernels alone take {show(started, 's')} of a pass"
            if 2 * started > within
            else "Shorter input or more of it in a cache can help"
        )
        return (
            f"No pass keeps the promise of a first token within {show(within, 's')}: with one prompt of each group it "
            f"lasts {show(found.pass_seconds, 's')}, and who comes just after it began waits for two. {other}; a "
            f"promise of {show(longest, 's')} would do."
        )
    if each < most:
        return (
            f"So that every first token comes within {show(within, 's')}, a pass has {plain(each)} "
            f"{'prompt' if each == 1 else 'prompts'} of each group and not {plain(most)}."
        )
    return ""


def kept(found: Sheet, had: Modes, promise: float, crowded: str) -> str:
    """Whether the setting keeps a promised speed, and otherwise the batch that would."""
    speed, asked, best = 1 / found.expected.seconds, show(promise, "tokens/s"), had.promised
    if not math.isfinite(had.alone.batch):
        return ""
    if not math.isfinite(best.batch):
        alone, started = show(1 / had.alone.seconds, "tokens/s"), found.expected.kernel_seconds
        other = "Fewer bits, a shorter context or faster memory"
        other += f" would not do, for kernels alone take {show(started, 's')}" if started * promise > 1 else " can help"
        return (
            f"No batch of this layout keeps a promise of {asked}: a sequence that has all the chips to itself should "
            f"see {alone}. {other}."
        )
    ends = ", as many as have room" if best.batch == had.slow.batch else ""
    gets = "with so many would" if crowded else "should"
    sees = f"Each user is promised {asked}, and {gets} get {show(speed, 'tokens/s')}."
    slower, cost = found.expected.fit.high_80, dollars(best.dollars)
    late = modes(found, slower * promise).promised
    if late.batch == best.batch:
        held = f"With {_answers(best.batch)}{ends}, the promise should hold even at the slow end"
        return f"{sees} {held}; as forecast a million written tokens then cost {cost}."
    forecast = f"as forecast there would be room for {plain(best.batch, 9)}{ends} ({cost}"
    if not math.isfinite(late.batch):
        return f"{sees} At the slow end no batch keeps the promise; {forecast} a million)."
    few = f"{_answers(late.batch)} ({dollars(slower * late.dollars)} a million at the slow end)"
    return f"{sees} Size by {few} until you have measured a step; {forecast})."


def _answers(many: Quantity) -> str:
    return f"{plain(many, 9)} {'answer' if many == 1 else 'answers'} at once"


def own_rates(found: Sheet) -> str:
    """Where the reader's engine reaches other shares than the fitted ones."""
    if found.expected.fit is FITTED:
        return ""
    return "The shares of the rates are your own; the range of four in five is that of the fitted ones."


def margins(sold: Mapping[str, Price | Hosted], left: list[float], found: Sheet) -> Iterator[str]:
    """A request's price, and by how much the cost to be expected is higher, where it is."""
    if not sold:
        return
    request, busy = found.request, show(found.traffic, "requests/s")
    parts = (
        f"at the prices of {seller} it brings in {show(token_dollars(offer).of(request), '$')}{_over(share)}"
        for (seller, offer), share in zip(sold.items(), left, strict=True)
    )
    cost = show(found.forecast.of(request), "$")
    yield f"A request should cost {cost} on these chips, never idle at {busy}; {', '.join(parts)}."


def _over(share: float) -> str:
    return f", and costs {show(1 - share, 'x')} as much" if share < 0 else ""
