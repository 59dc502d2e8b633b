"""WebAssembly modules: note which functions are called, and leave out the bodies of those that never are.

Nothing but bodies changes, so that every index, every address and all data stay where they are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from web.bundle.binary import (
    CODE,
    EXPORT,
    IMPORT,
    MEMORY,
    ORDER,
    Section,
    after_locals,
    bodies_of,
    changed,
    counted,
    exports_of,
    imports_of,
    leb,
    number_at,
    payload_of,
    sections_of,
    signed_leb,
    sized,
)
from web.bundle.instructions import named

TRAP = b"\x00\x00\x0b"  # no locals, unreachable, end
PAGE = 65536
NOTES = "calls"  # the exported memory in which an observed module notes its calls, one byte a function


def observed(module: bytes) -> bytes:
    """The module with a second memory, exported as NOTES, in which function number n sets byte n when it is called."""
    sections = sections_of(module)
    imported = [name for name, kind in imports_of(payload_of(sections, IMPORT)) if kind == 2]
    memories = len(imported) + number_at(payload_of(sections, MEMORY), 0)[0]
    bodies = bodies_of(payload_of(sections, CODE))
    pages = -(-len(bodies) // PAGE)
    export = sized(NOTES.encode()) + b"\x02" + leb(memories)
    sections = _appended(sections, MEMORY, b"\0" + leb(pages))
    sections = _appended(sections, EXPORT, export)
    store = b"\x41\x01\x3a\x40" + leb(memories) + b"\0"  # i32.const 1, i32.store8 into that memory

    def noting(number: int, body: bytes) -> bytes:
        start = after_locals(body)
        return body[:start] + b"\x41" + signed_leb(number) + store + body[start:]

    return _with_bodies(sections, noting)


def lean(module: bytes, called: Collection[int]) -> bytes:
    """The module in which every function that is not among `called` traps."""
    return _with_bodies(sections_of(module), lambda number, body: body if number in called else TRAP)


def callees(module: bytes) -> list[set[int]]:
    """For each function, the numbers of those that its body names."""
    sections = sections_of(module)
    before = sum(kind == 0 for _, kind in imports_of(payload_of(sections, IMPORT)))
    bodies = bodies_of(payload_of(sections, CODE))
    return [{number - before for number in named(body[after_locals(body) :]) if number >= before} for body in bodies]


def sizes(module: bytes) -> list[int]:
    """The bytes of each function's body."""
    return [len(body) for body in bodies_of(payload_of(sections_of(module), CODE))]


def exporting(module: bytes, names: Collection[str]) -> bytes:
    """The module that shows no more than `names` of what it exports."""
    sections = sections_of(module)
    kept = [entry for name, entry in exports_of(payload_of(sections, EXPORT)) if name in names]
    return changed(sections, {EXPORT: counted(kept)})


def exported(module: bytes, names: Collection[str]) -> set[int]:
    """The numbers of the functions that the module exports under these names."""
    sections = sections_of(module)
    before = sum(kind == 0 for _, kind in imports_of(payload_of(sections, IMPORT)))
    rows = [(name, entry[len(sized(name.encode())) :]) for name, entry in exports_of(payload_of(sections, EXPORT))]
    return {number_at(row, 1)[0] - before for name, row in rows if name in names and row[0] == 0}


def imports(module: bytes) -> set[str]:
    """The names of what the module asks others for."""
    return {name for name, _ in imports_of(payload_of(sections_of(module), IMPORT))}


def _with_bodies(sections: list[Section], change: Callable[[int, bytes], bytes]) -> bytes:
    bodies = enumerate(bodies_of(payload_of(sections, CODE)))
    return changed(sections, {CODE: counted([sized(change(number, body)) for number, body in bodies])})


def _appended(sections: list[Section], wanted: int, entry: bytes) -> list[Section]:
    """One more entry at the end of a section that counts its entries; the section is made where there is none."""
    number, start = number_at(payload_of(sections, wanted), 0)
    grown = (wanted, leb(number + 1) + payload_of(sections, wanted)[start:] + entry)
    if any(kind == wanted for kind, _ in sections):
        return [grown if kind == wanted else (kind, payload) for kind, payload in sections]
    later = ORDER[ORDER.index(wanted) :]
    place = next((at for at, (kind, _) in enumerate(sections) if kind in later), len(sections))
    return [*sections[:place], grown, *sections[place:]]
