"""The labs: notebooks that mkdocs-jupyter runs, made into pages of this site and into files to download."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypedDict
from urllib.parse import urljoin

import jupytext  # type: ignore[import-untyped]
from bs4 import BeautifulSoup, Tag

from web.cache import FOLDER, ROOT, remembered

INSTALL = "pip install . altair jupyter"
REPOSITORY = "<!-- repository -->"  # pages have the address of mkdocs.yml there
_LAB = re.compile(r"lectures/[^/]+/lab\.py")
_MADE_WITH = ("altair", "jupytext", "mkdocs-jupyter", "nbconvert", "numpy", "vl-convert-python")
_STARTUP = "from web.lab_charts import enable\nenable()\ndel enable\n"
_COPY = (  # the theme's own comes in a <nav> without a name: nine of them are nine landmarks that sound alike
    '<div class="md-code__nav"><button type="button" class="md-code__button" data-md-type="copy" '
    'data-clipboard-target="#code-{place} > code" title="Copy to clipboard"></button></div>'
)
_FOUND = ".celltag_found[id] .jp-OutputArea-output"  # what the cell with that tag prints stands below the title too
_UP = re.compile(r"(?<=\]\()\.\./[^)\s]*")
_QUIET = "get_config().IPKernelApp.log_level = 'ERROR'\n"  # it warns of a socket that never leaves this machine


class Shown(TypedDict):
    """A page that was made from a lab: HTML, title, and headings as `title`, `id`, `level` and `children`."""

    content: str
    title: str
    toc: list[dict[str, Any]]


class LabError(Exception):
    """A lab that runs and yet cannot be published."""


def is_lab(path: str) -> bool:
    """Whether a source file is a lab."""
    return _LAB.fullmatch(path) is not None


def notebooks(site: str, repository: str, root: Path = ROOT) -> dict[str, str]:
    """Every lab as a notebook to download, by its place in the site; the same lab always gives the same bytes."""
    return {
        f"lectures/{name}/lab/{name}.ipynb": notebook(path, f"{site}lectures/{name}/lab/", repository)
        for path in sorted(root.glob("lectures/*/lab.py"))
        for name in [path.parent.name]
    }


def notebook(path: Path, page: str, repository: str) -> str:
    """One lab as a notebook that has not been run: it says what it needs, and its links lead to the site."""
    made = jupytext.read(path)
    words = [cell for cell in made.cells if cell.cell_type == "markdown"]
    for cell in words:
        cell.source = _UP.sub(lambda found: urljoin(page, found[0]), cell.source)
    for cell in words[:1]:
        cell.source += f"\n\nTo run it: `{INSTALL}` in a copy of [the course’s repository]({repository})."
    made.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    for place, cell in enumerate(made.cells, 1):
        cell["id"] = f"cell-{place}"
    text: str = jupytext.writes(made, fmt="ipynb")
    return text


def remember(lab: Path, run: Callable[[], Shown]) -> Shown:
    """The page of a lab, which is run only when the lab, `calc` or a tool has changed.

    The plugin's own cache is off in `mkdocs.yml`: it would hand out what an older `calc` had answered.
    """

    def fresh() -> str:
        _prepare_kernel()
        shown = run()
        return json.dumps({**shown, "content": tidy(shown["content"], f"lectures/{lab.parent.name}/{lab.name}")})

    kept: Shown = json.loads(remembered("labs", _ingredients(lab), fresh))
    return kept


def tidy(page: str, where: str) -> str:
    """The part of mkdocs-jupyter's page that matters, without its 590 kB of styles and scripts."""
    soup = BeautifulSoup(page, "html.parser")
    name = where.split("/")[1]
    offer = f'<a href="{name}.ipynb" download>Download this lab as a notebook</a>'
    copy = f'<a href="{REPOSITORY}">the course’s repository</a>'
    bar = f'<p class="rl-lab-bar">{offer}. To run it: <code>{INSTALL}</code> in a copy of {copy}.</p>'
    said = [f"<p><strong>{escape(each.get_text().strip())}</strong></p>" for each in soup.select(_FOUND)]
    found = enumerate(soup.select(".jp-Notebook .jp-Cell[id]"), 1)
    cells = [part for place, cell in found for part in _cell(cell, place, where)]
    heading = next((place for place, part in enumerate(cells, 1) if "<h1" in part), 0)
    return "\n".join(['<div class="rl-lab">', *cells[:heading], *said, bar, *cells[heading:], "</div>"])


def _cell(cell: Tag, place: int, where: str) -> Iterator[str]:
    if text := cell.select_one(".jp-RenderedMarkdown"):
        for anchor in text.select("a.anchor-link"):
            anchor["class"], anchor["title"], anchor.string = "headerlink", "Link to this section", "#"
        yield text.decode_contents().strip()
    if code := cell.select_one(".jp-InputArea pre"):
        source = code.decode_contents().strip()
        shown = f'<pre tabindex="0" id="code-{place}"><code>{source}</code></pre>'
        yield f'<div class="highlight rl-code no-copy">{shown}{_COPY.format(place=place)}</div>'
    for output in cell.select(".jp-OutputArea-output"):
        yield _output(output, where)


def _output(output: Tag, where: str) -> str:
    if output.get("data-mime-type") == "application/vnd.jupyter.stderr":
        raise LabError(f"{where} warns: {output.get_text(' ', strip=True)[:300]}")
    if output.find("script"):
        raise LabError(f"{where}: an output needs a script to be seen; draw it with Altair or print it.")
    scrolls = ' tabindex="0"' if output.find(["pre", "table"]) else ""
    return f'<div class="rl-output"{scrolls}>{output.decode_contents().strip()}</div>'


def _prepare_kernel() -> None:
    """An IPython profile of our own, in which charts are drawn as SVG and nobody's settings interfere."""
    startup = FOLDER / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True, exist_ok=True)
    (startup / "00-charts.py").write_text(_STARTUP, encoding="utf-8")
    (startup.parent / "ipython_kernel_config.py").write_text(_QUIET, encoding="utf-8")
    os.environ["IPYTHONDIR"] = str(FOLDER / "ipython")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))


def _ingredients(lab: Path) -> list[str]:
    sources = [lab, *sorted((ROOT / "calc").rglob("*.py")), *sorted((ROOT / "calc").rglob("*.toml"))]
    sources += [ROOT / "web" / name for name in ("labs.py", "lab_charts.py", "fonts.py")]
    return [*(f"{name} {version(name)}" for name in _MADE_WITH), *(path.read_text("utf-8") for path in sources)]
