"""Matrices of dense models times a batch of tokens, and attention over a cache."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import torch

from calc import catalog
from calc.catalog.chip_times import ChipTime
from calc.world.chip import matrices
from tests.chip.clock import DEVICE, FORMATS, LONG, SIZE, Call, Product, drawn, multiply, spread, timed
from tests.chip.fused import attend, of_each_head, read_prompt

MODELS = ("llama-3-8b", "llama-3-70b")
BATCHES = [2**power for power in range(15)]
CONTEXTS = [2**power for power in range(9, 18, 2)]
TOKENS = 2**19  # cache entries of a layer at most
PROMPTS = [2**power for power in range(9, 16)]
RATE = 8e14  # operations a second, about


def products() -> Iterator[ChipTime]:
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
                    yield ChipTime(**row, **timed(calls))


def _weight(out: int, into: int, kind: str) -> Product:
    """A product with a new random weight."""
    return multiply(drawn(out, into, scale=0.02, kind=FORMATS[kind]))


def attention() -> Iterator[ChipTime]:
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
                yield ChipTime(**row, **timed(spread(make, cache)))


def _attention(asks: torch.Tensor, batch: int, context: int, shared: int, size: int) -> Call:
    """Attention over a new random cache."""
    keys, values = (drawn(batch, context, shared, size) for _ in range(2))
    return lambda: attend(asks, keys, values, causal=False)


def prompts() -> Iterator[ChipTime]:
    """Attention of one layer to a prompt, each token to those before it: PyTorch's own kernel, and cuDNN's."""
    for model in MODELS:
        known = catalog.model(model).known
        heads, shared, size = (int(known(each)) for each in ("heads", "kv_heads", "head_dim"))
        for length in PROMPTS:
            asks, keys, values = (drawn(1, length, many, size) for many in (heads, shared, shared))
            row = {"part": "prompt", "model": model, "tokens": length, "context": length}
            yield ChipTime(name="flash", **row, **timed([partial(attend, asks, keys, values, causal=True)] * 4))
            each = of_each_head(asks, keys, values)
            yield ChipTime(name="cudnn", **row, **timed([partial(read_prompt, *each)] * 4))
