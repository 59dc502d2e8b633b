"""The package as a whole: its map is true, everything public is documented, and what is documented holds."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import pkgutil
import re

import pytest

import calc

PRESENTED = {"calc.figures", "calc.cli", "calc.__main__"}
MODULES = sorted(
    found.name
    for found in pkgutil.walk_packages(calc.__path__, "calc.")
    if not any(found.name == name or found.name.startswith(f"{name}.") for name in PRESENTED)
)
PUBLIC = [
    pytest.param(member, id=f"{name}.{label}")
    for name in MODULES
    for label, member in vars(importlib.import_module(name)).items()
    if not label.startswith("_")
    and (inspect.isfunction(member) or inspect.isclass(member))
    and member.__module__ == name
]


def test_the_map_names_every_module_once_under_its_lecture():
    named = re.findall(r"`(\w+)`", calc.__doc__)
    top = {found.name for found in pkgutil.iter_modules(calc.__path__)} - {"__main__"}
    assert sorted(name for name in named if name != "__all__") == sorted(top)
    for number, line in re.findall(r"- Lecture (\d): (.*)", calc.__doc__):
        for name in re.findall(r"`(\w+)`", line):
            module = importlib.import_module(f"calc.{name}")
            assert re.match(rf"Lecture {number}[:,] ", module.__doc__), name


def test_a_module_of_a_lecture_is_on_the_map_of_that_lecture():
    lectures = dict(re.findall(r"- (Lecture \d): (.*)", calc.__doc__))
    assert len(lectures) == 8
    for name in MODULES:
        if mark := re.match(r"(Lecture \d)", importlib.import_module(name).__doc__):
            assert f"`{name.removeprefix('calc.')}`" in lectures[mark[1]]


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
def test_only_packages_say_what_they_hand_on(name):
    module = importlib.import_module(name)
    handed_on = getattr(module, "__all__", None)
    assert (handed_on is not None) == hasattr(module, "__path__")
    if handed_on:
        assert handed_on == sorted(handed_on, key=lambda label: (not label.isupper(), label.islower(), label))
        tree = ast.parse(inspect.getsource(module))
        defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        assert {label for label in defined if not label.startswith("_")} <= set(handed_on)
        assert all(hasattr(module, label) for label in handed_on)
