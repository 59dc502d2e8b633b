"""Small models trained backwards by others, and states sent to the host, beside lecture 7."""

from __future__ import annotations

from typing import Any

from calc.catalog.reversed_runs import reversed_drifts, reversed_kernels, reversed_runs
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import show
from calc.world.backwards import forgetting, record_measured, sent_away, states_measured
from calc.world.figures.both_ends import both_ends
from calc.world.figures.strip import strip

SHARED, APART = 2, 3  # evaluations of a layer in a step
MEASURED, AS_RUN, ONCE = "measured", "counted", "if shared"
KINDS = (MEASURED, AS_RUN, ONCE)
T4, OTHER = "two evaluations more, a T4", "two more, another T4"
L4, MADE = "one evaluation more, an L4", "made again, a T4"


def trained_backwards() -> Answer:
    """Time of each program over that with records kept, memory of one, and errors in training."""
    first, other, shared, again = (
        forgetting("undone", APART)[:-1],
        forgetting("undone", APART)[-1:],
        forgetting("undone", SHARED),
        forgetting("again", SHARED),
    )
    rows = [
        (name, kind, over)
        for name, runs in ((T4, first), (OTHER, other), (L4, shared), (MADE, again))
        for kind, over in (
            *((MEASURED, each.longer) for each in runs),
            (AS_RUN, runs[0].counted()),
            (ONCE, runs[0].counted(SHARED)),
        )
    ]
    kernels, drifts = reversed_kernels(), reversed_drifts()
    missed = [row.missed for row in drifts if row.missed is not None]
    moved = [row.moved for row in drifts if row.moved is not None]
    states, counted = states_measured()
    return Answer(
        finding=(
            f"Where layers were undone and then evaluated again, steps took {show(min(r.longer for r in first), 'x')} "
            f"to {show(max(r.longer for r in first), 'x')} the time; with one evaluation for both we count "
            f"{show(first[0].counted(SHARED), 'x')}"
        ),
        description=(
            f"Strip plot: time of a step over that with all records kept, in three programs that run backwards and one "
            f"that makes records again. Marks that were measured lie near those counted for each program. "
            f"For the two that evaluate a layer twice more, one evaluation would be counted at "
            f"{show(first[0].counted(SHARED), 'x')} and {show(other[0].counted(SHARED), 'x')}."
        ),
        tables={
            "marks": {
                "program": [name for name, _, _ in rows],
                "kind": [kind for _, kind, _ in rows],
                "over": [over for _, _, over in rows],
            }
        },
        values={
            **both_ends("apart", [each.longer for each in first], "Undone first, over kept", "x", 3),
            "apart_counted": Value(first[0].counted(), "x", "The same, counted"),
            "apart_shared": Value(first[0].counted(SHARED), "x", "With one evaluation for both, counted"),
            "other": Value(other[0].longer, "x", "Another program, over kept"),
            "other_counted": Value(other[0].counted(), "x", "The same, counted"),
            "shared": Value(shared[0].longer, "x", "One evaluation for both, over kept"),
            "shared_counted": Value(shared[0].counted(), "x", "The same, counted"),
            **both_ends("again", [each.longer for each in again], "Made again, over kept", "x", 3),
            "again_counted": Value(again[0].counted(), "x", "The same, counted"),
            "undoing": Value(kernels.undoing / 1000, "s", "Kernels that undo layers, in a step"),
            "recording": Value(kernels.recording / 1000, "s", "Kernels that make their records"),
            "step": Value(kernels.undone / 1000, "s", "All kernels of that step"),
            "states": Value(states, "B", "Undone, less memory than with checkpoints"),
            "states_counted": Value(counted, "B", "The same, counted"),
            "record": Value(record_measured(), "B", "A record, measured"),
            "record_counted": Value(again[0].record, "B", "A record, counted"),
            "missed_first": Value(missed[0], "%", "Start missed by, before training", 2),
            "missed_last": Value(missed[-1], "%", "Start missed by, after training", 2),
            "missed_most": Value(max(missed), "%", "Start missed by, at most", 2),
            "tokens": Value(drifts[-1].tokens, "tokens", "Tokens of training", 1),
            "deep": Value(drifts[0].layers, "layers", "Layers of the network that misses its start"),
            "moved": Value(max(moved), "%", "Gradients of another moved by, at most", 2),
            "moved_deep": Value(drifts[-1].layers, "", "Layers of the other"),
        },
    )


def trained_backwards_chart() -> Any:
    """A row for each program, marks for what was measured and counted, and a rule where nothing is evaluated again."""
    return strip(
        "marks",
        "over",
        "Time of a step, over that with records kept",
        y="program",
        kind="kind",
        kinds=KINDS,
        colours=(look.FREE[0], look.ACCENT, look.MUTED),
        at=1,
        scale={"domain": [0.95, 1.65], "nice": False, "zero": False},
        ticks=[1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6],
    )


def offloaded() -> Answer:
    """Memory and time of runs that send states, or everything, beside those that send nothing."""
    short, middle, long = sent_away("states")
    everything = sent_away("everything")[0]
    return Answer(
        finding="Runs that send states to the host",
        values={
            "short_tokens": Value(short.row.tokens, "tokens", "Fewest tokens of a chip", 9),
            "short_longer": Value(short.longer, "x", "Step over that with states on the chip"),
            "short_freed": Value(short.freed, "B", "Freed at the peak", 1),
            "short_counted": Value(short.counted, "B", "The same, counted", 2),
            "short_host": Value(short.host, "B", "More in the host"),
            "short_sent": Value(short.layers * short.state, "B", "All states"),
            "middle_tokens": Value(middle.row.tokens, "tokens", "Tokens of a chip, next", 9),
            "middle_longer": Value(middle.longer, "x", "Step over that with states on the chip"),
            "middle_freed": Value(middle.freed, "B", "Freed at the peak", 2),
            "middle_counted": Value(middle.counted, "B", "The same, counted", 2),
            "long_tokens": Value(long.row.tokens, "tokens", "Tokens of a chip, most", 9),
            "long_longer": Value(long.longer, "x", "Step over that with states on the chip", 4),
            "long_freed": Value(long.freed, "B", "Freed at the peak", 2),
            "long_counted": Value(long.counted, "B", "The same, counted", 2),
            "all_longer": Value(everything.longer, "x", "Everything sent: step over that which sends nothing"),
            "all_held": Value(everything.row.gb * 1e9, "B", "Everything sent: rise on the chip"),
            "all_kept": Value(everything.row.kept_gb * 1e9, "B", "Nothing sent: rise on the chip"),
            "all_host": Value(everything.host, "B", "Everything sent: more in the host"),
        },
    )


FIGURES = (
    Figure(
        name="world/backwards",
        foremost=3,
        compute=trained_backwards,
        chart=trained_backwards_chart,
        table="marks",
        columns={"program": "Program", "kind": "Kind", "over": "Over records kept (×)"},
        assumptions=(
            "Shared: one evaluation undoes a layer and makes its record.",
            "Models of twenty million parameters with large readouts. A readout is multiplied once in every way.",
            "Backward passes are counted as two forward ones, attention over half of the sequence.",
            "Where layers are made again, PyTorch leaves out the last product of each.",
            "In the last two that run backwards, records were kept in an ordinary network with as much arithmetic.",
        ),
        sources=tuple(dict.fromkeys(run.source for run in reversed_runs())),
    ),
    Figure(
        name="world/offloaded",
        compute=offloaded,
        sources=tuple(dict.fromkeys(each.row.source for sent in ("states", "everything") for each in sent_away(sent))),
    ),
)
