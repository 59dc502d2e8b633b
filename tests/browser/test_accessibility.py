"""axe-core on every kind of page: before and after it is live, light and dark, desk and phone."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from tests.browser.conftest import Live, Visit
from tests.browser.reader import DEAR, Reader
from web.packages import unpacked

PAGES = (
    "",
    "lectures/batching/",
    "lectures/batching/lab/",
    "lectures/",
    "reference/api/batching/",
    "reference/catalogue/chips/",
    "reference/cite/",
    "reference/ledger/",
    "reference/notation/",
)
AS_THEY_ARRIVED = (".rl-ledger", ".rl-cards", ".footnote")  # on a desk
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
COLOURS = ["color-contrast", "link-in-text-block"]  # the rules of colour that are on by default
# Colours that change slowly would be judged on their way, and what is not drawn yet where it does not stand.
AT_ONCE = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { transition: none !important; content-visibility: visible !important }");
  document.adoptedStyleSheets.push(sheet);
}"""


@cache
def axe() -> str:
    """The source of axe-core, as pinned."""
    return (unpacked("axe-core") / "axe.min.js").read_text("utf-8")


def complaints(reader: Reader, without: tuple[str, ...] = ()) -> list[str]:
    """The faults that axe-core finds: by every rule in light, by those of colour in dark as well; one line for each.

    Parts that are as they arrived, which is judged above, may be left out.
    """
    reader.page.evaluate(axe())
    reader.page.evaluate(AT_ONCE)
    found = []
    for scheme, rules in (("light", None), ("dark", COLOURS)):
        reader.page.emulate_media(color_scheme=scheme)
        assert reader.page.evaluate(f"matchMedia('(prefers-color-scheme: {scheme})').matches")
        options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
        given = [{"include": [["html"]], "exclude": [[part] for part in without]}, options]
        found += reader.page.evaluate("given => axe.run(...given).then((it) => it.violations)", given)
    return [f"{each['id']}: {each['nodes'][0]['html'][:160]} ({len(each['nodes'])})" for each in found]


def opened(visit: Visit, live: Live, size: dict[str, Any], path: str, query: str) -> Reader:
    """A live page on a desk, which is what `live` opens, or on a phone."""
    return live(path, query) if size == DESK else visit(path, query, **size).wait_live()


@pytest.mark.parametrize("path", PAGES)
def test_a_page_as_it_arrives(visit, path):
    assert complaints(visit(path, before=DEAR, **DESK)) == []


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_live_lecture_with_everything_open(visit, live, size):
    reader = opened(visit, live, size, "lectures/batching/", "context=8k&nonsense=1")
    figure = reader.figure("batching/step-time").compute("batch", "8k")
    figure.set("batch", "lots")
    figure.error("batch").wait_for()
    for details in reader.page.locator("figure details").all()[:4]:
        details.evaluate("each => { each.open = true }")
    assert complaints(reader, AS_THEY_ARRIVED if size == DESK else ()) == []


def test_the_citation_is_accessible(visit):
    reader = visit("lectures/batching/")
    reader.figure("batching/step-time").button("cite").click()
    assert complaints(reader, AS_THEY_ARRIVED) == []


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_model_of_ones_own_and_its_derivations(visit, live, size):
    reader = opened(visit, live, size, "lectures/serving/", "model=own")
    figure = reader.figure("serving/own")
    figure.element.scroll_into_view_if_needed()
    figure.element.locator(".rl-number-box").first.fill("many")
    figure.element.locator(".rl-number-box").first.press("Tab")
    figure.error("own").wait_for()
    figure.input("machine").fill("bandwidth: 0 TB/s")
    figure.error("machine").wait_for()
    for details in reader.page.locator("figure details").all()[:6]:
        details.evaluate("each => { each.open = true }")
    assert complaints(reader, AS_THEY_ARRIVED if size == DESK else ()) == []
