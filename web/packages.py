"""The pinned npm packages that the pages themselves are made with: typefaces and KaTeX."""

from __future__ import annotations

import sys
from functools import cache, partial
from pathlib import Path

from web.bundle.cache import made
from web.bundle.fetch import fetch
from web.bundle.javascript import unpack_npm
from web.bundle.manifest import pins
from web.cache import FOLDER


@cache
def unpacked(name: str) -> Path:
    """The folder of a pinned package: fetched, verified and unpacked once."""
    pin = next(pin for pin in pins() if pin.name == name)
    archive = fetch([pin], FOLDER / "files", lambda line: print(line, file=sys.stderr))[name]
    return made(FOLDER / "npm", name.rpartition("/")[2], [archive], partial(unpack_npm, archive))
