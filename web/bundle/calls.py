"""Which functions of the WebAssembly the reader's Python calls, and the modules without the others.

CPython and numpy hold thousands of functions that no figure calls. Their bodies are left out, but for those that are
near to what is called; whoever calls one all the same meets a trap, upon which the worker starts the whole machine
(web/browser/worker.js).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from web.bundle import binary, cache, wasm
from web.bundle.fetch import Say
from web.bundle.instructions import reached
from web.bundle.linked import Home, Linked
from web.bundle.pack import archive
from web.bundle.python import run_node
from web.bundle.unread import unread, without
from web.bundle.words import Words, without_words

MACHINE = ""  # the path of CPython itself among those of its libraries
SCRIPT = Path(__file__).with_name("calls.mjs")
ENGINE = SCRIPT.parent.parent / "browser" / "engine"
RUNS = [
    SCRIPT,
    *(ENGINE / f"{name}.js" for name in ("environment", "everything", "libraries", "snapshot", "unpack", "rooms")),
]
WORD = re.compile(rb"[A-Za-z_$][\w$]*")
BESIDE = 5  # functions before and after one that is called: of the same C file, as a rule
SMALL = 100  # bytes of a body that costs next to nothing
Modules = Mapping[str, bytes]
Called = Mapping[str, Sequence[int]]


class Found(TypedDict):
    """The functions that are called until Python has started, and until every figure has been answered; of Python's
    modules, by file, name and first line.
    """

    starting: Called
    answering: Called
    python: list[tuple[str, str, int]]


@dataclass(frozen=True)
class Calls:
    """Pyodide, and the cache for what is found."""

    pyodide: Path
    cache: Path
    say: Say

    def of(self, modules: Modules, packs: Sequence[bytes], apart: Modules) -> Found:
        """The functions that are called."""
        recipe = [*RUNS, Path(wasm.__file__), Path(binary.__file__), self.pyodide / "pyodide-lock.json"]
        held = [part for files in (apart, modules) for path in sorted(files) for part in (path, files[path])]
        folder = cache.made(
            self.cache, "called", [*recipe, *packs, *held], lambda it: self._run(modules, packs, apart, it)
        )
        found: Found = json.loads((folder / "called.json").read_text("utf-8"))
        return found

    def _run(self, modules: Modules, packs: Sequence[bytes], apart: Modules, folder: Path) -> None:
        self.say("answering every figure in many ways, to see which functions are called")

        def put(number: int, data: bytes) -> Path:
            path = folder / str(number)
            path.write_bytes(data)
            return path

        observed = {path: put(at, wasm.observed(module)) for at, (path, module) in enumerate(modules.items())}
        packed = [put(len(observed) + at, data) for at, data in enumerate(packs)]
        late = {room: put(len(observed) + len(packed) + at, data) for at, (room, data) in enumerate(apart.items())}
        stdlib = archive({}, folder / "empty.zip")  # as in the browser: the standard library comes in a pack
        found = run_node("calls.mjs", pyodide=self.pyodide, modules=observed, packs=packed, apart=late, stdlib=stdlib)
        for path in (*observed.values(), *packed, *late.values(), stdlib):
            path.unlink()
        (folder / "called.json").write_text(found, "utf-8")

    def lean(self, modules: Modules, called: Called, said: Words, script: bytes, home: str) -> dict[str, bytes]:
        """The modules without what is not called; made once, for few edits of `calc` change which functions are."""
        numbered = list(enumerate(sorted(modules)))

        def make(folder: Path) -> None:
            found = lean(modules, called, said, script, home)
            for at, path in numbered:
                (folder / str(at)).write_bytes(found[path])

        held = [part for _, path in numbered for part in (path, modules[path])]
        code = sorted(SCRIPT.parent.glob("*.py"))
        folder = cache.made(self.cache, "lean", [*code, json.dumps(called), *said.parts, script, home, *held], make)
        return {path: (folder / str(at)).read_bytes() for at, path in numbered}


def near(module: bytes, called: Sequence[int]) -> set[int]:
    """The functions that are called, those that these name at any remove, their neighbours, and the small ones.

    Which functions a run calls depends on more than the figures: on where in memory a thing happens to lie, and on how
    full a table is. Where a function calls another by name, the other is there; what is called through a table of
    functions stands, as a rule, beside others of its kind.
    """
    sizes, names = wasm.sizes(module), wasm.callees(module)
    beside = {at for number in called for at in range(number - BESIDE, number + BESIDE + 1) if 0 <= at < len(sizes)}
    return reached(called, names) | beside | {number for number, size in enumerate(sizes) if size < SMALL}


def lean(modules: Modules, called: Called, said: Words, script: bytes, home: str) -> dict[str, bytes]:
    """The modules without the bodies of what is far from any call, words that only a person would read, and exports
    that nobody asks for.

    Names are asked for by Pyodide's `script`, where some have one more underscore in front, and by the modules. The
    machine has its pointers in place, and no data that nothing can read; `home` is the script as it comes.
    """
    names = {name.decode() for name in WORD.findall(script)}
    names |= {name.removeprefix("_") for name in names}
    names |= {name for module in modules.values() for name in wasm.imports(module)}
    kept = {path: near(module, called[path]) for path, module in modules.items()}
    linked = {path: Linked(module) for path, module in modules.items()}
    made = {path: wasm.lean(without_words(each, said), kept[path]) for path, each in linked.items()}
    gone = unread(linked[MACHINE], kept[MACHINE], home)
    machine = without(Linked(made[MACHINE]).settled(Home.of(home)), gone)
    return made | {MACHINE: wasm.exporting(machine, names)}
