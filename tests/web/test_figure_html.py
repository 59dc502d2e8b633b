"""A figure is complete before any script runs, and safe to put into a page."""

from __future__ import annotations

import dataclasses
import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest

from calc.figure import registry
from calc.figure.inputs import Choice, Number, Text
from calc.quantities.parsing import parse
from web import charts, figure_html

FIGURES = [figure for figure in registry.every() if figure.chart]


class Elements(HTMLParser):
    """Every element with its attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def all(self, tag, **attributes):
        wanted = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
        return [a for t, a in self.found if t == tag and wanted.items() <= a.items()]


@pytest.fixture(scope="module", params=FIGURES, ids=lambda figure: figure.name)
def drawn(request):
    answer = request.param.answer()
    return request.param, answer, figure_html.render(request.param, answer, "Figure 1.1", [])


def test_every_input_has_a_labelled_field_with_its_default(drawn):
    figure, _, html = drawn
    elements = Elements(html)
    for given in figure.inputs:
        if isinstance(given, Text) and given.elsewhere:
            assert elements.all("a", href=f"#{given.elsewhere}")
            continue
        assert len(elements.all("label", for_=f"{figure.slug}-{given.name}")) == 1
        if isinstance(given, Choice):
            assert any("selected" in each for each in elements.all("option", value=given.default))
        elif isinstance(given, Text):
            assert elements.all("textarea", id=f"{figure.slug}-{given.name}")
            assert all(elements.all("option", value=text) for text in given.starts.values())
        else:
            (box,) = elements.all("input", id=f"{figure.slug}-{given.name}")
            assert given.read(box["value"]) == given.default


def test_every_value_is_shown_and_can_be_updated(drawn):
    figure, answer, html = drawn
    for key, value in answer.values.items():
        assert f'data-value="{figure.name}.{key}">{value.text.replace("&", "&amp;")}<' in html


def test_the_chart_has_an_alternative_text_and_a_data_table(drawn):
    figure, answer, html = drawn
    assert answer.description
    assert Elements(html).all("div", role="img", aria_label=answer.description)
    assert set(figure.columns) <= set(answer.tables[figure.table])
    first = answer.as_json()["tables"][figure.table][next(iter(figure.columns))]
    shown = len(figure_html.rows(figure, answer.as_json()))
    assert shown == len(first[:: figure_html.stride(first)]) >= min(len(first), figure_html.MOST_ROWS // 2 + 1)
    assert (shown < len(first)) == ("row; the data as CSV have all." in html)


def test_both_drawings_are_well_formed_and_carry_no_fixed_theme(drawn):
    figure, answer, _ = drawn
    for size in (charts.WIDE, charts.NARROW):
        svg = charts.svg(figure, answer, size, "x")
        assert ET.fromstring(svg).get("viewBox")
        assert "var(--rl-" in svg


def test_the_declaration_is_json_that_no_parser_can_mistake_for_markup(drawn):
    figure, _, _ = drawn
    (holder,) = Elements(figure_html.declaration(figure)).all(
        "template", class_="rl-declaration", data_figure=figure.name
    )
    told = json.loads(holder["data-json"])
    assert [given["name"] for given in told["inputs"]] == [given.name for given in figure.inputs]
    assert told["vega"] == charts.file(figure)


def test_a_chart_is_fed_with_tables_of_its_answer_alone(drawn):
    figure, answer, _ = drawn
    fed = {data["name"] for data in charts.vega(figure)["data"] if not {"source", "values"} & set(data)}
    assert fed
    assert fed <= set(answer.tables)


@pytest.mark.parametrize(("folded", "said"), [(1, "1 more number<"), (2, "2 more numbers<")])
def test_numbers_behind_the_fold_are_counted_in_words_that_fit(folded, said):
    figure = registry.find("batching/roofline")
    answer = figure.answer()
    kept = dict(list(answer.values.items())[: figure.foremost + folded])
    assert said in figure_html.render(figure, dataclasses.replace(answer, values=kept), "Figure 1", [])


def test_text_of_a_figure_is_escaped():
    figure = registry.find("batching/step-time")
    answer = dataclasses.replace(figure.answer(), finding='<img src=x onerror="alert(1)">')
    assert "<img" not in figure_html.render(figure, answer, "Figure 1", [])


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (Number(name="n", label="N", default=100, low=1, high=1e6, log=True), ("0", "6", "2")),
        (Number(name="n", label="N", default=3, low=1, high=9, whole=True), ("1", "9", "3")),
        (Number(name="n", label="N", default=0.5, low=0, high=1), ("0", "1", "0.5")),
    ],
)
def test_a_slider_runs_over_the_logarithm_where_the_quantity_is_logarithmic(given, expected):
    slider = figure_html.slider(given)
    assert (slider["low"], slider["high"], slider["value"]) == expected


def test_a_whole_number_moves_in_whole_steps():
    assert figure_html.slider(Number(name="n", label="N", default=3, low=1, high=9, whole=True))["step"] == "1"


def test_a_cell_without_a_finite_number_is_a_dash():
    assert [figure_html.cell_text(cell) for cell in (16384, 16384.5, 163840)] == ["16,384", "16,380", "163,800"]
    assert [figure_html.cell_text(cell) for cell in (None, 0.123456, 12, "fp8")] == ["–", "0.1235", "12", "fp8"]


def test_tokens_and_parameters_in_billions_have_a_letter_and_bytes_have_not():
    shown = [figure_html.cell_text(3.1e12, heading) for heading in ("Tokens", "Served (tokens)", "Bytes")]
    assert shown == ["3.1T", "3.1T", "3,100,000,000,000"]
    assert figure_html.cell_text(-100017438184.1, "Parameters") == "−100B"
    assert figure_html.cell_text(16384, "Context (tokens)") == "16,384"


def test_a_year_is_no_quantity():
    figure = registry.find("world/training-runs")
    shown = figure_html.rows(figure, figure.answer().as_json())
    years = [row[list(figure.columns).index("year")] for row in shown]
    assert min(years) == "2022"
    assert all(re.fullmatch("20[0-9]{2}", year) for year in years)


@pytest.mark.parametrize(
    ("value", "text"), [(2000, "2,000"), (1e8, "100,000,000"), (1e9, "1B"), (2.5e12, "2.5T"), (1e17, "100,000T")]
)
def test_a_long_number_is_written_with_a_letter_that_its_box_reads_again(value, text):
    assert figure_html.boxed(value) == text
    assert parse(text) == value
