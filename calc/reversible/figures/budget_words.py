"""The title of the memory budget: which plan fits, or what plans take, and whether the host's link keeps pace."""

from __future__ import annotations

from calc.quantities.units import plain, show
from calc.reversible.memory_budget import Held

BEYOND = 4 / 3  # of the memory: the measured run that held least had over three quarters of its sum
FIRST = {
    "stored": "with every record stored",
    "recomputed": "with records recomputed, on one level",
}


def fitting(fits: list[str], plans: dict[str, Held], room: float) -> str:
    """The first plan that fits, or what the last two take where only others do: a sum settles no small margin."""
    memory = show(room, "B")
    if fits and fits[0] in FIRST:
        return f"fit in {memory} {FIRST[fits[0]]}"
    totals = [plans[plan].total for plan in ("offloaded", "reversed")]
    sent, undone = (show(each, "B") for each in totals)
    than = f", too much for a chip's {memory}" if min(totals) > BEYOND * room else f"; a chip has {memory}"
    return f"take {sent} offloaded, {undone} run backwards with states in 32 bits{than}"


def verdict(fits: list[str], needed: float, link: float) -> str:
    """Where a chip has room to offload and not for one level: whether the link forbids it."""
    if "offloaded" not in fits or fits[0] in FIRST or link >= needed:
        return ""
    slow = show(needed / link, "x", 2)
    return f"; the host's link is {'a little' if slow == '1×' else slow} too slow to offload all states"


def in_parts(sequences: float, one: float, room: float) -> list[str]:
    """That several sequences need not be on a chip at once; `one` is what a single one takes, recomputed."""
    if sequences < 2 or one > room:
        return []
    whole = round(sequences)
    return [
        f"A chip holds {'' if whole == sequences else 'about '}{plain(whole)} sequences here. "
        f"Taken one after another, their gradients added up, they need {show(one, 'B')}, "
        "with records computed again and nothing sent away."
    ]
