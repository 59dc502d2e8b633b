"""The title of the memory budget: from which measure on it fits, and whether the host's link keeps pace."""

from __future__ import annotations

from calc.quantities.units import plain, show


def first(fits: list[str], stretched: bool) -> str:
    """From which measure on it fits; `stretched` if recomputing alone is enough at its best stretch."""
    if stretched and fits[0] == "offloaded":
        return "once records are computed again in longer stretches"
    if not fits:
        return "under none of these plans"
    said = {
        "alone": "as it is",
        "sharded": "once weights are sharded",
        "recomputed": "once records are computed again",
        "offloaded": f"only offloaded{' or reversible' * ('reversed' in fits)}, if each layer runs twice",
    }
    return said[fits[0]]


def verdict(needed: float, link: float) -> str:
    """Whether running backwards has a rival."""
    if link >= needed:
        return f"; the host's link is {show(link / needed, 'x', 2)} as fast as it must be"
    slow = show(needed / link, "x", 2)
    return f"; the host's link is {slow} too slow for the states of all layers, which reversing need not send"


def in_parts(sequences: float, one: float, room: float) -> list[str]:
    """That several sequences need not be on a chip at once; `one` is what a single one takes, recomputed."""
    if sequences < 2 or one > room:
        return []
    return [
        f"A chip holds {plain(sequences)} sequences here. Taken one after another, their gradients added up, they need "
        f"{show(one, 'B')}, with records computed again and nothing sent away."
    ]
