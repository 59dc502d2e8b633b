"""The duties of every figure: answer at both ends of every input, or say what nobody published, and be fit to draw."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest

from calc import catalog
from calc.figure import registry
from calc.quantities.errors import CalcError
from tests.calc.conftest import in_fp4_alone
from tests.calc.figure.asking import corners

EVERY = registry.every()
DRAWN = [figure for figure in EVERY if figure.chart]
MULTIPLIES = (
    *("batching/lanes", "batching/stream"),
    *("batching/step-time", "batching/context", "batching/cost", "batching/ratio", "batching/setting"),
    *("pipelining/boundary", "pipelining/latency", "memory_wall/road", "memory_wall/length"),
    *("pricing/implied-cache", "pricing/output-input", "pricing/shelf", "pricing/setting"),
)
ATTENDS = (
    "measured/bound",
    "measured/batch",
    "serving/sheet",
    "serving/tornado",
    "serving/step",
    "serving/roofline",
    "serving/frontier",
    "serving/lists",
)  # which want the rate of attention too
TRAINS = ("overtraining/runs", "reversible/budget")
LEAVES_THE_DOMAIN = ("pipelining/boundary", "pipelining/latency")
RUBIN, WITHOUT_WAY_OUT = "rubin-nvl72", ("tpu-v4-pod", "tpu-v5e-pod")
UNRATED = {  # where the rate in FP4 alone is published: the field beside which that is said, and how
    **dict.fromkeys(((name, RUBIN) for name in MULTIPLIES), ("precision", "a format whose rate on NVIDIA Rubin")),
    ("pricing/four", RUBIN): ("precision", "a format whose rate on Vera Rubin"),
    ("moe/layouts", RUBIN): ("system", "one whose chips have a published rate of eight bits"),
    ("moe/chips", RUBIN): ("system", "one whose chips have a published rate of eight bits"),
    ("moe/way", RUBIN): ("system", "one whose chips have a published rate of eight bits"),
    ("moe/fleet", RUBIN): ("system", "one whose chips have a published rate of eight bits"),
    ("moe/sums", RUBIN): ("system", "one whose chips have a published rate of eight bits"),
    ("moe/batches", RUBIN): ("precision", "a format whose rate on NVIDIA Rubin"),
    ("moe/steps", RUBIN): ("system", "one whose chips have a published rate of eight bits"),
    ("moe/exchange", RUBIN): ("system", "one whose chips have a published rate of eight bits"),
    ("batching/roofline", RUBIN): ("system", "one whose chips have a published rate of eight bits"),
    **dict.fromkeys(((name, RUBIN) for name in ATTENDS), ("precision", "a format whose rate on Vera Rubin")),
    **dict.fromkeys(((name, RUBIN) for name in TRAINS), ("system", "one whose chips have a published 16-bit rate")),
    ("memory_wall/reuse", RUBIN): ("system", "one whose rate in FP8 is published"),
}
REFUSED = {  # by figure and system: the field beside which it is said that nobody published what is needed
    (name, system): ("system", "one whose link out of the domain is published")
    for name in LEAVES_THE_DOMAIN
    for system in WITHOUT_WAY_OUT
}
UNKNOWN = (  # may have unknown values
    *("moe/travel", "moe/racks", "moe/setting", "moe/speed", "moe/batches"),
    "pipelining/setting",
)
MOST_ROWS = {
    "moe/rack": 896 + 256,  # experts of Kimi K3 and the most copies
    "pipelining/decode": 400,
    "pipelining/schedule": 400,
    "reversible/cipher": 512,
    "reversible/held": 200,
    "serving/frontier": 300,  # and a mark for each run of one model on one system
    "measured/bound": 3000,  # a mark for each run that was measured
    "measured/residuals": 3000,
}


def named(figure):
    return figure.name


@cache
def placed(name):
    """The numbers for which a built page has a place: those of the defaults."""
    return set(registry.find(name).answer().values)


ANSWERED = [
    pytest.param(figure, inputs, id=" ".join([figure.name, *(f"{name}={end}" for name, end in inputs.items())]))
    for figure in EVERY
    for inputs in corners(figure)
    if len(inputs) > 1 or (figure.name, inputs.get("system")) not in REFUSED
]


@pytest.mark.parametrize(("figure", "inputs"), ANSWERED)
def test_it_answers_at_both_ends_of_every_input(figure, inputs):
    found = figure.answer(**inputs)
    words = re.findall(r"\w+", " ".join([found.finding, found.description, *found.notes]).lower())
    assert found.finding
    assert not {"nan", "inf", "unlimited"} & set(words)
    assert figure.name in UNKNOWN or "unknown" not in [value.text for value in found.values.values()]
    assert set(found.values) <= placed(figure.name)
    for columns in found.tables.values():
        assert len({len(column) for column in columns.values()}) == 1
        assert len(next(iter(columns.values()))) <= MOST_ROWS.get(figure.name, 150)
    json.dumps(found.as_json(), allow_nan=False)


@pytest.mark.parametrize(("name", "system"), REFUSED, ids=lambda part: part)
def test_what_nobody_published_is_refused_beside_its_field(name, system):
    check_refused(said(name, system=system), *REFUSED[name, system])


@pytest.fixture(scope="module")
def said_in_fp4_alone():
    """The words of every figure below where the rate of Rubin in FP4 alone is published."""
    with in_fp4_alone():
        refused = {(name, system): said(name, system=system) for name, system in UNRATED}
        return refused | {name: said(name, system=RUBIN, precision="fp4") for name in MULTIPLIES}


@pytest.mark.parametrize(("name", "system"), UNRATED, ids=lambda part: part)
def test_a_rate_that_nobody_published_is_refused_beside_its_field(said_in_fp4_alone, name, system):
    check_refused(said_in_fp4_alone[name, system], *UNRATED[name, system])


def said(name, **inputs):
    """The finding of a figure, or its refusal."""
    try:
        return registry.find(name).answer(**inputs).finding
    except CalcError as refused:
        return refused


def check_refused(refused, field, words):
    assert isinstance(refused, CalcError)
    assert re.match(f"{field} must be {words}", str(refused))
    assert refused.argument == field


@pytest.mark.parametrize("name", MULTIPLIES)
def test_at_a_rate_that_is_published_the_same_system_is_answered(said_in_fp4_alone, name):
    finding = said_in_fp4_alone[name]
    assert isinstance(finding, str), finding
    assert finding


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_figure_that_goes_on_without_a_link_out_says_what_it_does_not_know(name):
    found = registry.find(name).answer(system=WITHOUT_WAY_OUT[0])
    assert "unknown" in {value.text for value in found.values.values()}


@pytest.mark.parametrize("figure", DRAWN, ids=named)
def test_a_drawn_figure_has_inputs_a_description_a_table_to_read_and_sources(figure):
    found = figure.answer()
    assert figure.inputs
    assert len(found.description) > 100
    assert figure.columns
    assert set(figure.columns) <= set(found.tables[figure.table])
    assert all(catalog.source(name).title for name in figure.sources)


@pytest.mark.parametrize("figure", DRAWN, ids=named)
def test_a_chart_asks_for_no_column_that_its_tables_lack(figure):
    """Altair validates the chart; every field that it encodes is a column of a table or made by a transform."""
    found = figure.answer()
    for table, made, encoded in marks(figure.chart().to_dict()):
        assert encoded <= set(found.tables[table]) | made


def marks(part, table=None, made=frozenset()):
    """Every mark of a chart: the table that it draws, the columns that transforms add, the fields that it encodes."""
    table = part.get("data", {}).get("name", table)
    added = [step["as"] for step in part.get("transform", []) if "as" in step]
    made = made | {name for names in added for name in ([names] if isinstance(names, str) else names)}
    if "mark" in part:
        yield table, made, {channel["field"] for channel in part["encoding"].values() if "field" in channel}
    for layer in part.get("layer", ()):
        yield from marks(layer, table, made)


SIMPLE = re.compile(r"overlap perfectly|simplest bound|[Ll]ecture 1's bound|lecture 1 allows|limited by memory, run")


def test_a_figure_that_rests_on_the_simple_form_of_a_step_says_so_in_its_title():
    chapters = ("batching", "moe", "pipelining", "memory_wall")
    drawn = [each for name in chapters for each in registry.of_chapter(name).values() if each.chart]
    simple = [each for each in drawn if any(map(SIMPLE.search, each.assumptions))]
    bytes_alone = {"batching/stream"}  # its title counts bytes; its times are those of the next figure
    silent = {each.name for each in simple if "simplest bound" not in each.answer().finding}
    assert len(simple) > 8
    assert silent == bytes_alone
