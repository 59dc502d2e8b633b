"""The title of the memory budget: from which measure on it fits, and whether the host's link keeps pace."""

from __future__ import annotations

from calc.quantities.units import plain, show


def first(fits: list[str], stretched: bool, room: float, offloaded: float, backwards: float) -> str:
    """From which measure on it fits; `stretched` if recomputing alone is enough at its best stretch."""
    memory = show(room, "B")
    if fits[:1] == ["offloaded"] and not stretched:
        return f"take {show(offloaded, 'B')} offloaded, {show(backwards, 'B')} reversible, of {memory}"
    if not fits:
        return f"fit in {memory} under none of these plans"
    if fits[0] == "offloaded":
        return f"fit in {memory} once records are computed again in longer stretches"
    said = {
        "alone": "as it is",
        "sharded": "once weights are sharded",
        "recomputed": "once records are computed again",
    }
    return f"fit in {memory} {said[fits[0]]}"


def verdict(needed: float, link: float) -> str:
    """Whether running backwards has no rival."""
    if link >= needed:
        return ""
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
