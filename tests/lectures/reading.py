"""A lecture as its tests read it: the text, what it quotes and draws, its cards and its lab."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from calc.figure import registry
from calc.figure.declared import Value
from calc.quantities.parsing import parse
from calc.quantities.units import show
from tests.calc.figure.asking import standing

LECTURES = Path(__file__).resolve().parents[2] / "lectures"
QUOTED = r"`#!value [^`]+`"
TERM = rf"(?:{QUOTED}|\$[\d.,{{}}]+\$)"
OPERATORS = {"/": "/", "÷": "/", "×": "*", "·": "*", "+": "+", "−": "-"}
_FOLD = re.compile(r"^\?\?\? .*\n(?:    .*\n|\n)*", re.M)
OF_THE_READER = r"\*\*What to notice\.\*\*|\b[Yy]ours?\b"  # a passage with one of these speaks of the reader's setting


def opened(markdown: str) -> str:
    """A text as a reader sees it who opens no fold."""
    return _FOLD.sub("", markdown)


@dataclass(frozen=True)
class Lecture:
    """The expectations of one lecture. `covers` is in seconds of the recording; `names` may be typed.

    `moving` are figures that follow the reader's setting, and are quoted where the text speaks of the picture.
    """

    chapter: str
    number: int
    claims: str
    covers: tuple[tuple[int, int], ...]
    drawn: set[str]
    suggestions: int
    small: set[str]
    names: str
    moving: frozenset[str] = frozenset()
    least_quoted: int = 100

    @property
    def folder(self) -> Path:
        return LECTURES / self.chapter

    @cached_property
    def text(self) -> str:
        return (self.folder / "index.md").read_text(encoding="utf-8")

    @cached_property
    def lab(self) -> str:
        return (self.folder / "lab.py").read_text(encoding="utf-8")

    @cached_property
    def cards(self) -> list[dict[str, str]]:
        return tomllib.loads((self.folder / "flashcards.toml").read_text(encoding="utf-8"))["card"]

    @property
    def quoted(self) -> list[tuple[str, str]]:
        """Every figure and value that the text quotes."""
        return [name.rpartition(".")[::2] for name in re.findall(r"`#!value ([^`]+)`", self.text)]

    @property
    def moved(self) -> set[str]:
        """Figures that follow the reader's setting, and are quoted in a passage that does not speak of it."""
        asked = [slug for slug, _ in self.quoted if registry.find(self.full_name(slug)).inputs]
        passages = [each for each in re.split(r"\n\s*\n", self.text) if not re.search(OF_THE_READER, each)]
        return {slug for slug in asked if any(f"`#!value {slug}." in each for each in passages)}

    @property
    def fences(self) -> list[list[str]]:
        """The lines of every figure fence: its name, and what a reader might try."""
        text = re.sub(r"^lead: .*\n", "", self.text, flags=re.M)
        return [each.strip().splitlines() for each in re.findall(r"^```figure\n(.*?)^```$", text, re.S | re.M)]

    @property
    def equations(self) -> list[str]:
        """The TeX of every displayed equation."""
        return re.findall(r"\$\$(.+?)\$\$", self.text, re.S)

    @property
    def typed(self) -> str:
        """The text without mathematics, code, links, fences, footnotes and names."""
        text = re.sub(r"\A---.*?^---$", "", self.text, flags=re.S | re.M)
        text = re.sub(r"^```.*?^```$|\$\$.*?\$\$", "", text, flags=re.S | re.M)
        text = re.sub(r"\$[^$]+\$|`[^`]+`|\]\([^)]*\)|^\[\^\w+\]: .*$|\[\^\w+\]|<!--.*?-->", "", text, flags=re.M)
        return re.sub(self.names, "", text)

    def full_name(self, name: str) -> str:
        """A figure's name with its chapter."""
        return name if "/" in name else f"{self.chapter}/{name}"

    def value(self, quoted: str) -> Value:
        """A quoted value, by its mark in the text."""
        slug, _, value = quoted.removeprefix("`#!value ").removesuffix("`").rpartition(".")
        return standing(self.full_name(slug)).values[value]

    @property
    def calculations(self) -> list[str]:
        """Calculations that the text shows: terms and operators, then `=` and a result."""
        text = re.sub(r"(\$\d+) \\times\$", r"\1$ ×", self.text)
        return [each[0] for each in re.finditer(rf"(?:{TERM} [{''.join(OPERATORS)}] )+{TERM} = {QUOTED}", text)]

    def repeated(self, calculation: str) -> tuple[str, str]:
        """The result of a calculation if the printed numbers are put in, and the result that is printed."""
        *parts, _, result = re.split(r" ([/×·+−÷=]) ", calculation)
        put = [OPERATORS.get(part) or repr(self._printed(part)) for part in parts]
        value = self.value(result)
        return show(eval("".join(put)), value.unit, value.digits), value.text

    def _printed(self, term: str) -> float:
        """A term as it is printed: a typed number, or a quoted one that is read back from its text."""
        if term.startswith("$"):
            return parse(term.strip("$").replace("{,}", ","))
        value = self.value(term)
        return parse(value.text.removesuffix("×"), "" if value.unit == "x" else value.unit)
