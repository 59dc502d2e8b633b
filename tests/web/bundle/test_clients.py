"""The package clients and Node: what they say when they fail becomes one sentence with the remedy."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from web.bundle import fetch, python
from web.bundle.errors import BundleError
from web.bundle.manifest import Pin
from web.bundle.node import node, npm


@pytest.mark.parametrize("client", ["npm", "pip"])
def test_a_client_without_network_says_what_to_do(client: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, "", "first line\ngetaddrinfo ENOTFOUND")

    monkeypatch.setattr(subprocess, "run", fails)
    with pytest.raises(
        BundleError, match=rf"{client} could not fetch a.{{1,2}}1\.0 \(getaddrinfo ENOTFOUND\); .*make setup"
    ):
        fetch.download([Pin("a", "1.0", client, "tools", "0")], tmp_path, False)


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
