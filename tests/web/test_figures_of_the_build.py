"""A figure that is drawn when the site is built is complete, and its page's script is told nothing of it."""

from __future__ import annotations

from web.page_figures import PageFigures

PAGE = "```figure\nworld/gains\n```\n\n`#!value world/gains.five`\n"


def test_it_is_drawn_and_quoted_and_not_declared() -> None:
    page = PageFigures.of("reference/world.md", PAGE, {})
    drawn = page.fence("world/gains", "figure", "", {}, None)
    assert "<svg" in drawn
    assert "Data table" in drawn
    assert "%" in page.value("world/gains.five")
    assert page.mistakes == []
    assert "world/gains" not in page.declarations()


def test_one_that_travels_is_declared() -> None:
    page = PageFigures.of("lectures/batching/index.md", "", {"chapter": "batching"})
    page.fence("step-time", "figure", "", {}, None)
    assert "batching/step-time" in page.declarations()
