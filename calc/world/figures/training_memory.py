"""The most memory that a chip held in training, over what lecture 7 counts, without logits and with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from calc import catalog
from calc.catalog.training import training_memories
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import plain, show
from calc.world.figures.strip import strip
from calc.world.training import middle
from calc.world.training_memory import GIB, TrainingPeak, held, of

NEAR = 0.1
WITHOUT, WITH = "counted without logits", "with logits"
STARTED, LATER = "torchao-training", "torchao-pretraining"
COLUMNS = {"of": "Model, chips", "named": "Run", "printed": "Printed (GiB)", "counted": "Counted (GiB)"}
COLUMNS |= {"plain": "Without logits (GiB)", "over": "Printed over counted (×)"}


def memory() -> Answer:
    """Every run on record, printed over counted."""
    rows = held()
    over, before = ([getattr(each, name) for each in rows] for name in ("over", "over_plain"))
    lines = list(dict.fromkeys(_line(each) for each in sorted(rows, key=_size)))
    few, many = (of(rows, model="llama-3-8b", source="torchtitan-llama-3", kept="selective", chips=n) for n in (8, 128))
    freed = [(a.printed - b.printed) / (a.state - b.state) for a, b in zip(few, many, strict=True)]
    alike: dict[float, list[float]] = {}
    for each in rows:
        alike.setdefault(round(each.counted, 3), []).append(each.over)
    whole, compiled, pieces, again = of(rows, source="torchtune-flags")
    shares = [each.logits / each.counted for each in rows]
    staged = [each.over for each in rows if each.row.stages > 1]
    sliced = [each.over for each in rows if each.row.tensor > 1 and each.row.stages == 1]
    winter, summer = (of(rows, source=source, named="H100")[0] for source in (STARTED, LATER))
    return Answer(
        finding=(
            f"Of {plain(len(rows))} runs {plain(_near(over))} held what we count with logits, within "
            f"{show(NEAR, '%')}; without logits {plain(_near(before))} did, and one {show(max(before), 'x')} as much"
        ),
        description=(
            "Strip plot, a row for each model and number of chips, and two marks for each run: memory that a chip held "
            "over the memory counted, without logits and with them. "
            + " ".join(f"{line}: {_words(rows, line)}." for line in lines)
        ),
        tables={
            "marks": {
                "line": [line for line in lines for each in rows if _line(each) == line for _ in (WITHOUT, WITH)],
                "kind": [kind for line in lines for each in rows if _line(each) == line for kind in (WITHOUT, WITH)],
                "over": [
                    ratio
                    for line in lines
                    for each in rows
                    if _line(each) == line
                    for ratio in (each.over_plain, each.over)
                ],
            },
            "runs": {
                "of": [_line(each) for each in rows],
                "named": [each.row.named for each in rows],
                **{name: [getattr(each, name) for each in rows] for name in ("printed", "counted", "plain", "over")},
            },
        },
        values={
            "runs": Value(len(rows), "", "Runs", 3),
            "models": Value(len({each.row.model for each in rows}), "", "of so many models", 2),
            "near": Value(_near(over), "", "Within a tenth of the count", 3),
            "near_plain": Value(_near(before), "", "Within a tenth of the count without logits", 3),
            "middle": Value(middle(over), "%", "Of the count, middle"),
            "middle_plain": Value(middle(before), "%", "Of the count without logits, middle"),
            "most_plain": Value(max(before), "x", "Over the count without logits, most"),
            "least": Value(min(over), "x", "Over the count, least", 2),
            "most": Value(max(over), "x", "Over the count, most"),
            "logits": Value(max(shares), "%", "Logits, of the count, most", 2),
            "logits_runs": Value(shares.count(max(shares)), "", "in so many runs", 2),
            "freed_low": Value(min(freed), "x", "Freed by sixteen times the chips, over the count, least"),
            "freed_high": Value(max(freed), "x", "Freed by sixteen times the chips, over the count, most"),
            "in_pieces": Value((compiled.printed - pieces.printed) * GIB, "B", "Freed by a loss in pieces"),
            "in_pieces_counted": Value((compiled.counted - pieces.counted) * GIB, "B", "The same, counted"),
            "again": Value((pieces.printed - again.printed) * GIB, "B", "Freed by records made again"),
            "again_counted": Value((pieces.counted - again.counted) * GIB, "B", "The same, counted"),
            "whole": Value(whole.over, "x", "Llama 3.2 3B with every record and a whole loss, over the count", 2),
            "staged_low": Value(min(staged), "x", "With stages, least"),
            "staged_high": Value(max(staged), "x", "With stages, most"),
            "sliced_low": Value(min(sliced), "x", "Sliced, least"),
            "sliced_high": Value(max(sliced), "x", "Sliced, most"),
            "loss_whole": Value(catalog.datum("loss-whole").value, "B", "A loss taken whole, measured apart"),
            "loss_compiled": Value(catalog.datum("loss-compiled").value, "B", "The same, compiled"),
            "winter": Value(winter.printed * GIB, "B", "A run of January 2025, loss taken whole"),
            "winter_counted": Value(winter.counted * GIB, "B", "The same, counted"),
            "summer": Value(summer.printed * GIB, "B", "The same in June 2025, loss compiled"),
            "summer_counted": Value(summer.counted * GIB, "B", "The same, counted"),
            "counts": Value(len(alike), "", "Different counts", 3),
            "counts_near": Value(_near([middle(found) for found in alike.values()]), "", "of them within a tenth", 3),
        },
    )


def _line(each: TrainingPeak) -> str:
    chips = each.row.chips
    return f"{catalog.model(each.row.model).name}, {plain(chips)} {'chip' if chips == 1 else 'chips'}"


def _size(each: TrainingPeak) -> tuple[float, int]:
    return catalog.model(each.row.model).total_params, each.row.chips


def _near(ratios: Sequence[float]) -> int:
    return sum(abs(ratio - 1) <= NEAR for ratio in ratios)


def _words(rows: Sequence[TrainingPeak], line: str) -> str:
    found = [each for each in rows if _line(each) == line]
    without, with_ = (
        " to ".join(dict.fromkeys(show(ratio, "x") for ratio in (min(ratios), max(ratios))))
        for ratios in ([each.over_plain for each in found], [each.over for each in found])
    )
    return f"{without} without logits, {with_} with them"


def memory_chart() -> Any:
    """Two lanes a row: what was printed over the count without logits, and over the count with them."""
    return strip(
        "marks",
        "over",
        "Memory held over counted, times",
        y="line",
        kind="kind",
        kinds=(WITHOUT, WITH),
        colours=(look.MUTED, look.FREE[0]),
        scale={"domain": [0.5, 3.0], "nice": False, "zero": False},
        at=1,
        lanes=True,
    )


FIGURES = (
    Figure(
        name="world/training-memory",
        foremost=4,
        compute=memory,
        chart=memory_chart,
        table="runs",
        columns=COLUMNS,
        assumptions=(
            "A state of 16 bytes a parameter is shared by all chips; the run on a lone chip keeps one of 8. A loss "
            "taken whole holds 14 bytes for each logit, a compiled one 8, as measured apart.",
            "Where the trainer says that records are kept selectively, every second product is computed again.",
            "Printed is what the allocator reserved, on torchtune what it used.",
        ),
        sources=("cut-cross-entropy", *dict.fromkeys(row.source for row in training_memories())),
    ),
)
