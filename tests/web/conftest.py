"""A page of the course as MkDocs would build it, without MkDocs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import markdown
import pytest

from web import fences

EXTENSIONS = ["pymdownx.superfences", "pymdownx.inlinehilite"]
SETTINGS: dict[str, Any] = {
    "pymdownx.superfences": {
        "custom_fences": [{"name": "figure", "class": "rl-figure", "format": fences.figure_format}]
    },
    "pymdownx.inlinehilite": {"custom_inline": [{"name": "value", "class": "rl-value", "format": fences.value_inline}]},
}


@pytest.fixture
def page() -> Callable[[str], str]:
    """Render Markdown as a page of the first lecture."""

    def render(text: str, **meta: Any) -> str:
        fences.begin("lectures/batching/index.md", text, {"chapter": "batching", "lecture": 1} | meta)
        return markdown.markdown(text, extensions=EXTENSIONS, extension_configs=SETTINGS)

    return render
