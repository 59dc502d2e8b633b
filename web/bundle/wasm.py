"""WebAssembly modules: note which functions are called, and leave out the bodies of those that never are.

A module is a header and sections; section 10 holds the functions' bodies in order. Nothing but bodies changes, so that
every index, every address and all data stay where they are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import count

from web.bundle.callees import named

HEADER = b"\0asm\x01\0\0\0"
TRAP = b"\x00\x00\x0b"  # no locals, unreachable, end
IMPORT, MEMORY, EXPORT, CODE = 2, 5, 7, 10
ORDER = (1, IMPORT, 3, 4, MEMORY, 13, 6, EXPORT, 8, 9, 12, CODE, 11)
PAGE = 65536
NOTES = "calls"  # the exported memory in which an observed module notes its calls, one byte a function
Section = tuple[int, bytes]


def observed(module: bytes) -> bytes:
    """The module with a second memory, exported as NOTES, in which function number n sets byte n when it is called."""
    sections = _sections(module)
    imported = [name for name, kind in _imports(_payload(sections, IMPORT)) if kind == 2]
    memories = len(imported) + _number(_payload(sections, MEMORY), 0)[0]
    bodies = _bodies(_payload(sections, CODE))
    pages = -(-len(bodies) // PAGE)
    export = _sized(NOTES.encode()) + b"\x02" + _leb(memories)
    sections = _appended(sections, MEMORY, b"\0" + _leb(pages))
    sections = _appended(sections, EXPORT, export)
    store = b"\x41\x01\x3a\x40" + _leb(memories) + b"\0"  # i32.const 1, i32.store8 into that memory

    def noting(number: int, body: bytes) -> bytes:
        start = _after_locals(body)
        return body[:start] + b"\x41" + _signed(number) + store + body[start:]

    return _with_bodies(sections, noting)


def lean(module: bytes, called: Collection[int]) -> bytes:
    """The module in which every function that is not among `called` traps."""
    return _with_bodies(_sections(module), lambda number, body: body if number in called else TRAP)


def callees(module: bytes) -> list[set[int]]:
    """For each function, the numbers of those that its body names."""
    sections = _sections(module)
    before = sum(kind == 0 for _, kind in _imports(_payload(sections, IMPORT)))
    bodies = _bodies(_payload(sections, CODE))
    return [{number - before for number in named(body[_after_locals(body) :]) if number >= before} for body in bodies]


def sizes(module: bytes) -> list[int]:
    """The bytes of each function's body."""
    return [len(body) for body in _bodies(_payload(_sections(module), CODE))]


def exporting(module: bytes, names: Collection[str]) -> bytes:
    """The module that shows no more than `names` of what it exports."""
    sections = _sections(module)
    kept = [entry for name, entry in _exports(_payload(sections, EXPORT)) if name in names]
    payload = _leb(len(kept)) + b"".join(kept)
    return _module([(kind, payload if kind == EXPORT else each) for kind, each in sections])


def exported(module: bytes, names: Collection[str]) -> set[int]:
    """The numbers of the functions that the module exports under these names."""
    sections = _sections(module)
    before = sum(kind == 0 for _, kind in _imports(_payload(sections, IMPORT)))
    rows = [(name, entry[len(_sized(name.encode())) :]) for name, entry in _exports(_payload(sections, EXPORT))]
    return {_number(row, 1)[0] - before for name, row in rows if name in names and row[0] == 0}


def imports(module: bytes) -> set[str]:
    """The names of what the module asks others for."""
    return {name for name, _ in _imports(_payload(_sections(module), IMPORT))}


def _with_bodies(sections: list[Section], change: Callable[[int, bytes], bytes]) -> bytes:
    bodies = [change(number, body) for number, body in enumerate(_bodies(_payload(sections, CODE)))]
    code = _leb(len(bodies)) + b"".join(map(_sized, bodies))
    return _module([(kind, code if kind == CODE else payload) for kind, payload in sections])


def _module(sections: list[Section]) -> bytes:
    return HEADER + b"".join(bytes([kind]) + _sized(payload) for kind, payload in sections)


def _sections(module: bytes) -> list[Section]:
    if module[:8] != HEADER:
        raise ValueError("This is no WebAssembly module.")
    place, found = 8, []
    while place < len(module):
        size, start = _number(module, place + 1)
        found.append((module[place], module[start : start + size]))
        place = start + size
    return found


def _payload(sections: list[Section], wanted: int) -> bytes:
    return next((payload for kind, payload in sections if kind == wanted), b"\0")


def _appended(sections: list[Section], wanted: int, entry: bytes) -> list[Section]:
    """One more entry at the end of a section that counts its entries; the section is made where there is none."""
    number, start = _number(_payload(sections, wanted), 0)
    grown = (wanted, _leb(number + 1) + _payload(sections, wanted)[start:] + entry)
    if any(kind == wanted for kind, _ in sections):
        return [grown if kind == wanted else (kind, payload) for kind, payload in sections]
    later = ORDER[ORDER.index(wanted) :]
    place = next((at for at, (kind, _) in enumerate(sections) if kind in later), len(sections))
    return [*sections[:place], grown, *sections[place:]]


def _bodies(code: bytes) -> list[bytes]:
    number, place = _number(code, 0)
    found = []
    for _ in range(number):
        size, place = _number(code, place)
        found.append(code[place : place + size])
        place += size
    return found


def _after_locals(body: bytes) -> int:
    groups, place = _number(body, 0)
    for _ in range(groups):
        _, place = _number(body, place)
        place += 1  # a type of one byte; the types of references to other types are longer, and are not in use here
    return place


def _exports(exports: bytes) -> Iterator[tuple[str, bytes]]:
    number, place = _number(exports, 0)
    for _ in range(number):
        begun = place
        size, place = _number(exports, place)
        name = exports[place : place + size].decode()
        _, place = _number(exports, place + size + 1)
        yield name, exports[begun:place]


def _imports(imports: bytes) -> Iterator[tuple[str, int]]:
    """The name and the kind of each import: 0 a function, 1 a table, 2 a memory, 3 a global, 4 a tag."""
    number, place = _number(imports, 0)
    for _ in range(number):
        size, place = _number(imports, place)
        size, start = _number(imports, place + size)
        place = start + size
        yield imports[start:place].decode(), imports[place]
        place = _after_import(imports, place + 1, imports[place])


def _after_import(imports: bytes, place: int, kind: int) -> int:
    """The place after the description of something imported."""
    if kind == 0:
        return _number(imports, place)[1]
    if kind in (3, 4):
        return place + 2 if kind == 3 else _number(imports, place + 1)[1]
    place += kind == 1  # the type of a table's elements
    bounded = imports[place] & 1
    place = _number(imports, place + 1)[1]
    return _number(imports, place)[1] if bounded else place


def _number(data: bytes, place: int) -> tuple[int, int]:
    """An unsigned LEB128 number and the place after it."""
    value = 0
    for shift in count(0, 7):
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
    return value, place


def _leb(value: int) -> bytes:
    """An unsigned number in LEB128."""
    made = bytearray()
    while value >= 0x80:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*made, value])


def _signed(value: int) -> bytes:
    """A number from 0 in signed LEB128: its last byte has no sign."""
    made = bytearray()
    while value >= 0x40:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*made, value])


def _sized(data: bytes) -> bytes:
    return _leb(len(data)) + data
