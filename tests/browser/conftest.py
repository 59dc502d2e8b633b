"""One browser and one served site for all browser tests; a new visitor for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ViewportSize, sync_playwright

from tests.browser import chromium
from tests.browser.reader import Reader, wait_until, wait_until_kept
from tests.browser.site import Site, build, served

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=slight",  # letters as wide as in a window
)
# To compile Python's WebAssembly once more, optimised, costs more than it saves in so many short visits; the tests of
# `calc` inside Pyodide run it optimised.
SHORT = "--js-flags=--wasm-tiering-budget=1000000000"
DESK: ViewportSize = {"width": 1280, "height": 900}
Visit = Callable[..., Reader]
Live = Callable[..., Reader]
Settled = Callable[[str], Reader]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless Chromium."""
    found = chromium.find()
    if found is None:
        pytest.exit(chromium.MISSING, returncode=1)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=[*ARGUMENTS, SHORT])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "popen-gw" in base.name else base
    return build(shared)


@pytest.fixture(scope="session")
def site(built: Path) -> Iterator[Site]:
    """The built site, served."""
    with served(built) as site:
        yield site


@pytest.fixture(scope="session")
def regular(browser: Browser) -> Iterator[BrowserContext]:
    """A visitor who has been here before: the browser has kept the site's files, and every tab is a new visit."""
    context = browser.new_context(viewport=DESK)
    yield context
    context.close()


@pytest.fixture(scope="session")
def known(browser: Browser, site: Site) -> Iterator[BrowserContext]:
    """A visitor who has computed here before: the browser keeps Python's memory, from which every tab becomes live."""
    context = browser.new_context(viewport=DESK, permissions=["clipboard-read", "clipboard-write"])
    reader = Reader(context.new_page(), site).open().wait_live()
    wait_until_kept(reader.page)
    wait_until(reader.page, "localStorage.getItem('rooflines.kept')")  # the page is told a little later
    reader.page.close()
    assert reader.unexpected() == []
    yield context
    context.close()


@pytest.fixture
def visit(browser: Browser, regular: BrowserContext, site: Site) -> Iterator[Visit]:
    """Open a page in a new tab; as a new visitor where `first` is true, a script comes before, or options are given.

    Where `timed` is true, the test can have time pass on the page: `reader.page.clock`.
    """
    visitors: list[Reader] = []

    def open_page(
        path: str = "lectures/batching/",
        query: str = "",
        before: str = "",
        first: bool = False,
        timed: bool = False,
        **options: Any,
    ) -> Reader:
        new = first or timed or before or options
        context = browser.new_context(**{"viewport": DESK} | options) if new else regular
        if before:
            context.add_init_script(before)
        if timed:
            context.clock.install()
        reader = Reader(context.new_page(), site)
        visitors.append(reader)
        return reader.open(path, query)

    yield open_page
    site.broken.clear()
    site.faults.clear()
    for reader in visitors:
        for page in reader.page.context.pages:
            page.close()
        if reader.page.context is not regular:
            reader.page.context.close()
    assert [trouble for reader in visitors for trouble in reader.unexpected()] == []


@pytest.fixture
def live(known: BrowserContext, site: Site) -> Iterator[Live]:
    """Open a page in a new tab, where it is live at less than half of what its first start would cost."""
    readers: list[Reader] = []
    others = [*known.pages]

    def open_page(path: str = "lectures/batching/", query: str = "") -> Reader:
        readers.append(Reader(known.new_page(), site))
        return readers[-1].open(path, query).wait_live()

    yield open_page
    for page in known.pages:
        if page not in others:
            page.close()
    assert [trouble for reader in readers for trouble in reader.unexpected()] == []


@pytest.fixture(scope="module")
def settled(known: BrowserContext, site: Site) -> Iterator[Settled]:
    """A page that is already live, shared by the tests of a module that leave it as they found it; one at a time."""
    here: dict[str, Reader] = {}
    troubles: list[str] = []

    def leave() -> None:
        for reader in here.values():
            reader.page.close()
            troubles.extend(reader.unexpected())
        here.clear()

    def live(path: str) -> Reader:
        if path not in here:
            leave()
            here[path] = Reader(known.new_page(), site).open(path).wait_live()
        return here[path]

    yield live
    leave()
    assert troubles == []
