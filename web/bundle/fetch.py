"""Fetch what the manifest pins with the ordinary package clients, and refuse every byte that is not the pinned one."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from web.bundle.errors import BundleError
from web.bundle.manifest import Pin
from web.bundle.node import npm

Say = Callable[[str], None]
Client = Callable[[Sequence[Pin], Path, bool], None]
ATTEMPTS = 2
NPM = ("--loglevel=error", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=4000")


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def fetch(wanted: Iterable[Pin], cache: Path, say: Say, client: Client | None = None) -> dict[str, Path]:
    """The verified files of these pins, by name: from the cache where it holds them, else from the registries."""
    wanted = list(wanted)
    missing = [pin for pin in wanted if not _intact(pin, cache)]
    for attempt in range(ATTEMPTS):
        if missing:
            again = " again, past the clients' caches" if attempt else ""
            say(f"fetching {len(missing)} pinned packages{again}")
            missing = _try(missing, cache, client or download, attempt > 0)
    if missing:
        names = ", ".join(pin.spec for pin in missing)
        raise BundleError(f"What arrived for {names} is not what manifest.toml pins; it was refused, twice.")
    return {pin.name: _place(pin, cache) for pin in wanted}


def download(wanted: Sequence[Pin], folder: Path, afresh: bool) -> None:
    """Ask npm and pip for these files; `afresh` goes past their own caches."""
    from_npm = [pin.spec for pin in wanted if pin.client == "npm"]
    from_pip = [pin.spec for pin in wanted if pin.client == "pip"]
    # Without a network npm waits for each package in turn: the first goes alone, and tells.
    for specs in filter(None, (from_npm[:1], from_npm[1:])):
        extra = ["--cache", str(folder / "npm-cache")] if afresh else ["--prefer-offline"]
        _run([*npm(), "pack", *NPM, "--pack-destination", str(folder), *extra, *specs], "npm", specs)
    if from_pip:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
        extra = ["--no-cache-dir"] if afresh else []
        _run([*pip, *extra, "--dest", str(folder), *from_pip], "pip", from_pip)


def _run(command: list[str], client: str, specs: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip() and " log " not in line]
        said = (lines or ["it gave no reason"])[-1].strip()
        names = specs[0] if len(specs) == 1 else f"{specs[0]} and {len(specs) - 1} more"
        raise BundleError(f"{client} could not fetch {names} ({said}); check the network and run `make setup` again.")


def _try(wanted: Sequence[Pin], cache: Path, client: Client, afresh: bool) -> list[Pin]:
    """Fetch these pins once, keep what is right, and say which are still missing."""
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        client(wanted, Path(scratch), afresh)
        return [pin for pin in wanted if not _keep(pin, Path(scratch) / pin.download, cache)]


def _keep(pin: Pin, arrived: Path, cache: Path) -> bool:
    """Move a file that has the pinned hash into the cache; False for any other."""
    if not arrived.is_file() or sha256(arrived) != pin.sha256:
        return False
    if pin.member:
        with zipfile.ZipFile(arrived) as package:
            arrived = Path(package.extract(pin.member, arrived.parent / "member"))
        if sha256(arrived) != pin.member_sha256:
            return False
    place = _place(pin, cache)
    place.parent.mkdir(parents=True, exist_ok=True)
    arrived.replace(place)
    return True


def _place(pin: Pin, cache: Path) -> Path:
    return cache / pin.kept_sha256[:16] / pin.kept


def _intact(pin: Pin, cache: Path) -> bool:
    place = _place(pin, cache)
    return place.is_file() and sha256(place) == pin.kept_sha256
