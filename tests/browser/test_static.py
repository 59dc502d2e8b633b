"""Without scripts, and on paper: all is there, nothing looks broken."""

from __future__ import annotations

from calc.figure import registry
from web import figure_html

LECTURE = "lectures/batching/"
DRAWN = [figure for figure in registry.of_chapter("batching").values() if figure.chart]


def test_a_page_is_complete_without_scripts(visit):
    reader = visit(LECTURE, java_script_enabled=False)
    page = reader.page
    for figure in DRAWN:
        answer = figure.answer()
        shown = reader.figure(figure.name)
        assert shown.finding == answer.finding
        assert shown.values == [value.text for value in answer.values.values()]
        assert shown.chart.count() == 1
        assert shown.chart.locator("path, rect, circle").count() > 2
        if figure.columns:
            rows = figure_html.rows(figure, answer.as_json())
            assert shown.element.locator(".rl-table tbody tr").count() == len(rows)
    assert page.locator(".katex math").count() > 0
    assert page.locator(".rl-value").count() > 10


def test_without_scripts_there_is_nothing_dead_to_press(visit):
    reader = visit(LECTURE, java_script_enabled=False)
    assert reader.page.locator(".rl-figure button").locator("visible=true").count() == 0
    assert reader.page.locator(".rl-slider").locator("visible=true").count() == 0
    assert reader.page.locator(".rl-status").locator("visible=true").count() == 0


def test_paper_shows_charts_and_plain_values_in_place_of_forms(live):
    reader = live()
    reader.figure("batching/step-time").compute("batch", "8k")
    reader.page.emulate_media(media="print")
    page = reader.page
    assert page.locator(".rl-inputs :is(button, textarea, .rl-slider, .rl-help)").locator("visible=true").count() == 0
    box = reader.figure("batching/step-time").input("batch")
    assert box.is_visible()
    assert box.input_value() in {"8k", "8,000"}
    assert box.evaluate("(box) => getComputedStyle(box).borderStyle") == "none"
    assert page.locator(".rl-chart svg").locator("visible=true").count() == page.locator(".rl-chart").count()
    assert "8,000" in reader.figure("batching/step-time").element.inner_text()


def test_light_and_dark_need_no_script(visit):
    for scheme, ground in (("light", "rgb(250, 249, 245)"), ("dark", "rgb(20, 29, 27)")):
        page = visit(LECTURE, java_script_enabled=False, color_scheme=scheme).page
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == ground


def test_paper_names_the_course_the_address_and_the_licence(visit):
    page = visit(LECTURE).page
    page.emulate_media(media="print")
    line = page.locator("link[rel=canonical]")
    assert line.is_visible()
    said = line.evaluate("link => getComputedStyle(link, '::after').content")
    assert all(word in said for word in ("Rooflines", "CC BY 4.0"))
    assert line.get_attribute("href").endswith(LECTURE)
