"""A lecture's pack holds every module that only its figures lead to, and no page misses one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from calc.chapters import CHAPTERS
from web.bundle.rooms import lectures

ROOT = Path(__file__).parents[3]
SOURCES = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in (ROOT / "calc").rglob("*.py")}
IMPORTED = """
import json, sys
from calc.figure import answering, registry
for figure in registry.of_chapter(sys.argv[1]).values():
    if figure.rests_on or not figure.inputs:
        continue
    for given in figure.inputs:
        answering.respond(json.dumps({"figure": figure.name, "inputs": {given.name: "?"}}))
    answering.respond(json.dumps({"figure": figure.name, "inputs": {}}))
print(json.dumps([module.__file__ for name, module in sys.modules.items() if name.partition(".")[0] == "calc"]))
"""


def homes(files: dict[str, str]) -> dict[str, str]:
    """The lectures of the modules of a small package: of each by its path in `calc`, what it says."""
    empty = {f"calc/{folder}/__init__.py": "" for folder in ("figure", "batching/figures", "moe/figures")}
    found = lectures(empty | {"calc/figure/answering.py": ""} | {f"calc/{path}": said for path, said in files.items()})
    return {path.removeprefix("calc/"): lecture for path, lecture in found.items() if path not in empty}


def test_the_figures_of_a_lecture_are_its_own() -> None:
    listed = {"batching/figures/listed.py": "from calc.batching.figures import step"}
    found = homes(listed | {"batching/figures/step.py": ""})
    assert found == {"batching/figures/listed.py": "batching", "batching/figures/step.py": "batching"}


def test_two_lectures_share_what_both_lead_to_at_any_remove() -> None:
    files = {
        "batching/figures/listed.py": "from calc.batching.figures.shared import batch",
        "batching/figures/shared.py": "from calc.batching.step import seconds",
        "batching/step.py": "",
        "moe/figures/listed.py": "def draw():\n    from calc.batching.figures import shared",
    }
    assert homes(files) == {"batching/figures/listed.py": "batching", "moe/figures/listed.py": "moe"}


def test_what_answers_for_any_figure_belongs_to_none() -> None:
    files = {"batching/figures/listed.py": "from calc.figure import inputs", "figure/inputs.py": ""}
    assert homes(files)["figure/inputs.py"] == "batching"
    assert "figure/inputs.py" not in homes(files | {"figure/answering.py": "from calc.figure.inputs import x"})


@pytest.mark.parametrize(
    ("said", "cost"),
    [
        ("from calc import batching", "moe"),
        ("import calc.batching", "moe"),
        ("from calc.batching import read_seconds", "moe"),
        ("from calc.batching.step import read_seconds", None),
        ("from calc.batching import step", None),
    ],
)
def test_who_asks_a_face_may_ask_for_all_that_it_hands_on(said: str, cost: str | None) -> None:
    typed = (
        "if TYPE_CHECKING:\n    from calc.batching.cost import *\nelse:\n    __getattr__ = handed_on(__name__, 'step')"
    )
    files = {"batching/__init__.py": typed, "batching/step.py": "", "batching/cost.py": ""}
    found = homes(files | {"moe/figures/listed.py": said})
    assert found["batching/step.py"] == "moe"
    assert found.get("batching/cost.py") == cost


@pytest.mark.parametrize("chapter", [chapter.name for chapter in CHAPTERS])
def test_no_figure_imports_what_travels_with_another_lecture(chapter: str) -> None:
    said = subprocess.run(
        [sys.executable, "-c", IMPORTED, chapter], cwd=ROOT, capture_output=True, text=True, check=True
    )
    imported = {Path(path).relative_to(ROOT).as_posix() for path in json.loads(said.stdout)}
    found = lectures(SOURCES)
    assert len(imported) > 60
    assert {found[path] for path in imported if path in found} == {chapter}
