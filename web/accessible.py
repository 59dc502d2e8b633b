"""Names for the parts of Material's pages that have none, so that a screen reader can tell them apart."""

from __future__ import annotations

import re

_MENDED = (
    (re.compile(r'(data-md-component="search" role="dialog")>'), r'\1 aria-label="Search">'),
    (re.compile(r'(data-md-component="progress") role="progressbar"'), r'\1 aria-hidden="true"'),
    (re.compile(r'<label class="md-nav__title" for="(__nav_[\d_]+)"'), r'\g<0> id="\1_title"'),
    (re.compile(r'(<nav class="md-nav" data-md-level="\d" aria-labelledby="__nav_[\d_]+)_label"'), r'\1_title"'),
    (re.compile(r'(<label class="md-nav__link[^>]*?) id="__nav_[\d_]+_label"'), r"\1"),
    (re.compile(r'(<label class="md-nav__link[^>]*) tabindex="0?">(?=\s*<span class="md-nav__icon)'), r"\1>"),
    (re.compile(r'(class="md-search__scrollwrap") tabindex="0"'), r"\1"),
    (re.compile(r'class="md-search-result__meta"'), r'\g<0> role="status"'),
)


def name_parts(page: str) -> str:
    """The page with its search dialog and its nested menus named, and its progress bar left to the eye.

    Keys pass by what has no name: the arrow beside a section, whose own page lists the rest, and the box around the
    answers of a search, to which they come one by one.
    """
    for pattern, mended in _MENDED:
        page = pattern.sub(mended, page)
    return page
