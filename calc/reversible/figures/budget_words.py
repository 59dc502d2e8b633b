"""The title of the memory budget: which plans fit, and whether the host's link keeps pace."""

from __future__ import annotations

from calc.quantities.units import plain, show

FIRST = {
    "stored": "with every record stored",
    "recomputed": "with records recomputed, on one level",
}
NAMES = {"nested": "recomputed on two levels", "offloaded": "offloaded", "reversed": "run backwards"}


def fitting(fits: list[str], room: float) -> str:
    """The first plan that fits, or all that do where only the last three can."""
    memory = show(room, "B")
    if not fits:
        return f"fit in {memory} under none of these plans"
    if fits[0] in FIRST:
        return f"fit in {memory} {FIRST[fits[0]]}"
    *most, last = (NAMES[plan] for plan in fits)
    return f"fit in {memory} only if " + (f"{', '.join(most)} or {last}" if most else last)


def verdict(fits: list[str], needed: float, link: float, undone: float) -> str:
    """Where a chip has room to offload and not for one level: whether the link forbids it, or how long reversing is."""
    if "offloaded" not in fits or fits[0] in FIRST:
        return ""
    if link < needed:
        return f"; the host's link is {show(needed / link, 'x', 2)} too slow to offload all states"
    return "" if "reversed" in fits else f"; run backwards they take {show(undone, 'B')}"


def in_parts(sequences: float, one: float, room: float) -> list[str]:
    """That several sequences need not be on a chip at once; `one` is what a single one takes, recomputed."""
    if sequences < 2 or one > room:
        return []
    return [
        f"A chip holds {plain(sequences)} sequences here. Taken one after another, their gradients added up, they need "
        f"{show(one, 'B')}, with records computed again and nothing sent away."
    ]
