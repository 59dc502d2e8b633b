"""How busy benchmarks of training kept their multipliers, and how little of the rest is bubbles."""

from __future__ import annotations

from typing import Any

from calc import catalog
from calc.catalog.training import STEPS_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import show
from calc.world.figures.both_ends import both_ends
from calc.world.training import (
    SYSTEMS,
    Trained,
    changed,
    counted,
    in_part,
    middle,
    newest,
    on_both,
    one_layout,
    trained,
)

KINDS = ("dense, FP8", "mixture, BF16", "mixture, FP8", "dense, FP4", "mixture, FP4")
FORMATS = {"bf16": "BF16", "fp8": "FP8", "fp4": "FP4"}
ONE_MODEL = "mixture, FP4"
SLOWER, BETWEEN, FASTER = "hgx-h100", "hgx-b200", "gb300-nvl72"
LONG = 0.05  # of a step: a bubble worth naming


def _kind(each: Trained) -> str:
    return f"{'dense' if each.dense else 'mixture'}, {FORMATS[each.row.format]}"


def busy() -> Answer:
    """Shares of the multipliers, kind by kind, in the last release of each model, system and format."""
    rows = newest(trained())
    spread = {kind: sorted(each.busy for each in rows if _kind(each) == kind) for kind in KINDS}
    middles = {kind: middle(found) for kind, found in spread.items()}
    both, half_way = (list(on_both(SLOWER, system)) for system in (FASTER, BETWEEN))
    narrow = [each.row for each in newest(counted()) if each.row.format == "fp8"]
    in_parts = {in_part(row.model, row.system, row.format, row.sequence) for row in narrow}
    told = [kind for kind in KINDS if kind != ONE_MODEL]
    return Answer(
        finding="Multipliers kept busy, by the middle: "
        + ", ".join(f"{show(middles[kind], '%', 2)} ({kind})" for kind in told),
        description=(
            "Strip plot, a row for each kind of model and format: the share of the multipliers that the benchmarks "
            "kept busy, a mark for each model and system. "
            + " ".join(
                f"{kind}: {show(found[0], '%', 2)} to {show(found[-1], '%', 2)}, middle {show(middles[kind], '%', 2)}."
                for kind, found in spread.items()
            )
        ),
        tables={
            "runs": {
                "kind": [_kind(each) for each in rows],
                "busy": [100 * each.busy for each in rows],
                "chip": [SYSTEMS[each.row.system] for each in rows],
                "name": [each.row.named for each in rows],
                "release": [each.row.release for each in rows],
                "chips": [each.row.chips for each in rows],
                "tokens": [each.row.chip_tokens_per_second for each in rows],
            },
            "middles": {"kind": list(KINDS), "busy": [100 * middles[kind] for kind in KINDS]},
        },
        values={
            "dense_low": Value(spread["dense, FP8"][0], "%", "Dense in FP8, least", 2),
            "dense_high": Value(spread["dense, FP8"][-1], "%", "Dense in FP8, most", 2),
            "mixture": Value(middles["mixture, FP8"], "%", "Mixture in FP8, middle", 2),
            "mixture_low": Value(spread["mixture, FP8"][0], "%", "Mixture in FP8, least", 2),
            "mixture_high": Value(spread["mixture, FP8"][-1], "%", "Mixture in FP8, most", 2),
            "both": Value(len(both), "", f"Models on {SYSTEMS[SLOWER]} and {SYSTEMS[FASTER]}", 2),
            "busier": Value(
                sum(after.busy > before.busy for before, after in both), "", f"of them busier on {SYSTEMS[FASTER]}", 2
            ),
            "rate_low": Value(min(map(_rate, both)), "x", f"{SYSTEMS[FASTER]} multiplies as fast, least", 2),
            "memory": Value(
                catalog.system(FASTER).chip.hbm_bytes / catalog.system(SLOWER).chip.hbm_bytes,
                "x",
                f"Memory of {SYSTEMS[FASTER]} over that of {SYSTEMS[SLOWER]}",
                2,
            ),
            "both_alike": Value(sum(map(one_layout, both)), "", "of them in one layout", 2),
            "middle_rate": Value(min(map(_rate, half_way)), "x", f"{SYSTEMS[BETWEEN]} multiplies as fast, least", 2),
            "middle_both": Value(len(half_way), "", f"Models on {SYSTEMS[SLOWER]} and {SYSTEMS[BETWEEN]}", 2),
            "middle_idler": Value(
                sum(after.busy < before.busy for before, after in half_way),
                "",
                f"of them less busy on {SYSTEMS[BETWEEN]}",
                2,
            ),
            **{
                f"{name}_{when}": Value(each.busy, "%", f"{each.row.named}, {FORMATS[each.row.format]}", 2)
                for name, pair in (("mixed", _narrowed("bf16", "fp8")), ("dense_one", _narrowed("fp8", "fp4")))
                for when, each in zip(("wide", "narrow"), pair, strict=True)
            },
            **both_ends("in_part", in_parts, "Busier in FP8, were attention and readout in 16 bits", "x", 3),
        },
    )


def _narrowed(before: str, after: str) -> tuple[Trained, Trained]:
    """The last pair of one layout on the faster system whose operations we count, in two formats."""
    pairs = [pair for pair in changed("format", before, after) if one_layout(pair) and pair[0].row.model]
    return max((pair for pair in pairs if pair[0].row.system == FASTER), key=lambda pair: pair[0].row.release)


def _rate(pair: tuple[Trained, Trained]) -> float:
    """How many times as fast the second of a pair multiplies in its format."""
    before, after = (catalog.system(each.row.system).chip.known(f"{each.row.format}_flops") for each in pair)
    return after / before


def busy_chart() -> Any:
    """A row of marks for each kind, and a tick at its middle."""
    import altair as alt

    chips = list(SYSTEMS.values())
    x = alt.X("busy:Q", title="Multipliers busy, %").scale(domain=[0, 60], nice=False)
    y = alt.Y("kind:N", title=None, sort=list(KINDS)).axis(grid=True)
    legend = alt.Legend(columns=5)
    dots = (
        alt.Chart(alt.NamedData("runs"))
        .mark_point(size=75, filled=True, opacity=0.85)
        .encode(
            x=x,
            y=y,
            color=alt.Color("chip:N", title=None, legend=legend).scale(domain=chips, range=look.RUNS[: len(chips)]),
            shape=alt.Shape("chip:N", title=None, legend=legend).scale(
                domain=chips, range=look.RUN_SHAPES[: len(chips)]
            ),
        )
    )
    tick = alt.Chart(alt.NamedData("middles")).mark_tick(color=look.INK, thickness=3, size=26).encode(x=x, y=y)
    return dots + tick


def steps() -> Answer:
    """All benchmarks: the nearest to the bound, and the bubbles of those with stages."""
    nearest = min(counted(), key=lambda each: each.over_bound)
    waits = [each.bubble for each in trained() if each.row.pipeline > 1]
    return Answer(
        finding=f"No benchmark takes less than {show(nearest.over_bound, 'x')} its bound",
        values={
            "all": Value(len(trained()), "", "Benchmarks", 4),
            "nearest": Value(nearest.over_bound, "x", f"Nearest to the bound: {nearest.row.named}"),
            "staged": Value(len(waits), "", "Benchmarks with stages", 4),
            "bubble": Value(middle(waits), "%", "Bubble, middle", 2),
            "bubble_most": Value(max(waits), "%", "Bubble, most", 2),
            "bubble_long": Value(sum(each > LONG for each in waits), "", "Bubbles over a twentieth", 3),
        },
    )


FIGURES = (
    Figure(
        name="world/training-busy",
        compute=busy,
        chart=busy_chart,
        table="runs",
        columns={
            "name": "Model",
            "chip": "Chip",
            "kind": "Kind",
            "busy": "Busy (%)",
            "tokens": "Tokens a second and chip",
            "chips": "Chips",
            "release": "Release",
        },
        foremost=4,
        assumptions=(
            "Each operation is counted at the dense rate of its format; attention never in less than eight bits.",
            "Where the catalogue lacks a model, its maker's own count of operations is used. So it is for the only "
            "mixture in FP4, Nemotron 3 Super, with all operations at that rate.",
            "The last release of each model, system, format, number of chips and length; of its recipes the fastest.",
        ),
        sources=(STEPS_SOURCE,),
    ),
    Figure(name="world/training-steps", compute=steps, sources=(STEPS_SOURCE,)),
)
