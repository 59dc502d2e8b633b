"""Node: what it says when it fails becomes one sentence with the remedy."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from web.bundle import python
from web.bundle.errors import BundleError
from web.bundle.node import node, npm


def test_node_and_npm_run() -> None:
    for command in ([node()], npm()):
        assert subprocess.run([*command, "--version"], capture_output=True, check=True).stdout


def test_a_missing_node_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(BundleError, match="make setup"):
        node()


def test_a_script_that_fails_says_why_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match=r"web/bundle/trace\.mjs failed under Node: .+") as failure:
        python.run_node("trace.mjs", pyodide=tmp_path, stdlib=tmp_path, packages=[])
    assert "\n" not in str(failure.value)
