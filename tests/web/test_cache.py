"""Text is made once for the same ingredients, and again for others."""

from __future__ import annotations

from pathlib import Path

import pytest

from web import cache


def test_text_is_remembered_by_its_ingredients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "FOLDER", tmp_path)
    numbers = iter(range(9))
    said = [cache.remembered("svg", asked, lambda: f"é {next(numbers)}") for asked in (["a"], ["a"], ["b"], ["a", ""])]
    assert said == ["é 0", "é 0", "é 1", "é 2"]
    assert cache.remembered("vega", ["a"], lambda: "another kind") == "another kind"
