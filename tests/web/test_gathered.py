"""Gathering moves declarations and nothing else, and makes a page lighter."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable

from calc import figures
from web.gathered import gather

DECLARATIONS = re.compile(r'<template class="rl-declaration" data-figure="([^"]+)"')


def test_every_declaration_stands_at_the_end_in_its_order(page: Callable[[str], str]) -> None:
    names = [figure.slug for figure in figures.of_chapter("batching").values() if figure.chart]
    whole = page("\n\n".join(f"```figure\n{name}\n```\n\nThen words." for name in names))
    gathered = gather(whole)
    assert DECLARATIONS.findall(gathered) == [f"batching/{name}" for name in names]
    assert gathered.index("<template") > gathered.rindex("</figure>")
    assert sorted(gathered.replace("\n", "")) == sorted(whole.replace("\n", ""))
    assert len(gzip.compress(gathered.encode())) < 0.95 * len(gzip.compress(whole.encode()))


def test_a_page_without_figures_is_left_alone() -> None:
    assert gather("<p>Words.</p>\n") == "<p>Words.</p>\n"
