"""A machine's pointers are written where it lies, and tables that nothing can name are not there."""

from __future__ import annotations

import pytest

from web.bundle import unread as room
from web.bundle.binary import HEADER, leb, sized
from web.bundle.errors import BundleError
from web.bundle.linked import END, MEMORY, TABLE, Home, Linked
from web.bundle.unread import unread, without

SCRIPT = "".join(
    f'var _{base}=new WebAssembly.Global({{value:"i32",mutable:false}},{begin});'
    for base, begin in ((MEMORY, 1024), (TABLE, 1))
)
MINE, ITS, LATE = b"\x23\0", b"\x23\x01", b"\x23\x02"  # global.get of the memory's begin, the table's, another


def signed(value: int) -> bytes:
    return bytes([value & 0x7F | 0x80, value >> 7 & 0x7F | 0x80, value >> 14 & 0x7F])


def at(value: int) -> bytes:
    return b"\x41" + signed(value) + b"\x6a"


def store(place: int, value: bytes) -> bytes:
    return MINE + at(place) + value + b"\x36\x02\0"


def named(*places: int) -> bytes:
    """The body of a function that takes the address of each."""
    return b"\0" + b"".join(MINE + at(place) + b"\x1a" for place in places) + END


def machine(pointers: bytes, *bodies: bytes, data: bytes = bytes(40)) -> bytes:
    """A module whose function 0 writes these pointers; the browser alone knows the last of its globals."""
    imported = [sized(b"env") + sized(name.encode()) + b"\x03\x7f\0" for name in (MEMORY, TABLE, "late")]
    code = [b"\0" + pointers + END, *bodies]
    sections = {
        1: b"\x01\x60\0\0",
        2: leb(len(imported)) + b"".join(imported),
        3: leb(len(code)) + bytes(len(code)),
        6: b"\0",
        7: b"\x01" + sized(b"__wasm_apply_data_relocs") + b"\0\0",
        10: leb(len(code)) + b"".join(map(sized, code)),
        11: b"\x01\0\x23\0\x0b" + sized(data),
    }
    return HEADER + b"".join(bytes([kind]) + sized(payload) for kind, payload in sections.items())


def words(module: bytes) -> list[int]:
    data = Linked(module).data
    return [int.from_bytes(data[place : place + 4], "little") for place in range(0, len(data), 4)]


def test_pointers_are_written_where_the_script_puts_the_machine() -> None:
    pointers = store(4, MINE + at(20)) + store(8, ITS + at(7)) + store(12, ITS) + store(16, ITS + b"\x41\x01\x6b")
    settled = Linked(machine(pointers)).settled(Home.of(SCRIPT))
    assert words(settled)[:5] == [0, 1044, 8, 1, 0]
    assert Linked(settled).pointers == []


def test_a_pointer_that_only_the_browser_knows_is_written_at_start() -> None:
    late = store(8, LATE)
    settled = Linked(machine(store(4, MINE + at(20)) + late)).settled(Home.of(SCRIPT))
    assert [each.code for each in Linked(settled).pointers] == [late]


def test_pointers_written_in_another_way_are_refused() -> None:
    with pytest.raises(BundleError, match="in a new way"):
        Linked(machine(b"\x01")).settled(Home.of(SCRIPT))
    with pytest.raises(BundleError, match="no longer says where"):
        Home.of("var ___memory_base=1024")


@pytest.fixture
def exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "LEAST", 1)
    monkeypatch.setattr(room, "MARGIN", 0)


@pytest.mark.usefixtures("exact")
@pytest.mark.parametrize(
    ("kept", "script", "gone"),
    [
        ({1}, "", [(24, 40)]),  # 16 is named, and its pointer leads to 8
        ({2}, "", [(8, 26)]),  # 26 ends where 32 begins, to which a pointer in it leads
        ({2}, "f(1032, 1056)", [(16, 26)]),
        ({1, 2}, "", [(24, 26)]),
        ({3}, "", [(8, 24), (26, 40)]),
        ({4}, "", [(8, 40)]),  # no address
    ],
)
def test_data_that_nothing_kept_can_name_are_found(kept: set[int], script: str, gone: list[tuple[int, int]]) -> None:
    pointers = store(16, MINE + at(8)) + store(28, MINE + at(32))
    given = machine(pointers, named(16), named(0, 26), named(24, 0), named(100_000))
    assert unread(Linked(given), kept, SCRIPT + script) == gone


@pytest.mark.usefixtures("exact")
def test_data_that_are_left_out_lead_out_of_memory() -> None:
    given = without(machine(b"", named(8), data=bytes(range(24))), [(8, 20)])
    assert Linked(given).data == bytes(range(8)) + b"\xff" * 12 + bytes(range(20, 24))


def test_small_gains_and_the_ends_of_tables_stay() -> None:
    size = room.LEAST + 8
    given = machine(b"", named(8), data=bytes(size))
    assert unread(Linked(given), set(), SCRIPT) == [(8 + room.MARGIN, size - room.MARGIN)]
    assert unread(Linked(machine(b"", named(9), data=bytes(size))), set(), SCRIPT) == []
