"""axe-core on every kind of page: before and after it is live, light and dark, desk and phone."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from tests.browser.reader import Reader
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
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


@cache
def axe() -> str:
    """The source of axe-core, as pinned."""
    return (unpacked("axe-core") / "axe.min.js").read_text("utf-8")


def complaints(reader: Reader) -> list[str]:
    """The faults that axe-core finds, one line for each rule."""
    reader.page.evaluate(axe())
    found = reader.page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(({violations}) => violations)")
    return [f"{each['id']}: {each['nodes'][0]['html'][:160]} ({len(each['nodes'])})" for each in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_a_page_as_it_arrives(visit, path, scheme):
    dear = "Object.defineProperty(navigator, 'connection', {value: {saveData: true}})"
    assert complaints(visit(path, before=dear, color_scheme=scheme, **DESK)) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_live_lecture_with_everything_open(visit, scheme, size):
    reader = visit("lectures/batching/", "context=8k&nonsense=1", color_scheme=scheme, **size).wait_live()
    figure = reader.figure("batching/step-time").compute("batch", "8k")
    figure.set("batch", "lots")
    figure.error("batch").wait_for()
    for details in reader.page.locator("figure details").all()[:4]:
        details.evaluate("each => { each.open = true }")
    assert complaints(reader) == []


def test_the_citation_is_accessible(visit):
    reader = visit("lectures/batching/")
    reader.figure("batching/step-time").button("cite").click()
    assert complaints(reader) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_model_of_ones_own_and_its_derivations(visit, scheme, size):
    reader = visit("lectures/serving/", "model=own", color_scheme=scheme, **size).wait_live()
    figure = reader.figure("serving/own")
    figure.element.scroll_into_view_if_needed()
    figure.element.locator(".rl-number-box").first.fill("many")
    figure.element.locator(".rl-number-box").first.press("Tab")
    figure.error("own").wait_for()
    for details in reader.page.locator("figure details").all()[:6]:
        details.evaluate("each => { each.open = true }")
    assert complaints(reader) == []
