"""A lecture weighs little until its reader touches something."""

from __future__ import annotations

from urllib.parse import urlsplit

from tests.browser.reader import DEAR
from web.contents import LECTURES

BUDGET = 220_000  # bytes gzipped, of the page and all that it asks for


def test_every_lecture_keeps_to_its_budget_before_a_touch(visit, site):
    chapters = [lecture.chapter for lecture in LECTURES if lecture.written]
    readers = {chapter: visit(f"lectures/{chapter}/", before=DEAR) for chapter in chapters}
    for chapter, reader in readers.items():
        reader.page.wait_for_load_state("networkidle")
        files = {site.find(urlsplit(address).path)[1] for address in reader.requests}
        weights = {file.name: len(site.packed(file)) for file in files}
        assert len(weights) > 8
        assert sum(weights.values()) <= BUDGET, (chapter, weights)
