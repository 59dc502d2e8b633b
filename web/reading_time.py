"""How long a lecture takes: `<!-- reading time -->` becomes a sentence's beginning, counted and not typed.

Two hundred words a minute, a minute a figure, two an exercise, rounded to five minutes. Counted is what stands before
the exercises, folds included; not formulas, tables of claims, cards and sources. Further sections are counted apart.
"""

from __future__ import annotations

import re

from web import further

MARK = "<!-- reading time -->"
WORDS_A_MINUTE, MINUTES_A_FIGURE, MINUTES_AN_EXERCISE, STEP = 200, 1, 2, 5
_EXERCISES = "\n## Exercises\n"
_FIGURE = re.compile(r"^```figure\n.*?^```$", re.M | re.S)
_SILENT = re.compile(r"\A---\n.*?^---$|^```.*?^```$|\$\$.*?\$\$|<!--.*?-->|\]\([^)]*\)|\[\^\w+\]", re.M | re.S)
_EXERCISE = re.compile(r"^\*\*\d+\.\*\* ", re.M)


def fill(markdown: str) -> str:
    """A lecture with its mark replaced."""
    return markdown.replace(MARK, sentence(markdown)) if MARK in markdown else markdown


def sentence(markdown: str) -> str:
    """How long a first reading takes, how much longer the exercises, and the sections that may wait."""
    working = len(_EXERCISE.findall(markdown.partition(_EXERCISES)[2])) * MINUTES_AN_EXERCISE
    said = f"Reading takes about {first(markdown)} minutes with its figures, and the exercises {rounded(working)} more"
    _, later = further.split(markdown)
    if not later:
        return said
    return f"{said}. The sections after the takeaway take another {rounded(minutes(later))}, and may wait"


def first(markdown: str) -> int:
    """Minutes that a first reading of a lecture takes, rounded."""
    return rounded(minutes(further.split(markdown)[0].partition(_EXERCISES)[0]))


def minutes(markdown: str) -> float:
    """Minutes that a text takes with its figures."""
    return words(markdown) / WORDS_A_MINUTE + len(_FIGURE.findall(markdown)) * MINUTES_A_FIGURE


def words(markdown: str) -> int:
    """Words of a text, a number or a formula in a line counting as one.

    >>> words("Two words, $a + b$ and `#!value x.y` more.")
    6
    """
    plain = re.sub(r"`[^`]*`|\$[^$]+\$", "x", _SILENT.sub(" ", markdown))
    return len(re.findall(r"\w[\w'’-]*", plain))


def rounded(exact: float) -> int:
    """To five minutes, and never none.

    >>> rounded(42.5), rounded(1)
    (45, 5)
    """
    return max(STEP, STEP * int(exact / STEP + 0.5))
