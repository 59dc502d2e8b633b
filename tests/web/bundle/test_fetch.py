"""npm and pip bring what the lock files pin and nothing else; what they say becomes one sentence with the remedy."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.test_declarations import ROOT
from web.bundle import fetch, python
from web.bundle.errors import BundleError

LOCKS = [fetch.NPM / "package-lock.json", *sorted(fetch.WHEELS.glob("*.txt")), ROOT / "requirements.txt"]
CLIENTS = {
    "npm": fetch.npm_packages,
    "pip": lambda store, say: fetch.wheels("compile", store, say),
}


def silent(line: str) -> None:
    """Nothing is said."""


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[list[str]]]:
    """Have a client fail with these words in turn, and then succeed; gives the commands that are run."""

    def fail_with(*words: str) -> list[list[str]]:
        asked: list[list[str]] = []

        def run(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
            asked.append(command)
            return subprocess.CompletedProcess(command, int(len(asked) <= len(words)), "", [*words, ""][len(asked) - 1])

        monkeypatch.setattr(subprocess, "run", run)
        return asked

    return fail_with


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_no_lock_file_names_an_address(lock: Path) -> None:
    assert not re.search(r"https?:|--(extra-)?index|--find-links", lock.read_text("utf-8"))


def test_every_package_is_pinned_by_the_hash_of_its_bytes() -> None:
    packages = json.loads(LOCKS[0].read_text("utf-8"))["packages"]
    assert [name for name, row in packages.items() if name and not row["integrity"].startswith("sha512-")] == []
    for lock in LOCKS[1:]:
        rows = re.split(r"\n(?=\S)", lock.read_text("utf-8").strip())
        assert [row for row in rows if not row.startswith("#") and "--hash=sha256:" not in row] == []


def test_each_version_that_is_asked_for_is_one_version_and_is_locked() -> None:
    asked = json.loads((fetch.NPM / "package.json").read_text("utf-8"))
    packages = json.loads(LOCKS[0].read_text("utf-8"))["packages"]
    for name, version in {**asked["dependencies"], **asked["devDependencies"]}.items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version)
        assert packages[f"node_modules/{name}"]["version"] == version


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_without_network_is_asked_once_and_says_what_to_do(
    client: str, tmp_path: Path, answers: Callable[..., list[list[str]]]
) -> None:
    asked = answers("first line\ngetaddrinfo ENOTFOUND")
    said = rf"^{client} could not fetch what is pinned \(getaddrinfo ENOTFOUND\); .*make setup"
    with pytest.raises(BundleError, match=said):
        CLIENTS[client](tmp_path, silent)
    assert len(asked) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("client", "words", "afresh"),
    [
        ("npm", "npm error code EINTEGRITY", "--cache"),
        ("pip", "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES", "--no-cache-dir"),
    ],
)
def test_other_bytes_are_asked_for_once_more_past_what_the_client_keeps(
    client: str, words: str, afresh: str, tmp_path: Path, answers: Callable[..., list[list[str]]]
) -> None:
    asked = answers(words)
    CLIENTS[client](tmp_path / "healed", silent)
    assert [afresh in command for command in asked] == [False, True]
    asked = answers(words, words)
    with pytest.raises(BundleError, match=client):
        CLIENTS[client](tmp_path / "refused", silent)
    assert len(asked) == 2


def test_pip_refuses_a_wheel_with_other_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = fetch.wheels("compile", ROOT / ".cache" / "rooflines", silent)[0].parent
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(here))
    monkeypatch.setattr(fetch, "WHEELS", tmp_path)
    pinned = (here / "mdurl-0.1.2-py3-none-any.whl").read_bytes()
    lock = tmp_path / "some.txt"
    lock.write_text(f"mdurl==0.1.2 --hash=sha256:{hashlib.sha256(pinned).hexdigest()}\n", "utf-8")
    (got,) = fetch.wheels("some", tmp_path, silent)
    assert got.read_bytes() == pinned
    lock.write_text(f"mdurl==0.1.2 --hash=sha256:{hashlib.sha256(b'other').hexdigest()}\n", "utf-8")
    with pytest.raises(BundleError, match="pip could not fetch what is pinned"):
        fetch.wheels("some", tmp_path, silent)


@pytest.mark.parametrize("trusted", [True, False])
def test_numpy_is_taken_out_of_its_carrier_only_with_the_trusted_hash(
    trusted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    carrier = tmp_path / "carrier.whl"
    with zipfile.ZipFile(carrier, "w") as package:
        package.writestr(python.CARRIED, b"the wheel")
    if trusted:
        monkeypatch.setattr(python, "CARRIED_SHA256", hashlib.sha256(b"the wheel").hexdigest())
        assert python.carried_numpy([carrier], tmp_path / "store").read_bytes() == b"the wheel"
    else:
        with pytest.raises(BundleError, match=r"numpy-.*\.whl in carrier\.whl is not the one that is trusted"):
            python.carried_numpy([carrier], tmp_path / "store")


def test_numpy_is_the_same_minor_version_here_and_in_the_browser() -> None:
    version = re.search(r"numpy-(\d+)\.(\d+)", python.CARRIED)
    assert version
    assert [int(part) for part in version.groups()] == [int(part) for part in np.__version__.split(".")[:2]]
