"""The pinned npm packages that the pages themselves are made with: typefaces and KaTeX."""

from __future__ import annotations

import sys
import tarfile
from functools import cache
from pathlib import Path

from web.bundle.cache import made
from web.bundle.fetch import fetch
from web.bundle.manifest import pins
from web.cache import FOLDER


@cache
def unpacked(name: str) -> Path:
    """The folder of a pinned package: fetched, verified and unpacked once."""
    pin = next(pin for pin in pins() if pin.name == name)
    archive = fetch([pin], FOLDER / "files", lambda line: print(line, file=sys.stderr))[name]

    def unpack(place: Path) -> None:
        with tarfile.open(archive) as opened:
            opened.extractall(place, filter="data")

    return made(FOLDER / "unpacked", name.rpartition("/")[2], [archive], unpack) / "package"
