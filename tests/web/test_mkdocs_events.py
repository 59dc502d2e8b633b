"""MkDocs stands behind one module, so that moving to its successor is work in one place."""

from __future__ import annotations

import ast

import pytest

from web import mkdocs_events
from web.cache import ROOT

MODULES = sorted((ROOT / "web").rglob("*.py"))


def imported(source: str) -> set[str]:
    """The packages that a module imports, wherever in it the import stands."""
    nodes = list(ast.walk(ast.parse(source)))
    named = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    named += [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    return {name.partition(".")[0] for name in named}


def test_one_module_knows_mkdocs():
    knows = [path.name for path in MODULES if "mkdocs" in imported(path.read_text(encoding="utf-8"))]
    assert knows == ["mkdocs_events.py"]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_no_module_rebinds_what_belongs_to_all(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Global)]


def test_every_event_is_one_that_mkdocs_calls():
    from mkdocs.plugins import EVENTS

    events = {name for name in vars(mkdocs_events) if name.startswith("on_")}
    assert events <= {f"on_{event}" for event in EVENTS}
