"""The code of WebAssembly's functions: which functions a body names, and which numbers it states."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from web.bundle.binary import number_at, signed_at

NAMING = 0x10, 0x12, 0xD2  # a call, a tail call, a reference to a function
I32_CONST, ACCESSES = 0x41, range(0x28, 0x3F)
BR_TABLE, F32, F64, SELECT = 0x0E, 0x43, 0x44, 0x1C
MEMORY, VECTOR = 0xFC, 0xFD  # prefixes of longer codes
LANES = range(21, 35)  # of VECTOR: a lane
LANES_IN_MEMORY = range(84, 92)  # of VECTOR: an alignment, an offset and a lane


def _operands() -> Mapping[int, int]:
    """How many LEB128 numbers follow a code."""
    one = (*NAMING, *range(2, 5), *range(6, 10), 0x0C, 0x0D, 0x18, *range(0x20, 0x27), 0x3F, 0x40, 0x41, 0x42, 0xD0)
    two = (0x11, 0x13, *ACCESSES)  # an indirect call; an alignment and an offset
    return dict.fromkeys(one, 1) | dict.fromkeys(two, 2)


OPERANDS = _operands()
OPERANDS_OF_MEMORY = {8: 2, 9: 1, 10: 2, 11: 1, 12: 2, 13: 1, 14: 2, 15: 1, 16: 1, 17: 1}


def named(code: bytes) -> Iterator[int]:
    """The numbers of the functions that a body names, imported ones among them; `code` begins after its locals."""
    return (number_at(code, place)[0] for operation, place in _operations(code) if operation in NAMING)


def stated(code: bytes) -> Iterator[int]:
    """The numbers of 32 bits that a body states, and the offsets at which it reads and writes."""
    for operation, place in _operations(code):
        if operation == I32_CONST:
            yield signed_at(code, place)[0]
        elif operation in ACCESSES:
            _, offset = number_at(code, place)
            yield number_at(code, offset)[0]


def reached(begin: Collection[int], names: Sequence[Collection[int]]) -> set[int]:
    """All that is named by these, or by what is named, and these."""
    found, waiting = set(begin), list(begin)
    while waiting:
        new = set(names[waiting.pop()]) - found
        found |= new
        waiting.extend(new)
    return found


def _operations(code: bytes) -> Iterator[tuple[int, int]]:
    """Each operation, and the place after it, where its operands begin."""
    place = 0
    while place < len(code):
        operation = code[place]
        yield operation, place + 1
        place = _after(code, place + 1, operation)


def _after(code: bytes, place: int, operation: int) -> int:
    if operation == F32:
        return place + 4
    if operation == F64:
        return place + 8
    if operation in (BR_TABLE, SELECT):
        number, place = number_at(code, place)
        return _skip(code, place, number + (operation == BR_TABLE))
    if operation == MEMORY:
        kind, place = number_at(code, place)
        return _skip(code, place, OPERANDS_OF_MEMORY.get(kind, 0))
    if operation == VECTOR:
        kind, place = number_at(code, place)
        return _after_vector(code, place, kind)
    return _skip(code, place, OPERANDS.get(operation, 0))


def _after_vector(code: bytes, place: int, kind: int) -> int:
    if kind < 12 or kind in (92, 93):  # a load or a store
        return _skip(code, place, 2)
    if kind in (12, 13):  # a constant, a shuffle
        return place + 16
    if kind in LANES_IN_MEMORY:
        return _skip(code, place, 2) + 1
    return place + (kind in LANES)


def _skip(code: bytes, place: int, numbers: int) -> int:
    for _ in range(numbers):
        while code[place] >= 0x80:
            place += 1
        place += 1
    return place
