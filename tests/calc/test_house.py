"""Habits that hold everywhere in `calc`: nothing is guessed, and a noun has one home."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest

import calc

HERE = Path(calc.__file__).parent
SOURCES = {path.relative_to(HERE).as_posix(): path for path in sorted(HERE.rglob("*.py"))}
TREES = {name: ast.parse(path.read_text("utf-8")) for name, path in SOURCES.items()}
LABS = sorted((HERE.parent / "lectures").glob("*/lab.py"))
APART = {"Value"}
"""A value of a figure and one of a report on the command line: neither room may know the other."""


def guesses(tree: ast.AST) -> list[str]:
    """Expressions that put a number in the place of a fact that may be missing: `row.layers or 1`."""
    either = [node for node in ast.walk(tree) if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or)]
    return [
        ast.unparse(node)
        for node in either
        if any(isinstance(part, ast.Constant) and isinstance(part.value, int | float) for part in node.values[1:])
    ]


@pytest.mark.parametrize("name", SOURCES)
def test_no_number_stands_in_for_a_missing_fact(name):
    assert guesses(TREES[name]) == []


def test_a_guess_would_be_found():
    assert guesses(ast.parse("rate = row.rate or 0.0")) == ["row.rate or 0.0"]
    assert guesses(ast.parse("name = row.name or 'unknown'")) == []


def test_a_public_class_has_a_name_of_its_own():
    homes = defaultdict(list)
    for name, tree in TREES.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(name)
    assert {label: where for label, where in homes.items() if len(where) > 1 and label not in APART} == {}


@pytest.mark.parametrize("lab", LABS, ids=lambda path: path.parent.name)
def test_a_lab_takes_a_model_on_a_system_from_calc(lab):
    """The five totals of a bound are those of a `Scenario`, and typed nowhere."""
    tables = [node for node in ast.walk(ast.parse(lab.read_text("utf-8"))) if isinstance(node, ast.Dict)]
    keys = [{key.value for key in table.keys if isinstance(key, ast.Constant)} for table in tables]
    assert not [each for each in keys if {"active_params", "flops", "bandwidth"} <= each]


def test_every_function_and_constant_is_used_somewhere():
    """Those of claims apart, which the ledger finds by their names."""
    rooms = [HERE, HERE.parent / "lectures", HERE.parent / "web", HERE.parent / "tests"]
    texts = [path.read_text("utf-8") for room in rooms for path in sorted(room.rglob("*.py"))]
    told = Counter(word for text in texts for word in re.findall(r"\w+", text))
    named = {
        f"{name}: {each}"
        for name, tree in TREES.items()
        if "claims" not in name and name != "ledger/recording.py"
        for node in tree.body
        for each in _named(node)
        if told[each] == 1
    }
    assert named == set()


def _named(node: ast.stmt) -> list[str]:
    """Names that a statement of a module gives."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]
