"""Rows of stages that decoded and rows that read prompts, beside equation (1) of lecture 3.

By (1) stages compute for the share N_b / P of the time, with at most one micro-batch for each request.
"""

from __future__ import annotations

from itertools import pairwise

from calc.catalog.decoding_rows import DecodingRow, PromptRow, decoding_rows, prompt_rows
from calc.pipelining.decoding import decode_cycle

ONE_STAGE = (0.92, 1.11)
"""The authors' count over measured tokens a second without stages, least and most, in their words -8% to +11%."""


def filled(stages: int, load: int) -> float:
    """Share of the time for which a stage computes, by (1) with free hops and a micro-batch for each request.

    >>> filled(16, 4), filled(8, 32)
    (0.25, 1.0)
    """
    return float(decode_cycle(1.0, stages, min(stages, load)).utilisation)


def full(row: DecodingRow) -> bool:
    """Whether there are requests enough for each stage to have one."""
    return row.load >= row.stages


def of_load(load: int) -> list[DecodingRow]:
    """Runs with so many requests at once.

    >>> [row.over_slices for row in of_load(128)]
    [0.38, 0.54, 0.4]
    """
    return [row for row in decoding_rows() if row.load == load]


def unwaited_over(row: DecodingRow) -> float:
    """The count over what was measured, if stages did not wait as (1) says.

    >>> round(unwaited_over(of_load(1)[-1]), 2)
    7.45
    """
    return row.counted_over / filled(row.stages, row.load)


def wider_gains() -> list[float]:
    """How many times as soon a lone request's token came with twice the chips in a stage: from one chip up to eight.

    >>> [round(each, 2) for each in wider_gains()]
    [1.53, 1.46, 1.61]
    """
    alone = sorted(of_load(1), key=lambda row: row.slices)
    grown = [wide.known_rate / narrow.known_rate for narrow, wide in pairwise(alone)]
    return [*grown, 1 / alone[-1].over_slices]


def of_the_most(row: PromptRow) -> float:
    """Tokens read over those of the same way with the most prompts at once.

    >>> round(of_the_most(prompt_rows()["stages", 4]), 2)
    0.27
    """
    most = max((each for each in prompt_rows().values() if each.way == row.way), key=lambda each: each.load)
    return row.rate / most.rate
