"""Measured steps of a rack beside their count: experts of DeepSeek-V3 spread wide over the links within."""

from __future__ import annotations

from bisect import bisect_right

from calc import catalog
from calc.catalog.exchanges import EXCHANGES_SOURCE
from calc.catalog.measurement import SERVING_SOURCE, clean_measurements
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH
from calc.moe.figures.in_parts import with_starts
from calc.moe.figures.plans import lead_seconds, plan_parts
from calc.moe.figures.timings import rack_start
from calc.quantities.arithmetic import whole_up
from calc.serving.measured import NARROW
from calc.setting import Layout, Setting
from calc.step import decode
from calc.world.settings import setting_of

ASKED = ("deepseek-v3", "gb200-nvl72", "fp8")
WIDE, HELD, PROMPT = 48, 1408, 2000  # chips, sequences of each and tokens of a prompt, as the source of the rate says


def rack() -> Answer:
    """The run of the most chips and sequences, and a wider one in FP4: operations in turn, with starts, and clocks."""
    runs = (row for row in clean_measurements() if (row.model, row.system, row.precision) == ASKED)
    row = max(runs, key=lambda each: (each.chips, each.in_flight))
    step = decode(setting_of(row), row.in_flight, row.context)
    counted = with_starts(step, rack_start(row.chips))  # as timed on as many chips
    over = row.token_seconds / counted
    missed = (over - 1) * lead_seconds(rack_start())[1]
    wide = decode(Setting.published(*ASKED[:2], NARROW, layout=Layout(data=WIDE)), WIDE * HELD, PROMPT)
    wide_counted = with_starts(wide, rack_start())
    wide_measured = HELD / catalog.datum("sglang-gb200-decode-fp4").value
    lone = row.in_flight / row.chips
    each = (wide_measured - wide_counted - row.token_seconds + counted) / (HELD - lone)
    less, users = _growing(row.token_seconds - counted - each * lone, each)
    return Answer(
        finding="A step of a rack, counted and measured",
        values={
            "chips": Value(row.chips, "", "Chips that share the experts"),
            "each": Value(row.in_flight / row.chips, "", "In flight on a chip", 2),
            "context": Value(row.context, "tokens", "Context, on average", 9),
            "counted": Value(counted, "s", "Operations in turn, with starts"),
            "measured": Value(row.token_seconds, "s", "From token to token"),
            "over": Value(over, "x", "Measured over that", 2),
            "missed": Value(missed, "s", "Missing from one rack, so", 2),
            "line_each": Value(each * _ours(), "s", "By a line through both runs, more for our tokens", 2),
            "line_less": Value(less, "%", "Less, by that line", 2),
            "line_one": Value(users, "", "Users of one rack, by that line"),
            **{f"{key}_less": Value(part, "%", "Less, missing time alike", 2) for key, part in _alike(over).items()},
            "wide_chips": Value(WIDE, "", "Chips of the wider run"),
            "wide_each": Value(HELD, "", "Sequences of a chip", 4),
            "wide_context": Value(PROMPT, "tokens", "Context"),
            "wide_counted": Value(wide_counted, "s", "Operations in turn, with starts"),
            "wide_measured": Value(wide_measured, "s", "Sequences over their rate"),
        },
    )


def _alike(over: float) -> dict[str, float]:
    """How much less a chip of half a rack, and one of two, writes if each plan lacks what one rack does at `over`."""
    half, one, two = lead_seconds(rack_start())
    return {key: (step - one) / (step + (over - 1) * one) for key, step in (("half", half), ("two", two))}


def _ours() -> int:
    """Tokens of the fullest chip in our batch."""
    return int(whole_up(BATCH.default / catalog.system(ASKED[1]).chips))


def _growing(fixed: float, each: float) -> tuple[float, int]:
    """By how much half a rack writes less, and users of one rack at its speed, if each token adds as much time."""
    chips, ours = catalog.system(ASKED[1]).chips, _ours()

    def step(racks: float, tokens: int) -> float:
        return sum(plan_parts(racks, ASKED[1], tokens * chips, rack_start(), "expert")) + fixed + each * tokens

    half, (counted_half, counted_one, _) = step(0.5, ours), lead_seconds(rack_start())
    less = (counted_half - counted_one) / (counted_half + fixed + each * ours)
    return less, bisect_right(range(1, 10 * ours), half, key=lambda tokens: step(1, tokens))


FIGURES = (Figure(name="world/rack", compute=rack, sources=(SERVING_SOURCE, EXCHANGES_SOURCE, "sglang-gb200-2")),)
