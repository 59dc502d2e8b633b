"""Search that costs a page nothing until it is used: Material's worker and index wait for the first question.

The index reads a page in its own way: a formula is a line of text, what stands apart on the page is apart, and each
term of the glossary is an answer of its own. A lecture weighs more than the reference, but for terms and for the names
of machines and models; lists of sources come last. Some headings are also found by words that do not stand there.
"""

from __future__ import annotations

import html
import json
import re
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

SCRIPT = "assets/search.js"
INDEX = "search/texts.json"
_WORKER = re.compile(r'"search": "([^"]*)assets/(javascripts/workers/search\.\w+\.min\.js)"')

_FORMULA = re.compile(
    r'<(?P<tag>var|div) class="rl-(?:math|display)" data-search-exclude.*?(?P<math><math.*?</math>).*?</(?P=tag)>', re.S
)
_TERM = re.compile(r'<dt (?P<id>id="[^"]*")>(?P<term>.*?)</dt>', re.S)
_ENDS = re.compile(r"</(?:td|th|dt|dd|div|summary|label|figcaption|p|li|h\d)>")
_WEIGHTS = (
    (r"lectures/.*\.md|reference/glossary", 1.0),
    (r"lectures/.*lab", 0.5),
    (r"reference/(?:api/|bibliography)", 1e-4),
    (r"reference/catalogue/(?:chips|systems)", 2.0),
    (r"reference/catalogue/models", 1.0),
    (r"reference/catalogue/(?!rents)", 1e-2),
    (r"", 0.1),
)
_LISTS = re.compile("#sources$")  # sections of lectures that name much and say little of it
_OF_A_LIST = 1e-4
WORDS = {  # by which readers ask for a place, in a field of their own: an answer shows titles and texts only
    "lectures/serving/#three-questions": "self-host self-hosting buy or rent break-even",
    "lectures/serving/#how-many-chips-for-your-traffic": "how many GPUs number of GPUs users",
    "lectures/serving/#what-a-promise-costs": "latency target SLA",
    "lectures/pricing/#what-is-kept-need-not-be-computed": "cache discount prompt caching",
    "lectures/pricing/#your-own-bill": "batch API batch discount monthly cost bill",
    "reference/glossary/#quantisation": "quantization",
    "reference/catalogue/rents/": "reserved on demand",
}
_FIELD, _BOOST = "words", 1000.0  # as a title's


def weight(page: str) -> float:
    """How much an answer on this page counts: a heading's word counts a thousand times one of the text, so a name of
    the reference comes before a lecture's text unless it weighs less than a thousandth.

    >>> weight("lectures/moe/index.md"), weight("reference/glossary.md"), weight("reference/api/moe.md")
    (1.0, 1.0, 0.0001)
    """
    return next(weight for place, weight in _WEIGHTS if re.match(place, page))


def readable(content: str) -> str:
    """A page's HTML as the index is to read it.

    >>> readable("<td>one</td><td>two</td>")
    '<td>one</td> <td>two</td> '
    """
    content = _TERM.sub(r"<h3 \g<id>>\g<term></h3>", content)  # an answer of its own
    return _ENDS.sub(r"\g<0> ", _FORMULA.sub(lambda found: html.escape(line(found["math"])), content))


def line(math: str) -> str:
    """A formula in MathML as one line of text.

    >>> line("<math><mfrac><mi>W</mi><mrow><mi>n</mi><msub><mi>w</mi><mn>1</mn></msub></mrow></mfrac></math>")
    'W/(n w_1)'
    """
    return re.sub(r"\s+", " ", _line(ElementTree.fromstring(re.sub(r' xmlns="[^"]*"', "", math)))).strip()


def _line(node: ElementTree.Element) -> str:
    if node.tag == "annotation":
        return ""
    if not len(node):
        return _sign(node)
    parts = [_line(child) for child in node]
    if node.tag in _JOINED and len(parts) > 1:
        return "".join(mark + _held(part) for mark, part in zip(("", *_JOINED[node.tag]), parts, strict=False))
    return _root(parts) if node.tag in ("msqrt", "mroot") else _row(node, parts)


_JOINED = {"mfrac": "/", "msub": "_", "msup": "^", "msubsup": "_^", "munder": "_", "mover": "^", "munderover": "_^"}
_SPACED = set("=≤≥<>≈+−-×⋅·∝→≪≫")


def _sign(node: ElementTree.Element) -> str:
    text = (node.text or "").replace("\u2061", "")
    return f" {text} " if node.tag == "mo" and text in _SPACED else text or " "


def _row(node: ElementTree.Element, parts: list[str]) -> str:
    """Letters side by side are a product, unless they are the letters of a word."""
    product = [
        f"{part} " if one.tag != "mo" and other.tag != "mo" else part
        for part, one, other in zip(parts, node, [*node[1:], ElementTree.Element("mo")], strict=True)
    ]
    return "".join(product)


def _held(part: str) -> str:
    text = part.strip()
    return text if re.fullmatch(r"\w*[.,]?\w*", text) else f"({text})"


def _root(parts: list[str]) -> str:
    return f"√({''.join(parts[:1]).strip()})"


def defer(page: str) -> str:
    """The page with our worker where Material's stands."""
    return _WORKER.sub(rf'"search": "\1{SCRIPT}"', page)


def worded(index: dict[str, Any]) -> dict[str, Any]:
    """The index with the words by which some of its places are asked for; each of these places must be there."""
    index["config"]["fields"][_FIELD] = {"boost": _BOOST}
    entries = {entry["location"]: entry for entry in index["docs"]}
    for place, words in WORDS.items():
        if place not in entries:
            raise LookupError(f"no place of the index: {place}")
        entries[place][_FIELD] = words
    return index


def install(site: Path) -> None:
    """Keep the index under another name, leave an empty one for the page to find, and write the worker that waits."""
    shutil.rmtree(site / "assets" / "javascripts" / "lunr", ignore_errors=True)  # stemmers of other languages
    found = site / "search" / "search_index.json"
    full = json.loads(found.read_text("utf-8"))
    lists = (entry for entry in full["docs"] if _LISTS.search(entry["location"]))
    for entry in lists:
        entry["boost"] = _OF_A_LIST
    (site / INDEX).write_text(json.dumps(worded(full), separators=(",", ":")), encoding="utf-8")
    found.write_text(json.dumps(full | {"docs": []}), encoding="utf-8")
    worker = next((site / "assets/javascripts/workers").glob("search.*.min.js"))
    script = Path(__file__).with_suffix(".js").read_text("utf-8")
    script = script.replace("{worker}", f"javascripts/workers/{worker.name}").replace("{index}", f"../{INDEX}")
    (site / SCRIPT).write_text(script, encoding="utf-8")
