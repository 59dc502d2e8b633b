"""The packages that are fetched, by npm and pip, which refuse whatever differs from their lock files."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from web.bundle import cache
from web.bundle.errors import BundleError
from web.bundle.node import npm

WEB = Path(__file__).parents[1]
NPM, WHEELS = WEB / "npm", WEB / "wheels"
NPM_FILES = ("package.json", "package-lock.json", ".npmrc")
OPTIONS = ("--loglevel=error", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=4000")
DIFFERS = ("EINTEGRITY", "DO NOT MATCH THE HASHES")
Say = Callable[[str], None]


def npm_packages(store: Path, say: Say) -> Path:
    """The folder `node_modules` with every package of `web/npm/package-lock.json`."""
    files = [NPM / name for name in NPM_FILES]

    def install(folder: Path) -> None:
        say("fetching the packages that web/npm/package-lock.json pins")
        for path in files:
            shutil.copyfile(path, folder / path.name)
        command = [*npm(), "ci", *OPTIONS, "--prefix", str(folder)]
        _run("npm", command, ["--prefer-offline"], ["--cache", str(folder / "npm-cache")])
        shutil.rmtree(folder / "npm-cache", ignore_errors=True)

    return cache.made(store, "npm", files, install) / "node_modules"


def wheels(group: str, store: Path, say: Say) -> list[Path]:
    """The wheels of `web/wheels/<group>.txt`, in the order of their names."""
    lock = WHEELS / f"{group}.txt"

    def download(folder: Path) -> None:
        say(f"fetching the wheels that web/wheels/{lock.name} pins")
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        command += ["--only-binary=:all:", "--require-hashes", "--dest", str(folder), "--requirement", str(lock)]
        _run("pip", command, [], ["--no-cache-dir"])

    return sorted(cache.made(store, "wheels", [lock], download).glob("*.whl"))


def everything(store: Path, say: Say) -> None:
    """Fetch all that is pinned, so that nothing after needs a network."""
    npm_packages(store, say)
    for lock in sorted(WHEELS.glob("*.txt")):
        wheels(lock.stem, store, say)


def _run(client: str, command: Sequence[str], *attempts: Sequence[str]) -> None:
    """Run the client; where a byte is not as pinned, once more past what the client keeps."""
    for extra in attempts:
        done = subprocess.run([*command, *extra], capture_output=True, text=True, check=False)
        if not done.returncode:
            return
        if not any(words in done.stderr for words in DIFFERS):
            break
    lines = [line for line in done.stderr.splitlines() if line.strip() and " log " not in line]
    said = (lines or ["it gave no reason"])[-1].strip()
    raise BundleError(
        f"{client} could not fetch what is pinned ({said}); check the network and run `make setup` again."
    )
