"""Experts awake in served models against the time of their layer, and beside the number by (5) of lecture 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from calc import catalog
from calc.catalog.awake import AWAKE_SOURCE, MOST_AT_ONCE, awake_models
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO, SECONDS, guide_layer, guides
from calc.quantities.units import show
from calc.world.awake import CHIP, Layer, by_rule, layers, line, ordinary

SMALL, LARGE = awake_models()
TASKS = {"aime": "AIME 24", "gpqa": "GPQA", "code": "LiveCodeBench", "math": "MATH 500"}
PLACES = (0.0, 60.0, 100.0)  # of a line, its label at the second
SHARED = "experts-shared-by-neighbours"
SHARED_OF = 4 / 64  # of that model's experts, those that a token chooses


def awake() -> Answer:
    """Both models: dots, the lines through them, and reading at the published rate."""
    found = {name: layers(name) for name in (SMALL, LARGE)}
    fits = {name: line(rows) for name, rows in found.items()}
    small, large = found[SMALL], found[LARGE]
    plainly = {name: ordinary(rows) for name, rows in found.items()}
    usual = [each for rows in plainly.values() for each in rows]
    shares = sorted(each.share for each in usual)
    pruned = sorted(each.share for rows in found.values() for each in rows if each not in usual)
    slopes = {name: sorted(line(rows).each for rows in by_rule(each).values()) for name, each in found.items()}
    one_task = [each for each in small if each.row.task == TASKS["math"]]
    even = plainly[SMALL][0].even
    model = awake_models()[SMALL]
    shared = catalog.datum(SHARED).value
    return Answer(
        finding=(
            f"On one H100 a block's time follows its experts awake: {show(fits[SMALL].each, 's')} for each more, "
            f"where reading takes {show(small[0].expert_seconds, 's')}"
        ),
        description=(
            f"Scatter plot: mean time of a block of experts against those awake, for {len(small)} settings of "
            f"{model.name} on one H100 and {len(large)} of {awake_models()[LARGE].name} on eight. The dots of each "
            f"model lie on a line. The first line rises beside that of reading the experts, above it by "
            f"{show(fits[SMALL].rest, 's')}; the second rises less than its own, and stays above it. A mark stands at "
            f"{show(even, '')} experts, which {MOST_AT_ONCE} even tokens would wake; the dots lie between "
            f"{show(min(each.row.awake for each in small), '')} and "
            f"{show(max(each.row.awake for each in large), '')}."
        ),
        tables={
            "dots": _table([*small, *large]),
            "fits": _lines(found, lambda name, awake: fits[name](awake), ""),
            "reading": _lines(found, lambda name, awake: awake * found[name][0].expert_seconds, "reading, at least"),
            "guides": guides("awake", {f"by (5), {MOST_AT_ONCE} tokens": even}, 1, PLACES[-1]),
        },
        values={
            "each": Value(fits[SMALL].each, "s", "One more expert awake, on one H100"),
            "reading": Value(small[0].expert_seconds, "s", "Reading it at the published rate"),
            "even": Value(even, "", f"Awake, by (5), for {MOST_AT_ONCE} tokens"),
            "low": Value(min(each.row.awake for each in usual), "", "Awake with ordinary routing, the fewest"),
            "high": Value(max(each.row.awake for each in usual), "", "the most"),
            "runs": Value(len(small), "", f"Means of {model.name}"),
            "large_runs": Value(len(large), "", "Means of the larger model"),
            "chosen": Value(model.active_experts, "", "Experts that a token chooses"),
            "experts": Value(model.experts, "", "Experts of a layer"),
            "most": Value(MOST_AT_ONCE, "", "Answers at a time, at most"),
            "low_share": Value(shares[0], "%", "over (5), the least", 2),
            "high_share": Value(shares[-1], "%", "over (5), the most", 2),
            "pruned_low": Value(pruned[0], "%", "With fewer brought, over (5), the least", 2),
            "pruned_high": Value(pruned[-1], "%", "the most", 2),
            "as_if_low": Value(
                min(each.as_if for each in usual), "", "Even tokens that would wake as many, the fewest", 2
            ),
            "as_if_mixed": Value(
                max(each.as_if_mixed for each in usual), "", "the most, if batches were of one or of the most", 2
            ),
            "as_if_few": Value(one_task[0].as_if, "", f"{TASKS['math']}, three brought: even tokens"),
            "as_if_most": Value(one_task[0].as_if_most(one_task[-1]), "", "the most by batches that vary"),
            "as_if_all": Value(one_task[-1].as_if, "", "all eight brought"),
            "rule_low": Value(slopes[SMALL][0], "s", "One more expert, by one routing rule alone, the least"),
            "rule_high": Value(slopes[SMALL][-1], "s", "the most"),
            "large_rule_low": Value(slopes[LARGE][0], "s", "Larger model, by one routing rule alone, the least"),
            "large_rule_high": Value(slopes[LARGE][-1], "s", "the most"),
            "rest": Value(fits[SMALL].rest, "s", "A block with none, by the line"),
            "farthest": Value(fits[SMALL].farthest, "s", "Farthest dot from the line", 2),
            "bytes": Value(small[0].expert_bytes, "B", "An expert"),
            "rate": Value(catalog.chip(CHIP).hbm_bandwidth, "B/s", "Published rate of an H100"),
            "large_each": Value(fits[LARGE].each, "s", "One more expert awake, on eight H100"),
            "large_rest": Value(fits[LARGE].rest, "s", "A block with none, by the line"),
            "large_reading": Value(large[0].expert_seconds, "s", "Reading an eighth of it"),
            "share_low": Value(1 / max(each.over_reading for each in small), "%", "Reading, of the time, the least", 2),
            "share_high": Value(1 / min(each.over_reading for each in small), "%", "the most", 2),
            "large_over": Value(min(each.over_reading for each in large), "x", "Larger model: the least"),
            "shared": Value(shared, "%", "Experts that two neighbouring tokens share", 3),
            "chance": Value(SHARED_OF, "%", "if choices were even", 3),
            "pair": Value(2 - shared, "x", "Experts awake for two neighbours, over one", 3),
            "pair_even": Value(2 - SHARED_OF, "x", "if choices were even", 3),
            **{
                f"{key}_{size}": Value(_of(plainly[name], task).row.awake, "", f"{awake_models()[name].name}: {task}")
                for size, name in (("small", SMALL), ("large", LARGE))
                for key, task in TASKS.items()
            },
        },
    )


def _of(rows: Sequence[Layer], task: str) -> Layer:
    return next(each for each in rows if each.row.task == task)


def _table(rows: Sequence[Layer]) -> dict[str, list[Any]]:
    return {
        "model": [each.model.name for each in rows],
        "task": [each.row.task for each in rows],
        "chosen": [each.row.chosen for each in rows],
        "awake": [each.row.awake for each in rows],
        "even": [each.even for each in rows],
        "share": [100 * each.share for each in rows],
        "seconds": [each.seconds for each in rows],
        "microseconds": [each.row.microseconds for each in rows],
    }


def _lines(found: dict[str, tuple[Layer, ...]], seconds: Any, label: str) -> dict[str, list[Any]]:
    return {
        "model": [awake_models()[name].name for name in found for _ in PLACES],
        "awake": [awake for _ in found for awake in PLACES],
        "seconds": [float(seconds(name, awake)) for name in found for awake in PLACES],
        "label": [text for _ in found for text in ("", label, "")],
    }


def awake_chart() -> Any:
    """Dots on their lines, dashed lines of reading, and a rule at the number by (5)."""
    import altair as alt

    names = [each.name for each in awake_models().values()]
    colours = [look.WEIGHTS, look.FREE[0]]
    x = alt.X("awake:Q", title="Experts of a layer awake").scale(domain=[0, PLACES[-1]], nice=False)
    y = alt.Y("seconds:Q", title="Time of the block").scale(domain=[0, 3.5e-4], nice=False).axis(**SECONDS)
    colour = alt.Color("model:N", title=None).scale(domain=names, range=colours)

    def drawn(table: str) -> Any:
        return alt.Chart(alt.NamedData(table)).encode(x=x, y=y, color=colour)

    shape = alt.Shape("model:N", title=None).scale(**look.shapes(*names))
    dots = drawn("dots").mark_point(size=45, filled=True, opacity=0.8).encode(shape=shape)
    reading = drawn("reading")
    below: dict[str, Any] = {"align": "left", "dx": 6, "dy": 13, "fontSize": 12}
    named = reading.encode(text="label:N")
    words = named.mark_text(**below, **HALO) + named.mark_text(**below)
    return (
        guide_layer(alt, "awake")
        + reading.mark_line(strokeDash=[7, 3], strokeWidth=1.5)
        + drawn("fits").mark_line(strokeWidth=1.2)
        + dots
        + words
    )


FIGURES = (
    Figure(
        name="world/awake",
        foremost=5,
        compute=awake,
        chart=awake_chart,
        table="dots",
        columns={
            "model": "Model",
            "task": "Task",
            "chosen": "Experts that a token brings",
            "awake": "Awake",
            "even": "Awake, by (5)",
            "share": "Awake, over that (%)",
            "microseconds": "Block (µs)",
        },
        assumptions=(
            "Means over all layers and steps of a run, as the paper prints them. An expert is three matrices in BF16; "
            "the paper says so of the smaller model alone.",
            "The GPU of the smaller model is called an H100 80GB; its memory is taken to be that of the SXM board.",
            "By (5) as many tokens choose as the engine lets in at most. Where fewer were under way, (5) says less.",
        ),
        sources=(AWAKE_SOURCE, "mlx-lm-drafts"),
    ),
)
