"""The site's typefaces are its own, few, and the ones that charts are measured with."""

from __future__ import annotations

import re
import struct

import vl_convert

from calc.figure import look, registry
from web import charts, fonts
from web.cache import ROOT

TEXT_BUDGET = 75_000


def test_every_face_that_a_style_sheet_names_is_served() -> None:
    files = fonts.site_files()
    for sheet in ("assets/fonts/fonts.css", "assets/katex/katex.css"):
        named = re.findall(r"url\(([^)]+)\)", files[sheet].decode())
        assert named
        for name in named:
            assert f"{sheet.rpartition('/')[0]}/{name}" in files


def test_the_faces_of_the_text_keep_to_their_budget() -> None:
    weights = [len(data) for name, data in fonts.site_files().items() if re.match(r"assets/fonts/.*\.woff2", name)]
    assert sum(weights) <= TEXT_BUDGET


def test_an_unwrapped_font_has_its_tables_where_it_says() -> None:
    font = fonts.sfnt(fonts._read(fonts.SANS, 400, "normal", "woff"))
    count = struct.unpack(">H", font[4:6])[0]
    tables = {
        font[12 + 16 * i : 16 + 16 * i]: struct.unpack(">III", font[16 + 16 * i : 28 + 16 * i]) for i in range(count)
    }
    assert {b"cmap", b"glyf", b"head", b"hmtx"} <= set(tables)
    assert struct.unpack(">I", font[tables[b"head"][1] + 12 : tables[b"head"][1] + 16])[0] == 0x5F0F3CF5
    assert all(offset % 4 == 0 and offset + size <= len(font) for _, offset, size in tables.values())


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
