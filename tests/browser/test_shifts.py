"""Over a slow link a page comes bit by bit, and what the reader looks at stays where it is."""

from __future__ import annotations

import pytest

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


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("path", ["lectures/batching/", "reference/ledger/", "reference/bibliography/"])
def test_nothing_is_pushed_away_while_the_page_comes(visit, path, width):
    reader = visit("assets/favicon.svg", before=WATCH, viewport={"width": width, "height": 844})
    reader.expects("404")  # of a picture by itself Chromium asks the host for an icon
    session = reader.page.context.new_cdp_session(reader.page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", LINK)
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    reader.open(path)
    assert reader.page.evaluate(AT_REST) <= 0.05
