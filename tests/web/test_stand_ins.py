"""A reader's own font fills the room of the site's until that has come."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from web import fonts, stand_ins
from web.packages import unpacked


def _file(package: str, face: str) -> Path:
    return unpacked(f"@fontsource/{package}") / "files" / f"{package}-latin-{face}.woff"


def test_a_font_stands_in_for_itself_as_it_is() -> None:
    own = _file(fonts.SERIF, "400-normal")
    found = stand_ins.adjustment(own, own)
    assert found.size == 1
    assert found.ascent > 0.7 > found.descent > 0.2


@pytest.mark.parametrize("stand_in", stand_ins.SERIF)
def test_an_adjusted_font_is_as_wide_and_as_tall_as_the_sites_own(stand_in: str) -> None:
    own, other = _file(fonts.SERIF, "400-normal"), _file(stand_in, "400-normal")
    there, back = stand_ins.adjustment(own, other), stand_ins.adjustment(other, own)
    assert there.size * back.size == pytest.approx(1)
    same = stand_ins.adjustment(own, own)
    assert there.ascent * there.size == pytest.approx(same.ascent)
    assert there.descent * there.size == pytest.approx(same.descent)


def test_every_face_of_the_site_has_stand_ins_and_every_family_is_listed() -> None:
    sheet = fonts.site_files()["assets/fonts/fonts.css"].decode()
    faces = re.findall(r"font-family:'([^']+)';font-style:(\w+);font-weight:(\d+)", sheet)
    listed = re.search(r"--rl-serif:([^}]+)}", sheet), re.search(r"--rl-sans:([^}]+)}", sheet)
    assert all(listed)
    for typeface, weight, style in fonts.FACES:
        own = fonts.FAMILIES[typeface]
        for package in fonts.STAND_INS[typeface]:
            name = stand_ins.family_of(package, own)
            assert (name, style, str(weight)) in faces
            assert any(found and f"'{name}'" in found[1] for found in listed)
