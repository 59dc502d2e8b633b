"""A cache of made things, keyed by what they are made of."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

KEY_LENGTH = 16


def digest(parts: Iterable[str | bytes | Path]) -> str:
    """One short key for these parts; a path stands for the bytes of its file."""
    total = hashlib.sha256()
    for part in parts:
        data = part.read_bytes() if isinstance(part, Path) else part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "little") + data)
    return total.hexdigest()[:KEY_LENGTH]


def made(cache: Path, name: str, parts: Iterable[str | bytes | Path], make: Callable[[Path], object]) -> Path:
    """The folder that `make` fills, made once for these parts.

    It is filled under another name and moved when complete, so that a build which is cut off leaves nothing half done
    and two builds at once do not meet.
    """
    place = cache / f"{name}-{digest(parts)}"
    if not place.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=cache))
        try:
            make(scratch)
            if not place.is_dir():
                scratch.rename(place)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    return place
