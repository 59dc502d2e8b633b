"""Declarations side by side at the end of a page: what they share, compression then says once."""

from __future__ import annotations

import re

_DECLARATION = re.compile(r'<template class="rl-declaration".*?</template>\n?', re.S)


def gather(page: str) -> str:
    """The page with the declarations of its figures moved to its end, in their order."""
    return _DECLARATION.sub("", page) + "".join(match.strip() for match in _DECLARATION.findall(page))
