"""Labels that grow with an edit stay inside the chart."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visit

OUTSIDE = """svg => {
  const sheet = svg.getBoundingClientRect();
  const out = ({ left, right, top, bottom }) =>
    left < sheet.left - 1.5 || right > sheet.right + 1.5 || top < sheet.top - 1.5 || bottom > sheet.bottom + 1.5;
  return [...svg.querySelectorAll("text")]
    .filter((text) => text.textContent && out(text.getBoundingClientRect()))
    .map((text) => text.textContent);
}"""


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize(
    ("figure", "name", "value"),
    [
        ("moe/speed", "model", "mixtral-8x7b"),
        ("pipelining/memory", "context", "100M"),
        ("pipelining/memory", "system", "tpu-v7-pod"),
        ("overtraining/price", "params", "1M"),
        ("pricing/steps", "attention", "deepseek-v3"),
        ("pricing/sheets", "maker", "Google"),
        ("pricing/output-input", "ratio", "100"),
    ],
)
def test_no_label_is_cut_off_after_an_edit(visit: Visit, figure: str, name: str, value: str, width: int) -> None:
    reader = visit(f"lectures/{figure.split('/')[0]}/")
    reader.page.set_viewport_size({"width": width, "height": 900})
    edited = reader.wait_live().figure(figure)
    edited.element.scroll_into_view_if_needed()
    before = edited.finding
    edited.compute(name, value)
    assert edited.finding != before
    assert edited.chart.evaluate(OUTSIDE) == []
