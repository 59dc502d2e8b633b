"""A formula says what its letters stand for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import calc
from tests.lectures.reading import LECTURES
from web import mathematics, notation


def test_symbols_come_from_the_notation_page():
    known = notation.meanings("moe")
    assert known["F"].endswith("(FLOP/s)")
    assert known["N_t"].startswith("all parameters")
    assert known["E_a"] != known["E"]


@pytest.mark.parametrize(
    ("tex", "symbols"),
    [
        (r"\frac{2 B N_a}{F}", ["B", "N_a", "F"]),
        (r"t_\text{compute} \ge W/w", ["W", "w"]),
        (r"B^*(L) = \frac{W}{2 N_a w/F - L k}", ["B^*", "L", "W", "N_a", "w", "F", "k"]),
        (r"\max(x, y_3)", ["x"]),
        ("1 + 1", []),
        (r"\begin{aligned} C &= W, \\[4pt] w \end{aligned}", ["W", "w"]),
        (r"\frac{\eta_p}{\eta_d}", ["eta_p", "eta_d"]),
        (r"\bar{x} = \hat E \hat E", ["x̄", "Ê"]),
        (r"\lambda_1 \log \mathcal L", ["lambda_1", "L"]),
        (r"\Lambda_7 - \mathbf x_i", ["Lambda_7", "x"]),
    ],
)
def test_each_symbol_is_explained_once_in_the_order_of_use(tex, symbols):
    assert [part.partition(": ")[0] for part in notation.explain(tex).split("; ") if part] == symbols


def test_a_symbol_with_another_subscript_is_another_symbol():
    assert notation.explain("L_{max}") == ""


@pytest.mark.parametrize(("lecture", "tex"), [("memory_wall", "a' L"), ("pricing", r"\frac{k'}{N_a}")])
def test_a_prime_has_the_meaning_of_its_own_row_and_else_that_of_its_letter(lecture, tex):
    where = f"lectures/{lecture}/index.md"
    primed, plain = (notation.explain(of, where).partition(": ") for of in (tex, tex.replace("'", "")))
    assert primed[0] == plain[0] + "'"
    assert primed[2] != plain[2]
    assert notation.explain("w_1' B B'", where) == notation.explain("w_1 B", where)


@pytest.mark.parametrize(
    ("tex", "moe", "reversible"),
    [
        ("f", "", "f: what a round computes from one half"),
        ("s", "s: sparsity, at least 1", "s: length of a sequence in training (tokens)"),
        ("J", "", "J: derivatives of what a layer computes"),
        ("W", "W: bytes of the weights (B)", ""),
        ("q", "", ""),
    ],
)
def test_each_lecture_says_what_it_means_itself(tex, moe, reversible):
    assert notation.explain(tex, "lectures/moe/index.md") == moe
    assert notation.explain(tex, "lectures/reversible/lab.py") == reversible


def test_elsewhere_a_symbol_with_two_meanings_is_left_alone():
    assert {lectures for lectures, symbol, _ in notation.rows() if symbol == "C"} == {
        frozenset({"batching"}),
        frozenset({"pricing"}),
    }
    assert notation.explain("C N_a", "reference/ledger.md") == "N_a: parameters that one token uses (parameters)"


def test_every_section_names_the_lectures_of_its_symbols_by_their_numbers():
    written = {page.parent.name for page in LECTURES.glob("*/index.md")}
    for number, chapter in re.findall(r"\[(\d)\]\(\.\./lectures/(\w+)/index\.md\)", notation.PAGE.read_text("utf-8")):
        assert f"\nlecture: {number}\n" in (LECTURES / chapter / "index.md").read_text(encoding="utf-8")
    for lectures, symbol, _ in notation.rows():
        assert lectures, symbol
        assert lectures <= written, symbol


def test_every_name_in_calc_is_one():
    code = "\n".join(path.read_text(encoding="utf-8") for path in Path(calc.__file__).parent.rglob("*.py"))
    named = re.findall(r"`(\w+)(?:\(\w+\))?`", notation.PAGE.read_text("utf-8"))
    assert len(named) > 80
    assert [name for name in named if not re.search(rf"\b{name}\b", code)] == []


def test_a_rendered_formula_carries_the_meanings_of_its_lecture():
    page = mathematics.render_marked('<p><span class="arithmatex">\\(W/w\\)</span></p>', "lectures/moe/index.md")
    assert 'title="W: bytes of the weights (B); w: memory bandwidth (B/s)"' in page


def test_a_name_in_a_table_is_broken_after_an_underscore_and_a_link_is_not():
    cell = '<td><code>hbm_bytes</code>, <a href="a_b/">a_b</a></td>'
    assert notation.breakable(cell) == cell.replace("hbm_bytes", "hbm_<wbr>bytes")
    assert notation.breakable("<p><code>hbm_bytes</code></p>") == "<p><code>hbm_bytes</code></p>"
