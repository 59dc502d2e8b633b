"""Layers forward and back on one chip, records kept, made again or undone, beside what lecture 7 counts for them.

The layers are reversible: each has attention and a gated feed-forward part, added in turn to one of two streams. So the
same layers can be learned from in all three ways, and their gradients compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calc import catalog
from calc.catalog.chip_times import ChipTime, chip_times
from calc.overtraining import training_run
from calc.quantities.units import bytes_per_element
from calc.reversible import activation_memory
from calc.world.chip import matrices, only, rate

STREAMS = 2


@dataclass(frozen=True)
class LearningWay:
    """One way to learn from some layers: timed with the fewest and with the most."""

    few: ChipTime
    many: ChipTime

    @property
    def layer_seconds(self) -> float:
        """Forward and back, a layer of the longer run: differences of times would be noisier."""
        return self.many.seconds / self.many.count

    @property
    def layer_bytes(self) -> float:
        """Most memory, of one layer more."""
        return (self.many.bytes - self.few.bytes) / (self.many.count - self.few.count)


@cache
def ways(form: str = "fp32") -> dict[str, LearningWay]:
    """The ways by name, with streams of that format.

    >>> found = ways()
    >>> [*found], round(found["again"].layer_seconds / found["kept"].layer_seconds, 2)
    (['forward', 'kept', 'again', 'undone'], 1.26)
    """
    rows = [row for row in chip_times("learn") if row.format == form]
    few, most = min(row.count for row in rows), max(row.count for row in rows)
    by_count = [{row.name: row for row in rows if row.count == count} for count in (few, most)]
    return {name: LearningWay(row, by_count[1][name]) for name, row in by_count[0].items()}


def backward(form: str = "bf16") -> float:
    """The way back over the way forward, of a layer that keeps its record, in streams of a format: lecture 5 takes two.

    >>> 2 < backward() < 2.3
    True
    """
    found = ways(form)
    return found["kept"].layer_seconds / found["forward"].layer_seconds - 1


def counted_overhead(way: str, form: str = "bf16") -> float:
    """The work of a way that evaluates each layer twice, over one that keeps all records, as lecture 7 counts it."""
    layers = 1.0
    plan = activation_memory.checkpoint(layers, 1) if way == "again" else activation_memory.reverse(layers)
    return float(plan.overhead(backward(form)))


def without_last_product() -> float:
    """The same where the last product of a layer is not made again, as PyTorch stops before it: nobody asks for it."""
    forward = ways("bf16")["forward"]
    last = only("product", "down", model=forward.many.model, format="bf16", tokens=forward.many.tokens).seconds
    return counted_overhead("again") - last / forward.layer_seconds / (1 + backward())


def counted_bytes(way: str, form: str = "bf16") -> float:
    """Bytes that one layer more holds, by lecture 7: its record, or the two streams before it, or nothing.

    >>> counted_bytes("undone")
    0.0
    """
    row = ways(form)["kept"].few
    known = catalog.model(row.model).known
    width = known("d_model")
    if way == "kept":
        keys_values = 2 * known("kv_heads") * known("head_dim")
        return float(training_run.gated_record_bytes(row.tokens, width, known("d_ff_dense"), keys_values))
    streams = STREAMS * float(activation_memory.state_bytes(row.tokens, width, bytes_per_element(form)))
    return streams if way == "again" else 0.0


def layer_flops() -> float:
    """Operations of a layer forward: two for each weight and token, and those of attention over the tokens before."""
    row = ways("bf16")["kept"].few
    weights = sum(out * into for name, (out, into) in matrices(row.model).items() if name != "head")
    heads = matrices(row.model)["output projection"][1]
    return float(row.tokens * (2 * weights + 2 * heads * (row.tokens + 1)))


def busy() -> float:
    """Share of the published arithmetic that learning kept busy, with every record kept: 1 + `backward` counted as 3.

    >>> 0.5 < busy() < 0.7
    True
    """
    kept = ways("bf16")["kept"]
    return 3 * layer_flops() / kept.layer_seconds / rate(kept.few.chip, "bf16")
