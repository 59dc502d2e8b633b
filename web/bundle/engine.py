"""From pins and sources to the files of the engine: Python's packs, the worker and Vega."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path

from calc.catalog import tables
from calc.figure.registry import APART, asked, every
from calc.world import against
from web.bundle import absent, ahead, cache, javascript, rooms, wasm
from web.bundle.calls import MACHINE, Calls, Found
from web.bundle.fetch import NPM, Say, npm_packages, wheels
from web.bundle.pack import laid_out, members, pack, shrunk
from web.bundle.python import CALC, STDLIB, Compiler, carried_numpy, numpy_files, only, run_node, untold
from web.bundle.shelf import Shelf
from web.bundle.words import Words, words

BROWSER = Path(__file__).parent.parent / "browser"
UNASKED = Path(__file__).with_name("unasked.mjs")
STDLIB_HOME = "/lib/python3.13/"
SITE_PACKAGES = f"{STDLIB_HOME}site-packages/"
TABLE = "globalThis.ROOFLINES_RUNTIME"
FOREIGN = b"https://cdn.jsdelivr.net/pyodide/v"  # where Pyodide would look for files that it is not given
NOT_IN_VEGA = ("d3-dsv", "d3-geo", "topojson-client")
PYTHON = ("python", "calc")  # the parts of the reader's Python that every figure needs
ENTRIES = ("worker.js", "vega/index.js", "vega/absent.js")  # the last stands for what is not in Vega
_IMPORTED = re.compile(r'(?:\bfrom|^import) "(\.{1,2}/[^"]+)"', re.M)


def calc_sources(root: Path) -> Iterable[Path]:
    """The modules and data files of `calc`."""
    return sorted(path for path in (root / "calc").rglob("*") if path.suffix in {".py", ".toml", ".json", ".csv"})


def settled() -> list[tuple[str, str]]:
    """The functions, by file and name, that answer only figures without inputs: nobody asks those anew."""
    live = {figure.compute for figure in asked()}
    answering = {figure.compute for figure in every()} - live
    return sorted((f"{each.__module__.replace('.', '/')}.py", each.__qualname__) for each in answering)


def browser_sources() -> list[Path]:
    """The JavaScript that the worker and the Vega bundle are made of: where they begin, and all that is imported."""
    due, found = [(BROWSER / name).resolve() for name in ENTRIES], set()
    while due:
        path = due.pop()
        if path not in found:
            found.add(path)
            due += [(path.parent / name).resolve() for name in _IMPORTED.findall(path.read_text("utf-8"))]
    return sorted(found)


class Workshop:
    """Everything that is needed to make the engine; each part is made when it is asked for, once."""

    def __init__(self, root: Path, store: Path, say: Say) -> None:
        self.root = root
        self.store = store
        self.say = say

    def fill(self, folder: Path) -> None:
        """Write the engine's files and `index.json`, which names them."""
        shelf = Shelf(folder)
        found, script = self.called(), self.script.read_bytes()
        lean = self.calls.lean(self.whole, found["answering"], self.words, script, self.own_script.read_text("utf-8"))
        python = self.compiler.thinned(self.parts["python"], found["python"])
        calc = self.compiler.thinned(self.parts["calc"], found["python"], named=True, settled=settled())
        shared, alone = self.by_lecture(calc)
        packs = [shelf.put("python.bin", pack(python)), shelf.put("calc.bin", pack(shared))]
        full = [shelf.put(f"{name}.bin", pack(self.parts[name])) for name in PYTHON]
        name = shelf.put("pyodide.js", script)
        usual = shelf.start(name, lean, packs)
        small = shelf.start(name, {path: shrunk(module) for path, module in lean.items()}, packs, "bin")
        lock = json.loads((self.pyodide / "pyodide-lock.json").read_text("utf-8"))
        lectures = {chapter: shelf.put(f"{chapter}.bin", pack(files)) for chapter, files in alone.items()}
        apart = {room: shelf.put(f"{room}.bin", data) for room, data in self.apart.items()}
        table = usual | {
            "small": small,
            "whole": shelf.start(name, self.whole, full) | {"lectures": {}},
            "lock": {"info": lock["info"], "packages": {}},
            "lectures": shelf.rooms(lectures),
            "apart": shelf.rooms(apart),
        }
        own = self.worker.read_bytes().replace(FOREIGN, b"./v")
        worker = shelf.put("worker.js", own.replace(TABLE.encode(), json.dumps(table).encode()))
        vega = shelf.put("vega.js", self.vega.read_bytes())
        largest = max(lectures.values(), key=lambda file: shelf.sizes[file][0])
        ways = {way: [*start["sizes"], worker, largest] for way, start in (("live", usual), ("small", small))}
        index = {"files": [*shelf.sizes], "worker": worker, "vega": vega} | ways
        (folder / "index.json").write_text(json.dumps(index, indent=1), "utf-8")

    @cached_property
    def parts(self) -> dict[str, dict[str, bytes]]:
        """The parts of the reader's Python, by their paths there: no more than what is imported."""
        stdlib = self.stdlib
        packages = self.numpy | self.calc
        trace = self.compiler.traced(stdlib, packages)
        wanted = trace["imported"]
        methods = self.compiler.compile({f"{ahead.NAME}.py": ahead.source(trace["written"])}, f"{ahead.NAME}.zip")
        numpy = only(self.numpy, wanted)
        libraries = {SITE_PACKAGES + path: data for path, data in numpy.items() if path.endswith(".so")}
        modules = {SITE_PACKAGES + path: data for path, data in numpy.items() if not path.endswith(".so")}
        calc = {path: data for path, data in only(self.calc, wanted).items() if not _room(path)} | methods
        return {
            "python": {STDLIB_HOME + path: data for path, data in only(stdlib, wanted).items()} | modules,
            "calc": {SITE_PACKAGES + path: data for path, data in calc.items()},
            "libraries": libraries,
            **{room: _under(room, only(self.calc, wanted)) for room in APART},
        }

    def by_lecture(self, calc: Mapping[str, bytes]) -> tuple[dict[str, bytes], dict[str, dict[str, bytes]]]:
        """The files of `calc` that every page needs, and by lecture those that only its figures need."""
        modules = [path for path in calc_sources(self.root) if path.suffix == ".py"]
        sources = {path.relative_to(self.root).as_posix(): path.read_text("utf-8") for path in modules}
        homes = {f"{SITE_PACKAGES}{path}c": lecture for path, lecture in rooms.lectures(sources).items()}
        shared: dict[str, bytes] = {}
        alone: dict[str, dict[str, bytes]] = {lecture: {} for lecture in sorted(set(homes.values()))}
        for path, data in calc.items():
            (alone[homes[path]] if path in homes else shared)[path] = data
        return shared, alone

    @property
    def calls(self) -> Calls:
        return Calls(self.pyodide, self.store, self.say)

    def called(self) -> Found:
        """Which functions are called."""
        return self.calls.of(self.whole, *self.laid)

    @cached_property
    def words(self) -> Words:
        """The words that only a person would read."""
        return words(self.pyodide, self.numpy, self.store, self.say)

    @property
    def laid(self) -> tuple[list[bytes], dict[str, bytes]]:
        """The parts that every figure needs, and the rooms that travel by themselves, not compressed."""
        return [laid_out(self.parts[name]) for name in PYTHON], {room: laid_out(self.parts[room]) for room in APART}

    @cached_property
    def apart(self) -> dict[str, bytes]:
        """The rooms that travel by themselves, each as a pack."""
        return {room: pack(self.parts[room]) for room in APART}

    @cached_property
    def whole(self) -> dict[str, bytes]:
        """The WebAssembly of CPython and of numpy's libraries as they come."""
        return {MACHINE: (self.pyodide / "pyodide.asm.wasm").read_bytes()} | self.parts["libraries"]

    @cached_property
    def modules(self) -> Path:
        """The npm packages."""
        return npm_packages(self.store, self.say)

    @property
    def pyodide(self) -> Path:
        """The npm package of Pyodide."""
        return self.modules / "pyodide"

    @cached_property
    def numpy_wheel(self) -> Path:
        """numpy for Pyodide."""
        return carried_numpy(wheels("engine", self.store, self.say), self.store)

    @cached_property
    def compiler(self) -> Compiler:
        return Compiler(self.pyodide, tuple(wheels("compile", self.store, self.say)), self.store, self.say)

    @cached_property
    def stdlib(self) -> dict[str, bytes]:
        """Python's standard library, compiled."""
        source = members(self.pyodide / STDLIB) | absent.STDLIB
        return self.compiler.compile({path: data for path, data in source.items() if path.endswith(".py")}, STDLIB)

    @cached_property
    def numpy(self) -> dict[str, bytes]:
        return numpy_files(self.compiler, self.numpy_wheel)

    @cached_property
    def calc(self) -> dict[str, bytes]:
        """`calc` of this repository, compiled; its catalogue as JSON, which is read faster than TOML, without notes."""
        sources = {path.relative_to(self.root).as_posix(): path.read_bytes() for path in calc_sources(self.root)}
        for path in [path for path in sources if path.startswith("calc/catalog/") and path.endswith(".toml")]:
            del sources[path]
            table = tables.as_json(Path(path).stem, str(self.root / "calc" / "catalog"), words=False)
            sources[f"{path.removesuffix('.toml')}.json"] = table.encode()
        sources["calc/measured/runs.json"] = json.dumps(against.table(), separators=(",", ":")).encode()
        plain = {path: untold(data) if path.endswith(".py") else data for path, data in sources.items()}
        return self.compiler.thinned(self.compiler.compile(plain, CALC, optimise=1))

    @cached_property
    def worker(self) -> Path:
        """The worker with Pyodide's loader, before the table of files is filled in."""
        return self._bundled("worker.js", {"pyodide": self.pyodide / "pyodide.mjs"})

    @property
    def own_script(self) -> Path:
        """Pyodide's script as it comes."""
        return self.pyodide / "pyodide.asm.js"

    @cached_property
    def script(self) -> Path:
        """Pyodide's script, without the functions that neither the WebAssembly nor the worker can ask for."""
        given, acorn = self.own_script, self.modules / "acorn" / "dist" / "acorn.mjs"
        names = sorted({name for module in self.whole.values() for name in wasm.imports(module)})

        def make(folder: Path) -> None:
            self.say("leaving out of Pyodide's script what no page asks for")
            made = folder / "script.js"
            run_node(UNASKED.name, acorn=acorn, given=given, imports=names, user=self.worker, made=made)
            javascript.minify(made, self.modules, folder / "short.js")

        parts = [NPM / "package-lock.json", UNASKED, Path(javascript.__file__), self.worker, given]
        return cache.made(self.store, "script", [*parts, *names], make) / "short.js"

    @cached_property
    def vega(self) -> Path:
        absent = BROWSER / "vega" / "absent.js"
        return self._bundled("vega/index.js", dict.fromkeys(NOT_IN_VEGA, absent))

    def _bundled(self, entry: str, aliases: Mapping[str, Path]) -> Path:
        def make(folder: Path) -> None:
            self.say(f"bundling {entry}")
            external = ("node:*", "ws")
            javascript.bundle(BROWSER / entry, self.modules, folder / "bundle.js", aliases, external)

        parts = [NPM / "package-lock.json", *browser_sources(), *aliases.values(), Path(javascript.__file__)]
        return cache.made(self.store, "bundled", parts, make) / "bundle.js"


def _room(path: str) -> str:
    """The room apart that a file of `calc` is part of, if it is of one."""
    return next((room for room in APART if path.startswith(f"calc/{room}/")), "")


def _under(room: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {SITE_PACKAGES + path: data for path, data in files.items() if _room(path) == room}
