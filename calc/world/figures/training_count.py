"""Operations of a token that is learned from, as the course counts them and as the maker of benchmarks does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from calc.catalog.training import STEPS_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import plain, show
from calc.world.figures.strip import strip
from calc.world.training import Trained, counted, learned, middle

RECOUNTED, RECOUNT = "gpt-oss-120b", "26.06"  # its maker counts more of its operations from this release on
GUESSING = "DeepSeek-V3"  # with a layer that guesses a second token
RULE, COUNT = "by the rule", "counted"
SHOWN = [84, 102]  # of the axis, %


@dataclass(frozen=True)
class Recount:
    """The benchmarks of a model, with what two counts give of the printed one: the medians."""

    name: str
    rows: list[Trained]

    @property
    def rule(self) -> float:
        """By the rule, over the printed count."""
        return middle(each.rule for each in self.rows)

    @property
    def count(self) -> float:
        """Product by product, over the printed count."""
        return middle(each.count for each in self.rows)

    @property
    def flops(self) -> float:
        """Operations for a token, product by product."""
        return middle(each.known.flops for each in self.rows)


def _recounted(each: Trained) -> bool:
    """Whether a row counts as its maker counts now."""
    return each.row.named != RECOUNTED or each.row.release >= RECOUNT


def models() -> list[Recount]:
    """Every model whose operations the course counts, the one that the rule misses most first."""
    rows = [each for each in counted() if _recounted(each)]
    names = {each.row.named for each in rows}
    return sorted((Recount(name, [e for e in rows if e.row.named == name]) for name in names), key=lambda m: m.rule)


def count() -> Answer:
    """Operations for a token by the rule and product by product, over those that the benchmarks print."""
    found = models()
    off = max(abs(each.count - 1) for each in found)
    least, most = 1 - found[-1].rule, 1 - found[0].rule
    guessing = next(each for each in found if each.name == GUESSING)
    spans = sorted({each.row.sequence for each in counted()})
    return Answer(
        finding=(
            f"In sequences of {plain(spans[0], 4)} or {show(spans[-1], 'tokens', 4)}, six operations for each active "
            f"parameter are {show(least, '%', 2)} to {show(most, '%', 2)} too few; "
            f"counted product by product, no model is off by more than {show(off, '%', 2)}"
        ),
        description=(
            "Dot plot, a row for each model: operations for a token that is learned from, over the number that the "
            "benchmarks print, by the rule of six for each active parameter and counted product by product. "
            + " ".join(
                f"{each.name}: {show(each.rule, '%', 3)} by the rule, {show(each.count, '%', 4)} counted."
                for each in found
            )
        ),
        tables={
            "counts": {
                "name": [each.name for each in found for _ in (RULE, COUNT)],
                "kind": [RULE, COUNT] * len(found),
                "share": [100 * share for each in found for share in (each.rule, each.count)],
            },
            "models": {
                "name": [each.name for each in found],
                "sequence": [each.rows[0].row.sequence for each in found],
                "flops": [each.flops for each in found],
                "printed": [middle(e.row.token_flops for e in each.rows) for each in found],
                "counted": [100 * each.count for each in found],
                "rule": [100 * each.rule for each in found],
                "rows": [len(each.rows) for each in found],
            },
        },
        values={
            "rows": Value(len(counted()), "", "Benchmarks whose operations we can count", 4),
            "models": Value(len({each.row.model for each in counted()}), "", "of so many models", 2),
            "off": Value(off, "%", "Middle of a model, off by at most", 2),
            "shortest": Value(spans[0], "", "Shortest sequence, tokens", 4),
            "longest": Value(spans[-1], "tokens", "Longest sequence", 4),
            "least": Value(least, "%", "The rule falls short, least", 2),
            "most": Value(most, "%", "The rule falls short, most", 2),
            "guess": Value(
                guessing.count / middle(map(_alone, guessing.rows)) - 1, "%", "The layer that guesses adds", 2
            ),
            "recounted": Value(
                middle(each.count for each in counted() if not _recounted(each)) - 1,
                "%",
                f"{RECOUNTED}: counted over printed, before",
                2,
            ),
        },
    )


def _alone(each: Trained) -> float:
    """The count of a row as if no layer guessed."""
    row = each.row
    return learned(row.model, row.system, row.format, row.sequence, 0).flops / row.token_flops


def count_chart() -> Any:
    """Two dots a row, and a rule at the printed count."""
    scale = {"domain": SHOWN, "nice": False, "zero": False}
    kinds: dict[str, Any] = {"kind": "kind", "kinds": (COUNT, RULE), "colours": (look.INK, look.FREE[0])}
    return strip("counts", "share", "Of the printed number, %", y="name", at=100, scale=scale, size=95, **kinds)


FIGURES = (
    Figure(
        name="world/training-count",
        compute=count,
        chart=count_chart,
        table="models",
        columns={
            "name": "Model",
            "sequence": "Tokens of a sequence",
            "flops": "Operations for a token",
            "printed": "Printed",
            "counted": "Counted (%)",
            "rule": "By the rule (%)",
            "rows": "Benchmarks",
        },
        assumptions=(
            "Each product is counted forward once and backward twice; attention reads what stands before a token.",
            "DeepSeek-V3 and V4-Flash learn with the layer that guesses a second token, unless the page denies it.",
            f"Of {RECOUNTED} the releases from {RECOUNT} on; those before, counted otherwise, are in no row.",
        ),
        sources=(STEPS_SOURCE,),
    ),
)
