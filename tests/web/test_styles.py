"""Style sheets lose the rules that no page can use, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from web import styles


@pytest.mark.parametrize(
    ("sheet", "kept"),
    [
        (".a{x:1}.b{x:2}", ".a{x:1}"),
        (".a .b,.a>p,p.b:hover{x:1}", ".a>p{x:1}"),
        (".a:not(.b){x:1}:is(.a,.b) p{x:2}", ".a:not(.b){x:1}:is(.a,.b) p{x:2}"),
        ("@media print{.b{x:1}}@media screen{.a{x:1}.b{x:2}}", "@media screen{.a{x:1}}"),
        ("@font-face{x:url('}.b{')}@charset \"utf-8\";.b{x:1}", "@font-face{x:url('}.b{')}@charset \"utf-8\";"),
        ("[dir=ltr] .a,[dir=rtl] .a{x:1}[dir=rtl] .a{x:2}", "[dir=ltr] .a{x:1}"),
        (".a:not([dir=rtl]){x:1}", ".a:not([dir=rtl]){x:1}"),
        ("@keyframes b{0%{x:1}to{x:2}}", "@keyframes b{0%{x:1}to{x:2}}"),
        (":root{--b:.b}[data-b=\".b\"] .a{x:'/* .b */'}", ":root{--b:.b}[data-b=\".b\"] .a{x:'/* .b */'}"),
    ],
)
def test_a_rule_stays_where_one_of_its_selectors_can_match(sheet: str, kept: str) -> None:
    assert styles.pruned(sheet, {"a"}) == kept


def test_classes_of_pages_and_words_of_scripts_are_in_use(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text('<p class="one two"><b class=three>four</b>', "utf-8")
    (tmp_path / "page.js").write_text('it.className="five six";', "utf-8")
    assert {"one", "two", "three", "five", "six"} <= styles.used(tmp_path)
    assert "four" not in styles.used(tmp_path)
