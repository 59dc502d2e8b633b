"""Whoever opens a lecture has a picture and a slider before them, on a desk and on a phone."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visit
from web.contents import LECTURES

# Bottom of the first slider, and what is seen of the first chart, as shares of the screen and of the chart.
SEEN = """() => document.fonts.ready.then(() => {
  const figure = document.querySelector(".rl-figure");
  const place = (selector) => figure.querySelector(selector).getBoundingClientRect();
  const [slider, chart] = [place(".rl-slider"), place(".rl-chart")];
  return [slider.height, slider.bottom / innerHeight, (innerHeight - chart.top) / chart.height];
})"""


@pytest.mark.parametrize(("width", "height", "share"), [(1280, 900, 0.98), (390, 844, 0.75)])
def test_a_picture_and_a_slider_are_on_the_first_screen(visit: Visit, width: int, height: int, share: float) -> None:
    reader = visit("assets/favicon.svg", viewport={"width": width, "height": height})
    reader.expects("404")  # of a picture by itself Chromium asks the host for an icon
    for lecture in LECTURES:
        if lecture.written:
            reader.open(f"lectures/{lecture.chapter}/")
            high, bottom, seen = reader.page.evaluate(SEEN)
            assert high >= 24, lecture.chapter
            assert bottom <= 1, lecture.chapter
            assert seen >= share, lecture.chapter
