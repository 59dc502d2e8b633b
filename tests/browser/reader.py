"""A reader's acts on a page, and what they see there; tests speak in these words."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import ConsoleMessage, Error, Locator, Page, Request, expect

from tests.browser.site import Site

PATIENCE = 30_000  # milliseconds, for a busy machine
FIELDS = ".rl-inputs :is(.rl-box, .rl-select)"
CONTENT = "[data-md-component=content]"
KEEPING = 120_000  # milliseconds
OFTEN = 100
# Where bytes are dear nothing starts by itself, and a page is laid out only as far as its reader comes.
DEAR = "Object.defineProperty(navigator, 'connection', {value: {saveData: true}})"
KEPT = "caches.open('rooflines-memory').then((store) => store.keys()).then((keys) => keys.map((key) => key.url))"

expect.set_options(timeout=PATIENCE)


def wait_until_kept(page: Page) -> str:
    """Under which address the browser keeps Python's memory, once it does."""
    return str(wait_until(page, f"{KEPT}.then(([first]) => first)"))


def wait_until(page: Page, script: str) -> Any:
    """The value of a script, which may be a promise, once it is something; the page asks itself, which is cheap."""
    found = page.evaluate(
        f"""async () => {{
          for (const begun = performance.now(); performance.now() - begun < {KEEPING};) {{
            const found = await ({script});
            if (found) return found;
            await new Promise((asks) => setTimeout(asks, {OFTEN}));
          }}
        }}"""
    )
    assert found, f"This did not come about: {script}"
    return found


def _aim(field: Locator) -> None:
    field.scroll_into_view_if_needed()
    field.dispatch_event("pointermove", {"pointerType": "mouse"})


class Reader:
    """One browser tab. Whatever it complains of fails the test, unless the test expects it."""

    def __init__(self, page: Page, site: Site) -> None:
        self.page = page
        self.site = site
        self.troubles: list[str] = []
        self.expected: list[str] = []
        self.requests: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("console", self._heard)
        page.on("pageerror", self._failed)
        page.on("request", self._asked)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(f"{message.type}: {message.text}")

    def _failed(self, error: Error) -> None:
        self.troubles.append(f"uncaught: {error}")

    def _asked(self, request: Request) -> None:
        self.requests.append(request.url)
        if not request.url.startswith((self.site.address, "data:", "blob:")):
            self.troubles.append(f"foreign request: {request.url}")

    def expects(self, *patterns: str) -> None:
        """Complaints that match are part of the test."""
        self.expected += patterns

    def unexpected(self) -> list[str]:
        """The complaints that nobody expected."""
        return [each for each in self.troubles if not any(re.search(pattern, each) for pattern in self.expected)]

    def open(self, path: str = "", query: str = "") -> Reader:
        """Go to a page of the site."""
        self.page.goto(self.site.address + path + (f"?{query}" if query else ""), wait_until="load")
        return self

    def figure(self, name: str) -> FigureOnPage:
        """A figure of this page."""
        return FigureOnPage(self, name)

    @property
    def address(self) -> str:
        """The query of the address as it is when the reader leaves; until then it may lag behind."""
        self.page.evaluate("dispatchEvent(new Event('pagehide'))")
        return self.page.evaluate("decodeURIComponent(location.search.slice(1))")

    def follow(self, link: str) -> None:
        """Click a link to another page of the site, by a part of its address, and stay until this page is gone."""
        self.page.evaluate(f"window.sameDocument = true, document.querySelector('{CONTENT}').dataset.left = ''")
        self.page.locator(f"article a[href*='{link}'], nav a[href*='{link}']").locator("visible=true").first.click()
        self.page.wait_for_url(re.compile(re.escape(link)))
        self.page.locator(f"{CONTENT}[data-left]").wait_for(state="detached")  # the address is the first to change

    def search(self, question: str) -> None:
        """Put a question to the search: its last letter by key, for each key is a question."""
        box = self.page.get_by_role("textbox", name="Search")
        box.fill(question[:-1])
        box.press_sequentially(question[-1])

    def saw(self, part: str) -> list[str]:
        """Requests with this in their address."""
        return [url for url in self.requests if part in url]

    def wait_live(self) -> Reader:
        """Come to the first form, aim at it, and stay until it is live and nothing waits to be computed."""
        self.aim()
        self.page.locator("[data-state=live]").first.wait_for(state="attached")
        self.settle()
        return self

    def aim(self) -> None:
        """Point at the first input that there is, which has the runtime start."""
        _aim(self.page.locator(FIELDS).first)

    def settle(self) -> None:
        """Until every figure shows what its form says."""
        self.page.locator("[data-behind]").first.wait_for(state="detached")

    @property
    def notice(self) -> Locator:
        """The part of its address that the page could not use."""
        return self.page.locator(".rl-notice")

    @property
    def scenario(self) -> Locator:
        """The line that names the reader's scenario."""
        return self.page.locator(".rl-scenario")

    def number(self, value: str) -> str:
        """A number of the prose or of a figure, by its full name."""
        text = self.page.locator(f"[data-value='{value}']").first.text_content() or ""
        return text.replace("\u00a0", " ")


class FigureOnPage:
    """A figure as the reader meets it."""

    def __init__(self, reader: Reader, name: str) -> None:
        self.reader = reader
        self.name = name
        self.slug = name.partition("/")[2]
        self.element = reader.page.locator(f"figure[data-figure='{name}']")
        self.status = self.element.locator(".rl-status")
        self.chart = self.element.locator(".rl-chart svg").locator("visible=true")

    def input(self, name: str) -> Locator:
        """The box or select of an input."""
        return self.element.locator(f"[data-input='{name}'] .rl-box, [data-input='{name}'] .rl-select")

    def slider(self, name: str) -> Locator:
        """The slider of an input."""
        return self.element.locator(f"[data-input='{name}'] .rl-slider")

    def error(self, name: str) -> Locator:
        """The sentence beside an input."""
        return self.element.locator(f"[data-input='{name}'] .rl-error")

    def reset(self, name: str) -> Locator:
        """The reset of an input."""
        return self.element.locator(f"[data-input='{name}'] .rl-reset")

    def button(self, name: str) -> Locator:
        """A button below the form, by its class."""
        return self.element.locator(f".rl-{name}")

    def set(self, name: str, value: Any) -> FigureOnPage:
        """Choose an option, or type a number."""
        field = self.input(name)
        field.evaluate("field => field.closest('.rl-apart')?.setAttribute('open', '')")
        field.scroll_into_view_if_needed()
        if field.evaluate("field => field.localName") == "select":
            field.select_option(str(value))
        else:
            field.fill(str(value))
        return self

    def compute(self, name: str, value: Any) -> FigureOnPage:
        """Set an input and wait for the answer."""
        self.set(name, value)
        return self.settle()

    def aim(self) -> FigureOnPage:
        """Come to this figure and point at its first input."""
        _aim(self.element.locator(FIELDS).first)
        return self

    def settle(self) -> FigureOnPage:
        """Until this figure shows what its form says."""
        self.reader.page.locator(f"figure[data-figure='{self.name}'][data-behind]").wait_for(state="detached")
        return self

    @property
    def finding(self) -> str:
        """The title."""
        return self.element.locator("[data-role=finding]").text_content() or ""

    @property
    def values(self) -> list[str]:
        """The numbers below the chart."""
        return self.element.locator(".rl-values dd").all_text_contents()

    @property
    def drawing(self) -> str:
        """The chart as it is."""
        return self.chart.evaluate("svg => svg.outerHTML")

    @property
    def stale(self) -> bool:
        """Marked as not what the form says."""
        return "rl-stale" in (self.element.get_attribute("class") or "").split()
