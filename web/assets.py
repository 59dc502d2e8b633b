"""The scripts of the site: the page's own, bundled into one module, and the engine that it starts when it is wanted."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from web import bundle
from web.bundle import cache, javascript
from web.bundle.engine import Workshop

BROWSER = Path(__file__).parent / "browser"
ADDRESSES = """export const worker = new URL("./{worker}", import.meta.url);
export const vega = new URL("./{vega}", import.meta.url);
"""


@dataclass(frozen=True)
class Assets:
    """What a built site holds beside its pages. `page` is the address of the script that every page loads."""

    engine: bundle.Bundle
    script: Path

    @property
    def page(self) -> str:
        """The script's address within a site, which changes with its content."""
        return f"assets/page.{cache.digest([self.script])}.js"

    def install(self, site: Path) -> None:
        """Copy everything into a built site."""
        self.engine.install(site)
        shutil.copyfile(self.script, site / self.page)


def build(root: Path, say: Callable[[str], None]) -> Assets:
    """Make the scripts, or take them from the cache."""
    engine = bundle.build(root, say)
    store = root / ".cache" / "rooflines"
    where = {"worker": engine.worker.removeprefix("assets/"), "vega": engine.vega.removeprefix("assets/")}

    def make(folder: Path) -> None:
        say("bundling the page's script")
        sources = folder / "sources"
        shutil.copytree(BROWSER, sources)
        (sources / "addresses.js").write_text(ADDRESSES.format(**where), encoding="utf-8")
        javascript.bundle(sources / "main.js", Workshop(root, store, say).modules, folder / "page.js", {})
        shutil.rmtree(sources)

    modules = sorted(BROWSER.rglob("*.js"))
    return Assets(engine, cache.made(store, "page", [*modules, *where.values()], make) / "page.js")
