"""The fold “What matters most”: bars show how far each input moves one number of the figure, and follow an edit."""

from __future__ import annotations

from typing import Any

from calc.figure import registry
from calc.figure.sensitivity import matters

FIGURE = "batching/step-time"


def rows(fold: Any) -> dict[str, tuple[str, str]]:
    """The labels of the bars, each with its ends as they are told."""
    found = {}
    for row in fold.locator(".rl-bars tbody tr").all():
        least, most = row.locator("b").all_text_contents()
        found[row.locator("th").text_content()] = (least, most)
    return found


def test_each_input_has_the_bar_that_python_gives_it_and_follows_an_edit(live):
    reader = live("lectures/batching/", "batch=8k")
    figure = reader.figure(FIGURE)
    fold = figure.element.locator(".rl-matters")
    fold.locator("summary").press("Enter")
    fold.get_by_role("combobox", name="What matters most of").wait_for()
    for batch in (8000, 64):
        figure.compute("batch", batch)
        key = fold.locator(".rl-moved").input_value()
        bars = matters(registry.find(FIGURE), key, batch=batch)
        moved = {bar.label: (bar.least.text, bar.most.text) for bar in bars if bar.span > 1e-9 * bar.most.number}
        fold.locator("td", has_text=bars[0].most.text).first.wait_for()
        fold.locator(".rl-matters-said", has_text="computed").wait_for(state="detached")
        assert rows(fold) == moved
    assert reader.unexpected() == []
