"""The events of MkDocs, each handed to the module that knows how. Nothing else of the site knows MkDocs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import MethodType
from typing import Any

from mkdocs.config.config_options import ExtraScriptValue
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import CombinedEvent, event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Link, Navigation, Section
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink, TableOfContents
from mkdocs.utils import get_relative_url

from calc.quantities.errors import CalcError
from web import (
    accessible,
    api_pages,
    assets,
    bibliography,
    bundle,
    catalogue_pages,
    changes,
    charts,
    citation,
    contents,
    flashcards,
    fonts,
    formula_faces,
    further,
    glossary,
    labs,
    ledger,
    ledger_opening,
    mathematics,
    notation,
    notes,
    policy,
    reading_time,
    runs_table,
    search,
    sheet,
    styles,
    tidy,
)
from web.cache import ROOT
from web.page_figures import PageFigures

SHOWN = "shown"  # where it holds the page as readers see it, while the index reads it
FIGURES = "figures"  # where a page's front matter holds its figures while it is built
log = get_plugin_logger("rooflines")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Make the scripts, have every page load the one that is its own, and list the lectures that are written."""
    try:
        made = assets.build(ROOT, log.info)
    except bundle.BundleError as error:
        raise PluginError(str(error)) from None
    script = ExtraScriptValue(made.page)
    script.type = "module"
    config.extra_javascript.append(script)
    config.extra["assets"] = made
    serving = str(config.dev_addr) in (config.site_url or "")  # then MkDocs puts a script into every page
    config.extra["policy"] = "" if serving else policy.in_page()
    _list_what_is_made(config.nav or [])
    return config


def _list_what_is_made(entries: list[Any]) -> None:
    """Fill the sections of the navigation whose pages follow from folders and tables."""
    made = {"Lectures": contents.nav, "Catalogue": catalogue_pages.nav, "Python": api_pages.nav}
    for entry in entries:
        for title, held in entry.items() if isinstance(entry, dict) else ():
            if title in made:
                entry[title] = made[title]()
            elif isinstance(held, list):
                _list_what_is_made(held)


@event_priority(100)
def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the lectures, which live beside `docs/`, and what is made: cards, typefaces, notebooks, reference pages."""
    for path in sorted((ROOT / "lectures").glob("*/*")):
        if path.name in ("index.md", "lab.py"):
            files.append(File(str(path.relative_to(ROOT)), str(ROOT), config.site_dir, config.use_directory_urls))
    made: dict[str, str | bytes] = {**fonts.site_files(), **flashcards.decks()}
    made |= labs.notebooks(config.site_url or "", config.extra["repository"])
    made |= {**catalogue_pages.markdown(), **api_pages.markdown(), **runs_table.files()}
    for place, content in made.items():
        files.append(File.generated(config, place, content=content))
    return files


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
    """Name the lectures that are still being written."""
    for section in nav.items:
        if isinstance(section, Section) and section.title == "Lectures":
            for place, title, address in contents.unwritten():
                link = Link(title, address)
                link.parent = section
                section.children.insert(place, link)
    return nav


@event_priority(-50)
def on_pre_page(page: Page, config: MkDocsConfig, files: Files) -> Page:
    """Give a lab's page a `render` that runs the lab only when something that it shows may have changed."""
    run = page.render

    def render(self: Page, config: MkDocsConfig, files: Files) -> None:
        def fresh() -> labs.Shown:
            run(config, files)
            return {"content": self.content or "", "title": str(self.title), "toc": _told(self.toc)}

        shown = labs.remember(Path(self.file.abs_src_path or ""), fresh)
        self.content, self.title = shown["content"], shown["title"]
        self.toc = TableOfContents(_links(shown["toc"]))

    if labs.is_lab(page.file.src_uri):
        page.render = MethodType(render, page)  # type: ignore[method-assign]
    return page


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Begin the page's figures, and fill in what the page asks for by a mark."""
    markdown = markdown.replace(labs.REPOSITORY, config.extra["repository"])
    figures = PageFigures.of(page.file.src_uri, page.file.content_string, page.meta)
    page.meta[FIGURES] = figures
    for extension, settings in figures.extensions().items():
        config.mdx_configs.setdefault(extension, {}).update(settings)
    try:
        markdown = ledger.fill(ledger_opening.fill(flashcards.fill(markdown, figures)), page.url)
    except CalcError as error:
        raise PluginError(f"{page.file.src_uri}: {error}") from None
    markdown = bibliography.fill(changes.fill(citation.fill(further.lead(reading_time.fill(markdown)))))
    return contents.fill(markdown, get_relative_url("lectures/", page.url))


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Refuse a page with mistakes; render formulas, explain terms, list the contents, declare the figures."""
    figures: PageFigures | None = page.meta.get(FIGURES)  # a lab has none
    if figures and figures.mistakes:
        raise PluginError("\n".join(["This page cannot be built.", *figures.mistakes]))
    where = page.file.src_uri
    html = html.replace(labs.REPOSITORY, config.extra["repository"])
    render = mathematics.render_raw if labs.is_lab(where) else mathematics.render_marked
    try:
        html = render(notation.breakable(html), where)
    except mathematics.MathError as error:
        raise PluginError(str(error)) from None
    if "chapter" in page.meta:
        html = glossary.explain(html)
    if where == glossary.WHERE:
        html = glossary.anchored(html)
    html = further.label(html)
    if "toc" not in page.meta.get("hide", ()):
        html = contents.on_this_page(html, page.toc)
    html = notes.counted(contents.asks(html))
    return html + figures.declarations() if figures else html


@event_priority(50)
def _index(context: dict[str, Any], page: Page, config: MkDocsConfig, nav: Navigation) -> dict[str, Any]:
    page.meta["search"] = {"boost": search.weight(page.file.src_uri)} | (page.meta.get("search") or {})
    page.meta[SHOWN], page.content = page.content, search.readable(page.content or "")
    return context


@event_priority(-50)
def _show(context: dict[str, Any], page: Page, config: MkDocsConfig, nav: Navigation) -> dict[str, Any]:
    page.content = page.meta.pop(SHOWN)
    return context


# The search plugin reads a page's text between the two.
on_page_context = CombinedEvent(_index, _show)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Name what the theme leaves unnamed, let search wait, and send no more than the page needs."""
    return tidy.tidied(search.defer(accessible.name_parts(output)))


def on_post_template(output: str, template_name: str, config: MkDocsConfig) -> str:
    """The same for the page of addresses that do not exist."""
    return search.defer(accessible.name_parts(output)) if template_name == "404.html" else output


@event_priority(-50)
def on_post_build(config: MkDocsConfig) -> None:
    """Put the scripts, search and the headers in place; take from style sheets and typefaces what no page uses."""
    config.extra["assets"].install(Path(config.site_dir))
    charts.install(Path(config.site_dir))
    search.install(Path(config.site_dir))
    styles.install(Path(config.site_dir))
    sheet.install(Path(config.site_dir))
    formula_faces.install(Path(config.site_dir))
    (Path(config.site_dir) / policy.HEADERS).write_text(policy.headers(), encoding="utf-8")


def _told(headings: Iterable[AnchorLink]) -> list[dict[str, Any]]:
    """Headings as `labs` keeps them."""
    return [{"title": h.title, "id": h.id, "level": h.level, "children": _told(h.children)} for h in headings]


def _links(headings: list[dict[str, Any]]) -> list[AnchorLink]:
    """Headings as MkDocs has them."""
    links = [AnchorLink(heading["title"], heading["id"], heading["level"]) for heading in headings]
    for link, heading in zip(links, headings, strict=True):
        link.children = _links(heading["children"])
    return links
