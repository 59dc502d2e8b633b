"""The site's typefaces are its own, few, and the ones that charts are measured with."""

from __future__ import annotations

import re
from io import BytesIO

import vl_convert
from fontTools.ttLib import TTFont

from calc.figure import look, registry
from web import charts, fonts
from web.cache import ROOT

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
    assert plain.getBestCmap() == wrapped.getBestCmap()
    assert plain["hmtx"].metrics == wrapped["hmtx"].metrics
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
