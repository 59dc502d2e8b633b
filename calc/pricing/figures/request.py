"""A long request in dollars, part by part: what is asked for it, and what it costs in a design."""

from __future__ import annotations

from calc import catalog
from calc.pricing.figures.reading import reading_times, writing_times
from calc.pricing.figures.shared import Slower
from calc.quantities.arithmetic import MILLION

SHEET = catalog.price("gemini-3.1-pro-preview")
FRESH, WRITTEN = 0.1, 1000.0  # share of the prompt that is read and not found; tokens of the answer
PARTS = HITS, READ, ANSWER, ATTENTION = ("hits", "read", "answer", "attention")


def asked(prompt: float, *, past: bool) -> dict[str, float]:
    """Dollars asked for hits, tokens read and the answer, at the prices past the step or below it.

    >>> {part: round(dollars, 3) for part, dollars in asked(1e6, past=True).items()}
    {'hits': 0.36, 'read': 0.4, 'answer': 0.018}
    """
    end = "_above" if past else ""
    hit, read, written = (
        SHEET.known(f"{kind}{end}") for kind in ("cached" if past else "cached_input", "input", "output")
    )
    dollars = (1 - FRESH) * prompt * hit, FRESH * prompt * read, WRITTEN * written
    return dict(zip(PARTS, (each / MILLION for each in dollars), strict=False))


def costs(design: str, prompt: float, slower: Slower) -> dict[str, float]:
    """Dollars that the parts cost in a design, if hits and tokens with nothing before them are sold at cost."""
    short, new = asked(prompt, past=False), FRESH * prompt
    return short | {
        ANSWER: short[ANSWER] * writing_times(design, prompt, slower),
        ATTENTION: short[READ] * (reading_times(design, new, prompt - new, slower) - 1),
    }
