"""A lecture weighs little until its reader touches something."""

from __future__ import annotations

from urllib.parse import urlsplit

from calc.chapters import CHAPTERS

BUDGET = 240_000  # bytes gzipped, of the page and all that it asks for
DEAR = "Object.defineProperty(navigator, 'connection', {value: {saveData: true}})"


def test_the_heaviest_lecture_keeps_to_its_budget_before_a_touch(visit, site):
    def packed(path):
        return len(site.packed(site.find(site.base + path)[1]))

    lectures = (f"lectures/{chapter.name}/" for chapter in CHAPTERS)
    heaviest = max((path for path in lectures if site.find(site.base + path)[0] == 200), key=packed)
    reader = visit(heaviest, before=DEAR)
    reader.page.wait_for_load_state("networkidle")
    asked = {urlsplit(address).path.removeprefix(site.base) for address in reader.requests}
    weights = {path: packed(path) for path in asked}
    assert len(weights) > 8
    assert sum(weights.values()) <= BUDGET, weights
