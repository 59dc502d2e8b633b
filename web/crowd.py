"""Thousands of marks of a drawing as a few paths, as the live chart draws them (browser/vega/crowd.js)."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache

CROWD = 1000  # marks
BUNCHES = 40  # paths of one look: where marks of two of them overlap, they darken one another

_MARK = re.compile(r'<path transform="translate\(([-\d.e]+),([-\d.e]+)\)" d="([^"]*)"([^<>]*)/>')
_MARKS = re.compile(f"(?:{_MARK.pattern}){{2,}}")
_COMMAND = re.compile(r"([A-Za-z])([^A-Za-z]*)")
_NUMBER = re.compile(r"-?[\d.]+(?:e-?\d+)?")
TURN = 5  # numbers of an arc before the place where it ends


def bunched(drawing: str) -> str:
    """The drawing with each crowd of marks in bunches; those of a few hundred stay as they are."""
    return _MARKS.sub(_bunches, drawing)


def _bunches(marks: re.Match[str]) -> str:
    """Marks that look alike, every fortieth of them in one path."""
    found = _MARK.findall(marks[0])
    if len(found) < CROWD:
        return marks[0]
    paths = defaultdict(list)
    for at, (x, y, outline, look) in enumerate(found):
        (right, down), way = _from_its_start(outline)
        paths[look, at % BUNCHES].append(f"M{float(x) + right:.1f},{float(y) + down:.1f}{way}")
    return "".join(f'<path d="{"".join(outlines)}"{look}/>' for (look, _), outlines in paths.items())


@cache
def _from_its_start(outline: str) -> tuple[tuple[float, float], str]:
    """Where an outline begins, and the way from there in steps, which are the same wherever a mark stands.

    >>> _from_its_start("M-2,-2L2,-2L0,2Z")
    ((-2.0, -2.0), 'l4,0l-2,4z')
    """
    start = pen = (0.0, 0.0)
    way = ""
    for letter, written in _COMMAND.findall(outline):
        *turn, x, y = [*map(float, _NUMBER.findall(written)), 0.0, 0.0][: {"A": TURN + 2}.get(letter, 2)]
        if letter == "M":
            start = pen = (x, y)
        elif letter in "LA":
            way += f"{letter.lower()}{','.join(map(_short, (*turn, x - pen[0], y - pen[1])))}"
            pen = (x, y)
        elif letter in "hv":
            way += f"{letter}{_short(x)}"
            pen = (pen[0] + x, pen[1]) if letter == "h" else (pen[0], pen[1] + x)
        elif letter == "Z":
            way += "z"
            pen = start
        else:
            raise ValueError(f"an outline of {letter} in {outline}: say in web/crowd.py how it goes on")
    return start, way


def _short(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")
