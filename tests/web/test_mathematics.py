"""Formulas are complete in the page: drawn, readable by a screen reader, and refused with their address when wrong."""

from __future__ import annotations

import pytest

from web import mathematics

FORMULA = '<span class="arithmatex">\\(t = W / w\\)</span>'


def test_a_formula_of_a_lecture_is_drawn_and_readable() -> None:
    shown = mathematics.render_marked(f"<p>{FORMULA}</p>", "page.md")
    assert "<mi>t</mi><mo>=</mo>" in shown
    assert 'class="katex-html" aria-hidden="true"' in shown
    assert "arithmatex" not in shown
    assert "\\(" not in shown


def test_a_display_of_a_lecture_stands_on_its_own_line() -> None:
    shown = mathematics.render_marked('<div class="arithmatex">\\[a &lt; b\\]</div>', "page.md")
    assert shown.startswith('<div class="rl-display"')
    assert "<mo>&lt;</mo>" in shown
    assert 'display="block"' in shown


def test_a_comma_stays_with_its_formula() -> None:
    for shown in (
        mathematics.render_marked(f"<p>{FORMULA}, so</p>", "page.md"),
        mathematics.render_raw("<p>$t = W / w$, so</p>", "lab.py"),
    ):
        assert shown.startswith('<p><span class="rl-held"><var class="rl-math"')
        assert shown.endswith("</var>,</span> so</p>")


def test_a_long_formula_may_be_broken() -> None:
    assert "rl-held" not in mathematics.render_raw("<p>$a + b + c + d + e + f + g + h$, so</p>", "lab.py")


def test_formulas_of_a_notebook_stand_between_dollar_signs() -> None:
    shown = mathematics.render_raw("<p>So $x^2$ and</p><p>$$y$$</p>", "lab.py")
    assert shown.count("<math") == 2
    assert shown.endswith("</div></p>")
    assert "$" not in shown


@pytest.mark.parametrize(
    "text",
    [
        "<p>$2 and $3 a token</p>",
        "<p>from $5/h to $6/h</p>",
        "<pre>$x$</pre>",
        "<code>$x$</code>",
        '<a title="$x$">y</a>',
    ],
)
def test_money_and_code_are_no_formulas(text: str) -> None:
    assert mathematics.render_raw(text, "lab.py") == text


def test_a_formula_never_reaches_from_one_element_into_another() -> None:
    text = "<p>a$b</p><p>c$ d</p>"
    assert mathematics.render_raw(text, "lab.py") == text


def test_a_wrong_formula_names_its_file_and_itself() -> None:
    wrong = '<span class="arithmatex">\\(\\fra{1}{2}\\)</span>'
    with pytest.raises(
        mathematics.MathError, match=r"lectures/a/index\.md: \\fra\{1\}\{2\}: .*Undefined control sequence"
    ):
        mathematics.render_marked(wrong + FORMULA, "lectures/a/index.md")


def test_a_formula_is_rendered_once_for_all_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    once = mathematics.render_marked(FORMULA, "one.md")
    monkeypatch.setattr(mathematics, "_run", lambda *_: pytest.fail("Node was started again"))
    assert mathematics.render_marked(FORMULA, "two.md") == once


def test_the_search_index_leaves_formulas_out() -> None:
    from material.plugins.search.plugin import Parser

    parser = Parser()
    parser.feed(mathematics.render_marked(f"<p>before {FORMULA} after</p>", "page.md"))
    parser.close()
    assert "".join(parser.data[0].text).split() == ["<p>before", "after</p>"]
