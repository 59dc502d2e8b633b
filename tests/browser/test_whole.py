"""A picture of a whole page shows all of it, what is far from the screen included."""

from __future__ import annotations

from base64 import b64encode

import pytest

from tests.browser.reader import DEAR
from web.contents import LECTURES

# Whether the first thing within each part has been laid out; a part that is folded away needs not be.
LAID_OUT = """() => [...document.querySelectorAll("article > p, .rl-figure, .rl-display")]
  .filter((part) => part.firstElementChild && !part.closest("details:not([open])"))
  .every((part) => part.firstElementChild.checkVisibility({ contentVisibilityAuto: true }))"""
PLACES = """() => [...document.querySelectorAll("article > p, .rl-chart")].filter((part) => part.checkVisibility())
  .map((part) => [part.closest("[data-figure]")?.id ?? part.textContent.slice(0, 40), part.getBoundingClientRect()])
  .map(([name, { x, y, width, height }]) => [name, x + scrollX, y + scrollY, width, height])"""
# How many colours a picture has in each of these places.
COLOURS = """async ([data, places]) => {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt());
  const picture = await createImageBitmap(new Blob([bytes]));
  return places.map(([name, x, y, width, height]) => {
    const canvas = new OffscreenCanvas(Math.ceil(width), Math.ceil(height));
    const context = canvas.getContext("2d");
    context.drawImage(picture, -x, -y);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    return [name, new Set(new Uint32Array(data.buffer)).size];
  });
}"""

# Goes so far down, and notes what is in the middle of the screen.
JUMP = """async (to) => {
  scrollTo(0, to);
  await new Promise((resolve) => setTimeout(resolve, 300)); // what is near the screen has come
  window.read = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  window.was = window.read.getBoundingClientRect().top;
}"""
ALL_BELOW_LAID_OUT = "() => 'near' in document.querySelector('article > .footnote').dataset"  # the last part
MOVED = "window.read.getBoundingClientRect().top - window.was"


# By how much notes far from the screen are taken for shorter than they are: so far they would lie over the page's foot.
SHORT = """() => {
  const notes = document.querySelector(".footnote");
  const far = notes.offsetHeight;
  notes.style.contentVisibility = "visible";
  const short = notes.offsetHeight - far;
  notes.style.contentVisibility = "";
  return short;
}"""


@pytest.fixture
def colours(browser):
    """Counts colours in another tab, whose policy is not the site's."""
    context = browser.new_context()
    page = context.new_page()
    yield lambda picture, places: page.evaluate(COLOURS, [b64encode(picture).decode(), places])
    context.close()


@pytest.mark.parametrize("width", [1280, 390])
def test_a_picture_of_the_whole_page_lacks_no_chart_and_no_paragraph(visit, colours, width):
    reader = visit("lectures/batching/", first=True, viewport={"width": width, "height": 900})
    reader.page.wait_for_function(LAID_OUT, polling=200)
    assert reader.page.evaluate("scrollY") == 0
    places = reader.page.evaluate(PLACES)
    assert len(places) > 60
    found = colours(reader.page.screenshot(full_page=True), places)
    assert [name for name, count in found if count < 3] == []


def test_the_page_stays_where_a_reader_has_jumped_to_while_the_rest_is_laid_out(visit):
    reader = visit("lectures/memory_wall/", first=True)
    reader.page.wait_for_function("() => document.readyState === 'complete'")
    reader.page.evaluate(JUMP, 22_000)
    reader.page.wait_for_function(ALL_BELOW_LAID_OUT)
    assert abs(reader.page.evaluate(MOVED)) <= 2


@pytest.mark.parametrize("width", [1280, 390])
def test_notes_far_from_the_screen_do_not_lie_over_the_foot_of_the_page(visit, width):
    reader = visit("assets/favicon.svg", before=DEAR, viewport={"width": width, "height": 900})
    reader.expects("404")  # of a picture by itself Chromium asks the host for an icon
    for lecture in LECTURES:
        if lecture.written:
            reader.open(f"lectures/{lecture.chapter}/")
            assert reader.page.evaluate(SHORT) < 40, lecture.chapter
