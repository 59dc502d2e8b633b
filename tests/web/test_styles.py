"""Style sheets lose the rules that no page can use, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from web import styles
from web.cache import ROOT

PAPER_OR_LEDGER = r"\.rl-matters:not\(:has\(\.rl-bars\)\)|\.rl-ledger:has\("  # print.css; a table without charts


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


def test_a_feature_of_the_theme_is_in_use_where_a_page_has_it(tmp_path: Path) -> None:
    (tmp_path / "theme.js").write_text('"md-annotation__index tabbed-labels md-tag-icon md-table"', "utf-8")
    assert styles.used(tmp_path) == {"md-table"}
    (tmp_path / "index.html").write_text('<p class="tabbed-labels">', "utf-8")
    assert "tabbed-labels" in styles.used(tmp_path)


def test_no_style_looks_into_a_figure_for_what_is_there():
    """`:has()` has a browser look, at every element that a chart gains or loses, whose style follows from it."""
    looking = [
        rule
        for sheet in (ROOT / "docs/stylesheets").glob("*.css")
        for rule in re.findall(r"[^{}]*:has\([^{}]*", sheet.read_text("utf-8"))
        if not re.search(PAPER_OR_LEDGER, rule)
    ]
    assert not looking
