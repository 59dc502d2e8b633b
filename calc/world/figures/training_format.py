"""How much faster a chip learns in a narrower format, beside how much faster it multiplies."""

from __future__ import annotations

from typing import Any

from calc import catalog
from calc.catalog.training import STEPS_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import plain, show
from calc.world.training import SYSTEMS, changed, gain, middle

UNMOVED, WIDE = "Nemotron 3 Super", "DeepSeek-V3"


def narrower() -> Answer:
    """Tokens a second in FP4 over those in FP8, beside the rates of multiplying in the two."""
    pairs = list(changed("format", "fp8", "fp4"))
    gains = [gain(pair) for pair in pairs]
    names = [f"{one.row.named}, {SYSTEMS[one.row.system]}" for one, _ in pairs]
    rates = {name: _rate(one.row.system) for name, (one, _) in zip(names, pairs, strict=True)}
    of = {name: [each for each, row in zip(gains, names, strict=True) if row == name] for name in rates}
    order = sorted(of, key=lambda name: -middle(of[name]))
    dense = [gain(pair) for pair in pairs if pair[0].dense]
    unmoved = [gain(pair) for pair in pairs if pair[0].row.named == UNMOVED]
    wide = [gain(pair) for pair in changed("format", "bf16", "fp8")]
    return Answer(
        finding=(
            f"In FP4 a chip multiplies {plain(min(rates.values()), 2)} to {plain(max(rates.values()), 2)} times as "
            f"fast as in FP8, and dense models learned {show(min(dense), 'x')} to {show(max(dense), 'x')} as fast"
        ),
        description=(
            "Dot plot, a row for each model and chip: tokens a second in FP4 over those in FP8, in the same release "
            "and on as many chips, with a mark at the ratio of the two rates of multiplying. "
            + " ".join(f"{name}: {show(middle(of[name]), 'x')}, rate {show(rates[name], 'x')}." for name in order)
        ),
        tables={
            "rates": {
                "name": order,
                "rate": [rates[name] for name in order],
                "middle": [middle(of[name]) for name in order],
                "pairs": [len(of[name]) for name in order],
            },
            "gains": {"name": names, "gain": gains},
        },
        values={
            "pairs": Value(len(pairs), "", "Pairs", 3),
            "dense_low": Value(min(dense), "x", "Dense models, least"),
            "dense_high": Value(max(dense), "x", "Dense models, most"),
            "unmoved_low": Value(min(unmoved), "x", f"{UNMOVED}, least", 2),
            "unmoved_high": Value(max(unmoved), "x", f"{UNMOVED}, most"),
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
        .mark_point(size=75, filled=True, opacity=0.85, color=look.FREE[0])
        .encode(x="gain:Q", y=y)
    )
    return same + rate + dots


FIGURES = (
    Figure(
        name="world/training-format",
        compute=narrower,
        chart=narrower_chart,
        table="rates",
        columns={"name": "Model, chip", "middle": "Faster, middle (×)", "rate": "Rate (×)", "pairs": "Pairs"},
        assumptions=("Of several recipes in eight bits the fastest is taken; layouts may differ.",),
        sources=(STEPS_SOURCE,),
    ),
)
