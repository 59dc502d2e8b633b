"""Lecture 1 in pictures: the chips. The ratio that sets the batch, and two times that are easily confused."""

from __future__ import annotations

from typing import Any

from calc import batching, catalog
from calc.batching.figures.setting import OURS
from calc.batching.figures.shared import (
    BLACKBOARD,
    WIDTHS,
    chip_ratio,
    fastest,
    multiplies,
    rows,
    short_name,
    torus_notes,
)
from calc.catalog import Chip, System
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO, SECONDS, guide_layer, guides
from calc.figure.inputs import Choice
from calc.figure.named import name_layer, pair
from calc.quantities.arithmetic import median
from calc.quantities.units import plain, show
from calc.setting import Scenario, architecture, usual_layout

KINDS = {"Latency floor": "floor", "Drain time": "drain"}
HUES: dict[str, Any] = {"domain": list(KINDS), "range": [look.WEIGHTS, look.MUTED]}

MEASURE = Choice(
    name="measure",
    label="Measured in",
    default="weights",
    options={"weights": "multiplications per weight", "bytes": "operations per byte"},
    help="The first has no unit and is the same in every precision whose rate doubles as its width halves.",
)


def ratio(*, model: str, system: str, precision: str, measure: str) -> Answer:
    """The ratio of every chip in every precision, and the batch that the reader's asks for."""
    where = Scenario.named(model, system, precision)
    found = rows(measure)
    numbers = [number for _, _, number in found]
    here = chip_ratio(where.chip, precision, measure)
    balanced = batching.balanced_batch(chip_ratio(where.chip, precision), where.model.sparsity)
    said = {"Pope": BLACKBOARD} if measure == "weights" else {}  # a pure number: no operations per byte
    marked = f"; a dotted line marks Pope's {plain(BLACKBOARD)}" if said else ""
    kinds = {"weights": "multiplications per weight", "bytes": "operations per byte"}
    return Answer(
        finding=(
            f"{short_name(where.chip)} makes {plain(here)} {kinds[measure]} read; without a cache, {where.model.name} "
            f"balances on it at a batch of {plain(balanced)} by the simplest bound"
        ),
        description=(
            f"Dot chart with one row for each of {len(catalog.chips())} chips: {kinds[measure]} in BF16, in 8 bits and "
            f"in FP4 where a chip has them, as rings of three sizes. They run from {plain(min(numbers))} to "
            f"{plain(max(numbers))}{marked}."
        ),
        tables={
            "chips": {
                "chip": [short_name(chip) for chip, _, _ in found],
                "precision": [WIDTHS[width] for _, width, _ in found],
                "ratio": numbers,
            },
            "here": {"chip": [short_name(where.chip)], "ratio": [here], "label": ["your chip"]},
            "measured": {"ratio": [0.0], "label": [f"{kinds[measure].capitalize()} read"]},
            "guides": guides("ratio", said, 1, 1e4),
        },
        values={
            "here": Value(here, "", f"{short_name(where.chip)}, {precision.upper()}"),
            "sparsity": Value(where.model.sparsity, "x", "Sparsity of the model"),
            "balanced": Value(balanced, "sequences", "Balanced batch, no cache"),
            "low": Value(min(numbers), "", "Smallest"),
            "median": Value(median(numbers), "", "Median"),
            "high": Value(max(numbers), "", "Largest"),
        },
        notes=[*where.rate_notes(), *_ring_notes(where.chip, precision)],
    )


def _ring_notes(chip: Chip, precision: str) -> list[str]:
    """A word on a ring that is not of the precision asked for, because the chip multiplies another as wide faster."""
    used = chip.arithmetic(precision)
    if not multiplies(chip, precision) or chip_ratio(chip, fastest(chip, precision)) == chip_ratio(chip, precision):
        return []
    faster, name = fastest(chip, precision).upper(), short_name(chip)
    return [
        f"The ring of {name} in {WIDTHS[precision]}s is of {faster}, which it multiplies faster than {used.upper()}."
    ]


def ratio_chart() -> Any:
    """Rings that lie around each other where a chip's ratio is the same in every precision."""
    import altair as alt

    names = tuple(WIDTHS.values())
    rings = (
        alt.Chart(alt.NamedData("chips"))
        .mark_point(filled=False, strokeWidth=1.4)
        .encode(
            x=alt.X("ratio:Q", title=" ").scale(zero=True),
            y=alt.Y("chip:N", title=None, sort=None).axis(grid=True, labelOverlap=False, labelFontSize=11),
            color=alt.Color("precision:N", title=None).legend(columns=3, offset=6).scale(**look.series(*names)),
            size=alt.Size("precision:N", title=None)
            .legend(columns=3, offset=6)
            .scale(domain=list(names), range=[240, 24]),
        )
    )
    yours = alt.Chart(alt.NamedData("here")).encode(x="ratio:Q", y=alt.Y("chip:N", sort=None))
    here = yours.mark_point(shape="triangle-down", yOffset=-9, color=look.ACCENT, size=70, opacity=1)
    end = "scale('x', datum.ratio) > width - 80"
    side = {"align": alt.expr(f"{end} ? 'right' : 'left'"), "dx": alt.expr(f"{end} ? -14 : 14")}
    said: dict[str, Any] = {**side, "baseline": "middle", "dy": -6, "fontSize": 11.5}
    words = yours.encode(text="label:N")
    yours = words.mark_text(**said, **HALO) + words.mark_text(**said, color=look.ACCENT)
    below: dict[str, Any] = {"x": alt.expr("width / 2"), "y": alt.expr("height + 36"), "align": "center"}
    measured = alt.Chart(alt.NamedData("measured")).mark_text(**below, color=look.INK, fontSize=12.5)
    return guide_layer(alt, "ratio", top="height - 18") + rings + here + yours + measured.encode(text="label:N")


def drain(*, model: str, system: str, precision: str) -> Answer:
    """For every system, the time to read its whole memory, and the time to read only the model's weights."""
    where = Scenario.named(model, system, precision)
    systems = list(catalog.systems().values())
    floors = [shared_floor(where, each) for each in systems]
    drains = [batching.read_seconds(each.hbm_bytes, each.hbm_bandwidth) for each in systems]
    floor = shared_floor(where, where.system)
    full = batching.read_seconds(where.hbm_bytes, where.bandwidth)
    names = [short_name(each.chip) + f" ×{each.chips:,}" for each in systems]
    own = names[[each.id for each in systems].index(system)]
    filled = floor / full
    chips = sharing(where, where.system)
    some = "" if chips == where.system.chips else f", on {plain(chips, 9)} of its chips,"
    theirs = "the memory of these" if some else "its memory"
    fits = f"fill {show(filled, '%')} of {theirs}" if filled <= 1 else f"do not fit in {theirs}"
    return Answer(
        finding=(
            f"{where.system.name} reads its whole memory in {show(full, 's')} and the weights alone{some} in "
            f"{show(floor, 's')}: they {fits}"
        ),
        description=(
            f"Dot chart with one row for each of {len(systems)} systems, seconds on a logarithmic axis: the time to "
            f"read all memory, from {show(min(drains), 's')} to {show(max(drains), 's')}, and the time to read the "
            f"weights of {where.model.name}, from {show(min(floors), 's')} to {show(max(floors), 's')}."
        ),
        tables={
            "systems": {
                "system": names * 2,
                "kind": [kind for kind in KINDS for _ in systems],
                "seconds": floors + drains,
            },
            "spans": {"system": names, "floor": floors, "drain": drains},
            "named": pair([own], [floor], [full], KINDS),
            "here": {"system": [own], "seconds": [floor]},
        },
        values={
            "floor": Value(floor, "s", "Latency floor: weights"),
            "drain": Value(full, "s", "Drain time: all memory"),
            "filled": Value(filled, "%", "Weights fill"),
            "low": Value(min(drains), "s", "Shortest drain"),
            "median": Value(median(drains), "s", "Median of these systems"),
            "high": Value(max(drains), "s", "Longest drain"),
        },
        notes=torus_notes(where.system),
    )


def shared_floor(where: Scenario, system: System) -> float:
    """Seconds in which the chips of a system that share the weights read them."""
    return float(batching.read_seconds(where.weight_bytes, sharing(where, system) * system.chip.hbm_bandwidth))


def sharing(where: Scenario, system: System) -> int:
    """The chips of a system that a layout can use: no more than there are experts.

    A dense model's matrices are cut over all of them, however little is left for each.

    >>> sharing(Scenario.named("mixtral-8x22b", "tpu-v5e-pod", "fp8"), catalog.system("tpu-v5e-pod"))
    8
    """
    return int(usual_layout(architecture(where.model), system.chips).chips)


def drain_chart() -> Any:
    """A short bar from floor to drain for every system."""
    import altair as alt

    y = alt.Y("system:N", title=None, sort=None).axis(grid=True, labelOverlap=False, labelFontSize=11, labelLimit=110)
    spans = alt.Chart(alt.NamedData("spans")).mark_rule().encode(x="floor:Q", x2="drain:Q", y=y)
    dots = (
        alt.Chart(alt.NamedData("systems"))
        .mark_point()
        .encode(
            x=alt.X("seconds:Q", title="Time to read")
            .scale(type="log")
            .axis(values=[10.0**decade for decade in range(-8, 1)], **SECONDS),
            y=y,
            color=alt.Color("kind:N", legend=None).scale(**HUES),
            shape=alt.Shape("kind:N", legend=None).scale(**look.shapes(*KINDS)),
        )
    )
    here = alt.Chart(alt.NamedData("here")).mark_point(**look.HERE).encode(x="seconds:Q", y=y)
    names = name_layer(alt, HUES, alt.Y("row:N", title=None, sort=None))
    return spans + dots + here + names


RATIO = Figure(
    name="batching/ratio",
    inputs=(*OURS, MEASURE),
    compute=ratio,
    chart=ratio_chart,
    table="chips",
    columns={"chip": "Chip", "precision": "Precision", "ratio": "Ratio"},
    assumptions=(
        "Dense rates and full memory bandwidth from the catalogue. 8 bit is the faster of FP8 and INT8.",
        "A format that a chip does not multiply is widened; it is not drawn, and counted at the rate that is used.",
    ),
    foremost=3,
    sources=("lecture", "aiconfigurator", "inferencex", "rubin-writeups", "scaling-book-tpus"),
)

DRAIN = Figure(
    name="batching/drain",
    inputs=OURS,
    compute=drain,
    chart=drain_chart,
    table="spans",
    columns={"system": "System", "floor": "Latency floor (s)", "drain": "Drain time (s)"},
    assumptions=(
        "The latency floor spreads one copy of the weights over a system: a dense model over all chips, experts whole, "
        "so over at most as many chips as a layer has.",
        "Memory is read at its full rated bandwidth.",
    ),
    foremost=3,
    sources=("lecture", "aiconfigurator", "inferencex", "rubin-writeups", "scaling-book-tpus"),
)

FIGURES = (RATIO, DRAIN)
