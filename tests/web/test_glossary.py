"""Terms are explained where a lecture first uses them, and only in its prose."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from web import glossary

HBM = glossary.terms()["HBM"]


def test_the_glossary_page_defines_the_terms_once():
    lines = glossary.PAGE.read_text(encoding="utf-8").splitlines()
    heads = [line for line, after in pairwise(lines) if after.startswith(": ")]
    written = [term.strip() for head in heads for term in head.split(",")]
    assert sorted(written) == sorted(glossary.terms())
    assert len(written) == len({term.casefold() for term in written})
    assert not re.search(r"[\[\]$`]", "".join(glossary.terms().values()))


def test_only_the_first_use_is_explained():
    html = glossary.explain("<p>HBM is memory, and HBM is dear.</p>")
    assert html == f'<p><abbr title="{HBM}">HBM</abbr> is memory, and HBM is dear.</p>'


@pytest.mark.parametrize("tag", ["h2", "a", "var", "figure", "code", "table", "samp"])
def test_what_is_not_prose_is_left_alone(tag):
    assert glossary.explain(f"<{tag}>HBM</{tag}>") == f"<{tag}>HBM</{tag}>"


def test_after_a_closed_element_prose_goes_on():
    assert "<abbr" in glossary.explain("<h2>HBM</h2><p>HBM</p>")


def test_a_plural_a_capital_and_another_name_are_the_same_term():
    html = glossary.explain("<p>Bubbles come. A KV cache is a key-value cache.</p>")
    assert [match[1] for match in re.finditer(r"<abbr[^>]*>([^<]+)<", html)] == ["Bubbles", "KV cache"]


def test_a_part_of_a_word_is_not_a_term():
    assert "<abbr" not in glossary.explain("<p>rebatching, decoders</p>")
