"""A reader's acts in any browser, and what they see there; the tests of the core speak in these words."""

from __future__ import annotations

import time
from typing import Any

from tests.browser.engines.engines import Engine
from tests.browser.engines.webdriver import Session
from tests.browser.site import Site

LECTURE = "lectures/batching/"
SLUG = "step-time"
OURS = "document.readyState === 'complete' && document.querySelector('.md-main') !== null"
AT_REST = 0.25  # seconds in which nothing moves any more


class Visitor:
    """A reader with one window of one browser."""

    def __init__(self, session: Session, site: Site, engine: Engine) -> None:
        self.session, self.site, self.engine = session, site, engine
        self.run, self.until = session.run, session.until
        session.size(1280, 900)

    def open(self, path: str = LECTURE) -> Visitor:
        """Come to a page as if from elsewhere."""
        self.session.open("about:blank")
        self.session.open(self.site.address + path)
        self.until(OURS)  # a driver may answer while the page before is still shown
        return self

    def reload(self) -> Visitor:
        """Load this page anew; a driver may answer before the new one has come, so the old one is marked."""
        self.run("window.rlOld = true")
        self.session.ask("Refresh", {})
        self.until(f"!window.rlOld && {OURS}")
        return self

    def live(self, path: str = LECTURE) -> Visitor:
        """Come to a page, unless already there, and to its first form, and wait until it computes."""
        if not self.run("location.href").startswith(self.site.address + path.partition("?")[0]) or "?" in path:
            self.open(path)
        self.run("document.querySelector('.rl-inputs').scrollIntoView({block: 'center'})")
        self.run("document.querySelector('.rl-box').focus()")
        self.until("document.querySelector('.rl-status:is([data-state=live], [data-state=failed])') !== null")
        state = self.run("document.querySelector('.rl-status').dataset.state")
        assert state in ("live", "computing"), self.text(".rl-status")  # what waits is computed at once
        return self.settle()

    def settle(self) -> Visitor:
        """Until every figure shows what its form says."""
        self.until("document.querySelector('[data-behind]') === null")
        return self

    def compute(self, name: str, value: str) -> str:
        """Type a number into the first figure; what it finds then."""
        self.session.write(f"#{SLUG}-{name}", value)
        self.until(f"document.querySelector('#{SLUG}[data-behind]') === null")
        return self.finding

    @property
    def finding(self) -> str:
        """The title of the first figure."""
        return str(self.text(f"#{SLUG} [data-role=finding]"))

    def text(self, selector: str) -> Any:
        """The words of an element."""
        return self.run(f"document.querySelector({selector!r}).textContent.trim()")

    def colour(self, selector: str) -> list[int]:
        """Red, green and blue behind an element."""
        found = self.run(f"getComputedStyle(document.querySelector({selector!r})).backgroundColor.match(/\\d+/g)")
        return [int(each) for each in found[:3]]

    def below_header(self, identifier: str) -> float:
        """How many pixels below the page's header a heading stands when all is at rest; 0 where the page ends first."""
        script = f"""(() => {{
          const {{ top }} = document.getElementById({identifier!r}).getBoundingClientRect();
          const {{ bottom }} = document.querySelector(".md-header").getBoundingClientRect();
          const atEnd = document.documentElement.scrollHeight - innerHeight - scrollY < 2;
          return atEnd && top > bottom && top < innerHeight ? 0 : top - bottom;
        }})()"""
        self.until("document.readyState === 'complete' && document.fonts.status === 'loaded'")
        before = None
        while (found := float(self.run(script))) != before:
            before = found
            time.sleep(AT_REST)
        return found
