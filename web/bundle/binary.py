"""The binary format of WebAssembly modules, as far as the bundle reads and writes it.

A module is a header and sections, each of a kind. Numbers are written in LEB128: seven bits a byte, the low ones first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count

HEADER = b"\0asm\x01\0\0\0"
IMPORT, MEMORY, GLOBAL, EXPORT, CODE, DATA = 2, 5, 6, 7, 10, 11
ORDER = (1, IMPORT, 3, 4, MEMORY, 13, GLOBAL, EXPORT, 8, 9, 12, CODE, DATA)
Section = tuple[int, bytes]


def module_of(sections: list[Section]) -> bytes:
    """The module that these sections make."""
    return HEADER + b"".join(bytes([kind]) + sized(payload) for kind, payload in sections)


def changed(sections: Iterable[Section], new: Mapping[int, bytes]) -> bytes:
    """The module with other payloads for the sections of these kinds."""
    return module_of([(kind, new.get(kind, payload)) for kind, payload in sections])


def sections_of(module: bytes) -> list[Section]:
    """The kinds and the payloads of the sections of a module, in their order."""
    if module[:8] != HEADER:
        raise ValueError("This is no WebAssembly module.")
    place, found = 8, []
    while place < len(module):
        size, start = number_at(module, place + 1)
        found.append((module[place], module[start : start + size]))
        place = start + size
    return found


def payload_of(sections: list[Section], wanted: int) -> bytes:
    """The payload of the section of a kind; an absent one counts nothing."""
    return next((payload for kind, payload in sections if kind == wanted), b"\0")


def bodies_of(code: bytes) -> list[bytes]:
    """The bodies of the functions in the payload of a CODE section, in their order."""
    number, place = number_at(code, 0)
    found = []
    for _ in range(number):
        size, place = number_at(code, place)
        found.append(code[place : place + size])
        place += size
    return found


def after_locals(body: bytes) -> int:
    """The place in a body where its locals end and its code begins."""
    groups, place = number_at(body, 0)
    for _ in range(groups):
        _, place = number_at(body, place)
        place += 1  # a type of one byte; the types of references to other types are longer, and are not in use here
    return place


def exports_of(exports: bytes) -> Iterator[tuple[str, bytes]]:
    """The name and the whole entry of each export."""
    number, place = number_at(exports, 0)
    for _ in range(number):
        begun = place
        size, place = number_at(exports, place)
        name = exports[place : place + size].decode()
        _, place = number_at(exports, place + size + 1)
        yield name, exports[begun:place]


def imports_of(imports: bytes) -> Iterator[tuple[str, int]]:
    """The name and the kind of each import: 0 a function, 1 a table, 2 a memory, 3 a global, 4 a tag."""
    number, place = number_at(imports, 0)
    for _ in range(number):
        size, place = number_at(imports, place)
        size, start = number_at(imports, place + size)
        place = start + size
        yield imports[start:place].decode(), imports[place]
        place = _after_import(imports, place + 1, imports[place])


def _after_import(imports: bytes, place: int, kind: int) -> int:
    """The place after the description of something imported."""
    if kind == 0:
        return number_at(imports, place)[1]
    if kind in (3, 4):
        return place + 2 if kind == 3 else number_at(imports, place + 1)[1]
    place += kind == 1  # the type of a table's elements
    bounded = imports[place] & 1
    place = number_at(imports, place + 1)[1]
    return number_at(imports, place)[1] if bounded else place


def number_at(data: bytes, place: int) -> tuple[int, int]:
    """An unsigned LEB128 number and the place after it."""
    value = 0
    for shift in count(0, 7):
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
    return value, place


def signed_at(data: bytes, place: int) -> tuple[int, int]:
    """A signed LEB128 number and the place after it."""
    value, after = number_at(data, place)
    negative = data[after - 1] & 0x40
    return value - (1 << 7 * (after - place) if negative else 0), after


def leb(value: int, end: int = 0x80) -> bytes:
    """An unsigned number in LEB128, whose last byte is below `end`."""
    made = bytearray()
    while value >= end:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*made, value])


def signed_leb(value: int) -> bytes:
    """A number from 0 in signed LEB128: its last byte has no sign."""
    return leb(value, end=0x40)


def counted(entries: Sequence[bytes]) -> bytes:
    """Entries after how many they are, as a section has them."""
    return leb(len(entries)) + b"".join(entries)


def sized(data: bytes) -> bytes:
    """Bytes after their number."""
    return leb(len(data)) + data
