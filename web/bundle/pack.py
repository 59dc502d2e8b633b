"""A pack: many files in one, compressed as a whole, read in the browser by `unpack.js`.

Layout before gzip: the length of the header in four bytes, little end first; the header, a JSON list of [path, size];
the files, one after the other. The same files always give the same bytes.
"""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

from zopfli import gzip as zopfli  # type: ignore[import-untyped]

from web.bundle.cache import made

Files = Mapping[str, bytes]


def pack(files: Files) -> bytes:
    """The files as one pack."""
    return gzip.compress(_laid_out(files), compresslevel=9, mtime=0)


def smallest(files: Files, store: Path) -> bytes:
    """The same in fewer bytes, which takes ten times as long, for packs that readers wait for; made once."""
    plain = _laid_out(files)
    folder = made(store, "packed", [plain], lambda it: (it / "pack").write_bytes(zopfli.compress(plain)))
    return (folder / "pack").read_bytes()


def _laid_out(files: Files) -> bytes:
    """Code before data and the shallow before the deep, for what is alike lies together then."""
    paths = sorted(files, key=lambda path: (path.endswith(".json"), path.count("/"), path))
    header = json.dumps([[path, len(files[path])] for path in paths], separators=(",", ":")).encode()
    body = b"".join(files[path] for path in paths)
    return len(header).to_bytes(4, "little") + header + body


def unpack(data: bytes) -> dict[str, bytes]:
    """The files of a pack, by path."""
    plain = gzip.decompress(data)
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
