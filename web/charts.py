"""From a figure's Altair chart to what a page carries: SVG for readers now, a compiled Vega spec for when it is live.

Colours are CSS properties with fallbacks, so one drawing serves the light and the dark page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import altair as alt
import vl_convert

from calc.figure import look, registry
from calc.figure.declared import Answer, Figure
from web import axes, fonts
from web.cache import remembered
from web.hashed import hashed
from web.svg import slim

VEGA_LITE = "6.4"
WIDE = (720, 400)
NARROW = (350, 330)
FOLDER = "assets/charts"

_IDS = re.compile(r'(id="|url\(#)((?:clip|gradient)[\w-]*)')


def svg(figure: Figure, answer: Answer, size: tuple[int, int], prefix: str) -> str:
    """The chart of `answer` drawn at `size`; ids inside begin with `prefix`, so that drawings can share a page."""
    rows = {name: _rows(columns) for name, columns in answer.as_json()["tables"].items()}
    spec = _sized(figure, size) | {"datasets": rows}
    key = json.dumps(spec, sort_keys=True)
    drawn = remembered("svg", [version("vl-convert-python"), fonts.register(), key], lambda: _draw(spec))
    return _IDS.sub(rf"\1{prefix}-\2", slim(drawn)).replace("<svg ", '<svg data-search-exclude="" ', 1)


def vega(figure: Figure) -> dict[str, Any]:
    """The compiled Vega specification, with its data named and empty, and what its lines are read in."""
    spec = _sized(figure, WIDE)
    key = json.dumps(spec, sort_keys=True)
    text = remembered("vega", [version("vl-convert-python"), key], lambda: _compile(spec))
    compiled: dict[str, Any] = json.loads(text)
    measured = None if figure.pointed else axes.told(compiled)  # one that is pointed at answers to the pointer itself
    return compiled | ({"usermeta": measured} if measured else {})


def file(figure: Figure) -> str:
    """The name of the file that holds its specification, which changes with its content."""
    return hashed(figure.name.replace("/", "-"), _written(figure), "json")


def install(site: Path) -> None:
    """Write the specification of every chart into a built site: a page asks for one when it first draws it."""
    folder = site / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for figure in registry.every():
        if figure.chart:
            (folder / file(figure)).write_bytes(_written(figure))


def _written(figure: Figure) -> bytes:
    return json.dumps(vega(figure), ensure_ascii=False, separators=(",", ":")).encode()


def fields_missing(figure: Figure, answer: Answer) -> list[str]:
    """Named data that the chart asks for and the answer does not have."""
    spec = json.dumps(_drawn_by(figure.chart)) if figure.chart else ""
    return sorted(set(re.findall(r'"data": \{"name": "([^"]+)"', spec)) - set(answer.tables))


def _sized(figure: Figure, size: tuple[int, int]) -> dict[str, Any]:
    assert figure.chart is not None
    spec = _drawn_by(figure.chart)
    width, height = size
    fit = {"autosize": {"type": "fit", "contains": "padding"}, "config": look.CONFIG | {"aria": False}}
    return spec | fit | {"width": width, "height": height}


@cache
def _drawn_by(chart: Callable[[], Any]) -> dict[str, Any]:
    """The chart as Vega-Lite; Altair's own checks of it are the dearest part of a build."""
    alt.data_transformers.disable_max_rows()
    spec: dict[str, Any] = chart().to_dict()
    return spec


def _draw(spec: dict[str, Any]) -> str:
    drawn = vl_convert.vegalite_to_svg(spec, vl_version=VEGA_LITE)
    drawn = re.sub(r' (?:role|aria-\w+|xmlns:\w+|version|class)="[^"]*"', "", drawn)
    return drawn.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1)


def _compile(spec: dict[str, Any]) -> str:
    return json.dumps(vl_convert.vegalite_to_vega(spec, vl_version=VEGA_LITE), separators=(",", ":"), sort_keys=True)


def _rows(columns: dict[str, list[Any]]) -> list[dict[str, Any]]:
    names = list(columns)
    return [dict(zip(names, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
