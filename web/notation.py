"""The meaning of a symbol wherever it is used: each formula says on hover what its letters stand for.

The notation page is the one place where symbols are defined; this reads its tables.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from web.cache import ROOT

PAGE = ROOT / "docs" / "reference" / "notation.md"

_ROW = re.compile(r"^\| (?P<symbols>\$.+?\$) \| (?P<unit>[^|]*?) ?\| (?P<meaning>[^|]+?) \|", re.M)
_FORMULA = re.compile(r"\$([^$]+)\$")
_WORDS = re.compile(
    r"\\(?:text|mathrm|operatorname|begin|end)\{[^{}]*\}|\\(?:bar|hat|mathcal)\s*(?:\{[^{}]*\}|\w)|\\\\\[\w+\]"
)
_SUBSCRIPT = r"_(?:\{(?:[^{}]|\{[^{}]*\})*\}|\w)"
_SYMBOL = re.compile(rf"\\[A-Za-z]+(?:{_SUBSCRIPT})?|[A-Za-z](?:{_SUBSCRIPT})?(?:\^\*)?")


def meanings(page: Path = PAGE) -> Mapping[str, str]:
    """Every symbol of the notation page with its meaning and unit."""
    found: dict[str, str] = {}
    for row in _ROW.finditer(page.read_text(encoding="utf-8")):
        symbols = [tex.partition("=")[0].strip() for tex in _FORMULA.findall(row["symbols"])]
        parts = row["meaning"].split("; ")
        senses = parts if len(parts) == len(symbols) else [row["meaning"]] * len(symbols)
        unit = f" ({row['unit']})" if row["unit"] else ""
        found |= {symbol: _plain(sense) + unit for symbol, sense in zip(symbols, senses, strict=True)}
    return found


def explain(tex: str) -> str:
    """What the symbols of a formula stand for, in the order of their first use."""
    known = _known()
    used = dict.fromkeys(_base(symbol) for symbol in _SYMBOL.findall(_WORDS.sub("{}", tex)))
    return "; ".join(f"{_spoken(symbol)}: {known[symbol]}" for symbol in used if symbol in known)


def _base(symbol: str) -> str:
    """A Greek letter means the same with every subscript; a Latin one with a subscript is a symbol of its own."""
    return symbol.partition("_")[0] if symbol.startswith("\\") else symbol


@cache
def _known() -> Mapping[str, str]:
    return meanings()


def _spoken(symbol: str) -> str:
    return re.sub(r"[\\{}]|text", "", symbol)


def _plain(markdown: str) -> str:
    return re.sub(r"[`$*\\]", "", markdown).strip()
