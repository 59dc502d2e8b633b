"""The pinned npm packages that the pages themselves are made with: typefaces and KaTeX."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from web.bundle.fetch import npm_packages
from web.cache import FOLDER


@cache
def unpacked(name: str) -> Path:
    """The folder of a package that `web/npm/package-lock.json` pins."""
    return npm_packages(FOLDER, lambda line: print(line, file=sys.stderr)) / name
