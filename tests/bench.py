"""Measure the first lecture against the budgets of the design and print a table: `make bench`. It fails nobody.

Each figure is the median of several runs in headless Chromium against the built site on loopback; bytes are gzipped.
Times are those of an ordinary profile, new for each run, and of tabs that the browser has done opening.
`taskset -c 0,1 make bench` measures on two cores.
"""

from __future__ import annotations

import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Page, Playwright, sync_playwright

from tests.browser import chromium
from tests.browser.conftest import ARGUMENTS, DESK
from tests.browser.reader import wait_until_kept
from tests.browser.site import ROOT, Site, served

LECTURE = "lectures/batching/"
RUNS = 5
EDITS = 60
PATIENCE = 60_000
OPENED = 1500  # milliseconds after which a tab has been furnished by the browser, which runs pages of its own for that

# Types into the first figure before any script has attached, and notes when the answer stands in the page.
EARLY_EDIT = """
addEventListener("DOMContentLoaded", () => {
  const finding = document.querySelector("#step-time [data-role=finding]");
  const box = document.querySelector("#step-time-batch");
  const before = finding.textContent;
  box.value = "16k";
  box.dispatchEvent(new Event("input", { bubbles: true }));
  window.answered = new Promise((done) => {
    const note = () => finding.textContent !== before && done(performance.now());
    new MutationObserver(note).observe(finding, { childList: true, characterData: true, subtree: true });
  });
});
"""
# Edits the batch again and again; each time ends when the number and the chart of the figure have both changed.
EDIT_LOOP = """
async (edits) => {
  const figure = document.querySelector("#step-time");
  const box = figure.querySelector("#step-time-batch");
  const number = figure.querySelector("[data-value$='.step']");
  const chart = figure.querySelector(".rl-chart");
  const changed = (element) => new Promise((done) => {
    const watch = new MutationObserver(() => { watch.disconnect(); done(performance.now()); });
    watch.observe(element, { childList: true, characterData: true, attributes: true, subtree: true });
  });
  const times = [];
  for (let i = 0; i < edits; i++) {
    await new Promise((rest) => setTimeout(rest, 60));
    const both = Promise.all([changed(number), changed(chart)]);
    const begun = performance.now();
    box.value = String(20000 + 500 * i);
    box.dispatchEvent(new Event("input", { bubbles: true }));
    times.push(Math.max(...(await both)) - begun);
  }
  return times;
}
"""


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

    def first_answer(self) -> float:
        """Seconds from navigation to the answer to an edit that was made at once."""
        self.page.add_init_script(EARLY_EDIT)
        self.page.goto(self.site.address + LECTURE)
        return float(self.page.evaluate("window.answered")) / 1000


def main() -> None:
    """Build, measure, print."""
    found = chromium.find(whole=True)
    if found is None:
        sys.exit(chromium.MISSING)
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        builds = [_build(Path(scratch) / "site") for _ in range(3)]
        with served(Path(scratch) / "site") as site:
            rows = [*_static(playwright, found, site), *_live(playwright, found, site)]
    rows.append(("`mkdocs build`, warm cache", f"{statistics.median(builds[1:]):.1f} s", "15 s"))
    load = os.getloadavg()[0]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    print(f"\nMedians of {RUNS} runs, {EDITS} edits a run; load {load:.1f} on {cores} cores\n")
    width = max(len(what) for what, _, _ in rows)
    for what, measured, budget in (("what", "measured", "budget"), *rows):
        print(f"{what:<{width}}  {measured:>12}  {budget:>8}")


def _static(playwright: Playwright, found: Path, site: Site) -> Iterator[tuple[str, str, str]]:
    with _reader(playwright, found, java_script_enabled=False) as context:
        visit = Visit(context, site)
        visit.page.goto(site.address + LECTURE)
        drawn = visit.page.locator(".rl-chart svg").count() // 2
    yield "charts on the page before any script runs", str(drawn), "≥ 6"
    with _reader(playwright, found) as context:
        context.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
        visit = Visit(context, site)
        visit.page.goto(site.address + LECTURE, wait_until="networkidle")
    yield "lecture page before an input is touched", f"{visit.bytes() / 1e3:.0f} kB", "245 kB"


def _live(playwright: Playwright, found: Path, site: Site) -> Iterator[tuple[str, str, str]]:
    cold, second, edits, next_page, weight = [], [], [], [], 0
    for run in range(RUNS):
        _say(f"run {run + 1} of {RUNS}")
        with _reader(playwright, found) as context:
            visit = Visit(context, site)
            cold.append(visit.first_answer())
            edits += visit.page.evaluate(EDIT_LOOP, EDITS)
            weight = weight or visit.bytes()
            next_page.append(_next_page(visit))
            wait_until_kept(visit.page)
            visit.page.close()
            second.append(Visit(context, site).first_answer())
    slowest = sorted(edits)[math.ceil(0.95 * len(edits)) - 1]
    yield "bytes to live, the page's own included", f"{weight / 1e6:.2f} MB", "4.5 MB"
    yield "navigation → first answer, cold", f"{statistics.median(cold):.2f} s", "2.5 s"
    yield "navigation → first answer, second visit", f"{statistics.median(second):.2f} s", "0.9 s"
    yield "input → chart and numbers, median", f"{statistics.median(edits):.1f} ms", "16 ms"
    yield "input → chart and numbers, 95th percentile", f"{slowest:.1f} ms", "33 ms"
    yield "next page of the visit → live", f"{statistics.median(next_page):.2f} s", "at once"


def _next_page(visit: Visit) -> float:
    """Seconds from following a link to another page with figures until that page is live."""
    begun = time.perf_counter()
    visit.page.locator("a.md-logo").first.click()
    visit.page.wait_for_url(lambda url: urlsplit(url).path == urlsplit(visit.site.address).path)
    visit.page.locator("[data-figure] [data-state=live]").first.wait_for(state="attached")
    return time.perf_counter() - begun


def _build(site: Path) -> float:
    _say("building the site")
    begun = time.perf_counter()
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(site)]
    subprocess.run(command, cwd=ROOT, check=True)
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


def _say(words: str) -> None:
    print(f"… {words}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
