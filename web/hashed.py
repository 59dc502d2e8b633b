"""Names of files by what is in them, so that a browser may keep each for ever (web/browser/sound.js checks them)."""

from __future__ import annotations

import hashlib

LENGTH = 12  # hexadecimal digits of the SHA-256


def hashed(stem: str, data: bytes, suffix: str) -> str:
    """The name of a file with this content.

    >>> hashed("python", b"", "bin")
    'python.e3b0c44298fc.bin'
    """
    return f"{stem}.{hashlib.sha256(data).hexdigest()[:LENGTH]}.{suffix}"
