"""The data of a machine that nothing in it can read, once functions that no figure calls are left out (calls.py).

They are tables: of Chinese encodings, of the names of characters, of conversions between character sets. A function
names a datum by a number in its code, a datum another by a pointer, and numpy and Pyodide's script name theirs by
numbers in the script. Where all that can name a table has been left out, only a function that ends the machine leads to
it, and then the worker starts the whole one. So no answer can come from a table that is not there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise

from web.bundle.binary import DATA, GLOBAL, changed, number_at, payload_of, signed_at
from web.bundle.instructions import reached
from web.bundle.linked import Home, Linked

LEAST = 16384  # bytes that are worth leaving out
MARGIN = 1024  # bytes that stay at both ends: a table may be named a little before its begin or behind its end
NOTHING = b"\xff"  # a pointer made of these leads out of memory, and ends the machine too
LITERAL = re.compile(r"\b\d+\b")
Range = tuple[int, int]


def unread(machine: Linked, kept: Collection[int], script: str) -> list[Range]:
    """From where to where the data can be read by none of the functions that are `kept` and none of the script."""
    home = Home.of(script).memory
    roots = machine.within([*(int(each) - home for each in LITERAL.findall(script)), *_globals(machine)])
    begins = sorted(begun(machine).union(roots))
    roots = roots.union(*(machine.named[at] for at in kept))

    def datum(place: int) -> int:
        return bisect_right(begins, place) - 1

    leading: list[set[int]] = [set() for _ in begins]
    for place, leads in machine.inner:
        leading[datum(place)].add(datum(leads))
    live = reached([datum(place) for place in roots], leading)
    edges = [-1, *(at for at in range(len(begins)) if at in live), len(begins)]
    ends = [*begins, len(machine.data)]
    ranges = ((ends[before + 1], ends[after]) for before, after in pairwise(edges))
    return [(begin + MARGIN, end - MARGIN) for begin, end in ranges if end - begin >= LEAST]


def begun(machine: Linked) -> set[int]:
    """The places of the data that the machine names: by a number in its code, by a pointer, by a global."""
    return machine.within(_globals(machine)).union({0}, *machine.named, (leads for _, leads in machine.inner))


def without(machine: bytes, ranges: Iterable[Range]) -> bytes:
    """The machine with nothing in these ranges of its data."""
    linked = Linked(machine)
    segment = bytearray(linked.segment)
    for begin, end in ranges:
        segment[linked.begin + begin : linked.begin + end] = NOTHING * (end - begin)
    return changed(linked.sections, {DATA: bytes(segment)})


def _globals(machine: Linked) -> Iterator[int]:
    """The numbers with which globals begin; the addresses of data that others may ask for are among them."""
    payload = payload_of(machine.sections, GLOBAL)
    count, place = number_at(payload, 0)
    for _ in range(count):
        value, place = signed_at(payload, place + len(b"\x7f\0\x41"))  # its type, whether it changes, i32.const
        place += len(b"\x0b")
        yield value
