"""Fonts that readers have, set as wide and as tall as the site's own until those have come: then nothing moves.

A font is stood for by one that is as wide and that anybody may have, so that a build measures the same everywhere.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from web.cache import ROOT
from web.packages import unpacked

# By package, the fonts of readers that are as wide as what it carries; those of their systems come first.
SERIF = {
    "gelasio": ("Georgia", "Gelasio"),
    "noto-serif": ("Noto Serif",),
    "tinos": ("Times New Roman", "Liberation Serif"),
    "dejavu-serif": ("DejaVu Serif",),
}
SANS = {"arimo": ("Arial", "Liberation Sans"), "roboto": ("Roboto",), "dejavu-sans": ("DejaVu Sans",)}
BOLD = 700  # what a system has for 600, too
_FACE = (
    "@font-face{{font-family:'{}';font-style:{};font-weight:{};src:{};size-adjust:{:.2%};"
    "ascent-override:{:.2%};descent-override:{:.2%};line-gap-override:{:.2%}}}\n"
)


@dataclass(frozen=True)
class Adjustment:
    """How a font is set to fill the room of another: its size, and the lengths of a line as shares of that size."""

    size: float
    ascent: float
    descent: float
    line_gap: float


def adjustment(own: Path, stand_in: Path) -> Adjustment:
    """The change that gives the words of this course, in the stand-in, the width and height of the site's font."""
    wanted, given = TTFont(own), TTFont(stand_in)
    size = _width(wanted) / _width(given)
    line = [length / wanted["head"].unitsPerEm / size for length in _line(wanted)]
    return Adjustment(size, *line)


def rules(package: str, family: str, weight: int, style: str, own: Path) -> str:
    """The faces by which one package's fonts stand in for a face of the site, in the language of style sheets."""
    heavy = BOLD if weight >= 600 else weight
    folder = unpacked(f"@fontsource/{package}") / "files"
    found = adjustment(own, folder / f"{package}-latin-{heavy}-{style}.woff")
    suffix = (" Bold" if heavy == BOLD else "") + (" Italic" if style == "italic" else "")
    local = ",".join(f"local('{name}{suffix}')" for name in {**SERIF, **SANS}[package])
    lengths = (found.size, found.ascent, found.descent, found.line_gap)
    return _FACE.format(family_of(package, family), style, weight, local, *lengths)


def family_of(package: str, family: str) -> str:
    """The name under which a package's fonts stand in for a family."""
    return f"{family} as {package}"


def _width(font: TTFont) -> float:
    """The mean width of a letter or a space of the course's own words, in ems."""
    glyphs, widths = font.getBestCmap(), font["hmtx"]
    counted = {ord(letter): times for letter, times in _letters().items() if ord(letter) in glyphs}
    whole = sum(widths[glyphs[code]][0] * times for code, times in counted.items())
    return float(whole / sum(counted.values()) / font["head"].unitsPerEm)


def _line(font: TTFont) -> tuple[int, int, int]:
    """The space above and below the base line, and between lines: as browsers read it, in units of the font."""
    os2, header = font["OS/2"], font["hhea"]
    if os2.fsSelection & 1 << 7:  # its typographic lengths are meant to be used
        return os2.sTypoAscender, -os2.sTypoDescender, os2.sTypoLineGap
    return header.ascent, -header.descent, header.lineGap


@cache
def _letters() -> Counter[str]:
    words = "".join(path.read_text("utf-8") for path in sorted(ROOT.glob("lectures/*/index.md")))
    return Counter(letter for letter in words if letter == " " or ("a" <= letter.lower() <= "z"))
