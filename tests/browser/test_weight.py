"""A lecture weighs little until its reader touches something."""

from __future__ import annotations

from urllib.parse import urlsplit

from tests.browser.reader import DEAR
from web.contents import LECTURES

BUDGET = 220_000  # bytes gzipped, of the page and all that it asks for


def test_every_lecture_keeps_to_its_budget_before_a_touch(visit, site):
    for lecture in LECTURES:
        if lecture.written:
            reader = visit(f"lectures/{lecture.chapter}/", before=DEAR)
            reader.page.wait_for_load_state("networkidle")
            files = {site.find(urlsplit(address).path)[1] for address in reader.requests}
            weights = {file.name: len(site.packed(file)) for file in files}
            assert len(weights) > 8
            assert sum(weights.values()) <= BUDGET, (lecture.chapter, weights)
