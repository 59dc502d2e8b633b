"""The words in the machines that only a person would read: the documentation of what is written in C, and the
docstrings and line tables of the modules that lie compiled in the machine.

They are a seventh of the data that travel. Zeros stand in their place, so that every address stays where it is; a text
in the middle of which anything else may begin stays too.
"""

from __future__ import annotations

import json
from base64 import b64decode
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from web.bundle import cache
from web.bundle.binary import DATA, changed
from web.bundle.fetch import Say
from web.bundle.linked import Linked
from web.bundle.pack import laid_out
from web.bundle.python import run_node
from web.bundle.unread import begun

SCRIPT = Path(__file__).with_name("words.mjs")
THIN = Path(__file__).with_name("thin.py")
LEAST = 40  # bytes of a text that is no message or name as well
END = b"\0"
BEFORE = (END, b"\n")  # in front of a documentation: nothing, or the line behind a signature


@dataclass(frozen=True)
class Words:
    """Documentation; and compiled modules, each with a shorter one that does the same."""

    told: Sequence[bytes]
    frozen: Mapping[bytes, bytes]

    @property
    def parts(self) -> list[bytes]:
        """All of them, for a cache."""
        return [*self.told, *self.frozen, *self.frozen.values()]


def words(pyodide: Path, numpy: Mapping[str, bytes], store: Path, say: Say) -> Words:
    """The words of Pyodide and numpy."""

    def make(folder: Path) -> None:
        say("reading the documentation of what is written in C")
        packages = folder / "packages"
        packages.write_bytes(laid_out(numpy))
        found = run_node(SCRIPT.name, pyodide=pyodide, packages=packages)
        packages.unlink()
        (folder / "words.json").write_text(found, "utf-8")

    parts: list[Path | bytes] = [SCRIPT, THIN, pyodide / "pyodide-lock.json", laid_out(numpy)]
    found = json.loads((cache.made(store, "words", parts, make) / "words.json").read_text("utf-8"))
    told = [each.encode() for each in found["told"]]
    return Words(told, {b64decode(given): b64decode(made) for given, made in found["frozen"]})


def without_words(linked: Linked, said: Words) -> bytes:
    """The module without these words."""
    data = bytearray(linked.data)
    for given, made in said.frozen.items():
        for at in _places(linked.data, given):
            data[at : at + len(given)] = made.ljust(len(given), END)
    named = sorted(begun(linked))
    for text in said.told:
        if len(text) >= LEAST:
            for at in _places(linked.data, text + END):
                inside = bisect_left(named, at + len(text)) - bisect_right(named, at)
                if linked.data[at - 1 : at] in BEFORE and not inside:
                    data[at : at + len(text)] = END * len(text)
    return changed(linked.sections, {DATA: linked.segment[: linked.begin] + data})


def _places(data: bytes, wanted: bytes) -> Iterator[int]:
    at = data.find(wanted)
    while at >= 0:
        yield at
        at = data.find(wanted, at + 1)
