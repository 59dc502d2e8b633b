"""How every chart looks: palette, dashes, marker shapes and the Vega-Lite configuration.

Colours are CSS custom properties with the light theme's value as the fallback, so one SVG serves both themes and print.
Colour is never the only cue: a series that takes `series(...)` takes `dashes(...)` or `shapes(...)` too.
"""

from __future__ import annotations

from collections.abc import Mapping
from json import dumps
from typing import Any

FONT = "RooflinesSans, sans-serif"

_SERIES = ("#1e6fc0", "#a5610a", "#1c615c", "#642aa5", "#7a4a13", "#770016", "#828687")
_DASHES = ([1, 0], [7, 3], [2, 3], [10, 3, 2, 3], [4, 4], [12, 4], [1, 2])
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "stroke")

SERIES = tuple(f"var(--rl-series-{place}, {colour})" for place, colour in enumerate(_SERIES, 1))
INK = "var(--rl-ink, #1d2926)"
MUTED = "var(--rl-muted, #56625d)"
GRID = "var(--rl-grid, #e6e7df)"
ACCENT = "var(--rl-accent, #8d6100)"
PAPER = "var(--rl-paper, #ffffff)"
GROUND = "var(--rl-ground, #faf9f5)"
FAINT = "var(--rl-faint, #c4c9c0)"

# Four hues mean the same through the whole course, and the bound is ink; whatever else is drawn takes a free one.
WEIGHTS, CACHE, ARITHMETIC, LINKS = SERIES[0], SERIES[1], SERIES[2], SERIES[3]
FREE = SERIES[5], SERIES[4], SERIES[6]
MEANT = (
    ("weights", WEIGHTS),
    ("cache", CACHE),
    ("compute", ARITHMETIC),
    ("arithmetic", ARITHMETIC),
    ("multiply", ARITHMETIC),
    ("exchange", LINKS),
    ("link", LINKS),
    ("links", LINKS),
    ("network", LINKS),
    ("hop's bytes", LINKS),
    ("work", INK),
    ("step, at least", INK),
    ("bound", INK),
    ("in all", INK),
    ("unshared", MUTED),
    ("cube root", MUTED),
    ("no cache", MUTED),
    ("in turn", FREE[0]),
    ("in halves", FREE[1]),
    ("endless batch", INK),
    ("your batch", ACCENT),
    ("yours", ACCENT),
    ("your blocks", ACCENT),
    ("zb-h2", MUTED),
    ("output", MUTED),
    ("disk", MUTED),
    ("64 bits", MUTED),
    ("the day", MUTED),
    ("by (7)", MUTED),
)

# Groups of runs, as many as a reader may ask for: hues come again with another shape, those without a meaning first.
RUNS = [FREE[0], FREE[2], FREE[1], LINKS, WEIGHTS, FREE[0], FREE[2], FREE[1], LINKS, WEIGHTS]
RUN_SHAPES = [*_SHAPES[:5], *_SHAPES[4::-1]]

WIDTH = 640
HEIGHT = 320

HERE: dict[str, Any] = {
    "color": ACCENT,
    "size": 160,
    "stroke": PAPER,
    "strokeWidth": 1.5,
    "opacity": 1,
}  # the reader's own setting

CONFIG: dict[str, Any] = {
    "font": FONT,
    "background": "transparent",
    "autosize": {"type": "fit", "contains": "padding"},
    "padding": {"left": 4, "right": 12, "top": 6, "bottom": 4},
    "view": {"stroke": None, "continuousWidth": WIDTH, "continuousHeight": HEIGHT},
    "axis": {
        "domainColor": FAINT,
        "gridColor": GRID,
        "gridWidth": 1,
        "labelColor": MUTED,
        "labelFontSize": 12,
        "labelPadding": 6,
        "tickColor": FAINT,
        "tickSize": 4,
        "titleColor": INK,
        "titleFontSize": 12.5,
        "titleFontWeight": "normal",
        "titlePadding": 10,
    },
    "axisX": {"grid": False, "labelFlush": True, "labelOverlap": "greedy", "labelSeparation": 4, "tickCount": 6},
    "axisY": {
        "domain": False,
        "ticks": False,
        "tickCount": 5,
        "titleAlign": "left",
        "titleAnchor": "end",
        "titleAngle": 0,
        "titleBaseline": "bottom",
        "titleX": 0,
        "titleY": -12,
    },
    "legend": {
        "labelColor": INK,
        "labelFontSize": 12,
        "labelLimit": 260,
        "columns": 2,
        "offset": 30,
        "orient": "top",
        "symbolSize": 120,
        "symbolStrokeWidth": 2.5,
        "titleColor": MUTED,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
    },
    "range": {"category": list(SERIES)},
    "line": {"color": MUTED, "strokeCap": "round", "strokeJoin": "round", "strokeWidth": 2.5},
    "area": {"color": MUTED, "fillOpacity": 0.18, "line": True},
    "bar": {"color": MUTED, "cornerRadiusEnd": 2},
    "point": {"color": MUTED, "filled": True, "size": 70},
    "rule": {"color": MUTED, "strokeWidth": 1.25},
    "text": {"color": INK, "fontSize": 12.5},
    "tick": {"color": INK, "thickness": 2},
    "title": {"anchor": "start", "color": INK, "fontSize": 14, "fontWeight": "normal", "frame": "group", "offset": 14},
}


def series(*names: str) -> dict[str, Any]:
    """The colour scale of these series: `alt.Scale(**series("Weights", "Cache"))`; a name that means a hue has it.

    The others take the hues that mean nothing, and one that means something only where those do not suffice.
    """
    meant = {name: colour for name in names if (colour := _meant(name))}
    free = [colour for colour in dict.fromkeys((*FREE, *SERIES)) if colour not in meant.values()]
    return {"domain": list(names), "range": [meant.get(name) or free.pop(0) for name in _few(names, SERIES)]}


def dashes(*names: str) -> dict[str, Any]:
    """The dash pattern of each series, for `strokeDash`; the first is solid."""
    return _scale(names, _DASHES)


def shapes(*names: str) -> dict[str, Any]:
    """The marker of each series, for `shape`."""
    return _scale(names, _SHAPES)


def naming(field: str, names: Mapping[str, str]) -> str:
    """A Vega expression that turns the keys in `field` into the names that readers see."""
    cases = "".join(f"datum.{field} == {dumps(key)} ? {dumps(name)} : " for key, name in names.items())
    return f"{cases}datum.{field}"


def _scale(names: tuple[str, ...], steps: tuple[Any, ...]) -> dict[str, Any]:
    return {"domain": list(names), "range": list(steps[: len(_few(names, steps))])}


def _meant(name: str) -> str | None:
    """The colour of what a series is named after, where the whole name is that; “cache read” is more than a cache."""
    return next((colour for word, colour in MEANT if name.casefold() == word), None)


def _few(names: tuple[str, ...], steps: tuple[Any, ...]) -> tuple[str, ...]:
    if len(names) > len(steps):
        raise ValueError(f"A chart tells at most {len(steps)} series apart; this one has {len(names)}.")
    return names
