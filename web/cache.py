"""Text that is dear to make and follows from its ingredients alone, kept by the hash of these."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from web.bundle.cache import made

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".cache" / "rooflines"


def remembered(kind: str, ingredients: Iterable[str], make: Callable[[], str]) -> str:
    """The value that `make` returned for these ingredients before, or the one that it returns now."""
    kept = made(FOLDER / kind, "text", ingredients, lambda new: (new / "text").write_text(make(), encoding="utf-8"))
    return (kept / "text").read_text(encoding="utf-8")
