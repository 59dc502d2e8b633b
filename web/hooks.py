"""What the build does beside Markdown: MkDocs events, each handing over to the module that knows how."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from mkdocs.config.config_options import ExtraScriptValue
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
log = get_plugin_logger("rooflines")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Make the scripts, and have every page load the one that is its own."""
    from web import assets, bundle

    try:
        made = assets.build(ROOT, log.info)
    except bundle.BundleError as error:
        raise PluginError(str(error)) from None
    script = ExtraScriptValue(made.page)
    script.type = "module"
    config.extra_javascript.append(script)
    config.extra["assets"] = made
    return config


@event_priority(100)
def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the lectures, which live beside `docs/`, under `lectures/`, and their cards."""
    from web import flashcards

    for path in sorted((ROOT / "lectures").glob("*/*")):
        if path.name in ("index.md", "lab.py"):
            files.append(File(str(path.relative_to(ROOT)), str(ROOT), config.site_dir, config.use_directory_urls))
    for chapter in flashcards.chapters():
        place = f"lectures/{chapter}/flashcards.csv"
        files.append(File.generated(config, place, content=flashcards.as_csv(chapter)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Begin the page's figures, and put in the claims and the flashcards that it asks for."""
    from web import fences, flashcards, ledger

    fences.begin(page.file.src_uri, page.file.content_string, page.meta)
    return ledger.fill(flashcards.fill(markdown, str(page.meta.get("chapter", ""))), page.url)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Refuse a page with mistakes in its figures; declare those that its prose quotes."""
    from web import fences

    if fences.PAGE.path == page.file.src_uri and fences.PAGE.mistakes:
        raise PluginError("\n".join(["This page cannot be built.", *fences.PAGE.mistakes]))
    return html + fences.PAGE.declarations() if fences.PAGE.path == page.file.src_uri else html


def on_post_build(config: MkDocsConfig) -> None:
    """Put the scripts in place, and forget what this build imported: the next may see an edited formula."""
    config.extra["assets"].install(Path(config.site_dir))
    for name in [name for name in sys.modules if name.partition(".")[0] in ("calc", "web")]:
        del sys.modules[name]


def on_serve(server: LiveReloadServer, config: MkDocsConfig, builder: Any) -> LiveReloadServer:
    """Rebuild when a formula, a lecture or the site's own code changes."""
    for folder in ("calc", "lectures", "web"):
        server.watch(str(ROOT / folder))
    return server
