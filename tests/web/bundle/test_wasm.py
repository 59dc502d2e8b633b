"""Modules with less in them: what stays works as before, what was left out traps, and calls are noted."""

from __future__ import annotations

import subprocess

import pytest

from web.bundle import calls, wasm
from web.bundle.binary import HEADER, leb, number_at
from web.bundle.calls import near
from web.bundle.instructions import named
from web.bundle.node import node

# (module (import "env" "seven" (func (result i32)))
#   (func (export "one") (result i32) (local i32) call 0) (func (export "two") (result i32) call 1)
#   (global (export "three") i32 (i32.const 3)))
SMALL = HEADER + bytes.fromhex(
    "01 05 01 60 00 01 7f"
    "02 0d 01 03 656e76 05 736576656e 00 00"
    "03 03 02 00 00"
    "06 06 01 7f 00 41 03 0b"
    "07 15 03 03 6f6e65 00 01 03 74776f 00 02 05 7468726565 03 00"
    "0a 0d 02 06 01 01 7f 10 00 0b 04 00 10 01 0b".replace(" ", "")
)
RUN = """
const bytes = Buffer.from(process.argv[1], "hex");
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { seven: () => 7 } });
const said = [];
for (const call of process.argv[2].split(",")) {
  try { said.push(exports[call]()); } catch (error) { said.push(error.name); }
}
const notes = exports.calls ? [...new Uint8Array(exports.calls.buffer, 0, 3)].join("") : "";
console.log([...said, notes, Object.keys(exports).sort().join("+")].join(" "));
"""


def run(module: bytes, calls: str) -> str:
    command = [node(), "-e", RUN, module.hex(), calls]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_a_module_is_read_and_written_without_loss() -> None:
    assert wasm.imports(SMALL) == {"seven"}
    assert wasm.exported(SMALL, {"two", "three"}) == {1}
    assert wasm.lean(SMALL, {0, 1}) == SMALL
    assert wasm.exporting(SMALL, {"one", "two", "three"}) == SMALL


@pytest.mark.parametrize(
    ("called", "said"), [({0, 1}, "7 7"), ({0}, "7 RuntimeError"), ({1}, "RuntimeError RuntimeError")]
)
def test_a_function_that_is_left_out_traps(called: set[int], said: str) -> None:
    assert run(wasm.lean(SMALL, called), "one,two") == f"{said}  one+three+two"


def test_what_a_called_function_names_stays_as_do_neighbours_and_small_functions(monkeypatch) -> None:
    assert wasm.callees(SMALL) == [set(), {0}]
    assert near(SMALL, [0]) == {0, 1}, "small"
    monkeypatch.setattr(calls, "SMALL", 0)
    assert near(SMALL, [0]) == {0, 1}, "beside"
    monkeypatch.setattr(calls, "BESIDE", 0)
    assert near(SMALL, [0]) == {0}
    assert near(SMALL, [1]) == {0, 1}, "named"


def test_operands_are_not_taken_for_calls() -> None:
    code = (
        "41 10 43 10101010 44 1010101010101010 28 02 10 0e 01 10 10 fc 0b 00 fd 0c"
        + "10" * 16
        + "fd 15 10 02 40 10 05 0b 0b"
    )
    assert list(named(bytes.fromhex(code))) == [5]


@pytest.mark.parametrize(("called", "notes"), [("one", "7 100"), ("two", "7 110")])
def test_what_is_called_is_noted(called: str, notes: str) -> None:
    assert run(wasm.observed(SMALL), called) == f"{notes} calls+one+three+two"


def test_exports_that_nobody_asks_for_go_and_places_stay() -> None:
    assert run(wasm.exporting(SMALL, {"two"}), "two") == "7  two"


def test_what_is_no_module_is_refused() -> None:
    with pytest.raises(ValueError, match="no WebAssembly module"):
        wasm.imports(b"<!doctype html>")


def test_numbers_are_written_as_they_are_read() -> None:
    for value in (0, 63, 64, 127, 128, 8191, 8192, 2**31):
        assert number_at(leb(value), 0) == (value, len(leb(value)))


def test_two_runs_find_the_same_calls() -> None:
    """The build gives the same bytes on every machine only if what is noted depends on nothing else.

    The second run is kept as the first one is: it is made again when anything changes that it is made of.
    """
    from tests.web.bundle.test_engine import ROOT, STORE
    from web.bundle.engine import Workshop

    workshop = Workshop(ROOT, STORE, print)
    again = calls.Calls(workshop.pyodide, STORE / "again", print).of(workshop.whole, *workshop.laid)
    assert again == workshop.called()
