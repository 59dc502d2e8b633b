"""Axes of a compiled chart and their scales, so that a live chart can say what its lines are at any place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

CONTINUOUS = {"linear", "log", "sqrt", "pow", "symlog"}
_TITLE = re.compile(r"(?P<name>.*?)(?: \((?P<unit>[a-z-]+s(?:[ /][^()]*)?)\))?")  # what is counted stands in brackets
_PREFIXED = re.compile(r"' \$1([^']*)'")
_SIGNS = (  # in the format or the expression of an axis' labels, and the unit that they stand for
    (re.compile(r"%$"), "%"),
    (re.compile(r"^'?\$"), "$"),
    (re.compile(r"(?: d| ms| min)'"), "s"),
)


def told(spec: dict[str, Any]) -> dict[str, dict[str, str]] | None:
    """Name and unit of both axes of a chart that has lines between them; nothing for any other chart."""
    kinds = {scale["name"]: scale["type"] for scale in spec["scales"]}
    if not any(mark["type"] == "line" for mark in _marks(spec)) or not {kinds[each] for each in "xy"} <= CONTINUOUS:
        return None
    axes = {axis["scale"]: axis for axis in spec["axes"] if axis.get("title")}
    return {each: measured(axes[each]) for each in "xy"}


def measured(axis: dict[str, Any]) -> dict[str, str]:
    """The name of what an axis measures, and its unit as `calc.quantities.units.show` has it.

    >>> measured({"title": "Batch (sequences)", "format": "~s"})
    {'name': 'Batch', 'unit': 'sequences'}
    >>> measured({"title": "Multipliers busy, at most", "format": "%"})
    {'name': 'Multipliers busy, at most', 'unit': '%'}
    """
    expression = axis.get("encode", {}).get("labels", {}).get("update", {}).get("text", {}).get("signal", "")
    title = _TITLE.fullmatch(axis["title"])
    assert title is not None
    if "×" in axis["title"]:
        return {"name": axis["title"], "unit": "x"}
    prefixed = _PREFIXED.search(expression)
    signs = [unit for sign, unit in _SIGNS for text in (axis.get("format", ""), expression) if sign.search(text)]
    unit = prefixed[1] if prefixed else signs[0] if signs else title["unit"] or ""
    return {"name": title["name"] if title["unit"] else axis["title"], "unit": unit}


def _marks(part: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for mark in part.get("marks", ()):
        yield mark
        yield from _marks(mark)
