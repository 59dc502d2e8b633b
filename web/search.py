"""Search that costs a page nothing until it is used: Material's worker and index wait for the first question."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

SCRIPT = "assets/search.js"
INDEX = "search/texts.json"
_WORKER = re.compile(r'"search": "([^"]*)assets/(javascripts/workers/search\.\w+\.min\.js)"')


def defer(page: str) -> str:
    """The page with our worker where Material's stands."""
    return _WORKER.sub(rf'"search": "\1{SCRIPT}"', page)


def install(site: Path) -> None:
    """Keep the index under another name, leave an empty one for the page to find, and write the worker that waits."""
    shutil.rmtree(site / "assets" / "javascripts" / "lunr", ignore_errors=True)  # stemmers of other languages
    found = site / "search" / "search_index.json"
    full = found.read_text("utf-8")
    (site / INDEX).write_text(full, encoding="utf-8")
    found.write_text(json.dumps(json.loads(full) | {"docs": []}), encoding="utf-8")
    worker = next((site / "assets/javascripts/workers").glob("search.*.min.js"))
    script = Path(__file__).with_suffix(".js").read_text("utf-8")
    script = script.replace("{worker}", f"javascripts/workers/{worker.name}").replace("{index}", f"../{INDEX}")
    (site / SCRIPT).write_text(script, encoding="utf-8")
