"""What the build does around the lectures: typefaces, mathematics, labs, catalogue pages, the citation."""

from __future__ import annotations

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """List the lectures that are written in the navigation."""
    from web import contents

    for entry in config.nav or []:
        if "Lectures" in entry:
            entry["Lectures"] = contents.nav()
    return config


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
    """Name the lectures that are still being written."""
    from web import contents

    for item in nav.items:
        if isinstance(item, Section) and item.title == "Lectures":
            contents.complete(item)
    return nav


@event_priority(100)
def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the typefaces, the labs as notebooks, and the pages written from the catalogue and from calc."""
    from web import api_pages, catalogue_pages, fonts, labs

    made: dict[str, str | bytes] = {**fonts.site_files(), **labs.notebooks()}
    made |= {**catalogue_pages.markdown(), **api_pages.markdown()}
    for place, content in made.items():
        files.append(File.generated(config, place, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Fill in what a page asks for: the list of lectures, the citation, what changed, the bibliography."""
    from mkdocs.utils import get_relative_url

    from web import bibliography, changes, citation, contents

    filled = bibliography.fill(changes.fill(citation.fill(markdown)))
    return contents.fill(filled, get_relative_url("lectures/", page.url))


@event_priority(-50)
def on_pre_page(page: Page, config: MkDocsConfig, files: Files) -> Page:
    """Run a lab only when something that it shows may have changed."""
    from web import labs

    return labs.remember(page) if labs.is_lab(page.file.src_uri) else page


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Render the formulas, explain a lecture's terms, and gather what the script needs to know at the end."""
    from web import contents, gathered, glossary, labs, mathematics, notation

    where = page.file.src_uri
    render = mathematics.render_raw if labs.is_lab(where) else mathematics.render_marked
    try:
        rendered = render(notation.breakable(html), where)
        explained = glossary.explain(rendered) if "chapter" in page.meta else rendered
        folded = explained if "toc" in page.meta.get("hide", ()) else contents.on_this_page(explained, page.toc)
        return gathered.gather(folded)
    except mathematics.MathError as error:
        raise PluginError(str(error)) from None


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Name what the theme leaves unnamed, and let search wait."""
    return _mended(output)


def on_post_template(output: str, template_name: str, config: MkDocsConfig) -> str:
    """The same for the page of addresses that do not exist."""
    return _mended(output) if template_name == "404.html" else output


@event_priority(-50)
def on_post_build(config: MkDocsConfig) -> None:
    """Put search in place."""
    from pathlib import Path

    from web import search

    search.install(Path(config.site_dir))


def _mended(page: str) -> str:
    from web import accessible, search

    return search.defer(accessible.name_parts(page))
