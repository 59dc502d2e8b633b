"""Over a slow link a page comes bit by bit, and what the reader looks at stays where it is."""

from __future__ import annotations

import pytest

from tests.browser import chromium
from tests.browser.conftest import ARGUMENTS, DESK
from tests.browser.reader import Reader

LINK = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 1.6e6 / 8}
WATCH = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
# The text stands in its own faces, in a chart as on the page, and two frames have been painted since.
AT_REST = """() => document.fonts.ready
  .then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  .then(() => window.shifted)"""


def shifted(reader, path):
    """How much moves while the page comes."""
    reader.expects("404")  # of a picture by itself Chromium asks the host for an icon
    session = reader.page.context.new_cdp_session(reader.page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", LINK)
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    return reader.open(path).page.evaluate(AT_REST)


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("path", ["lectures/batching/", "reference/ledger/", "reference/bibliography/"])
def test_nothing_is_pushed_away_while_the_page_comes(visit, path, width):
    reader = visit("assets/favicon.svg", before=WATCH, viewport={"width": width, "height": 844})
    assert shifted(reader, path) <= 0.05


def test_nothing_is_pushed_away_where_a_system_rounds_the_widths_of_letters(browser, site):
    rounding = [each for each in ARGUMENTS if "hinting" not in each] + ["--font-render-hinting=full"]
    other = browser.browser_type.launch(executable_path=chromium.find(), args=rounding)
    context = other.new_context(viewport=DESK)
    context.add_init_script(WATCH)
    reader = Reader(context.new_page(), site).open("assets/favicon.svg")
    assert shifted(reader, "reference/bibliography/") <= 0.01
    other.close()
    assert reader.unexpected() == []
