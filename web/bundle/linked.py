"""A machine that could lie anywhere, and its pointers written where it does lie.

Pyodide's machine is linked so that a function of half a megabyte writes all pointers into its data when it starts. But
Pyodide's script always puts it in the same place. So the pointers are written here, and the function goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from web.bundle.binary import (
    CODE,
    DATA,
    IMPORT,
    after_locals,
    bodies_of,
    changed,
    counted,
    imports_of,
    number_at,
    payload_of,
    sections_of,
    signed_at,
    sized,
)
from web.bundle.errors import BundleError
from web.bundle.instructions import stated
from web.bundle.wasm import exported

RELOCATE = "__wasm_apply_data_relocs"
MEMORY, TABLE = "__memory_base", "__table_base"
END, SUBTRACT = b"\x0b", b"\x6b"
LEB = rb"([\x80-\xff]*[\x00-\x7f])"
# A place (global.get, i32.const, i32.add), a value (global.get, perhaps i32.const, i32.add or i32.sub), i32.store:
PLACE, VALUE = rb"\x23" + LEB + rb"\x41" + LEB + rb"\x6a", rb"\x23" + LEB + rb"(?:\x41" + LEB + rb"([\x6a\x6b]))?"
STORE = re.compile(PLACE + VALUE + rb"\x36\x02\0", re.S)


@dataclass(frozen=True)
class Home:
    """Where the script puts the machine's memory and its table of functions."""

    memory: int
    table: int

    @classmethod
    def of(cls, script: str) -> Home:
        """The places that Pyodide's script names."""
        return cls(*(_stated(script, base) for base in (MEMORY, TABLE)))


def _stated(script: str, base: str) -> int:
    found = re.search(rf'\b_{base}=new WebAssembly\.Global\({{value:"i32",mutable:false}},(\d+)\)', script)
    if not found:
        raise BundleError("Pyodide's script no longer says where its machine lies; see web/bundle/linked.py.")
    return int(found[1])


@dataclass(frozen=True)
class Pointer:
    """A pointer at a `place` of the data: where it `leads`, counted from where the data or the table of `base` begin.

    The browser alone knows the base of some; `code` writes the pointer at start.
    """

    place: int
    base: str
    leads: int
    code: bytes


class Linked:
    """The parts of a module that could lie anywhere."""

    def __init__(self, module: bytes) -> None:
        self.sections = sections_of(module)
        imported = list(imports_of(payload_of(self.sections, IMPORT)))
        self.globals = [name for name, kind in imported if kind == 3]
        self.bodies = bodies_of(payload_of(self.sections, CODE))
        (self.relocate,) = exported(module, {RELOCATE})
        self.segment = payload_of(self.sections, DATA)
        _, self.begin = number_at(self.segment, len(b"\x01\0\x23\0\x0b"))  # one segment, at the begin of the memory

    @cached_property
    def data(self) -> bytes:
        """The data, from where the memory begins."""
        return self.segment[self.begin :]

    def within(self, numbers: Iterable[int]) -> set[int]:
        """Those of the numbers that are places of the data."""
        return {number for number in numbers if 0 <= number < len(self.data)}

    @cached_property
    def named(self) -> list[set[int]]:
        """For each function the places of the data that it states; the one that writes the pointers is left out."""
        named = [self.within(stated(body[after_locals(body) :])) for body in self.bodies]
        named[self.relocate] = set()
        return named

    @cached_property
    def inner(self) -> list[tuple[int, int]]:
        """Pointers from data to data: where each stands and where it leads."""
        size = len(self.data)
        return [(it.place, it.leads) for it in self.pointers if it.base == MEMORY and 0 <= it.leads < size]

    @cached_property
    def pointers(self) -> list[Pointer]:
        """The pointers that are written at start."""
        return list(self._pointers())

    def _pointers(self) -> Iterator[Pointer]:
        body = self.bodies[self.relocate]
        place = after_locals(body)
        while body[place:] != END:
            found = STORE.match(body, place)
            if not found or self._global(found[1]) != MEMORY:
                raise BundleError("Pyodide's machine writes its pointers in a new way; see web/bundle/linked.py.")
            leads = signed_at(found[4], 0)[0] if found[4] else 0
            leads = -leads if found[5] == SUBTRACT else leads
            yield Pointer(signed_at(found[2], 0)[0], self._global(found[3]), leads, found[0])
            place = found.end()

    def _global(self, number: bytes) -> str:
        return self.globals[number_at(number, 0)[0]]

    def settled(self, home: Home) -> bytes:
        """The module with its pointers in place."""
        bases = {MEMORY: home.memory, TABLE: home.table}
        data, left = bytearray(self.data), b""
        for each in self.pointers:
            if each.base in bases:
                data[each.place : each.place + 4] = (bases[each.base] + each.leads).to_bytes(4, "little")
            else:
                left += each.code
        bodies = [*self.bodies]
        bodies[self.relocate] = b"\0" + left + END
        code = counted([*map(sized, bodies)])
        return changed(self.sections, {CODE: code, DATA: self.segment[: self.begin] + data})
