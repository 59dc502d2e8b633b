"""An edit has the browser work out anew the styles of what it changes, not of all that stands on the page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page

from tests.browser.conftest import Visit

EDITS = 5
FEW = 800  # elements an edit: 330 when this was written, 2,960 with one rule for all in the line of a late figure


@contextmanager
def traced(page: Page) -> Iterator[list[dict[str, Any]]]:
    """Events of the browser's own record of its work, complete when the block is over."""
    session, events, ended = page.context.new_cdp_session(page), [], []
    session.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    session.on("Tracing.tracingComplete", lambda _: ended.append(True))
    wanted = {"includedCategories": ["devtools.timeline"]}
    session.send("Tracing.start", {"traceConfig": wanted, "transferMode": "ReportEvents"})
    yield events
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(50)


def test_an_edit_has_few_elements_styled_anew(visit: Visit) -> None:
    reader = visit("lectures/batching/").wait_live()
    figure = reader.figure("batching/step-time")
    figure.compute("batch", "30000")
    reader.settle()
    with traced(reader.page) as events:
        for edit in range(EDITS):
            figure.set("batch", str(20000 + edit))
            reader.settle()
    styled = [event["args"].get("elementCount", 0) for event in events if event["name"] == "UpdateLayoutTree"]
    assert styled, "the browser's record has no such event any more"
    assert sum(styled) / EDITS < FEW
