"""How much faster a chip learns in a narrower format, beside how much faster it multiplies."""

from __future__ import annotations

from typing import Any

from calc import catalog
from calc.catalog.training import STEPS_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import plain, show
from calc.world.training import SYSTEMS, changed, gain, middle, one_layout

DENSE, UNMOVED, WIDE = "Llama 3.1 405B", "Nemotron 3 Super", "DeepSeek-V3"
ALIKE, MOVED = LAYOUTS = ("one layout", "another layout")


def narrower() -> Answer:
    """Tokens a second in FP4 over those in FP8, beside the rates of multiplying in the two."""
    pairs = list(changed("format", "fp8", "fp4"))
    gains = [gain(pair) for pair in pairs]
    names = [f"{one.row.named}, {SYSTEMS[one.row.system]}" for one, _ in pairs]
    rates = {name: _rate(one.row.system) for name, (one, _) in zip(names, pairs, strict=True)}
    of = {name: [each for each, row in zip(gains, names, strict=True) if row == name] for name in rates}
    order = sorted(of, key=lambda name: -middle(of[name]))
    unmoved = [gain(pair) for pair in pairs if pair[0].row.named == UNMOVED and one_layout(pair)]
    wide = [gain(pair) for pair in changed("format", "bf16", "fp8")]
    layouts = [ALIKE if one_layout(pair) else MOVED for pair in pairs]
    alike, moved = ([each for each, layout in zip(gains, layouts, strict=True) if layout == kind] for kind in LAYOUTS)
    told = zip(gains, layouts, pairs, strict=True)
    dense = [each for each, layout, (one, _) in told if layout == ALIKE and one.row.named == DENSE]
    return Answer(
        finding=(
            f"In FP4 a chip multiplies {plain(min(rates.values()), 2)} to {plain(max(rates.values()), 2)} times as "
            f"fast as in FP8; in one layout {DENSE} learned {show(min(dense), 'x')} to {show(max(dense), 'x')} as "
            f"fast, {UNMOVED} {show(min(unmoved), 'x')} to {show(max(unmoved), 'x')}"
        ),
        description=(
            "Dot plot, a row for each model and chip: tokens a second in FP4 over those in FP8, in the same release "
            "and on as many chips, in one layout or in two, with a mark at the ratio of the two rates of multiplying. "
            + " ".join(f"{name}: {show(middle(of[name]), 'x')}, rate {show(rates[name], 'x')}." for name in order)
        ),
        tables={
            "rates": {
                "name": order,
                "rate": [rates[name] for name in order],
                "middle": [middle(of[name]) for name in order],
                "pairs": [len(of[name]) for name in order],
            },
            "gains": {"name": names, "gain": gains, "layout": layouts},
        },
        values={
            "settings": Value(len(rates), "", "Models on a kind of chip", 2),
            "pairs": Value(len(pairs), "", "Pairs", 3),
            "alike": Value(len(alike), "", "of them in one layout", 3),
            "dense_low": Value(min(dense), "x", f"{DENSE}, one layout, least"),
            "dense_high": Value(max(dense), "x", f"{DENSE}, one layout, most"),
            "unmoved_low": Value(min(unmoved), "x", f"{UNMOVED}, one layout, least"),
            "unmoved_high": Value(max(unmoved), "x", f"{UNMOVED}, one layout, most"),
            "moved_low": Value(min(moved), "x", "Layout changed with the format, least"),
            "moved_high": Value(max(moved), "x", "Layout changed with the format, most"),
            "wide_low": Value(min(wide), "x", f"{WIDE}, FP8 in place of BF16, least"),
            "wide_high": Value(max(wide), "x", f"{WIDE}, FP8 in place of BF16, most"),
        },
    )


def _rate(system: str) -> float:
    """How many times as fast its chips multiply in FP4 as in FP8."""
    chip = catalog.system(system).chip
    return chip.known("fp4_flops") / chip.known("fp8_flops")


def narrower_chart() -> Any:
    """The gains of each row as dots, and a tick at the gain in rate."""
    import altair as alt

    scale: dict[str, Any] = {"domain": [0.8, 3.2], "nice": False, "zero": False}
    rows = alt.Chart(alt.NamedData("rates"))
    y = alt.Y("name:N", title=None, sort=None).axis(grid=True, labelLimit=200)
    x = alt.X("rate:Q", title="FP4 over FP8, times").scale(**scale)
    same = rows.mark_rule(color=look.MUTED, strokeDash=[2, 3]).encode(x=alt.XDatum(1).scale(**scale))
    rate = rows.mark_tick(color=look.ARITHMETIC, thickness=3, size=20).encode(x=x, y=y)
    dots = (
        alt.Chart(alt.NamedData("gains"))
        .mark_point(size=75, filled=True, opacity=0.85)
        .encode(
            x="gain:Q",
            y=y,
            color=alt.Color("layout:N", title=None).scale(domain=list(LAYOUTS), range=[look.FREE[0], look.MUTED]),
            shape=alt.Shape("layout:N", title=None).scale(**look.shapes(*LAYOUTS)),
        )
    )
    return same + rate + dots


FIGURES = (
    Figure(
        name="world/training-format",
        compute=narrower,
        chart=narrower_chart,
        table="rates",
        foremost=4,
        columns={"name": "Model, chip", "middle": "Faster, middle (×)", "rate": "Rate (×)", "pairs": "Pairs"},
        assumptions=(
            "Of several recipes in eight bits the fastest is taken.",
            "One layout: as much sharding, as many slices, stages and pieces of them, and as many chips for a sequence "
            "and for the experts.",
        ),
        sources=(STEPS_SOURCE,),
    ),
)
