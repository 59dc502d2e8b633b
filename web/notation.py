"""The meaning of a symbol wherever it is used: each formula says on hover what its letters stand for.

The notation page is the one place where symbols are defined. Each of its sections names the lectures that it belongs
to, and a lecture sees the meanings of its own sections only.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from web.cache import ROOT

PAGE = ROOT / "docs" / "reference" / "notation.md"

_ROW = re.compile(r"^\| (?P<symbols>\$.+?\$) \| (?P<unit>[^|]*?) ?\| (?P<meaning>[^|]+?) \|", re.M)
_BELONGS = re.compile(r"\]\(\.\./lectures/(\w+)/index\.md\)")
_LECTURE = re.compile(r"lectures/(\w+)/")
_FORMULA = re.compile(r"\$([^$]+)\$")
_WORDS = re.compile(r"(?:\w_)?\\(?:text|operatorname|begin|end)\{[^{}]*\}|\\\\\[\w+\]")
_SUBSCRIPT = r"_(?:\{(?:[^{}]|\{[^{}]*\})*\}|\w)"
_DRESS = {"mathbf": "", "mathcal": "", "mathrm": "", "bar": "\u0304", "hat": "\u0302"}  # how it is said in plain text
_SYMBOL = re.compile(
    rf"\\(?P<dress>{'|'.join(_DRESS)})\s*\{{?(?P<letter>\w)\}}?(?:{_SUBSCRIPT})?"
    rf"|\\(?P<command>[A-Za-z]+)(?:{_SUBSCRIPT})?|[A-Za-z](?:{_SUBSCRIPT})?(?:\^\*|')?"
)
_CELL = re.compile(r"<td[^>]*><code>.*?</td>", re.S)
_CODE = re.compile(r"(?<=<code>)[^<]+(?=</code>)")
_GREEK = re.compile(
    "alpha|beta|gamma|delta|(?:var)?epsilon|zeta|eta|theta|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|phi|chi|psi|omega"
    "|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Phi|Psi|Omega"
)


def breakable(page: str) -> str:
    """The page with names in its tables that a narrow screen breaks after an underscore and nowhere else."""

    def broken(name: re.Match[str]) -> str:
        return re.sub(r"(?<=\w)[_(](?=\w)", r"\g<0><wbr>", name[0])

    return _CELL.sub(lambda cell: _CODE.sub(broken, cell[0]), page)


def rows(page: Path = PAGE) -> Iterator[tuple[frozenset[str], str, str]]:
    """Each symbol of the notation page: the lectures that it belongs to, the symbol, its meaning with its unit."""
    for section in re.split(r"^## ", page.read_text(encoding="utf-8"), flags=re.M):
        lectures = frozenset(_BELONGS.findall(section))
        for row in _ROW.finditer(section):
            written = [tex.partition("=")[0].strip() for tex in _FORMULA.findall(row["symbols"])]
            parts = row["meaning"].split("; ")
            senses = parts if len(parts) == len(written) else [row["meaning"]] * len(written)
            unit = f" ({row['unit']})" if row["unit"] else ""
            for symbol, sense in zip(written, senses, strict=True):
                yield lectures, symbol, _plain(sense) + unit


def meanings(lecture: str = "") -> Mapping[str, str]:
    """The meaning of each symbol in a lecture; without one, the symbols that mean the same in all of them."""
    found: dict[str, str] = {}
    ambiguous = set()
    for lectures, symbol, meaning in rows():
        if (not lecture or lecture in lectures) and found.setdefault(symbol, meaning) != meaning:
            ambiguous.add(symbol)
    return {symbol: meaning for symbol, meaning in found.items() if symbol not in ambiguous}


def symbols(tex: str) -> list[str]:
    """The symbols of a formula, each once, in the order of their first use; not what words and commands spell."""
    found = (_name(match) for match in _SYMBOL.finditer(_WORDS.sub("{}", tex)))
    return list(dict.fromkeys(symbol for symbol in found if symbol))


def lookup(symbol: str, known: Mapping[str, str]) -> str | None:
    """A Greek or dressed letter means the same with every subscript; a plain one with a subscript is its own symbol."""
    base = symbol.partition("_")[0] if symbol.startswith("\\") else symbol.rstrip("'")
    return known.get(symbol, known.get(base))


def explain(tex: str, where: str = "") -> str:
    """The meanings of a formula's symbols on the page whose source is `where`."""
    lecture = _LECTURE.match(where)
    known = _known(lecture[1] if lecture else "")
    named = dict.fromkeys(symbol if symbol in known else symbol.rstrip("'") for symbol in symbols(tex))
    said = ((symbol, lookup(symbol, known)) for symbol in named)
    return "; ".join(f"{_spoken(symbol)}: {meaning}" for symbol, meaning in said if meaning)


@cache
def _known(lecture: str) -> Mapping[str, str]:
    return meanings(lecture)


def _name(match: re.Match[str]) -> str:
    """A symbol as the notation page writes it; empty for a command that is no letter."""
    if match["dress"]:
        return rf"\{match['dress']} {match['letter']}"
    return "" if match["command"] and not _GREEK.fullmatch(match["command"]) else match[0]


def _spoken(symbol: str) -> str:
    dress, _, letter = symbol.removeprefix("\\").partition(" ")
    if letter:
        return unicodedata.normalize("NFC", letter + _DRESS[dress])
    return re.sub(r"[\\{}]|text", "", symbol)


def _plain(markdown: str) -> str:
    return re.sub(r"[`$*\\]", "", markdown).strip()
