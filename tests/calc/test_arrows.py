"""Imports point one way: a room uses what stands before it, a chapter earlier chapters, and nothing circles."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import calc
from calc.chapters import CHAPTERS

HERE = Path(calc.__file__).parent
LECTURES = [chapter.name for chapter in CHAPTERS]
ROOMS = [
    "face",
    "chapters",
    "quantities",
    "catalog",
    "setting",
    "step",
    "figure",
    "measured",
    *LECTURES,
    "world",
    "ledger",
    "cli",
]
SOURCES = {
    ".".join(path.relative_to(HERE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(HERE.rglob("*.py"))
}


def imported(name: str) -> set[str]:
    """The modules of calc that a module names in its imports, wherever they stand in it, those for types included."""
    found = set()
    for node in ast.walk(ast.parse(SOURCES[name].read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {each if each in SOURCES else node.module for each in inner}
    return {each for each in found if each.startswith("calc.")}


def place(name: str) -> tuple[int, bool]:
    """A module's room by number, and whether it is a picture: pictures stand beyond all formulas of their chapter.

    Claims stand with the ledger: whoever doubts one may ask the whole course.
    """
    parts = name.split(".")
    if "claims" in parts:
        return ROOMS.index("ledger"), False
    return ROOMS.index(parts[1]), "figures" in parts


ARROWS = {name: imported(name) for name in SOURCES if name not in ("calc", "calc.__main__")}


@pytest.mark.parametrize("name", ARROWS)
def test_no_module_imports_what_stands_behind_it(name):
    assert {each for each in ARROWS[name] if place(each) > place(name)} == set()


def test_no_import_comes_back_to_where_it_began():
    inner = {name: {each for each in uses if each != name} for name, uses in ARROWS.items()}
    faces = {f"calc.{chapter}" for chapter in LECTURES}  # import on being asked, so nothing waits for them
    left = {name: uses - faces for name, uses in inner.items() if name not in faces}
    while ready := {name for name, uses in left.items() if not uses & left.keys()}:
        left = {name: uses for name, uses in left.items() if name not in ready}
    assert left == {}


def declares(name: str) -> bool:
    """Whether a module declares figures."""
    calls = (node.func for node in ast.walk(ast.parse(SOURCES[name].read_text("utf-8"))) if isinstance(node, ast.Call))
    return any(isinstance(each, ast.Name) and each.id == "Figure" for each in calls)


PICTURES = [name for name in ARROWS if "figures" in name.split(".")[:-1] and not name.endswith(".listed")]


@pytest.mark.parametrize("name", PICTURES)
def test_no_picture_is_taken_from_another(name):
    """Pictures share what stands in a module without any: a chapter's `setting` and `shared`."""
    assert {each for each in ARROWS[name] if "figures" in each.split(".") and declares(each)} == set()
