"""The package as a whole: its map is true, everything public is documented, and what is documented holds."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from collections import defaultdict

import pytest

import calc
from calc.chapters import CHAPTERS

PRESENTED = {"figures", "cli", "__main__"}
CLAIMS = ("calc.ledger.recording", *(f"calc.{chapter.name}.claims" for chapter in CHAPTERS))  # shown in the ledger
SUCCESSORS = {"setting", "world"}
ROOMS = {"catalog", "cli", "figure", "ledger", "measured", "quantities", "setting", "step", "world"}
MODULES = sorted(
    found.name
    for found in pkgutil.walk_packages(calc.__path__, "calc.")
    if not PRESENTED & set(found.name.split(".")) and not found.name.startswith(CLAIMS)
)
PUBLIC = [
    pytest.param(member, id=f"{name}.{label}")
    for name in MODULES
    for label, member in vars(importlib.import_module(name)).items()
    if not label.startswith("_")
    and (inspect.isfunction(member) or inspect.isclass(member))
    and member.__module__ == name
]


def test_the_map_names_every_package_and_its_lectures_in_their_order():
    named = re.findall(r"`(\w+)`", calc.__doc__)
    top = {found.name for found in pkgutil.iter_modules(calc.__path__)} - {"__main__"}
    assert sorted(name for name in named if name != "__all__") == sorted(top)
    lectures = re.findall(r"- (\d) `(\w+)`: ", calc.__doc__)
    assert lectures == [(str(chapter.number), chapter.name) for chapter in CHAPTERS]


def test_every_chapter_and_every_room_is_a_package():
    packages = {found.name for found in pkgutil.iter_modules(calc.__path__) if found.ispkg}
    assert packages == ROOMS | {chapter.name for chapter in CHAPTERS}
    assert [chapter.number for chapter in CHAPTERS] == list(range(1, len(CHAPTERS) + 1))


@pytest.mark.parametrize("chapter", [chapter.name for chapter in CHAPTERS])
def test_a_chapter_hands_on_what_its_first_modules_define(chapter):
    package = importlib.import_module(f"calc.{chapter}")
    tree = ast.parse(inspect.getsource(package))
    stars = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"]
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    handed_on = [f"calc.{chapter}.{argument.value}" for call in calls for argument in call.args[1:]]
    assert sorted(handed_on) == sorted(stars)
    for module in stars:
        for name, member in vars(importlib.import_module(module)).items():
            if getattr(member, "__module__", "") == module and not name.startswith("_"):
                assert getattr(package, name) is member


def test_asking_one_name_of_a_chapter_imports_no_more_than_its_module():
    code = "import sys; from calc import batching; batching.read_seconds; print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if name.startswith("calc.batching.")}
    assert loaded == {"calc.batching.step"}


@pytest.mark.parametrize("package", ["batching", "pipelining", "overtraining", "setting", "step"])
def test_names_of_a_package_can_be_completed(package):
    names = dir(importlib.import_module(f"calc.{package}"))
    assert names == sorted(set(names))
    assert "annotations" not in names
    assert all(hasattr(importlib.import_module(f"calc.{package}"), name) for name in names)


def test_completion_finds_functions_classes_and_modules():
    assert {"read_seconds", "step", "cost"} <= set(dir(importlib.import_module("calc.batching")))
    assert {"ChipMemory", "bubbles", "schedules"} <= set(dir(importlib.import_module("calc.pipelining")))


def test_a_chapter_has_no_name_that_nothing_defines():
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        importlib.import_module("calc.batching").no_such_name  # noqa: B018


@pytest.mark.parametrize("name", MODULES)
def test_every_example_of_a_docstring_holds(name):
    module = importlib.import_module(name)
    assert module.__doc__
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("member", PUBLIC)
def test_everything_public_says_what_it_is(member):
    assert (member.__doc__ or "").strip()
    if inspect.isclass(member) and not getattr(member, "_is_protocol", False):
        assert not member.__doc__.startswith(f"{member.__name__}("), "a dataclass without a docstring of its own"
        for label, part in vars(member).items():
            if isinstance(part, property) or (inspect.isfunction(part) and not label.startswith("_")):
                assert part.__doc__, f"{member.__name__}.{label}"


@pytest.mark.parametrize("name", MODULES)
def test_only_the_catalogue_says_what_it_hands_on(name):
    module = importlib.import_module(name)
    handed_on = getattr(module, "__all__", None)
    assert (handed_on is not None) == (name == "calc.catalog")
    if handed_on:
        assert handed_on == sorted(handed_on, key=lambda label: (not label.isupper(), label.islower(), label))
        tree = ast.parse(inspect.getsource(module))
        defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        assert {label for label in defined if not label.startswith("_")} <= set(handed_on)
        assert all(hasattr(module, label) for label in handed_on)


def test_a_public_name_has_one_home():
    homes = defaultdict(set)
    for name in MODULES:
        if name.split(".")[1] in SUCCESSORS:
            continue
        for node in ast.parse(inspect.getsource(importlib.import_module(name))).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].add(name)
    assert len(homes) > 250
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}
