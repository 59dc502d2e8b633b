"""A page of the course as MkDocs would build it, without MkDocs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import markdown
import pytest

from web.page_figures import PageFigures


@pytest.fixture
def page() -> Callable[..., tuple[str, PageFigures]]:
    """Render Markdown as a page of the first lecture: its HTML, and what is known of its figures."""

    def render(text: str, **meta: Any) -> tuple[str, PageFigures]:
        figures = PageFigures.of("lectures/batching/index.md", text, {"chapter": "batching", "lecture": 1} | meta)
        settings = figures.extensions()
        return markdown.markdown(text, extensions=list(settings), extension_configs=settings), figures

    return render
