"""Whole racks in MLPerf Inference: the time from token to token beside the forecast of their groups of chips."""

from __future__ import annotations

import math
from typing import Any

from calc.catalog.measurement import MLPERF_SOURCE
from calc.catalog.racks import RACKS_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import plain, show
from calc.world.figures.both_ends import both_ends
from calc.world.racks import CHIPS, GROUP, PROMPT, PROMPTS, dearer, plain_racks, racks

COMPARED = UNSAID = "NVIDIA"  # both scenarios are on record, drafts of the fast one, and no layout of the full one


def whole() -> Answer:
    """Three entries that fill a rack with one token of a sequence a step, and two that are fast and guess ahead."""
    found = plain_racks()
    over = [each.over() for each in found]
    varied = [each.over(prompt) for each in found for prompt in PROMPTS]
    ours = {each.row.scenario: each for each in racks() if each.row.organization == COMPARED}
    quick = ours["Interactive"]
    expected = [each.expected() for each in found]
    low, high = zip(*(tuple(map(float, each.band_80)) for each in expected), strict=True)
    return Answer(
        finding=(
            f"Racks full of DeepSeek-R1 in FP4 took {show(min(over), 'x')} to {show(max(over), 'x')} the forecast of "
            f"their groups of {plain(GROUP)} chips"
        ),
        description=(
            f"A row for each of {len(found)} entries of MLPerf on {CHIPS} chips: the measured time from token to "
            f"token as a dot, the forecast as a tick with its band of four in five, and the bound. "
            + "; ".join(
                f"{each.row.organization} {show(each.row.token_seconds, 's')}, forecast {show(one.seconds, 's')}"
                for each, one in zip(found, expected, strict=True)
            )
            + "."
        ),
        tables={
            "racks": {
                "entry": [each.row.organization for each in found],
                "named": [each.row.result.entry for each in found],
                "result": [each.row.result.result for each in found],
                "flight": [each.of_a_chip for each in found],
                "held": [each.held() for each in found],
                "measured": [1e3 * each.row.token_seconds for each in found],
                "expected": [1e3 * float(each.seconds) for each in expected],
                "low": [1e3 * each for each in low],
                "high": [1e3 * each for each in high],
                "bound": [1e3 * each.row.token_seconds / each.over_bound for each in found],
                "over": over,
            }
        },
        values={
            **both_ends("over", over, "Measured over forecast", "x", 3),
            **both_ends("varied", varied, "with shorter or longer prompts", "x", 3),
            **both_ends("step", [each.row.token_seconds for each in found], "From token to token", "s", 3),
            "bound": Value(min(each.over_bound for each in found), "x", "Over the bound, the least", 2),
            "count": Value(len(found), "", "Entries that fill a rack"),
            "group": Value(GROUP, "chips", "Chips of a group that writes"),
            "groups": Value(CHIPS / GROUP, "", "Groups of a rack"),
            **both_ends("flight", [each.of_a_chip for each in found], "In flight on a chip", "", 3),
            "held": Value(min(each.held() for each in found), "tokens", "Held by a sequence", 2),
            "prompt": Value(PROMPT, "", "Tokens of a prompt, assumed"),
            "prompt_most": Value(max(PROMPTS), "", "Tokens of a prompt, the most that is tried", 4),
            "fast_group": Value(quick.group, "chips", "Chips of a group that writes, fast"),
            "fast_groups": Value(quick.writing_chips / quick.group, "", "Such groups"),
            "reading_chips": Value(quick.row.reading_chips, "chips", "Chips that read, fast"),
            "drafts": Value(quick.row.drafts or math.nan, "", "Guesses of a step, fast"),
            "slow_user": Value(1 / ours["Server"].row.token_seconds, "tokens/s", "Each user, full", 2),
            "fast_user": Value(1 / quick.row.token_seconds, "tokens/s", "Each user, fast", 2),
            "dearer": Value(dearer(COMPARED), "x", "Chip time of a token, fast over full"),
            "fast_flight": Value(quick.of_a_chip, "", "In flight on a chip that writes, fast", 2),
            "undrafted": Value(quick.undrafted, "", "The same by the forecast, one token a step"),
            "enough": Value(quick.enough_kept(), "tokens", "Kept of four, if the forecast holds", 2),
        },
    )


def whole_chart() -> Any:
    """A row for each entry: the bound, the forecast with its band, and the measured time."""
    import altair as alt

    y = alt.Y("entry:N", title=None, sort=None)
    rows = alt.Chart(alt.NamedData("racks")).encode(y=y)
    x = alt.X("measured:Q", title="Milliseconds from token to token").scale(domain=[0, 75], nice=False)
    band = rows.mark_rule(color=look.ACCENT, strokeWidth=13, opacity=0.3).encode(x="low:Q", x2="high:Q")
    forecast = rows.mark_tick(color=look.ACCENT, thickness=3, size=20).encode(x="expected:Q")
    bound = rows.mark_tick(color=look.INK, thickness=3, size=20).encode(x="bound:Q")
    dots = rows.mark_point(size=80, filled=True, color=look.INK, opacity=0.9).encode(x=x)
    return (band + forecast + bound + dots).properties(height=190)


FIGURES = (
    Figure(
        name="world/racks",
        foremost=4,
        compute=whole,
        chart=whole_chart,
        table="racks",
        columns={
            "named": "Entry",
            "result": "Result (tokens/s)",
            "flight": "In flight on a chip, derived",
            "held": "Tokens held, derived",
            "measured": "From token to token (ms), derived",
            "expected": "Forecast (ms)",
            "low": "Four of five from (ms)",
            "high": "to (ms)",
            "bound": "Bound (ms)",
            "over": "Measured over forecast (×)",
        },
        assumptions=(
            "Times and loads are derived from the entrants' logs; they are no metric of MLPerf, and MLCommons has not "
            "verified them. MLPerf is a trademark of MLCommons.",
            "In flight are those of Little's law, on average while requests come: a run begins empty. A prompt of "
            f"{plain(PROMPT)} tokens is assumed, and the same chips read it.",
            f"For {UNSAID} no layout is in the copy that we read: its groups are taken as those of the others, and no "
            "guesses, which only Azure's configuration rules out.",
        ),
        sources=(RACKS_SOURCE, MLPERF_SOURCE),
    ),
)
