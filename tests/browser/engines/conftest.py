"""Each browser that is here, once for its tests; a browser that is not here says so."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.engines.engines import ENGINES, Engine
from tests.browser.engines.visitor import Visitor
from tests.browser.site import BASE, Site, served

WITHOUT_STORAGE = """
for (const name of ["localStorage", "sessionStorage", "caches", "indexedDB"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("No storage here.", "SecurityError"); } });
}
"""


@pytest.fixture(scope="module", params=ENGINES, ids=lambda engine: engine.name)
def visitor(request: pytest.FixtureRequest, site: Site) -> Iterator[Visitor]:
    """Somebody who reads with one of the browsers, through all the tests."""
    engine: Engine = request.param
    if missing := engine.missing():
        (pytest.fail if "EVERY_BROWSER" in os.environ else pytest.skip)(missing)
    with engine.start() as session:
        yield Visitor(session, site, engine)


@pytest.fixture
def without_storage(built: Path, tmp_path: Path) -> Iterator[Site]:
    """The same site, where its pages may keep nothing."""
    folder = tmp_path / "site"
    shutil.copytree(built, folder, copy_function=os.symlink)
    (folder / "without-storage.js").write_text(WITHOUT_STORAGE, "utf-8")
    for page in folder.glob("lectures/*/index.html"):
        text = page.read_text("utf-8")
        page.unlink()
        page.write_text(text.replace("<head>", f'<head><script src="{BASE}without-storage.js"></script>', 1), "utf-8")
    with served(folder) as site:
        yield site
