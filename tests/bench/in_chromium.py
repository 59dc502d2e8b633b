"""The rows that are measured in Chromium."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Page, Playwright

from calc.chapters import CHAPTERS
from tests.bench.link import Link
from tests.bench.row import EDITS, LECTURE, RUNS, Row, edits, visits
from tests.bench.stages import Moments
from tests.browser.conftest import ARGUMENTS, DESK
from tests.browser.reader import wait_until_kept
from tests.browser.site import Site

SPY = Path(__file__).with_name("spy.js").read_text("utf-8")
PATIENCE = 120_000
OPENED = 1500  # milliseconds after which a tab has been furnished by the browser, which runs pages of its own for that
TELEPHONE = Link(1.6e6, 0.15)  # bits a second, seconds
PAGES, SETTLED = 30, 8  # pages of a visit; those after which all that a visit keeps has been made once
FOLLOW = """(path) => [...document.querySelectorAll("a.md-nav__link")].find((link) => link.pathname === path).click()"""
SHOWN = """(path) => location.pathname === path && document.querySelector("article figure[data-figure]") !== null"""


class Visit:
    """One tab that counts the gzipped bytes of what it asks for."""

    def __init__(self, context: BrowserContext, site: Site) -> None:
        self.site = site
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.wait_for_timeout(OPENED)
        self.paths: set[str] = set()
        context.on("request", lambda request: self.paths.add(urlsplit(request.url).path))

    def bytes(self) -> int:
        """Gzipped size of every file asked for so far."""
        return sum(len(self.site.packed(self.site.find(path)[1])) for path in self.paths)

    def first_answer(self) -> Moments:
        """The moments from navigation to the answer to an edit that was made at once."""
        self.page.add_init_script(SPY)
        self.page.goto(self.site.address + LECTURE)
        found: Moments = self.page.evaluate("bench.first")
        return found


def static(playwright: Playwright, found: Path, site: Site) -> Iterator[Row]:
    """Before a reader touches anything."""
    with _reader(playwright, found, java_script_enabled=False) as context:
        visit = Visit(context, site)
        visit.page.goto(site.address + LECTURE)
        drawn = visit.page.locator(".rl-chart svg").count() // 2
    yield Row("charts on the page before any script runs", str(drawn), "≥ 6")
    with _reader(playwright, found) as context:
        context.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
        visit = Visit(context, site)
        visit.page.goto(site.address + LECTURE, wait_until="networkidle")
    kinds: dict[str, int] = {}
    for path in visit.paths:
        file = site.find(path)[1]
        kinds[file.suffix[1:]] = kinds.get(file.suffix[1:], 0) + len(site.packed(file))
    parts = ", ".join(f"{kind} {size / 1e3:.0f}" for kind, size in sorted(kinds.items(), key=lambda each: -each[1]))
    yield Row("lecture page before an input is touched", f"{visit.bytes() / 1e3:.0f} kB", "220 kB", f"{parts} kB")


def live(playwright: Playwright, found: Path, site: Site) -> Iterator[Row]:
    """To the first answer, at the first visit and at the second; edits; the next page."""
    cold, second, changes, next_page, weight = [], [], [], [], 0
    for _ in range(RUNS):
        with _reader(playwright, found) as context:
            visit = Visit(context, site)
            cold.append(visit.first_answer())
            changes += visit.page.evaluate("(edits) => bench.edit(edits)", EDITS)
            weight = weight or visit.bytes()
            next_page.append(_next_page(visit))
            wait_until_kept(visit.page)
            visit.page.close()
            second.append(Visit(context, site).first_answer())
    yield Row("bytes to live, the page's own included", f"{weight / 1e6:.2f} MB", "4 MB")
    yield visits("Chromium: navigation → first answer, cold", cold, "1.0 s")
    yield visits("Chromium: navigation → first answer, second visit", second, "0.4 s")
    yield from edits("Chromium", changes)
    yield Row("next page of the visit → live", f"{statistics.median(next_page):.2f} s", "at once")


def slow(playwright: Playwright, found: Path, site: Site) -> Iterator[Row]:
    """A first visit by telephone, once."""
    site.link = TELEPHONE
    with _reader(playwright, found) as context:
        run = Visit(context, site).first_answer()
    yield visits(f"Chromium: the same, cold, at {TELEPHONE.bits_per_second / 1e6:g} Mbit/s", [run], "12 s")


def memory(playwright: Playwright, found: Path, site: Site) -> Iterator[Row]:
    """The memory that a visit of many pages holds on to."""
    with _reader(playwright, found) as context:
        visit = Visit(context, site)
        session = context.new_cdp_session(visit.page)
        session.send("Performance.enable")
        visit.first_answer()
        seen = []
        base = urlsplit(site.address).path
        for chapter in islice(cycle(each.name for each in CHAPTERS), 1, PAGES + 1):
            path = f"{base}lectures/{chapter}/"
            visit.page.evaluate(FOLLOW, path)
            visit.page.wait_for_function(SHOWN, arg=path)
            session.send("HeapProfiler.collectGarbage")
            metrics = session.send("Performance.getMetrics")["metrics"]
            seen.append({each["name"]: each["value"] for each in metrics})
    heap, nodes = ([each[name] for each in seen] for name in ("JSHeapUsedSize", "Nodes"))
    grown = (heap[-1] - heap[SETTLED - 1]) / 1e6
    where = ", ".join(
        f"after {at} pages {heap[at - 1] / 1e6:.1f} MB, {nodes[at - 1]:,} nodes" for at in (SETTLED, PAGES)
    )
    yield Row(f"memory of scripts, from page {SETTLED} to page {PAGES}", f"{grown:+.1f} MB", "5 MB", where)


def _next_page(visit: Visit) -> float:
    """Seconds from following a link to another page with figures until that page is live."""
    begun = time.perf_counter()
    visit.page.locator("a.md-logo").first.click()
    visit.page.wait_for_url(lambda url: urlsplit(url).path == urlsplit(visit.site.address).path)
    visit.page.locator("[data-figure] [data-state=live]").first.wait_for(state="attached")
    return time.perf_counter() - begun


@contextmanager
def _reader(playwright: Playwright, found: Path, **options: Any) -> Iterator[BrowserContext]:
    """A reader who has never been here, in a browser that keeps what it sees."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        launch = playwright.chromium.launch_persistent_context
        context = launch(profile, executable_path=found, args=ARGUMENTS, viewport=DESK, **options)
        try:
            yield context
        finally:
            context.close()
