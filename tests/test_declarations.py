"""Everything that is imported is declared in `pyproject.toml`, for whom it is; what is declared is locked."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
OURS = {"calc", "web", "tests"}
OF_A_GPU = {"torch", "triton", "pynvml"}  # tests/chip runs by hand where these are; no test imports it
DRAWN_AT_BUILD = {"altair"}  # calc declares charts with it, and imports it nowhere else


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(*groups: str) -> set[str]:
    rows = [row for group in groups for row in PROJECT["dependency-groups"][group]]
    return {plain(re.split(r"[=<>; ]", row)[0]) for row in (*rows, *PROJECT["project"]["dependencies"])}


def imported(folder: str) -> Iterator[tuple[str, str]]:
    """Each module of others that a file of the folder imports, and the file."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names = [each.name for each in node.names]
            else:
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            tops = {name.partition(".")[0] for name in names}
            yield from ((top, f"{path.relative_to(ROOT)}") for top in tops - OURS - set(sys.stdlib_module_names))


@pytest.mark.parametrize(
    ("folder", "groups", "besides"),
    [("calc", (), DRAWN_AT_BUILD), ("web", ("site",), ()), ("tests", ("site", "test"), OF_A_GPU)],
)
def test_everything_imported_is_declared(folder: str, groups: tuple[str, ...], besides: set[str]) -> None:
    homes = packages_distributions()
    known = declared(*groups) | set(besides)
    found = list(imported(folder))
    assert found
    assert {path for name, path in found if name in OF_A_GPU and not path.startswith("tests/chip/")} == set()
    assert [(name, path) for name, path in found if not {plain(home) for home in homes.get(name, [name])} & known] == []


def test_everything_declared_is_locked_at_the_version_that_is_declared() -> None:
    locks = {"site": "requirements.txt", "test": "requirements.txt"}
    for group, rows in PROJECT["dependency-groups"].items():
        lock = ROOT / locks.get(group, f"web/wheels/{group}.txt")
        locked = set(re.findall(r"^([\w.-]+==[^ ;]+)", lock.read_text("utf-8"), re.MULTILINE))
        assert [row for row in rows if row.partition(";")[0].strip() not in locked] == []
