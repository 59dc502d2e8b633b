"""The reference of `calc` as pages, read from its docstrings: every public name once, under its lecture.

Signatures say in words what each argument accepts, from the annotations that hold callers to it.
"""

from __future__ import annotations

import inspect
import pkgutil
import re
from dataclasses import dataclass
from functools import cache, cached_property
from html import escape
from importlib import import_module
from types import ModuleType

import jinja2
from markupsafe import Markup
from pygments import highlight  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import PythonConsoleLexer  # type: ignore[import-untyped]

import calc
from calc.chapters import CHAPTERS, Chapter
from web.api_read import Entry, entries

FOLDER = "reference/api"
PRESENTED = {"figure", "figures", "cli", "__main__"}  # seen in the lectures and in a terminal
CLAIMS = ("calc.ledger.recording", *(f"calc.{chapter.name}.claims" for chapter in CHAPTERS))  # shown in the ledger
FACTS, FOUNDATIONS = ("facts", "Facts and the ledger"), ("foundations", "Foundations")
_CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True)
class Module:
    """One module of `calc` with all that it defines."""

    name: str

    @cached_property
    def loaded(self) -> ModuleType:
        return import_module(self.name)

    @property
    def doc(self) -> str:
        return inspect.getdoc(self.loaded) or ""

    @property
    def path(self) -> str:
        ending = "/__init__.py" if hasattr(self.loaded, "__path__") else ".py"
        return self.name.replace(".", "/") + ending

    @property
    def page(self) -> tuple[str, str]:
        """Address and title of the page on which the module is described."""
        room = self.name.removeprefix("calc.").split(".")[0]
        for chapter in CHAPTERS:
            if chapter.name == room:
                return _slug(chapter), f"{chapter.number} {chapter.title}"
        return FACTS if room in ("catalog", "ledger") else FOUNDATIONS

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """The members that the module defines under public names, in its own order."""
        return entries(self.loaded)


@cache
def modules() -> tuple[Module, ...]:
    """Every module that is described."""
    names = ["calc", *(found.name for found in pkgutil.walk_packages(calc.__path__, "calc."))]
    return tuple(Module(name) for name in names if not PRESENTED & set(name.split(".")) and not name.startswith(CLAIMS))


def pages() -> dict[tuple[str, str], list[Module]]:
    """The modules of each page, by address and title: the lectures in order, then what they stand on."""
    order = [*(_slug(chapter) for chapter in CHAPTERS), FACTS[0], FOUNDATIONS[0]]
    found: dict[tuple[str, str], list[Module]] = {}
    for module in sorted(modules(), key=lambda module: order.index(module.page[0])):
        if module.name != "calc":
            found.setdefault(module.page, []).append(module)
    return found


def nav() -> list[str | dict[str, str]]:
    """The entries of the navigation: the overview, then each page under its title."""
    return [f"{FOLDER}/index.md", *({title: f"{FOLDER}/{slug}.md"} for slug, title in pages())]


def markdown() -> dict[str, str]:
    """Every page of the reference, by its place among the site's sources."""
    render = _environment().get_template("api.html").render
    return {
        f"{FOLDER}/index.md": render(page="index", pages=pages(), root=""),
        **{
            f"{FOLDER}/{slug}.md": render(page="group", title=title, modules=held, root="../")
            for (slug, title), held in pages().items()
        },
    }


def _slug(chapter: Chapter) -> str:
    return chapter.name.replace("_", "-")


def prose(doc: str, root: str) -> Markup:
    """A docstring: paragraphs, lists, examples with their colours, and links to the modules that it names."""
    return Markup("".join(_block(block, root) for block in re.split(r"\n\s*\n", doc) if block.strip()))


def _block(block: str, root: str) -> str:
    block = inspect.cleandoc(block)
    if block.startswith(">>>"):
        code = highlight(block + "\n", PythonConsoleLexer(), HtmlFormatter(nowrap=True)).rstrip()
        return f'<div class="highlight no-copy" data-search-exclude><pre><code>{code}</code></pre></div>'
    if block.startswith("- "):
        items = re.split(r"\n(?=- )", block)
        return "<ul>" + "".join(f"<li>{_inline(item[2:], root)}</li>" for item in items) + "</ul>"
    return f"<p>{_inline(block, root)}</p>"


def _inline(text: str, root: str) -> str:
    """Text with its code marked, and `calc.x` leading to where x is described."""
    parts = _CODE.split(" ".join(text.split()))
    return "".join(_code(part, root) if at % 2 else escape(part) for at, part in enumerate(parts))


def _code(text: str, root: str) -> str:
    shown, where = f"<code>{escape(text)}</code>", _places().get(text)
    return f'<a href="{root}{where}">{shown}</a>' if where else shown


@cache
def _places() -> dict[str, str]:
    """Where each module and each public name is described, from the folder of the reference."""
    found = {}
    for module in modules():
        if module.name == "calc":
            continue
        page = f"{module.page[0]}/"
        found[module.name] = f"{page}#{module.name.removeprefix('calc.').replace('.', '-')}"
        found |= {f"{module.name}.{entry.name}": f"{page}#{entry.anchor}" for entry in module.entries}
    return found


def _environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("web", "."), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    made.filters |= {"prose": prose}
    return made
