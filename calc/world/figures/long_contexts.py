"""Runs with contexts of more than a hundred thousand tokens, beside the forecast that has seen none as long."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import catalog
from calc.catalog.long_contexts import LONG_CONTEXTS_SOURCE, RECIPES_SOURCE, LongContextRun
from calc.catalog.measurement import SERVING_SOURCE, clean_measurements
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.memory_wall.figures.kept import (
    KEPT,
    SAFE,
    most_in_time,
    most_of_a_rack,
    planned,
    prompt_chips,
    whole_rounds,
)
from calc.memory_wall.figures.shared import LONG, RACK, prompt_seconds
from calc.quantities.units import plain, show
from calc.setting import Scenario
from calc.setting.precisions import Precisions
from calc.step.forecasting import FIT
from calc.world.figures.both_ends import both_ends
from calc.world.long_contexts import MODEL, PUBLISHED, SERVED, LongRunJudged, long_runs_judged, over
from calc.world.other_chips import short_name
from calc.world.overlapped import overlapped

AIMS = {"balanced": "fast users", "throughput": "many users", "most": "most tokens"}
RACK_CHIPS = 72


def long_contexts() -> Answer:
    """Every run over its forecast, from the slowest to the fastest user that its text allows."""
    judged = long_runs_judged()
    fit = catalog.forecast_fit(FIT)
    ratios = [ratio for each in judged for ratio in each.over_forecast]
    first = judged[0].run
    known = max(row.context for row in clean_measurements())
    shares = [_prompt_share(each.run) for each in judged]
    ours = [share for each, share in zip(judged, shares, strict=True) if each.run.system == RACK]
    ours_of = min(ours), max(ours)
    chips = [prompt_chips(planned(), kept) for kept in (0.0, KEPT)]
    readers, again = ([rated / share for share in ours_of] for rated in chips)
    both, guessed = ([most_of_a_rack(share, guess) for share in ours_of] for guess in (False, True))
    both_again = [most_of_a_rack(share, kept=KEPT) for share in ours_of]
    safe, safe_again = (most_of_a_rack(min(ours), kept=kept, over=SAFE) for kept in (0.0, KEPT))
    near = max(over(judged, _longer(judged))[:2])
    ends = f"{show(min(ratios), 'x')} to {show(max(ratios), 'x')}"
    return Answer(
        finding=f"With {show(first.context, 'tokens', 4)} of context a token took {ends} its forecast",
        description=(
            f"Range plot: time of a token over its forecast, in {len(judged)} runs of DeepSeek-R1 on GB200 and GB300 "
            f"with {show(first.context, 'tokens', 4)} of context. Each bar goes from the fastest to the slowest user "
            f"that the text of the run allows. All lie in the band of four in five, from {show(fit.low_80, 'x')} to "
            f"{show(fit.high_80, 'x')}. "
            + " ".join(f"{_name(each)}: {' to '.join(show(end, 'x') for end in _ends(each))}." for each in judged)
        ),
        tables={
            "runs": {
                "name": [_name(each) for each in judged],
                "chips": [f"{each.run.reading} + {each.run.writing}" for each in judged],
                "users": [_range(each.users, "") for each in judged],
                "places": [each.places for each in judged],
                "room": [each.places_with_room for each in judged],
                "token": [_range(each.seconds, "s") for each in judged],
                "forecast": [_range(each.forecast, "s") for each in judged],
                "low": [min(each.over_forecast) for each in judged],
                "high": [max(each.over_forecast) for each in judged],
                "bound": [_range(each.over_bound, "x") for each in judged],
            },
            "band": {"low": [fit.low_80], "high": [fit.high_80]},
        },
        values={
            "count": Value(len(judged), "", "Runs without guesses", 1),
            "prompt": Value(first.input_tokens, "tokens", "Longest prompt", 3),
            "answer": Value(first.output_tokens, "tokens", "Longest answer", 3),
            "context": Value(first.context, "tokens", "Context, on average", 4),
            "known": Value(known, "tokens", "Longest context of a run that the constants were fitted to"),
            **both_ends("over", ratios, "Measured over forecast", "x", 3),
            **both_ends("bound", [ratio for each in judged for ratio in each.over_bound], "over the bound", "x"),
            **_near("gb200", judged[0]),
            **_near("gb300", judged[1]),
            **both_ends("gb200_chip", judged[0].kept, "Users of a rack's chip", "", 3),
            **both_ends("rack", [RACK_CHIPS * many for many in _all(judged[0])], "Users of 72 such chips", "", 3),
            **both_ends("served", [many * judged[0].run.writing for many in judged[0].users], "Users at once", "", 3),
            "chips": Value(judged[0].run.reading + judged[0].run.writing, "", "GB200 of that run", 2),
            "writing": Value(judged[0].run.writing, "", "of them write", 2),
            **both_ends("pace", judged[0].speeds, "Speed of a user", "tokens/s"),
            **both_ends("full", over(judged, _full(judged)), "Over forecast, if all places were taken", "x", 3),
            **both_ends("whole", over(judged, _whole(judged)), "if each chip had as many as the fullest", "x", 3),
            **both_ends("longest", over(judged, _longest(judged)), "if all were as long as can be", "x", 3),
            **both_ends("wide", over(judged, _wide(judged)), "with attention in 16 bits", "x", 3),
            **both_ends("longer", over(judged, _longer(judged)), "Over a forecast that overlaps", "x", 3),
            **both_ends("longer_wide", over(judged, _longer(judged, PUBLISHED)), "that in 16 bits", "x", 3),
            **both_ends("prompt", ours, "Rated work that GB200 for prompts did, waits counted", "%", 3),
            "readers_low": Value(min(readers), "", "Chips for lecture 4's prompts to each that writes, least", 2),
            "readers_high": Value(max(readers), "", "the most", 3),
            **both_ends("both", both, "Users of its rack that does both", "", 2),
            **both_ends("again", again, "the first, nine tenths of each prompt kept", "", 1),
            **both_ends("both_again", both_again, "the second, so", "", 3),
            "both_safe": Value(safe, "", "Users of its rack that does both, to plan with", 2),
            "again_safe": Value(safe_again, "", "the same, nine tenths kept", 2),
            **both_ends("guessed", guessed, "with a guess", "", 2),
            "gb200_longer_high": Value(near, "x", "The first run over it, the most", 3),
            "gb200_overlapped": Value(_overlapped_users(near), "", "Users of the lecture's rack by it, at that pace"),
            "longer_band": Value(overlapped().error.high_80, "x", "End of its band of four in five"),
        },
    )


def _prompt_share(run: LongContextRun) -> float:
    """Share of the rated FP8 speed at which the chips for prompts multiplied, waits for prompts counted."""
    where, mean = Scenario.named(MODEL, run.system, "fp8"), (1 + run.shortest) / 2
    prompts = run.rate / (mean * run.output_tokens) / run.reading
    return float(prompts * where.system.chips * prompt_seconds(where, mean * run.input_tokens))


def _near(name: str, each: LongRunJudged) -> dict[str, Value]:
    """A run at the lecture's promise: users of a chip, as served and as the forecast has them."""
    chip = short_name(each.run.system)
    return {
        **both_ends(f"{name}_users", each.users, f"{chip}, users of a chip that writes", "", 3),
        **both_ends(f"{name}_promised", each.promised, "as the forecast has them", ""),
        **both_ends(f"{name}_share", _share(each), "Users over those forecast", "%", 2),
        **both_ends(f"{name}_over", each.over_forecast, "Measured over forecast", "x", 3),
        f"{name}_places": Value(each.places, "", "Places of a chip", 1),
    }


def _share(each: LongRunJudged) -> list[float]:
    """Users over those that the forecast has at the same speed, at both speeds."""
    return [users / promised for users, promised in zip(each.users, each.promised, strict=True)]


def _all(each: LongRunJudged) -> list[float]:
    """Users for each chip of a run, those that read prompts counted as well."""
    return [many * each.run.writing / (each.run.reading + each.run.writing) for many in each.users]


def _full(judged: tuple[LongRunJudged, ...]) -> list[list[float]]:
    return [each.expected(each.run.context, full=True) for each in judged]


def _whole(judged: tuple[LongRunJudged, ...]) -> list[list[float]]:
    return [each.expected(each.run.context, whole=True) for each in judged]


def _longest(judged: tuple[LongRunJudged, ...]) -> list[list[float]]:
    return [each.expected(each.run.input_tokens + each.run.output_tokens / 2) for each in judged]


def _wide(judged: tuple[LongRunJudged, ...]) -> list[list[float]]:
    return [each.expected(each.run.context, PUBLISHED) for each in judged]


def _longer(judged: tuple[LongRunJudged, ...], formats: Precisions = SERVED) -> list[list[float]]:
    return [each.longer_of_both(formats) for each in judged]


def _overlapped_users(pace: float) -> float:
    """Users, as many on each chip, to whom the rack keeps lecture 4's promise by the form that overlaps."""
    rack, many = whole_rounds("deepseek-v3")
    return most_in_time(pace * np.asarray(overlapped().seconds(rack, many, LONG)), many)


def _name(each: LongRunJudged) -> str:
    return f"{short_name(each.run.system)}, {AIMS[each.run.aim]}"


def _ends(each: LongRunJudged) -> list[float]:
    return sorted(set(each.over_forecast))


def _range(numbers: list[float], unit: str) -> str:
    """Both ends in words, or one where they are the same."""
    return " to ".join(dict.fromkeys(show(end, unit) if unit else plain(end, 2) for end in sorted(numbers)))


def long_contexts_chart() -> Any:
    """A bar for each run, and the band of the forecast behind them."""
    import altair as alt

    scale = alt.Scale(domain=[0.7, 1.45], nice=False)
    x = alt.X("low:Q", title="Measured over forecast").scale(scale)
    band = alt.Chart(alt.NamedData("band")).mark_rect(color=look.FAINT, opacity=0.45).encode(x=x, x2="high:Q")
    one = alt.Chart(alt.NamedData("band")).mark_rule(color=look.INK, strokeDash=[2, 3]).encode(x=alt.XDatum(1.0))
    y = alt.Y("name:N", title=None, sort=None)
    runs = alt.Chart(alt.NamedData("runs"))
    bars = runs.mark_bar(color=look.FREE[0], height=8, opacity=0.85).encode(x=x, x2="high:Q", y=y)
    fast, slow = (
        runs.mark_point(filled=True, size=70, color=look.FREE[0]).encode(x=alt.X(f"{end}:Q").scale(scale), y=y)
        for end in ("low", "high")
    )
    return band + one + bars + fast + slow


FIGURES = (
    Figure(
        name="world/long-contexts",
        compute=long_contexts,
        chart=long_contexts_chart,
        table="runs",
        columns={
            "name": "Run",
            "chips": "Chips that read + write",
            "users": "Users of a chip that writes",
            "places": "Places of it",
            "room": "Full contexts with room",
            "token": "A token",
            "forecast": "Forecast",
            "low": "Measured over forecast, least (×)",
            "high": "most (×)",
            "bound": "Over the bound",
        },
        assumptions=(
            "The text says in which range a user's speed lies; users follow from it and the rate by Little's law.",
            "Attention counts in FP8, as the recipes have it, experts in four bits, without their 32 spare copies.",
            "Lengths are the mean of those that the recipes' script draws.",
        ),
        sources=(LONG_CONTEXTS_SOURCE, RECIPES_SOURCE, SERVING_SOURCE),
    ),
)
