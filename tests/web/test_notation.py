"""A formula says what its letters stand for."""

from __future__ import annotations

import pytest

from web import mathematics, notation


def test_symbols_come_from_the_notation_page():
    known = notation.meanings()
    assert known["F"].endswith("(FLOP/s)")
    assert known["N_t"].startswith("all parameters")
    assert known["E_a"] != known["E"]


@pytest.mark.parametrize(
    ("tex", "symbols"),
    [
        (r"\frac{2 B N_a}{F}", ["B", "N_a", "F"]),
        (r"t_\text{compute} \ge W/w", ["W", "w"]),
        (r"B^*(L) = \frac{W}{2 N_a w/F - L k}", ["B^*", "L", "W", "N_a", "w", "F", "k"]),
        (r"\max(x, y)", ["x"]),
        ("1 + 1", []),
        (r"\begin{aligned} C &= W, \\[4pt] w \end{aligned}", ["W", "w"]),
        (r"\frac{\eta_p}{\eta_d}", ["eta"]),
        (r"\bar{x} = \hat E", []),
        (r"\mathrm{a} \log \mathcal L", []),
    ],
)
def test_each_symbol_is_explained_once_in_the_order_of_use(tex, symbols):
    assert [part.partition(": ")[0] for part in notation.explain(tex).split("; ") if part] == symbols


def test_a_symbol_with_another_subscript_is_another_symbol():
    assert notation.explain("L_{max}") == ""


def test_a_rendered_formula_carries_the_meanings():
    page = mathematics.render_marked('<p><span class="arithmatex">\\(W/w\\)</span></p>', "x.md")
    assert 'title="W: bytes of the weights (B); w: memory bandwidth (B/s)"' in page
