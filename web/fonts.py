"""The site's typefaces and KaTeX's, served from the site itself; and the same faces for charts drawn at build."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from fontTools.pens.ttGlyphPen import TTGlyphPen  # type: ignore[import-untyped]
from fontTools.subset import Options, Subsetter  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

from calc.figure.look import FONT
from web import stand_ins
from web.bundle.cache import made
from web.cache import FOLDER, ROOT
from web.packages import unpacked

SERIF, SANS = "source-serif-4", "source-sans-3"
FACES = ((SERIF, 400, "normal"), (SERIF, 400, "italic"), (SANS, 400, "normal"), (SANS, 600, "normal"))
FAMILIES = {SERIF: "Source Serif 4", SANS: FONT.partition(",")[0]}
STAND_INS = {SERIF: stand_ins.SERIF, SANS: stand_ins.SANS}
GENERIC = {SERIF: "serif", SANS: "sans-serif"}
PRINTED_NAME = "Source Sans 3"  # its digit makes it no CSS identifier, and lists of fonts are often left unquoted
_FACE = (
    "@font-face{{font-family:'{0}';font-style:{1};font-weight:{2};font-display:swap;src:url({3}) format('woff2')}}\n"
)
BASIC = "".join(map(chr, range(0x20, 0x7F))) + "\u00a0\u0304\u200b–—‘’“”•…′″−"
EXPONENTS, MINUS = "⁰¹²³⁴⁵⁶⁷⁸⁹", 0.65  # and the size of their minus, over that of the line
WRITTEN = {".md", ".py", ".toml", ".json", ".csv", ".js", ".html"}
FEATURES = ("kern", "liga", "tnum")  # figures of one width stand in tables


def site_files() -> dict[str, bytes]:
    """Every file of the typefaces, by its place in the site."""
    files = {f"assets/fonts/{_file(*face)}": kept(_read(*face), letters()) for face in FACES}
    rules = (_FACE.format(FAMILIES[face[0]], face[2], face[1], _file(*face)) for face in FACES)
    return files | {"assets/fonts/fonts.css": "".join((*rules, *_stand_ins())).encode()} | _katex()


def _stand_ins() -> Iterator[str]:
    """The faces that the text is set in until the site's own have come, and the lists of both as variables."""
    for face in FACES:
        for package in STAND_INS[face[0]]:
            yield stand_ins.rules(package, FAMILIES[face[0]], face[1], face[2], _path(*face))
    for typeface, family in FAMILIES.items():
        names = [family, *(stand_ins.family_of(package, family) for package in STAND_INS[typeface])]
        listed = ",".join(f"'{name}'" for name in names)
        yield f":root{{--rl-{GENERIC[typeface].partition('-')[0]}:{listed},{GENERIC[typeface]}}}\n"


@cache
def register() -> str:
    """Let vl-convert measure text with the charts' own face, so that every machine draws the same; says which face."""
    import vl_convert

    vl_convert.register_font_directory(str(_chart_fonts()))
    return _chart_fonts().name


def raised(woff: bytes) -> Any:
    """The font of a WOFF file, with every digit as an exponent and the typewriter's apostrophe drawn as the printer's.

    Its package has the digits of fractions, and as exponents ¹²³ alone.
    """
    font = TTFont(BytesIO(woff), recalcTimestamp=False)
    if "GSUB" not in font:  # as in KaTeX's faces, which have no digits of fractions
        return font
    named, shapes, rules = font.getBestCmap(), font["glyf"], font["GSUB"].table
    places = next(each.Feature.LookupListIndex for each in rules.FeatureList.FeatureRecord if each.FeatureTag == "numr")
    lookups = (rules.LookupList.Lookup[place] for place in places)
    upper = {digit: glyph for it in lookups for table in it.SubTable for digit, glyph in table.mapping.items()}
    one, model = shapes[upper[named[ord("1")]]], shapes[named[ord("¹")]]
    across, up = model.xMin - one.xMin, model.yMin - one.yMin
    minus, middle = shapes[named[ord("−")]], (model.yMin + model.yMax) / 2
    level = middle - MINUS * (minus.yMin + minus.yMax) / 2
    drawn = {"⁻": (named[ord("−")], (MINUS, 0, 0, MINUS, 0, level))} | {
        sign: (upper[named[ord("0") + digit]], (1, 0, 0, 1, across, up))
        for digit, sign in enumerate(EXPONENTS)
        if ord(sign) not in named
    }
    for sign, (glyph, moved) in drawn.items():
        pen = TTGlyphPen(font.getGlyphSet())
        pen.addComponent(glyph, moved)
        font["glyf"][f"uni{ord(sign):04X}"] = pen.glyph()
        width, side = font["hmtx"][glyph]
        font["hmtx"][f"uni{ord(sign):04X}"] = round(moved[0] * width), round(moved[0] * side + moved[4])
        _name(font, sign, f"uni{ord(sign):04X}")
    _name(font, "'", named[ord("’")])
    font.setGlyphOrder(list(font["glyf"].glyphOrder))
    return font


def _name(font: Any, letter: str, glyph: str) -> None:
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[ord(letter)] = glyph


def unwrapped(woff: bytes, name: str) -> bytes:
    """The TrueType font that a WOFF file wraps, under another family's name."""
    font = raised(woff)
    font.flavor = None
    for record in font["name"].names:
        record.string = record.toUnicode().replace(PRINTED_NAME, name)
    made = BytesIO()
    font.save(made)
    return made.getvalue()


def lettered(woff: bytes, letters: str) -> bytes:
    """The font with these letters alone, as WOFF 2."""
    font = raised(woff)
    options = Options(layout_features=list(FEATURES), hinting=False, glyph_names=False, name_IDs=[1, 2])
    options.bidi_closure = False  # no text runs from right to left, so no letter needs its mirror
    wanted = Subsetter(options)
    wanted.populate(text=letters)
    wanted.subset(font)
    font.flavor = "woff2"
    made = BytesIO()
    font.save(made)
    return made.getvalue()


@cache
def letters() -> str:
    """The letters that the course is written in: Basic Latin, and every other letter of its sources."""
    rooms = (ROOT / room for room in ("calc", "docs", "lectures", "web"))
    sources = (path for room in rooms for path in room.rglob("*") if path.suffix in WRITTEN)
    return "".join(sorted(set(BASIC).union(*(path.read_text("utf-8") for path in sources))))


def kept(woff: bytes, wanted: str) -> bytes:
    """The font with these letters alone, from the cache if it was made before."""
    parts: list[str | bytes | Path] = [woff, wanted, Path(__file__)]
    folder = made(FOLDER, "letters", parts, lambda it: (it / "font").write_bytes(lettered(woff, wanted)))
    return (folder / "font").read_bytes()


@cache
def _chart_fonts() -> Path:
    woff = _read(SANS, 400, "normal")
    name = FAMILIES[SANS]

    def fill(place: Path) -> None:
        (place / f"{name}.ttf").write_bytes(unwrapped(woff, name))

    return made(FOLDER, "chart-fonts", [woff, name, Path(__file__)], fill)


def _katex() -> dict[str, bytes]:
    """KaTeX's style sheet with its WOFF 2 faces alone."""
    folder = unpacked("katex") / "dist"
    css = (folder / "katex.min.css").read_text("utf-8")
    css = re.sub(r'(src:url\([^)]*\.woff2\) format\("woff2"\))[^}]*', r"\1", css).replace(
        "font-display:block", "font-display:swap"
    )
    faces = {f"assets/katex/fonts/{face.name}": face.read_bytes() for face in sorted(folder.glob("fonts/*.woff2"))}
    return faces | {"assets/katex/katex.css": css.encode()}


def _file(family: str, weight: int, style: str) -> str:
    return f"{family}-{weight}-{style}.woff2"


def _path(family: str, weight: int, style: str) -> Path:
    return unpacked(f"@fontsource/{family}") / "files" / f"{family}-latin-{weight}-{style}.woff"


def _read(family: str, weight: int, style: str) -> bytes:
    return _path(family, weight, style).read_bytes()
