"""The theme's own colours, which the site does without: docs/stylesheets/rooflines.css gives them all.

Their style sheet would be loaded by every page, and a rule of it, for every element while the theme's script starts,
has the browser style the whole page three times over.
"""

from __future__ import annotations

import re
from pathlib import Path

_SHEET = re.compile(r'[ \t]*<link rel="stylesheet" href="[^"]*assets/stylesheets/palette\.\w+\.min\.css">\n?')


def leave_out(page: str) -> str:
    """The page without the style sheet of the theme's colours."""
    return _SHEET.sub("", page)


def remove(site: Path) -> None:
    """Take the style sheet out of a built site."""
    for sheet in (site / "assets" / "stylesheets").glob("palette.*"):
        sheet.unlink()
