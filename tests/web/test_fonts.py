"""The site's typefaces are its own, few, and the ones that charts are measured with."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
import vl_convert
from fontTools.ttLib import TTFont

from calc.figure import look, registry
from web import charts, fonts
from web.cache import ROOT
from web.packages import unpacked

TEXT_BUDGET = 40_000


def test_every_face_that_a_style_sheet_names_is_served() -> None:
    files = fonts.site_files()
    for sheet in ("assets/fonts/fonts.css", "assets/katex/katex.css"):
        named = re.findall(r"url\(([^)]+)\)", files[sheet].decode())
        assert named
        for name in named:
            assert f"{sheet.rpartition('/')[0]}/{name}" in files


def test_the_faces_of_the_text_keep_to_their_budget() -> None:
    weights = [len(data) for name, data in fonts.site_files().items() if re.match(r"assets/fonts/.*\.woff2$", name)]
    assert sum(weights) <= TEXT_BUDGET


def test_an_unwrapped_font_keeps_its_shapes_and_takes_the_name() -> None:
    woff = fonts._read(fonts.SANS, 400, "normal")
    wrapped, plain = (TTFont(BytesIO(data)) for data in (woff, fonts.unwrapped(woff, "Other Face")))
    assert plain.flavor is None
    assert plain["name"].getDebugName(1) == "Other Face"
    kept = {letter: glyph for letter, glyph in wrapped.getBestCmap().items() if chr(letter) != "'"}
    assert plain.getBestCmap().items() >= kept.items()
    assert plain["hmtx"].metrics.items() >= wrapped["hmtx"].metrics.items()
    assert fonts.unwrapped(woff, "Other Face") == fonts.unwrapped(woff, "Other Face")


def test_a_lettered_font_keeps_its_shapes_and_the_figures_of_one_width() -> None:
    woff = fonts._read(fonts.SANS, 400, "normal")
    whole, few = (TTFont(BytesIO(data)) for data in (woff, fonts.lettered(woff, "0123456789 AVx")))
    assert sorted(map(chr, few.getBestCmap())) == sorted("0123456789 AVx")
    for letter, glyph in few.getBestCmap().items():
        assert few["glyf"][glyph] == whole["glyf"][whole.getBestCmap()[letter]]
        assert few["hmtx"][glyph] == whole["hmtx"][whole.getBestCmap()[letter]]
    assert {record.FeatureTag for record in few["GPOS"].table.FeatureList.FeatureRecord} == {"kern"}
    assert len({few["hmtx"][few.getBestCmap()[ord(figure)]][0] for figure in "0123456789"}) == 1
    assert fonts.lettered(woff, "AV") == fonts.lettered(woff, "AV")


@pytest.mark.parametrize("face", fonts.FACES)
def test_an_apostrophe_is_drawn_as_printers_draw_it(face: tuple[str, int, str]) -> None:
    plain = TTFont(BytesIO(fonts._read(*face)))
    few = TTFont(BytesIO(fonts.lettered(fonts._read(*face), "s'")))
    assert _outline(few, "'") == _outline(plain, "’") != _outline(plain, "'")


@pytest.mark.parametrize("face", fonts.FACES)
def test_every_exponent_is_of_the_face_itself_and_as_high_as_its_own(face: tuple[str, int, str]) -> None:
    woff = fonts._read(*face)
    font = TTFont(BytesIO(fonts.unwrapped(woff, "Other Face")))
    shapes, known = font["glyf"], font.getBestCmap()
    own, level = shapes[known[ord("³")]], shapes[known[ord("⁷")]]
    for sign in "⁰⁴⁵⁶⁷⁸⁹":
        made = shapes[known[ord(sign)]]
        assert max(abs(made.yMax - own.yMax), abs(made.yMin - own.yMin)) <= 15, sign
        assert font["hmtx"][known[ord(sign)]][0] == font["hmtx"][known[ord("³")]][0]
    assert level.yMin < shapes[known[ord("⁻")]].yMin < shapes[known[ord("⁻")]].yMax < level.yMax
    for sign in "¹²³":
        assert shapes[known[ord(sign)]] == TTFont(BytesIO(woff))["glyf"][TTFont(BytesIO(woff)).getBestCmap()[ord(sign)]]


def test_the_faces_of_formulas_can_be_lettered_too() -> None:
    faces = sorted((unpacked("katex") / "dist" / "fonts").glob("*.woff2"))
    assert faces
    for face in faces:
        kept = TTFont(BytesIO(fonts.lettered(face.read_bytes(), "a+1"))).getBestCmap() or {}
        assert set(map(chr, kept)) == set("a+1") & set(map(chr, TTFont(face).getBestCmap())), face.name


def test_the_face_of_charts_and_text_has_one_name() -> None:
    face = look.FONT.partition(",")[0]
    assert fonts.FAMILIES[fonts.SANS] == face
    assert f"--rl-sans:'{face}'," in fonts.site_files()["assets/fonts/fonts.css"].decode()
    spec = charts.vega(next(figure for figure in registry.every() if figure.chart))
    assert spec["config"]["style"]["guide-label"]["font"] == look.FONT
    scripts = "".join(path.read_text("utf-8") for path in (ROOT / "web" / "browser").rglob("*.js"))
    assert not any(name in scripts for name in (face, fonts.PRINTED_NAME))


def test_charts_are_measured_with_the_face_that_readers_see() -> None:
    fonts.register()
    assert _width(look.FONT) != _width("no such face")


def _width(face: str) -> float:
    chart = {
        "data": {"values": [{"a": "iiiiiiiiiiWWWWWWWWWW"}]},
        "mark": "bar",
        "encoding": {"y": {"field": "a", "type": "nominal", "title": None}},
        "config": {"font": face, "axis": {"labelLimit": 0}},
    }
    found = re.search(r'<svg[^>]* width="([\d.]+)"', vl_convert.vegalite_to_svg(chart))
    assert found
    return float(found[1])


def _outline(font: TTFont, letter: str) -> list[tuple[int, int]]:
    shapes = font["glyf"]
    return list(shapes[font.getBestCmap()[ord(letter)]].getCoordinates(shapes)[0])
