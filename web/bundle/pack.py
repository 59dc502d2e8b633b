"""A pack: many files in one, compressed as a whole, read in the browser by `unpack.js`.

Layout before compression: the length of the header in four bytes, little end first; the header, a JSON list of
[path, size]; the files, one after the other. The same files always give the same bytes. LZMA makes them a quarter
smaller than gzip would; a browser unpacks it by xz-decompress.
"""

from __future__ import annotations

import json
import lzma
import zipfile
from collections.abc import Mapping
from pathlib import Path

Files = Mapping[str, bytes]
LEAST_WINDOW = 4096  # bytes; the format knows no smaller one


def pack(files: Files) -> bytes:
    """The files as one pack."""
    return shrunk(laid_out(files))


def shrunk(plain: bytes) -> bytes:
    """The same bytes, compressed."""
    window = max(LEAST_WINDOW, 1 << (len(plain) - 1).bit_length())  # a browser sets as much memory aside
    form = {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": window, "lc": 4, "lp": 0, "pb": 0}
    return lzma.compress(plain, check=lzma.CHECK_CRC32, filters=[form])


def laid_out(files: Files) -> bytes:
    """The files one after the other: code before data and the shallow before the deep, for alike lie together then."""
    paths = sorted(files, key=lambda path: (path.endswith(".json"), path.count("/"), path))
    header = json.dumps([[path, len(files[path])] for path in paths], separators=(",", ":")).encode()
    body = b"".join(files[path] for path in paths)
    return len(header).to_bytes(4, "little") + header + body


def unpack(data: bytes) -> dict[str, bytes]:
    """The files of a pack, by path."""
    plain = lzma.decompress(data)
    start = 4 + int.from_bytes(plain[:4], "little")
    files: dict[str, bytes] = {}
    for path, size in json.loads(plain[4:start]):
        files[path] = plain[start : start + size]
        start += size
    return files


def members(archive: Path) -> dict[str, bytes]:
    """The files of a zip archive or wheel, by path."""
    with zipfile.ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist() if not name.endswith("/")}


def archive(files: Files, path: Path) -> Path:
    """Write the files as a zip archive whose bytes depend on nothing but them."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as opened:
        for name in sorted(files):
            opened.writestr(zipfile.ZipInfo(name), files[name], zipfile.ZIP_DEFLATED)
    return path
