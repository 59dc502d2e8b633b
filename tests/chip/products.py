"""Matrices of dense models times a batch of tokens, and attention over a cache."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import torch

from calc import catalog
from tests.chip.clock import DEVICE, FORMATS, LONG, SIZE, Call, Product, Timed, drawn, multiply, spread, timed
from tests.chip.fused import attend

MODELS = ("llama-3-8b", "llama-3-70b")
BATCHES = [2**power for power in range(15)]
CONTEXTS = [2**power for power in range(9, 18, 2)]
TOKENS = 2**19  # cache entries of a layer at most
RATE = 8e14  # operations a second, about


def matrices(name: str) -> dict[str, tuple[int, int]]:
    """Columns and rows of a dense layer's matrices and of the head: numbers that go out, numbers that come in."""
    known = catalog.model(name).known
    width, hidden, size = known("d_model"), known("d_ff_dense"), known("head_dim")
    heads = (known("heads") + 2 * known("kv_heads")) * size
    found = {
        "projections": (heads, width),
        "output projection": (width, known("heads") * size),
        "gate and up": (2 * hidden, width),
        "down": (width, hidden),
        "head": (known("vocabulary"), width),
    }
    return {key: (int(out), int(into)) for key, (out, into) in found.items()}


def products() -> Iterator[Timed]:
    """Every matrix of both models, whole on the chip, in two formats, from one token to many."""
    for model in MODELS:
        for name, (out, into) in matrices(model).items():
            for kind in FORMATS:
                weights = spread(partial(_weight, out, into, kind), float(out * into * SIZE[kind]))
                for batch in BATCHES:
                    if batch * out > 2**30:
                        continue
                    inputs = drawn(batch, into, kind=FORMATS[kind])
                    result = torch.empty(batch, out, device=DEVICE, dtype=torch.bfloat16)
                    about = 2.0 * batch * out * into / RATE
                    calls = [partial(weight, inputs, result) for weight in weights[: max(1, int(LONG / about))]]
                    row = {"part": "product", "name": name, "model": model, "format": kind, "tokens": batch}
                    yield Timed(**row, **timed(calls))


def _weight(out: int, into: int, kind: str) -> Product:
    """A product with a new random weight."""
    return multiply(drawn(out, into, scale=0.02, kind=FORMATS[kind]))


def attention() -> Iterator[Timed]:
    """Attention of one layer of a step, in 16 bits, over caches of many lengths."""
    for model in MODELS:
        known = catalog.model(model).known
        heads, shared, size = (int(known(each)) for each in ("heads", "kv_heads", "head_dim"))
        for context in CONTEXTS:
            for batch in [1, 2, 4, 8, 16, 32, 64, 128, 256]:
                if batch * context > TOKENS:
                    continue
                cache = batch * context * shared * size * 4.0
                asks = drawn(batch, 1, heads, size)
                make = partial(_attention, asks, batch, context, shared, size)
                row = {"part": "attention", "name": "flash", "model": model, "tokens": batch, "context": context}
                yield Timed(**row, **timed(spread(make, cache)))


def _attention(asks: torch.Tensor, batch: int, context: int, shared: int, size: int) -> Call:
    """Attention over a new random cache."""
    keys, values = (drawn(batch, context, shared, size) for _ in range(2))
    return lambda: attend(asks, keys, values, causal=False)
