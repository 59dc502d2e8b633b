"""Measure the first lecture against the budgets of the design and print a table: `make bench`. It fails nobody.

Each figure is the median of several runs against the built site on loopback; below it stands where the time goes in
the run that is the median. Bytes are gzipped. Times are those of an ordinary profile, new for each run, and of tabs
that the browser has done opening. `taskset -c 0,1 make bench` measures on two cores; a word after `python -m
tests.bench` takes the rows of one part: static, chromium, slow, memory, firefox or build.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from playwright.sync_api import Playwright, sync_playwright

from tests.bench import in_chromium, in_firefox
from tests.bench.row import Row
from tests.browser import chromium
from tests.browser.site import ROOT, Site, served

Part = Callable[[Playwright, Path, Site], Iterator[Row]]


def main() -> None:
    """Build, measure, print."""
    wanted = sys.argv[1:] or [*PARTS]
    found = chromium.find(whole=True)
    if found is None:
        sys.exit(chromium.MISSING)
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        site = _site(Path(scratch))
        print("\n".join(Row("what", "measured", "budget").lines()))
        for name in wanted:
            _say(f"measuring: {name}")
            with served(site) as host:
                for row in PARTS[name](playwright, found, host):
                    print("\n".join(row.lines()), flush=True)
    load = os.getloadavg()[0]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    print(f"\nMedians; load {load:.1f} on {cores} cores")


def _builds(_playwright: Playwright, _found: Path, _host: Site) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as scratch:
        seconds = statistics.median(_build(Path(scratch) / "site") for _ in range(3))
    yield Row("`mkdocs build`, warm cache", f"{seconds:.1f} s", "15 s")


PARTS: Mapping[str, Part] = {
    "static": in_chromium.static,
    "chromium": in_chromium.live,
    "slow": in_chromium.slow,
    "memory": in_chromium.memory,
    "firefox": lambda playwright, found, site: in_firefox.live(site),
    "build": _builds,
}


def _site(scratch: Path) -> Path:
    if named := os.environ.get("ROOFLINES_SITE"):
        return Path(named)
    _build(scratch / "site")
    return scratch / "site"


def _build(site: Path) -> float:
    _say("building the site")
    begun = time.perf_counter()
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(site)]
    subprocess.run(command, cwd=ROOT, check=True)
    return time.perf_counter() - begun


def _say(words: str) -> None:
    print(f"… {words}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
