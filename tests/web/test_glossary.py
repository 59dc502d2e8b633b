"""Terms are explained where a lecture first uses them, and only in its prose."""

from __future__ import annotations

import html
import json
import re
from itertools import pairwise

import markdown
import pytest

from calc.chapters import CHAPTERS
from tests.lectures.reading import LECTURES
from web import glossary, search

HBM = glossary.terms()["HBM"]
FIELD = [
    "prefill",
    "decode",
    "TTFT",
    "TPOT",
    "MFU",
    "MBU",
    "arithmetic intensity",
    "tensor parallelism",
    "data parallelism",
    "expert parallelism",
    "pipeline parallelism",
    "all-reduce",
    "all-gather",
    "continuous batching",
    "chunked prefill",
    "paging",
    "disaggregation",
    "speculative decoding",
    "FSDP",
    "ZeRO",
    "quantisation",
    "rollout",
    "IsoFLOP",
]


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


def test_an_abbreviation_is_a_term_only_as_it_is_spelled():
    assert "<abbr" not in glossary.explain("<p>Its speed is zero.</p>")
    assert "<abbr" in glossary.explain("<p>Sharding, as in ZeRO.</p>")


def test_a_part_of_a_word_is_not_a_term():
    assert "<abbr" not in glossary.explain("<p>rebatching, decoders</p>")


def prose(chapter):
    """A lecture's paragraphs without figures, formulas, code, headings, tables and notes."""
    text = (LECTURES / chapter / "index.md").read_text(encoding="utf-8")
    text = re.sub(r"\A---.*?^---$|^```.*?^```$|\$\$.*?\$\$", "", text, flags=re.S | re.M)
    text = re.sub(r"\$[^$]+\$|`[^`]+`|\[\^\w+\]|\]\([^)]*\)|[*\[]", "", text)
    return [line for line in text.splitlines() if line and not re.match(r"#|\s*\||:|\S+ = ", line)]


@pytest.mark.parametrize("word", FIELD)
def test_a_word_of_the_field_is_in_the_glossary_and_explained_where_a_lecture_first_uses_it(word):
    known = {term.casefold(): meaning for term, meaning in glossary.terms().items()}
    assert word.casefold() in known
    uses = [
        line
        for lecture in CHAPTERS
        for line in prose(lecture.name)
        if re.search(rf"\b{re.escape(word)}\b", line, flags=re.IGNORECASE if word.islower() else 0)
    ]
    assert uses, f"no lecture uses {word}"
    meaning = html.escape(known[word.casefold()])
    assert f'<abbr title="{meaning}">' in glossary.explain(f"<p>{uses[0]}</p>")


@pytest.fixture(scope="module")
def page():
    """The glossary as it is read."""
    return glossary.anchored(markdown.markdown(glossary.PAGE.read_text("utf-8"), extensions=["def_list", "toc"]))


def test_each_term_has_an_address_of_its_own(page):
    ids = re.findall(r'<(?:h\d|dt) id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert "<dt>" not in page
    assert {"tensor-parallelism", "key-value-cache", "utilisation"} < set(ids)


@pytest.mark.parametrize("word", FIELD)
def test_a_word_of_the_field_is_an_answer_of_search(page, word):
    heads = re.findall(r'<h3 id="[^"]+">(.*?)</h3>', search.readable(page))
    assert any(word.casefold() in head.casefold() for head in heads)


def test_search_puts_lists_of_sources_last(tmp_path):
    (tmp_path / "search").mkdir()
    (tmp_path / "assets" / "javascripts" / "workers").mkdir(parents=True)
    (tmp_path / "assets" / "javascripts" / "workers" / "search.0.min.js").touch()
    places = ["lectures/moe/#sources", "lectures/moe/#one-rack", *search.WORDS]
    docs = [{"location": place, "boost": search.weight("lectures/moe/index.md")} for place in places]
    index = {"config": {"fields": {}}, "docs": docs}
    (tmp_path / "search" / "search_index.json").write_text(json.dumps(index), encoding="utf-8")
    search.install(tmp_path)
    listed, said, *_ = json.loads((tmp_path / search.INDEX).read_text("utf-8"))["docs"]
    assert listed["boost"] * 1000 < said["boost"]
    assert search.weight("reference/bibliography.md") * 1000 < said["boost"]


def test_search_gives_some_places_words_that_do_not_stand_there():
    docs = [{"location": place, "title": "", "text": ""} for place in ("lectures/moe/", *search.WORDS)]
    index = search.worded({"config": {"fields": {"title": {"boost": 1000.0}}}, "docs": docs})
    assert index["config"]["fields"]["words"] == index["config"]["fields"]["title"]
    assert ["words" in entry for entry in index["docs"]] == [False, *(True for _ in search.WORDS)]
    with pytest.raises(LookupError, match="three-questions"):
        search.worded({"config": {"fields": {}}, "docs": docs[:1]})
