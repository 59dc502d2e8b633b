"""How a lab's Altair charts are drawn while the site is built: as static SVG in the site's look.

A lab itself says nothing of this, so the downloaded notebook draws its charts as any notebook does.
"""

from __future__ import annotations

import html
import json
from typing import Any

WIDTHS = {"wide": 640, "narrow": 270}  # of the plot; a phone shows the narrow one
ALTAIRS_OWN_VIEW = {"continuousWidth": 300, "continuousHeight": 300}


def enable() -> None:
    """Make this the renderer of the kernel that runs a lab."""
    import altair as alt

    alt.renderers.register("rooflines", mime_bundle)
    alt.renderers.enable("rooflines")


def mime_bundle(spec: dict[str, Any], **_: Any) -> dict[str, str]:
    """The chart as HTML; a chart without a description is refused, because some readers cannot see it."""
    said = spec.get("description")
    if not said:
        raise ValueError("Say what the chart shows: .properties(description=“…”).")
    return {"text/html": f'<div class="rl-chart" role="img" aria-label="{html.escape(said)}">{_drawings(spec)}</div>'}


def _drawings(spec: dict[str, Any]) -> str:
    """The chart in both widths, unless it says itself how wide it is."""
    if {"width", "hconcat", "facet", "concat"} & set(spec):
        return _draw(spec)
    return "".join(f'<div class="rl-{name}">{_draw(spec | {"width": width})}</div>' for name, width in WIDTHS.items())


def _draw(spec: dict[str, Any]) -> str:
    import vl_convert

    from calc.figure import look
    from web import charts, fonts
    from web.svg import slim

    fonts.register()
    ours = {key: value for key, value in look.CONFIG.items() if key != "autosize"}
    theirs = {key: value for key, value in spec.get("config", {}).items() if value != ALTAIRS_OWN_VIEW}
    drawn: str = vl_convert.vegalite_to_svg(json.dumps(spec | {"config": ours | theirs}), vl_version=charts.VEGA_LITE)
    return slim(drawn)
