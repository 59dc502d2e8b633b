"""A whole step of a dense model's shape, with random weights: every kernel that the course counts, and its parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import torch

from calc import catalog
from calc.catalog.chip_times import ChipTime
from calc.world.chip import matrices
from tests.chip.clock import DEVICE, FORMATS, Call, drawn, multiply, timed
from tests.chip.fused import attend, gate, norm, rotate

MODEL = "llama-3-8b"
PARTS = ("products", "attention", "rest")
STEPS = {1024: (1, 2, 4, 8, 16, 32, 64, 128, 256), 2048: (8, 16, 32, 64, 128), 4096: (1, 8, 16, 32, 64), 32768: (1, 8)}
PROMPTS = (128, 256, 512, 1024, 2048, 4096, 8192)
DRAFTS, WRITERS, WRITTEN = (1, 2, 4, 8), (1, 8, 32, 128), 1024  # tokens at once of so many sequences
ENTRIES = 2**18  # tokens that the cache holds


class Shape:
    """Weights of a model's layers, drawn at random, and a cache that is filled with random numbers."""

    def __init__(self, kind: str):
        known = catalog.model(MODEL).known
        self.kind, self.format = kind, FORMATS[kind]
        self.layers = int(known("layers"))
        self.heads, self.shared, self.size = (int(known(each)) for each in ("heads", "kv_heads", "head_dim"))
        self.width, self.hidden = int(known("d_model")), int(known("d_ff_dense"))
        names = matrices(MODEL)
        self.head = multiply(drawn(*names["head"], scale=0.02, kind=self.format))
        self.outputs = names["head"][0]
        self.table = drawn(*names["head"], scale=0.02)
        self.weights = [
            {
                name: multiply(drawn(*size, scale=0.02, kind=self.format))
                for name, size in names.items()
                if name != "head"
            }
            for _ in range(self.layers)
        ]
        self.scale = torch.ones(self.width, device=DEVICE, dtype=torch.bfloat16)
        self.cache = drawn(2 * self.layers, ENTRIES * self.shared * self.size)
        angles = torch.outer(torch.arange(2**17), 500000.0 ** -(torch.arange(0, self.size, 2) / self.size))
        self.turns = (angles.cos().to(DEVICE, torch.float32), angles.sin().to(DEVICE, torch.float32))

    def calls(self, sequences: int, length: int, context: int, *, scored: int = 1) -> list[tuple[str, Call]]:
        """The kernels of a step in which each sequence gains `length` tokens, with `context` in its cache after it.

        For the last `scored` of them the head says what may follow.
        """
        return Step(self, sequences, length, context, scored).calls()


@dataclass
class Mixed:
    """The result of a layer's attention; random numbers stand in where attention is left out."""

    out: torch.Tensor


class Step:
    """Numbers that the kernels of one step hand on to each other."""

    def __init__(self, shape: Shape, sequences: int, length: int, context: int, scored: int):
        self.shape, self.sequences, self.length, self.context = shape, sequences, length, context
        self.tokens = sequences * length
        empty = partial(torch.empty, device=DEVICE, dtype=torch.bfloat16)
        self.stream = drawn(self.tokens, shape.width)
        self.made = empty(self.tokens, (shape.heads + 2 * shape.shared) * shape.size)
        self.asks = empty(self.tokens, shape.heads * shape.size)
        self.handed = drawn(self.tokens, shape.width)
        self.both = empty(self.tokens, 2 * shape.hidden)
        self.inputs = empty(self.tokens, shape.width, dtype=shape.format)
        self.hidden = empty(self.tokens, shape.hidden, dtype=shape.format)
        self.narrow = empty(self.tokens, shape.heads * shape.size, dtype=shape.format)
        self.scored = sequences * scored
        self.scores = empty(self.scored, shape.outputs)
        self.chosen = torch.zeros(self.scored, device=DEVICE, dtype=torch.int64)
        self.heads = self.asks.view(sequences, length, shape.heads, shape.size)

    def calls(self) -> list[tuple[str, Call]]:
        """Its kernels in their order, each with the part that it belongs to."""
        found: list[tuple[str, Call]] = [("rest", self._begin)]
        for index in range(self.shape.layers):
            found += self._layer(index)
        found += [
            ("rest", partial(norm, self.stream, self.handed, self.shape.scale, self.inputs)),
            ("products", self._judge),
            ("rest", partial(torch.argmax, self.scores, 1, out=self.chosen)),
        ]
        return found

    def _begin(self) -> None:
        """The chosen tokens' rows of the table."""
        self.stream[: self.scored].copy_(torch.index_select(self.shape.table, 0, self.chosen))

    def _judge(self) -> None:
        """Scores of what may follow a token."""
        self.shape.head(self.inputs[-self.scored :], self.scores)

    def _layer(self, index: int) -> list[tuple[str, Call]]:
        """The kernels of one layer."""
        shape, layer = self.shape, self.shape.weights[index]
        reach = self.sequences * self.context * shape.shared * shape.size
        keys, values = (
            shape.cache[2 * index + which][:reach].view(self.sequences, self.context, shape.shared, shape.size)
            for which in (0, 1)
        )
        mixed = Mixed(drawn(self.sequences, self.length, shape.heads, shape.size))
        begin = self.context - self.length

        def attention() -> None:
            mixed.out = attend(self.heads, keys, values, causal=self.length > 1)

        def narrowed() -> None:
            self.narrow.copy_(mixed.out.view(self.tokens, -1))

        def out() -> None:
            given = mixed.out.view(self.tokens, -1) if shape.kind == "bf16" else self.narrow
            layer["output projection"](given, self.handed)

        return [
            ("rest", partial(norm, self.stream, self.handed, shape.scale, self.inputs)),
            ("products", partial(layer["projections"], self.inputs, self.made)),
            ("rest", partial(rotate, self.made, self.asks, keys, values, shape.turns, begin, self.length)),
            ("attention", attention),
            *([("rest", narrowed)] if shape.kind != "bf16" else []),
            ("products", out),
            ("rest", partial(norm, self.stream, self.handed, shape.scale, self.inputs)),
            ("products", partial(layer["gate and up"], self.inputs, self.both)),
            ("rest", partial(gate, self.both, self.hidden)),
            ("products", partial(layer["down"], self.hidden, self.handed)),
        ]


def steps() -> Iterator[ChipTime]:
    """Steps of writing and passes of reading, whole and in parts; a step also started kernel by kernel from Python."""
    for kind in FORMATS:
        yield from _steps(kind)
        torch.cuda.empty_cache()


def _steps(kind: str) -> Iterator[ChipTime]:
    """Steps and passes in one format; its weights leave the chip when this returns."""
    shape = Shape(kind)
    for context, batches in STEPS.items():
        for batch in batches:
            row = {"part": "step", "model": MODEL, "format": kind, "tokens": batch, "context": context}
            yield from _parts(shape.calls(batch, 1, context), row, alone=batch == 1 and context == 1024)
    for prompt in PROMPTS:
        row = {"part": "pass", "model": MODEL, "format": kind, "tokens": prompt, "context": prompt}
        yield from _parts(shape.calls(1, prompt, prompt), row)


def drafts() -> Iterator[ChipTime]:
    """Steps that check several tokens of each sequence at once, as drafts are checked: whole and in parts."""
    for kind in FORMATS:
        shape = Shape(kind)
        for batch in WRITERS:
            for length in DRAFTS:
                row = {"part": "drafts", "model": MODEL, "format": kind, "tokens": batch, "context": WRITTEN}
                yield from _parts(shape.calls(batch, length, WRITTEN, scored=length), row | {"count": length})
        del shape
        torch.cuda.empty_cache()


def _parts(calls: list[tuple[str, Call]], row: dict[str, object], *, alone: bool = False) -> Iterator[ChipTime]:
    """A step whole, and of its kernels those of each part; where `alone`, also without a graph."""
    yield ChipTime(name="whole", **row, **timed([call for _, call in calls], 1))
    for part in PARTS:
        yield ChipTime(name=part, **row, **timed([call for of, call in calls if of == part], 1))
    if alone:
        yield ChipTime(name="from python", **row, **timed([call for _, call in calls], 1, graph=False))
