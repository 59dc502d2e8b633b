"""Laws fitted to the runs of several groups, and what each says of lecture 5's plans."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import numpy as np

from calc.catalog.losses import LOSSES_SOURCES
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.overtraining import lifetime
from calc.overtraining.figures.setting import GUESSED_PARAMS, GUESSED_TOKENS, law
from calc.overtraining.figures.shared import (
    ADVISED_TIMES,
    BY_FIT,
    LATER,
    OVER,
    cheapest_plan,
    dearer,
    guessed_loss,
    largest_set,
    own_over,
    split,
    training_share,
)
from calc.overtraining.scaling_law import Allocation, ScalingLaw
from calc.quantities.units import show
from calc.world.figures.both_ends import both_ends
from calc.world.losses import OTHERWISE, STEADY, SUITES, TUNED, ahead, curves, suite_fit, without_one

SHARES = np.linspace(0.08, 0.5, 43)
DEAREST = 0.3  # of the cheapest plan, where the chart's lines end
HEIGHTS = (0.05, 0.27, 0.2, 0.13)  # of labels, as prices
OTHERS = "others"
LEFT = {"all": ("Share advised", ADVISED_TIMES), "all_third": ("third", OVER["third"]), "all_more": ("two fifths", 1.5)}
CHINCHILLAS = {"refit": "Chinchilla, refit", "original": "Chinchilla, original fit"}


def fits() -> Answer:
    """The runs of each suite, the errors of its fits, and the plan of lecture 5 that its law finds cheapest."""
    values: dict[str, Value] = {}
    for suite, name in SUITES.items():
        fit, sizes, key = suite_fit(suite), curves(suite), suite.replace("-", "_")
        share = _cheapest(fit.law)[1]
        longest = max(float(each.tokens[-1] / each.params) for each in sizes)
        values |= {
            f"{key}_runs": Value(len(fit.runs.loss), "", f"{name}: runs"),
            f"{key}_least": Value(sizes[0].params, "parameters", "from", 2),
            f"{key}_largest": Value(sizes[-1].params, "parameters", "to", 2),
            f"{key}_longest": Value(longest, "", "Tokens a parameter, at most", 2),
            f"{key}_alpha": Value(fit.law.params_exponent, "", "Exponent of the size", 3),
            f"{key}_delta": Value(fit.law.tokens_exponent, "", "Exponent of the tokens", 3),
            f"{key}_gamma": Value(_exchange(fit.law), "", "Exchange at the guess", 3),
            f"{key}_joint": Value(fit.law.joint_exponent, "", "Joint exponent", 2),
            f"{key}_ahead": Value(ahead(suite), "%", "Error at the largest size, left out", 2),
            f"{key}_ahead_plain": Value(ahead(suite, joint=False), "%", "without the joint exponent", 2),
            f"{key}_share": Value(share, "%", "Cheapest share of pre-training", 2),
            **both_ends(
                f"{key}_left", [_cheapest(each.law)[1] for each in without_one(suite)], "with one size left out"
            ),
            f"{key}_advised": Value(_dearer(fit.law, ADVISED_TIMES), "%", "The share advised, dearer by", 2),
        }
    rising = sum(_rises(suite) for suite in SUITES if suite not in STEADY)
    return Answer(
        finding="Laws fitted to six suites of runs",
        values=values | {"rising": Value(rising, "", "Further tokens at which loss rose")},
    )


def plans() -> Answer:
    """How much dearer a share of pre-training is than the cheapest, by each law."""
    held = {suite: suite_fit(suite).law for suite in SUITES}
    laws = {CHINCHILLAS[name]: law(row) for name, row in BY_FIT.items()}
    laws |= {SUITES[suite]: each for suite, each in held.items()}
    tuned = [held[suite] for suite in TUNED]
    shares = {suite: _cheapest(each)[1] for suite, each in held.items()}
    left_out, left_third = (
        max(_dearer(each.law, times) for suite in TUNED for each in without_one(suite))
        for times in (ADVISED_TIMES, OVER["third"])
    )
    left = [each.law for suite in SUITES for each in without_one(suite)]
    plain = {suite: _cheapest(suite_fit(suite, joint=False).law)[1] for suite in STEADY}
    smallest = tuple(size.params for size in curves("openeurollm")[:OTHERWISE])
    above = suite_fit("openeurollm", without=smallest)
    joints = {suite: [float(each.law.joint_exponent) for each in without_one(suite)] for suite in SUITES}
    steady = [each for suite in STEADY for each in joints[suite]]
    foreseen = [ahead(suite, joint=False) / ahead(suite) for suite in STEADY]
    tuned_shares = [shares[suite] for suite in TUNED]
    return Answer(
        finding=(
            f"By two tuned suites {show(min(tuned_shares), '%', 2)} and {show(max(tuned_shares), '%', 2)} in "
            f"pre-training are cheapest, by all six {show(min(shares.values()), '%', 2)} to "
            f"{show(max(shares.values()), '%', 2)}"
        ),
        description=(
            f"Line chart of {len(laws)} laws: how much dearer a plan is than the cheapest of the same loss, against "
            "the share of pre-training in its cost. Each line falls to nothing at its own cheapest share and rises "
            "again. " + "; ".join(f"{name}: {show(_cheapest(each)[1], '%', 2)}" for name, each in laws.items()) + "."
        ),
        tables={"plans": _table(laws), "names": _names(laws)},
        values={
            **both_ends("tuned_share", tuned_shares, "Cheapest share, tuned suites"),
            **both_ends("share", list(shares.values()), "all six"),
            **both_ends("tuned_advised", [_dearer(each, ADVISED_TIMES) for each in tuned], "Share advised, tuned"),
            **both_ends("advised", [_dearer(each, ADVISED_TIMES) for each in held.values()], "all six"),
            **both_ends("tuned_over", [own_over(_cheapest(each)[0]) for each in tuned], "Over the rule, tuned", "x"),
            **both_ends("over", [own_over(_cheapest(each)[0]) for each in held.values()], "all six", "x"),
            **_highest("tuned", tuned),
            **_highest("all", list(held.values())),
            **both_ends(
                "tuned_ceiling", [_dearer(each, _ceiling()) for each in tuned], "The largest set on record, tuned"
            ),
            **both_ends("tuned_gamma", [_exchange(each) for each in tuned], "Exchange at the guess, tuned", ""),
            "gamma": Value(_exchange(laws[CHINCHILLAS["refit"]]), "", "by the refit"),
            "left_out": Value(left_out, "%", "Share advised, tuned, one size left out, at most", 2),
            **{
                f"left_{name}": Value(
                    max(_dearer(each, times) for each in left), "%", f"{said}, all six, one size left out, at most", 2
                )
                for name, (said, times) in LEFT.items()
            },
            "left_third": Value(left_third, "%", "third, tuned, one size left out, at most", 2),
            **{
                f"{suite.replace('-', '_')}_plain": Value(each, "%", f"{SUITES[suite]}: cheapest share without k", 2)
                for suite, each in plain.items()
            },
            "c4_plain": Value(
                _dearer(suite_fit("gadre-c4", joint=False).law, ADVISED_TIMES), "%", "Share advised, C4 without k", 2
            ),
            "above_joint": Value(
                above.law.joint_exponent, "", f"{SUITES['openeurollm']} without its two smallest sizes: k", 2
            ),
            "above_share": Value(_cheapest(above.law)[1], "%", "its cheapest share", 2),
            **both_ends("foreseen", foreseen, "Error at the largest size without k over that with it", "x"),
            **both_ends("joint", steady, "k with one size left out", ""),
            **both_ends("refinedweb_joint", joints["gadre-refinedweb"], "the same on RefinedWeb", ""),
        },
    )


def _table(laws: dict[str, ScalingLaw]) -> dict[str, list[Any]]:
    rows = [
        (name, float(share), _dearer(held, 1 / float(share) - 1)) for name, held in laws.items() for share in SHARES
    ]
    shown = [(name, share, price) for name, share, price in rows if price < DEAREST]
    return {
        "law": [name for name, _, _ in shown],
        "kind": [_kind(name) for name, _, _ in shown],
        "share": [100 * share for _, share, _ in shown],
        "dearer": [100 * price for _, _, price in shown],
    }


def _names(laws: dict[str, ScalingLaw]) -> dict[str, list[Any]]:
    """Labels of the lines that the legend calls others, each at another height left of its valley."""
    rows = []
    for (name, held), high in zip(laws.items(), cycle(HEIGHTS), strict=False):
        if _kind(name) == OTHERS:
            falling = [share for share in SHARES if share < _cheapest(held)[1]]
            place = min(falling, key=lambda share: abs(_dearer(held, 1 / float(share) - 1) - high))
            rows.append((name.split(", ")[-1], 100 * float(place), 100 * _dearer(held, 1 / float(place) - 1)))
    return {key: [row[at] for row in rows] for at, key in enumerate(("label", "share", "dearer"))}


def _kind(name: str) -> str:
    if name in CHINCHILLAS.values():
        return name
    return name if name in [SUITES[suite] for suite in TUNED] else OTHERS


def _cheapest(held: ScalingLaw) -> tuple[Allocation, float]:
    """The cheapest plan as good as the guess, and its share of pre-training."""
    plan = cheapest_plan(held)
    return plan, training_share(plan, LATER.default)


def _dearer(held: ScalingLaw, times: float) -> float:
    """The price of a later life that costs so many times pre-training; endless where so few tokens do not suffice."""
    if not np.isfinite(split(held, guessed_loss(held), LATER.default, times).params):
        return np.inf
    return dearer(held, guessed_loss(held), LATER.default, times)


def _highest(kind: str, held: list[ScalingLaw]) -> dict[str, Value]:
    """The highest price by some laws of three shares: the refit's cheapest, a third, half."""
    best = 1 / _cheapest(law(BY_FIT["refit"]))[1] - 1
    times = {"best": best, **{share: OVER[share] for share in ("third", "half")}}
    return {
        f"{kind}_{name}": Value(max(_dearer(each, at) for each in held), "%", f"{name}, {kind}, at most", 2)
        for name, at in times.items()
    }


def _exchange(held: ScalingLaw) -> float:
    return float(1 / (1 + lifetime.serving_that_justifies(held, GUESSED_PARAMS, GUESSED_TOKENS)))


def _ceiling() -> float:
    """The later life over pre-training on the largest training set on record."""
    return LATER.default / 3 / largest_set()


def _rises(suite: str) -> int:
    """Steps to more tokens at which the loss of a size is higher."""
    return sum(int((np.diff(each.losses) > 0).sum()) for each in curves(suite))


def plans_chart() -> Any:
    """A valley for each law."""
    import altair as alt

    names = [*CHINCHILLAS.values(), *(SUITES[suite] for suite in TUNED), OTHERS]
    x = alt.X("share:Q", title="Pre-training, % of the cost of a life").scale(domain=[5, 50], nice=False)
    y = alt.Y("dearer:Q", title="Dearer than the cheapest, %").scale(domain=[0, 100 * DEAREST], nice=False)
    colour = alt.Color("kind:N", title=None).scale(
        domain=names, range=[look.INK, look.INK, look.RUNS[0], look.RUNS[2], look.FAINT]
    )
    dash = alt.StrokeDash("kind:N", title=None).scale(domain=names, range=[[1, 0], [6, 3], [1, 0], [6, 3], [1, 0]])
    lines = alt.Chart(alt.NamedData("plans")).mark_line()
    named = alt.Chart(alt.NamedData("names")).mark_text(align="left", dx=5, color=look.MUTED)
    valleys = lines.encode(x=x, y=y, color=colour, strokeDash=dash, detail="law:N")
    return valleys + named.encode(x=x, y=y, text="label:N")


SOURCES = (*dict.fromkeys(LOSSES_SOURCES.values()), "chinchilla-paper", "chinchilla-refit-paper")
FIGURES = (
    Figure(name="world/loss-fits", compute=fits, sources=SOURCES),
    Figure(
        name="world/loss-plans",
        foremost=4,
        compute=plans,
        chart=plans_chart,
        table="plans",
        columns={"law": "Law", "share": "Pre-training (%)", "dearer": "Dearer by (%)"},
        assumptions=(
            "All plans are as good as Pope's guess by their law, with the later life of lecture 5.",
            "Every law but the two of Chinchilla has a joint exponent.",
        ),
        sources=SOURCES,
    ),
)
