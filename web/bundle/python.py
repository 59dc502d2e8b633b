"""The Python that the reader runs: compiled by pyodide-build, and no more of it than is imported."""

from __future__ import annotations

import ast
import hashlib
import json
import subprocess
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from web.bundle import absent, cache
from web.bundle.errors import BundleError
from web.bundle.fetch import Say
from web.bundle.node import running
from web.bundle.pack import archive, laid_out, members

HERE = Path(__file__).parent
RUN = [HERE.parent / "browser" / "engine" / f"{name}.js" for name in ("environment", "everything", "unpack")]
STDLIB = "python_stdlib.zip"
NUMPY = "numpy-0-py3-none-any.whl"
CALC = "calc-0-py3-none-any.whl"
MEASUREMENTS = "calc/catalog/measurements/"
# numpy publishes no WebAssembly wheel yet. This one is the official wheel of Pyodide 0.29.1, carried unchanged inside
# another package: its hash is the one in Pyodide's own lock file, and that is why it is trusted.
CARRIED = "gbdraw/web/vendor/pyodide-wheels/numpy-2.2.5-cp313-cp313-pyodide_2025_0_wasm32.whl"
CARRIED_SHA256 = "2ca46b70661caea8f9f8089d22495c7a24c120fc5881e68934ac3a04d3fc8a02"
# numpy reads these docstrings when it is imported, but not their words; the others are left out, as are assertions.
KEEPS_DOCSTRINGS = ("numpy/_core/multiarray.py",)
MARK = "."  # in place of the docstring of a class
READS_ANNOTATIONS = "checked"  # calc.quantities.check
# Arguments that a declaration has for the page, which is built by the time that it answers (calc.figure).
PAGE_ONLY = {
    "Figure": {"assumptions", "chart", "columns", "folded", "foremost", "pointed", "sources", "table"},
    **{input: {"help"} for input in ("Choice", "Number", "Text", "replace")},
}
# These modules do nothing but attach documentation to compiled functions.
ONLY_DOCUMENTATION = ("numpy/_core/_add_newdocs.py", "numpy/_core/_add_newdocs_scalars.py")


class Trace(TypedDict):
    """The paths of files, and texts of methods that Python wrote, with their hashes in a reader's Python."""

    imported: list[str]
    written: dict[str, int]


@dataclass(frozen=True)
class Compiler:
    """Pyodide under Node with pyodide-build's wheels, and the cache for what it makes."""

    pyodide: Path
    wheels: tuple[Path, ...]
    cache: Path
    say: Say

    def compile(self, source: Mapping[str, bytes], name: str, optimise: int = 2) -> dict[str, bytes]:
        """These files with every Python source compiled; 2 leaves out assertions and docstrings, 1 assertions."""
        recipe = [HERE / "compile.mjs", self.pyodide / "pyodide-lock.json", *self.wheels]
        parts = [*recipe, str(optimise), name, *_contents(source)]
        folder = cache.made(self.cache, "compiled", parts, lambda it: self._run(source, name, optimise, it))
        return members(folder / name)

    def _run(self, source: Mapping[str, bytes], name: str, optimise: int, folder: Path) -> None:
        self.say(f"compiling {name.partition('-')[0]} for the browser, inside Pyodide")
        whole = archive(source, folder / name)
        tools = {"pyodide": self.pyodide, "tools": self.wheels}
        run_node("compile.mjs", **tools, archives=[whole], folder=folder, optimise=optimise)

    def thinned(
        self,
        files: Mapping[str, bytes],
        called: object = None,
        named: bool = False,
        settled: Sequence[tuple[str, str]] = (),
    ) -> dict[str, bytes]:
        """These compiled files without line tables and without the functions that are not `called` (thin.py).

        `named`: those stay, too, that one which is called names, but for the `settled`. Where nobody has looked which
        are called, the files lose no more than the functions that draw.
        """
        told = json.dumps({"called": called, "named": named, "settled": settled}) if called else ""
        recipe = [HERE / "thin.mjs", HERE / "thin.py", self.pyodide / "pyodide-lock.json"]
        parts = [*recipe, told, *_contents(files)]
        return members(cache.made(self.cache, "thinned", parts, lambda it: self._thin(files, told, it)) / "made.zip")

    def _thin(self, files: Mapping[str, bytes], called: str, folder: Path) -> None:
        given = {"archive": archive(files, folder / "given.zip"), "made": folder / "made.zip"}
        if called:
            given["called"] = folder / "called.json"
            given["called"].write_text(called, "utf-8")
        run_node("thin.mjs", pyodide=self.pyodide, **given)
        for path in given.values():
            if path.name != "made.zip":
                path.unlink()

    def traced(self, stdlib: Mapping[str, bytes], packages: Mapping[str, bytes]) -> Trace:
        """Files that are imported or read when every figure is answered, and texts that are compiled meanwhile."""
        recipe = [HERE / "trace.mjs", *RUN, self.pyodide / "pyodide-lock.json"]
        parts = [*recipe, *_contents(stdlib), *_contents(packages)]
        folder = cache.made(self.cache, "traced", parts, lambda it: self._trace(stdlib, packages, it))
        found: Trace = json.loads((folder / "traced.json").read_text("utf-8"))
        return found

    def _trace(self, stdlib: Mapping[str, bytes], packages: Mapping[str, bytes], folder: Path) -> None:
        self.say("answering every figure once, to see what is imported")
        whole, laid = archive(stdlib, folder / STDLIB), folder / "packages"
        laid.write_bytes(laid_out(packages))
        found = run_node("trace.mjs", pyodide=self.pyodide, stdlib=whole, packages=laid)
        for path in (whole, laid):
            path.unlink()
        (folder / "traced.json").write_text(found, "utf-8")


def _contents(files: Mapping[str, bytes]) -> list[str | bytes]:
    return [part for path in sorted(files) for part in (path, files[path])]


def run_node(script: str, **arguments: object) -> str:
    """Run one of our Node scripts with these arguments and give what it prints."""
    given = json.dumps(arguments, default=lambda value: str(value.resolve()))
    command = running(HERE / script, "--experimental-wasm-jspi")  # browsers have it by now
    done = subprocess.run([*command, given], capture_output=True, text=True, check=False)
    if done.returncode:
        said = done.stderr.strip() or "it gave no reason"
        raise BundleError(f"web/bundle/{script} failed under Node: {said.splitlines()[-1]}")
    return done.stdout


def carried_numpy(carriers: Sequence[Path], store: Path) -> Path:
    """The wheel of numpy that one of these packages carries; one with another hash is refused."""

    def take_out(folder: Path) -> None:
        with zipfile.ZipFile(carriers[0]) as package:
            found = package.read(CARRIED)
        if hashlib.sha256(found).hexdigest() != CARRIED_SHA256:
            raise BundleError(f"{Path(CARRIED).name} in {carriers[0].name} is not the one that is trusted.")
        (folder / Path(CARRIED).name).write_bytes(found)

    return cache.made(store, "numpy", [CARRIED, CARRIED_SHA256, *carriers], take_out) / Path(CARRIED).name


class _Untold(ast.NodeTransformer):
    """Takes out of a module what a machine does not need: docstrings, annotations that nothing reads, words of a page.

    A class keeps a mark for its docstring, because a dataclass without one inspects its own signature, and the
    annotations of its fields; what `checked` decorates keeps those of its arguments, which say what is accepted.
    """

    def visit_Module(self, node: ast.Module) -> ast.Module:
        self.generic_visit(node)
        _mark(node, "")
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self.generic_visit(node)
        _mark(node, MARK)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        _mark(node, "")
        if READS_ANNOTATIONS not in {each.id for each in node.decorator_list if isinstance(each, ast.Name)}:
            node.returns = None
            for given in ast.walk(node.args):
                if isinstance(given, ast.arg):
                    given.annotation = None
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        idle = PAGE_ONLY.get(node.func.id, set()) if isinstance(node.func, ast.Name) else set()
        node.keywords = [each for each in node.keywords if each.arg not in idle]
        return node


def _mark(node: ast.Module | ast.ClassDef | ast.FunctionDef, said: str) -> None:
    if ast.get_docstring(node) is not None:
        node.body[0] = ast.Expr(ast.Constant(said))


def untold(source: bytes) -> bytes:
    """A module without docstrings, annotations and words of declarations that nobody reads in a browser."""
    return ast.unparse(_Untold().visit(ast.parse(source))).encode()


def numpy_files(compiler: Compiler, wheel: Path) -> dict[str, bytes]:
    """numpy for the browser: compiled, without headers, typing stubs and its own tests."""
    source = {path: data for path, data in members(wheel).items() if path.endswith((".py", ".so"))}
    source = {path: data for path, data in source.items() if "/tests/" not in path}
    source |= dict.fromkeys(ONLY_DOCUMENTATION, b"") | absent.NUMPY
    documented = {path: untold(source.pop(path)) for path in KEEPS_DOCSTRINGS}
    return compiler.compile(source, NUMPY) | compiler.compile(documented, NUMPY, optimise=1)


def only(files: Mapping[str, bytes], wanted: Iterable[str]) -> dict[str, bytes]:
    """The files among `wanted`, and the tables, which a rare question may need; measurements are no part of any."""
    wanted = set(wanted)
    tables = (path for path in files if path.endswith((".json", ".csv")) and not path.startswith(MEASUREMENTS))
    return {path: files[path] for path in sorted(wanted.intersection(files) | set(tables))}
