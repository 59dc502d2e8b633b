"""Further tokens for small and large models: what they gain, and how many a smaller model needs to be as good."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import catalog
from calc.catalog.losses import LOSSES_SOURCES
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.overtraining.scaling_law import ScalingLaw
from calc.quantities.units import show
from calc.world.figures.both_ends import both_ends
from calc.world.losses import OTHERWISE, STEADY, SUITES, TUNED, EqualPair, curves, equal_pairs, redrawn_middle

SPANS = {"openeurollm": (30e9, 300e9), "gemstones": (11e9, 99e9)}  # tokens that every size of a suite was trained on
FITS = {"refit": "chinchilla-refit", "original": "chinchilla"}
EXAMPLE, EXAMPLE_PARAMS, EXAMPLE_TOKENS = "openeurollm", 1e9, 80e9
RATIOS = [7.0, 300.0]
NINE_IN_TEN = 0.9
LARGE = 0.9e9  # parameters of the larger of a pair, from which on a section speaks of large models


def gains() -> Answer:
    """Nats that the same further tokens took from each size, in two suites."""
    found = {suite: _gained(suite, *span) for suite, span in SPANS.items()}
    rows = [(SUITES[suite], each, nats) for suite, sizes in found.items() for each, nats in sizes.items()]
    first = list(found["openeurollm"].values())
    alike = first[-1] / first[OTHERWISE]
    second = list(found["gemstones"].values())
    return Answer(
        finding=(
            f"The same tokens took {show(first[-1] / first[0], 'x', 2)} as much loss from the largest size as from the "
            f"smallest, and {show(alike, 'x', 2)} among sizes of one setting"
        ),
        description=(
            "Line chart of two suites: loss that the same further tokens took away, against the size of the model. "
            f"By the law both lines are level. They rise: from {first[0]:.3f} to {first[-1]:.3f} nats, and from "
            f"{second[0]:.3f} to {second[-1]:.3f}."
        ),
        tables={
            "gains": {
                "suite": [suite for suite, _, _ in rows],
                "params": [params for _, params, _ in rows],
                "millions": [params / 1e6 for _, params, _ in rows],
                "nats": [nats for _, _, nats in rows],
            }
        },
        values={
            "small": Value(min(found["openeurollm"]), "parameters", "Smallest size"),
            "large": Value(max(found["openeurollm"]), "parameters", "Largest size"),
            "from": Value(SPANS["openeurollm"][0], "tokens", "From"),
            "to": Value(SPANS["openeurollm"][1], "tokens", "to"),
            "small_nats": Value(first[0], "", "Nats gained by the smallest"),
            "large_nats": Value(first[-1], "", "by the largest"),
            "times": Value(first[-1] / first[0], "x", "Largest over smallest", 2),
            "alike": Value(alike, "x", "the same, of the four with one setting of the optimiser", 2),
            "other_times": Value(second[-1] / second[0], "x", f"the same of {SUITES['gemstones']}", 2),
        },
    )


def _gained(suite: str, first: float, last: float) -> dict[float, float]:
    """Nats by size, between the runs nearest to two numbers of tokens."""
    return {
        each.params: each.gained(*(int(np.argmin(np.abs(np.log(each.tokens / at)))) for at in (first, last)))
        for each in curves(suite)
    }


def gains_chart() -> Any:
    """Two lines that rise, each with its name."""
    import altair as alt

    names = [SUITES[suite] for suite in SPANS]
    x = alt.X("params:Q", title="Parameters").scale(type="log", domain=[4e7, 2.2e9], nice=False)
    x = x.axis(values=[5e7, 1e8, 2e8, 5e8, 1e9, 2e9], format="~s", labelExpr="replace(datum.label, 'G', 'B')")
    y = alt.Y("nats:Q", title="Loss taken away, nats").scale(domainMin=0)
    colour = alt.Color("suite:N", title=None).scale(domain=names, range=look.RUNS[: len(names)])
    shape = alt.Shape("suite:N", title=None).scale(domain=names, range=look.RUN_SHAPES[: len(names)])
    base = alt.Chart(alt.NamedData("gains")).encode(x=x, y=y, color=colour)
    return base.mark_line() + base.mark_point(size=60, filled=True).encode(shape=shape)


def exchange() -> Answer:
    """Every pair of neighbouring sizes of one loss: per cent of size saved for a per cent more tokens."""
    laws = {name: ScalingLaw.published(catalog.loss_fit(row)) for name, row in FITS.items()}
    pairs = {suite: equal_pairs(suite) for suite in STEADY}
    tuned = [each for suite in TUNED for each in pairs[suite]]
    over = {name: [each.more / each.promised(law).more for each in tuned] for name, law in laws.items()}
    former = [size.params for size in curves(EXAMPLE)[:OTHERWISE]]
    alike = [ratio for ratio, each in zip(over["refit"], tuned, strict=True) if each.small_params not in former]
    other = [each.more / each.promised(laws["refit"]).more for each in pairs["gemstones"]]
    long = [each for each in tuned if each.tokens_per_param > 100]
    example = min(
        (each for each in pairs[EXAMPLE]),
        key=lambda each: abs(np.log(each.params / EXAMPLE_PARAMS)) + abs(np.log(each.tokens / EXAMPLE_TOKENS)),
    )
    sizes: dict[tuple[str, float], list[float]] = {(each.suite, each.params): [] for each in tuned}
    for each, ratio in zip(tuned, over["refit"], strict=True):
        sizes[each.suite, each.params].append(ratio)
    within = [(each.suite, each.params) for each in tuned if not _beyond(each, laws)]
    largest = [each.more / each.promised(laws["refit"]).more for each in pairs[EXAMPLE] if each.params > LARGE]
    return Answer(
        finding=(
            f"In two tuned suites smaller models needed {show(min(over['refit']), 'x', 2)} to "
            f"{show(max(over['refit']), 'x', 2)} the tokens that the refit promises, "
            f"{show(float(np.median(over['refit'])), 'x', 2)} by the middle"
        ),
        description=(
            f"Line chart of {sum(map(len, pairs.values()))} pairs of models of equal loss, from three suites, a line "
            "for each two sizes: tokens that the smaller model needed, over those that the refit promises, against "
            "tokens a parameter. The lines of two suites with settings chosen anew begin near 1 and rise, one of them "
            f"to {show(max(over['refit']), 'x', 2)}. Between large models they stay level. Those of "
            f"the third lie at {show(min(other), 'x', 2)} to {show(max(other), 'x', 2)}."
        ),
        tables={
            "pairs": {
                "suite": [SUITES[suite] for suite, rows in pairs.items() for _ in rows],
                "ratio": [each.tokens_per_param for rows in pairs.values() for each in rows],
                "gamma": [each.exchange for rows in pairs.values() for each in rows],
                "sizes": [f"{suite} {each.params}" for suite, rows in pairs.items() for each in rows],
                "millions": [each.params / 1e6 for rows in pairs.values() for each in rows],
                "small": [each.small_params / 1e6 for rows in pairs.values() for each in rows],
                "tokens": [each.tokens / 1e9 for rows in pairs.values() for each in rows],
                "more": [each.more for rows in pairs.values() for each in rows],
                "refit": [each.promised(laws["refit"]).more for rows in pairs.values() for each in rows],
                "over": [each.more / each.promised(laws["refit"]).more for rows in pairs.values() for each in rows],
            },
            "promise": {"ratio": RATIOS, "over": [1.0, 1.0]},
            "names": {"ratio": [RATIOS[1]], "over": [1.0], "label": ["as the refit promises"]},
        },
        values={
            "pairs": Value(len(tuned), "", "Pairs of tuned suites"),
            "sizes": Value(len(sizes), "", "of so many pairs of sizes"),
            "sizes_beyond": Value(len(set(sizes) - set(within)), "", "of which so many always needed more"),
            "alike": Value(max(alike), "x", "Over the refit, with one setting of the optimiser, most", 2),
            "beyond": Value(len(tuned) - len(within), "", "of them needed more than either fit promises"),
            "middle": Value(
                float(np.median(over["refit"])), "x", "Tokens needed over those of the refit, the middle", 2
            ),
            **both_ends(
                "middle",
                redrawn_middle(sizes.values(), NINE_IN_TEN),
                "the same, nine in ten redraws of pairs of sizes",
                "x",
            ),
            **both_ends("largest", largest, f"the same, larger sizes of {SUITES[EXAMPLE]}", "x"),
            **both_ends("refit", over["refit"], "Tokens needed over those of the refit", "x"),
            **both_ends("other", other, f"Tokens needed over those of the refit, {SUITES['gemstones']}", "x"),
            **both_ends("long", [each.exchange for each in long], "Exchange past a hundred tokens a parameter", ""),
            **both_ends(
                "long_refit", [each.promised(laws["refit"]).exchange for each in long], "the same by the refit", ""
            ),
            "large": Value(example.params, "parameters", "Example, larger"),
            "tokens": Value(example.tokens, "tokens", "its tokens"),
            "small": Value(example.small_params, "parameters", "smaller"),
            "needed": Value(example.small_tokens, "tokens", "its tokens"),
            "more": Value(example.more, "x", "Times as many"),
            **{f"more_{name}": Value(example.promised(law).more, "x", f"by the {name}") for name, law in laws.items()},
        },
    )


def _beyond(pair: EqualPair, laws: dict[str, ScalingLaw]) -> bool:
    """Whether the smaller model needed more tokens than any of some laws promises."""
    return pair.more > max(pair.promised(law).more for law in laws.values())


def exchange_chart() -> Any:
    """Lines of three suites about a level line."""
    import altair as alt

    names = [SUITES[suite] for suite in STEADY]
    x = alt.X("ratio:Q", title="Tokens a parameter").scale(type="log", domain=RATIOS, nice=False)
    x = x.axis(values=[10, 20, 50, 100, 200])
    y = alt.Y("over:Q", title="Tokens needed, over the promise").scale(type="log", domain=[0.4, 2.5], nice=False)
    y = y.axis(values=[0.5, 1, 2], labelExpr="datum.label + '×'")
    colour = alt.Color("suite:N", title=None).scale(domain=names, range=look.RUNS[: len(names)])
    shape = alt.Shape("suite:N", title=None).scale(domain=names, range=look.RUN_SHAPES[: len(names)])
    line = alt.Chart(alt.NamedData("promise")).mark_line(color=look.MUTED, strokeDash=[2, 3]).encode(x=x, y=y)
    of_pairs = alt.Chart(alt.NamedData("pairs")).encode(x=x, y=y, color=colour, detail="sizes:N")
    dots = of_pairs.mark_line(strokeWidth=1) + of_pairs.mark_point(size=60, filled=True, opacity=0.9).encode(
        shape=shape
    )
    named = alt.Chart(alt.NamedData("names")).encode(x=x, y=y, text="label:N")
    words = named.mark_text(align="right", dx=-4, dy=12, color=look.MUTED)
    return line + dots + words


SOURCES = tuple(dict.fromkeys(LOSSES_SOURCES[suite] for suite in STEADY))
FIGURES = (
    Figure(
        name="world/loss-gains",
        foremost=4,
        compute=gains,
        chart=gains_chart,
        table="gains",
        columns={"suite": "Suite", "millions": "Parameters, millions", "nats": "Loss taken away, nats"},
        assumptions=(
            f"{SUITES['openeurollm']}: from {show(SPANS['openeurollm'][0], 'tokens')} to "
            f"{show(SPANS['openeurollm'][1], 'tokens')}. {SUITES['gemstones']}: from "
            f"{show(SPANS['gemstones'][0], 'tokens')} to {show(SPANS['gemstones'][1], 'tokens')}.",
        ),
        sources=tuple(LOSSES_SOURCES[suite] for suite in SPANS),
    ),
    Figure(
        name="world/exchange",
        foremost=4,
        compute=exchange,
        chart=exchange_chart,
        table="pairs",
        columns={
            "suite": "Suite",
            "millions": "Larger, millions",
            "tokens": "on tokens, billions",
            "small": "Smaller, millions",
            "more": "needs tokens (×)",
            "refit": "by the refit (×)",
            "over": "over the refit (×)",
            "gamma": "γ",
        },
        assumptions=(
            "Between two runs the smaller model's loss is taken on a straight line in the logarithm of tokens.",
            "Tokens a parameter are those of both models, the middle by ratio.",
            f"{SUITES['step-law']} counts parameters without the table of embeddings.",
        ),
        sources=(*SOURCES, "chinchilla-paper", "chinchilla-refit-paper"),
    ),
)
