"""Modules of `calc` that only one lecture needs: they travel by themselves, to readers of its figures.

The rest are what answers for any figure, and what the figures of several lectures lead to. A face (`calc.face`)
imports a module when a name of it is asked for, so whoever imports a face is taken to need all its modules.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping

from calc.chapters import CHAPTERS

ANSWERING = "calc.figure.answering"
FACE = "handed_on"
ANY = ".*"  # behind the name of a face: whatever it hands on
INNER = {"figures", "claims"}  # packages of a lecture that its face does not hand on
Sources = Mapping[str, str]


def lectures(sources: Sources) -> dict[str, str]:
    """By path, the lecture of each module that nothing but the figures of that lecture leads to.

    `sources` are the modules by path, as they stand in the repository.
    """
    paths = {_module(path): path for path in sources}
    leads = {name: set(_imported(name, ast.parse(sources[path]), paths)) for name, path in paths.items()}
    for face in [name for name, path in paths.items() if path.endswith("__init__.py") and FACE in sources[path]]:
        inner = {name for name in paths if name.startswith(f"{face}.") and not INNER & {*name.split(".")}}
        leads[face + ANY] = inner | {face}
    wanting = defaultdict(set)
    for chapter in CHAPTERS:
        for name in _reached(f"calc.{chapter.name}.figures.listed", leads):
            wanting[name].add(chapter.name)
    for name in _reached(ANSWERING, leads):
        wanting[name].add("")
    alone = {name: min(whose) for name, whose in wanting.items() if len(whose) == 1}
    return {paths[name]: chapter for name, chapter in alone.items() if chapter and name in paths}


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _imported(name: str, tree: ast.Module, known: Container[str]) -> Iterator[str]:
    """Names that a module's imports lead to, wherever they stand in it: modules, their packages, and whole faces."""
    yield name.rpartition(".")[0]
    for node in _run(tree):
        if isinstance(node, ast.Import):
            yield from (found for each in node.names for found in (each.name, each.name + ANY))
        if isinstance(node, ast.ImportFrom):
            for each in node.names:
                inner = f"{node.module}.{each.name}"
                found = inner if inner in known else str(node.module)
                yield from (found, found + ANY)


def _run(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a program, without those that are for types alone."""
    yield node
    inner: Iterable[ast.AST] = ast.iter_child_nodes(node)
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        inner = node.orelse
    for each in inner:
        yield from _run(each)


def _reached(name: str, leads: Mapping[str, Collection[str]]) -> set[str]:
    found: set[str] = set()
    due = [name]
    while due:
        name = due.pop()
        if name in leads and name not in found:
            found.add(name)
            due += leads[name]
    return found
