"""Text that is dear to make and follows from its ingredients alone, kept by the hash of these."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".cache" / "rooflines"


def remembered(kind: str, ingredients: Sequence[str], make: Callable[[], str]) -> str:
    """What `make` returned for these ingredients before, or what it returns now."""
    digest = hashlib.sha256("\0".join(ingredients).encode()).hexdigest()
    kept = FOLDER / kind / digest
    if kept.exists():
        return kept.read_text(encoding="utf-8")
    text = make()
    kept.parent.mkdir(parents=True, exist_ok=True)
    fresh = kept.with_suffix(".new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(kept)
    return text
