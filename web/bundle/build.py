"""Make everything that the reader's browser runs, and put it into a site."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from web.bundle import cache
from web.bundle.engine import Workshop, browser_sources, calc_sources
from web.bundle.fetch import NPM, WHEELS, Say

HERE = Path(__file__).parent
FOLDER = "assets/engine"


@dataclass(frozen=True)
class Bundle:
    """The finished files, each under a name that carries its hash. `worker` and `vega` are addresses within a site.

    `live` names those that a reader fetches until Python answers, `small` those over a slow link.
    """

    files: Mapping[str, Path]
    live: tuple[str, ...]
    small: tuple[str, ...]
    worker: str
    vega: str

    def install(self, site: Path) -> None:
        """Copy the files into a built site; those that are there already stay."""
        folder = site / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        for name, path in self.files.items():
            if not (folder / name).is_file():
                shutil.copyfile(path, folder / name)


def build(root: Path, say: Say) -> Bundle:
    """Fetch, verify, compile, prune and bundle; what is made already is taken from the cache under `root`."""
    store = root / ".cache" / "rooflines"
    engine = cache.made(store, "engine", sorted(sources(root)), lambda folder: Workshop(root, store, say).fill(folder))
    index = json.loads((engine / "index.json").read_text("utf-8"))
    files = {name: engine / name for name in index["files"]}
    worker, vega = (f"{FOLDER}/{index[name]}" for name in ("worker", "vega"))
    return Bundle(files, tuple(index["live"]), tuple(index["small"]), worker, vega)


def sources(root: Path) -> Iterator[Path]:
    """Every file of the repository that the engine is made of, and the locks of the packages that go into it."""
    yield from (path for path in HERE.iterdir() if path.suffix in {".py", ".mjs", ".toml"})
    yield from browser_sources()
    yield from calc_sources(root)
    yield NPM / "package-lock.json"
    yield from WHEELS.glob("*.txt")
