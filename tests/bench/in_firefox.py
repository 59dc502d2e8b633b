"""The rows that are measured in Firefox, where it is installed."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.row import EDITS, LECTURE, Row, edits, visits
from tests.bench.stages import Moments
from tests.browser.engines.engines import ENGINES
from tests.browser.engines.webdriver import Session
from tests.browser.reader import KEPT
from tests.browser.site import BASE, Site, served

RUNS = 3
SPY = Path(__file__).with_name("spy.js")
FIREFOX = next(engine for engine in ENGINES if engine.name == "Firefox")


def live(site: Site) -> Iterator[Row]:
    """To the first answer, at the first visit and at the second; edits."""
    if missing := FIREFOX.missing():
        yield Row("Firefox", "–", "", missing)
        return
    cold, second, changes = [], [], []
    with tempfile.TemporaryDirectory() as scratch, served(_with_spy(site.folder, Path(scratch) / "site")) as spied:
        for _ in range(RUNS):
            with FIREFOX.start() as session:
                cold.append(_first_answer(session, spied))
                changes += session.run(f"bench.edit({EDITS})")
                session.until(f"{KEPT}.then(([first]) => first)")
                second.append(_first_answer(session, spied))
    yield visits("Firefox: navigation → first answer, cold", cold, "–")
    yield visits("Firefox: navigation → first answer, second visit", second, "–")
    yield from edits("Firefox", changes)


def _first_answer(session: Session, site: Site) -> Moments:
    session.open("about:blank")
    session.open(site.address + LECTURE)
    found: Moments = session.run("bench.first")
    return found


def _with_spy(built: Path, folder: Path) -> Path:
    """The site, whose lecture has the spy in its head."""
    shutil.copytree(built, folder, copy_function=os.symlink)
    shutil.copy(SPY, folder / SPY.name)
    page = folder / LECTURE / "index.html"
    text = page.read_text("utf-8")
    page.unlink()
    page.write_text(text.replace("<head>", f'<head><script src="{BASE}{SPY.name}"></script>', 1), "utf-8")
    return folder
