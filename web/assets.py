"""The scripts of the site: the page's own, bundled into one module, and the engine that it starts when it is wanted."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from web import bundle
from web.bundle import cache, javascript
from web.bundle.engine import Workshop
from web.hashed import hashed

BROWSER = Path(__file__).parent / "browser"
ADDRESSES = """export const worker = new URL("./{worker}", import.meta.url);
export const vega = new URL("./{vega}", import.meta.url);
export const acts = new URL("./{acts}", import.meta.url);
export const reference = new URL("./{reference}", import.meta.url);
export const chart = (file) => new URL(`./charts/${{file}}`, import.meta.url).href;
"""


LATE = ("acts", "reference")  # modules that come when they are wanted


@dataclass(frozen=True)
class Assets:
    """The files that a built site holds beside its pages; `scripts` are those that pages load."""

    engine: bundle.Bundle
    scripts: Path

    @property
    def page(self) -> str:
        """The address within a site of the module that every page loads; it changes with its content."""
        return self._address("page")

    @property
    def head(self) -> str:
        """The address of the script that runs before a page is laid out."""
        return self._address("head")

    def _address(self, name: str) -> str:
        return f"assets/{name}.{cache.digest([self.scripts / f'{name}.js'])}.js"

    def install(self, site: Path) -> None:
        """Copy everything into a built site."""
        self.engine.install(site)
        shutil.copyfile(self.scripts / "page.js", site / self.page)
        shutil.copyfile(self.scripts / "head.js", site / self.head)
        shutil.copyfile(self.scripts / "lost.js", site / "assets" / "lost.js")
        for late in (self.scripts / "late").iterdir():
            shutil.copyfile(late, site / "assets" / late.name)


def build(root: Path, say: Callable[[str], None]) -> Assets:
    """Make the scripts, or take them from the cache."""
    engine = bundle.build(root, say)
    store = root / ".cache" / "rooflines"
    where = {"worker": engine.worker.removeprefix("assets/"), "vega": engine.vega.removeprefix("assets/")}

    def make(folder: Path) -> None:
        say("bundling the page's script")
        sources = folder / "sources"
        shutil.copytree(BROWSER, sources)
        modules = Workshop(root, store, say).modules
        late = {name: _late(sources / f"{name}.js", modules, folder / "late") for name in LATE}
        (sources / "addresses.js").write_text(ADDRESSES.format(**where, **late), encoding="utf-8")
        javascript.bundle(sources / "main.js", modules, folder / "page.js", {})
        for plain in ("head", "lost"):
            javascript.bundle(sources / "plain" / f"{plain}.js", modules, folder / f"{plain}.js", {})
        shutil.rmtree(sources)

    sources = sorted(BROWSER.rglob("*.js"))
    return Assets(engine, cache.made(store, "page", [*sources, *where.values()], make))


def _late(entry: Path, modules: Path, folder: Path) -> str:
    """Bundle a module that comes late, under a name that says what is in it."""
    folder.mkdir(exist_ok=True)
    made = folder / entry.name
    javascript.bundle(entry, modules, made, {})
    return made.rename(folder / hashed(entry.stem, made.read_bytes(), "js")).name
