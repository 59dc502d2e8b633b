"""A browser makes the same of a page, tidied or not."""

from __future__ import annotations

import pytest

from tests.browser.site import ROOT
from web.mathematics import render
from web.tidy import tidied

# The tree that a browser makes of a text: its elements, their attributes and words, spaces between elements as one.
TREE = """(text) => {
  const tell = (node) => node.nodeType === Node.TEXT_NODE
    ? (node.data.trim() ? node.data : node.data && " ")
    : [node.namespaceURI, node.nodeName, [...node.attributes ?? []].map(({ name, value }) => [name, value])
        .filter(([name]) => name !== "data-search-exclude" && name !== "xmlns"), [...node.childNodes].map(tell)];
  const body = new DOMParser().parseFromString(text, "text/html").body;
  for (const source of body.querySelectorAll("annotation")) source.remove();
  return JSON.stringify(tell(body));
}"""
PIECES = {
    "figure": lambda: (ROOT / "tests/web/golden/figure.html").read_text("utf-8"),
    "table": lambda: (
        "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td> </tr></tbody></table>"
    ),
    "lists": lambda: (
        "<ul><li>a<ul><li>b</li></ul></li><li>c</li>\n  </ul>\n\n  <dl><dt>d</dt><dd>e</dd><dt>f</dt></dl>"
    ),
    "code": lambda: "<pre>\n<b>x</b>\n    <b></td></tr> y</b>\n</pre><textarea>\n <td></td></tr></textarea>",
    "formula": lambda: render([(r"\frac{a}{b} < c", True)], "")[r"\frac{a}{b} < c", True],
}


@pytest.mark.parametrize("piece", PIECES)
def test_a_tidied_piece_makes_the_same_tree_in_fewer_bytes(browser, piece):
    text = PIECES[piece]()
    page = browser.new_page()
    assert page.evaluate(TREE, tidied(text)) == page.evaluate(TREE, text)
    assert len(tidied(text)) < len(text) or piece == "code"
    page.close()
