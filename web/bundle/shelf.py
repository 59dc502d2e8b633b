"""The finished files of the engine, and the ways of starting Python from them."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import TypedDict

from web.bundle import cache
from web.bundle.calls import MACHINE
from web.hashed import hashed


class Start(TypedDict):
    """All that one way of starting Python needs; `id` changes whenever any of it does."""

    id: str
    script: str
    wasm: str
    libraries: list[dict[str, str]]
    packs: list[str]
    sizes: dict[str, list[int]]


class Room(TypedDict):
    """A pack that comes when it is asked for."""

    file: str
    size: list[int]


class Shelf:
    """The finished files, each under a name that carries its hash, and their sizes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sizes: dict[str, list[int]] = {}

    def put(self, name: str, data: bytes) -> str:
        """The name under which a file now lies there."""
        stem, _, suffix = name.rpartition(".")
        found = hashed(stem, data, suffix)
        (self.folder / found).write_bytes(data)
        self.sizes[found] = _sizes(data)
        return found

    def start(self, script: str, modules: Mapping[str, bytes], packs: list[str], suffix: str = "wasm") -> Start:
        """A way of starting from these modules; compressed ones have another suffix."""
        files = {path: self.put(f"{_stem(path)}.{suffix}", data) for path, data in sorted(modules.items())}
        needed = [script, *files.values(), *packs]
        return {
            "id": cache.digest(needed),
            "script": script,
            "wasm": files.pop(MACHINE),
            "libraries": [{"path": path, "file": file} for path, file in files.items()],
            "packs": packs,
            "sizes": {name: self.sizes[name] for name in needed},
        }

    def rooms(self, files: Mapping[str, str]) -> dict[str, Room]:
        """Packs that are fetched when they are asked for, by name: the file of each, and its sizes."""
        return {room: {"file": name, "size": self.sizes[name]} for room, name in files.items()}


def _sizes(data: bytes) -> list[int]:
    """The bytes of a file, and those that travel from a host that compresses; a pack is compressed already."""
    return [len(data), min(len(data), len(gzip.compress(data, 6)))]


def _stem(path: str) -> str:
    return Path(path).name.partition(".")[0] if path != MACHINE else "pyodide"
