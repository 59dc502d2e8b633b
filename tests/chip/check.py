"""Every kernel against plain arithmetic in 32 bits or more, on fresh random numbers, before anything is timed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import torch
import triton
from torch.nn import functional

from calc.catalog.chip_times import ChipTime
from tests.chip.clock import DEVICE, FORMATS, drawn, multiply
from tests.chip.fused import attend, gate, gathered, norm, of_each_head, read_prompt, rotate, total
from tests.chip.latent import WAYS, Shape, latent_attention, plain_latent

MOST = {"bf16": 0.01, "fp8": 0.06}
"""How far a result may lie from the reference, over its length: formats round, FP8 by a sixteenth at most."""


def check() -> Iterator[ChipTime]:
    """A row for each kernel with how far it is off; an error if that is more than its format explains."""
    for name, kind, found, true in _pairs():
        error = float(
            torch.linalg.vector_norm(found.double() - true.double()) / torch.linalg.vector_norm(true.double())
        )
        if not error < MOST[kind]:
            raise AssertionError(f"{name} in {kind}: off by {error}")
        yield ChipTime(part="check", name=name, format=kind, error=error)


def _pairs() -> Iterator[tuple[str, str, torch.Tensor, torch.Tensor]]:
    """Kernels and their formats, each with its result and the reference."""
    width, hidden, heads, shared, size, batch, context = 4096, 2048, 32, 8, 128, 3, 640
    for kind, of in FORMATS.items():
        inputs, weight = drawn(batch, width, kind=of), drawn(hidden, width, kind=of)
        out = torch.full((batch, hidden), torch.nan, device=DEVICE, dtype=torch.bfloat16)
        multiply(weight)(inputs, out)
        yield "product", kind, out, inputs.double() @ weight.double().t()
        stream, add, scale = drawn(batch, width), drawn(batch, width), drawn(width)
        true = functional.rms_norm(stream.float() + add.float(), (width,), scale.float(), 1e-5)
        out = torch.zeros(batch, width, device=DEVICE, dtype=of)
        norm(stream, add, scale, out)
        yield "norm", kind, out.float(), true
        made, out = drawn(batch, 2 * hidden), torch.zeros(batch, hidden, device=DEVICE, dtype=of)
        gate(made, out)
        yield "gate", kind, out.float(), functional.silu(made[:, :hidden].float()) * made[:, hidden:].float()
    keys, values = drawn(batch, context, shared, size), drawn(batch, context, shared, size)
    made, asks = drawn(batch, (heads + 2 * shared) * size), drawn(batch, heads * size)
    angles = torch.outer(torch.arange(context), 500000.0 ** -(torch.arange(0, size, 2) / size))
    turns = (angles.cos().to(DEVICE, torch.float32), angles.sin().to(DEVICE, torch.float32))
    rotate(made, asks, keys, values, turns, context - 1, 1)
    first, second = made.view(batch, -1, 2, size // 2).float().unbind(2)
    cos, sin = turns[0][-1], turns[1][-1]
    turned = torch.cat([first * cos - second * sin, second * cos + first * sin], 2)
    yield "rotation", "bf16", asks.view(batch, heads, size), turned[:, :heads]
    yield "cache of keys", "bf16", keys[:, -1], turned[:, heads : heads + shared]
    yield "cache of values", "bf16", values[:, -1], made.view(batch, -1, size)[:, heads + shared :]
    for causal, length in ((False, 1), (True, context)):
        asks = drawn(batch, length, heads, size)
        wide = [each.float().transpose(1, 2) for each in (asks, keys, values)]
        true = functional.scaled_dot_product_attention(*wide, is_causal=causal, enable_gqa=True).transpose(1, 2)
        yield f"attention of {length}", "bf16", attend(asks, keys, values, causal=causal), true
        if causal:
            yield "attention of a prompt", "bf16", read_prompt(*of_each_head(asks, keys, values)).transpose(1, 2), true
    asks, length = drawn(batch, 4, heads, size), 4
    wide = [each.float().transpose(1, 2) for each in (asks, keys, values)]
    seen = torch.ones(length, context, dtype=torch.bool, device=DEVICE).tril(context - length)
    true = functional.scaled_dot_product_attention(*wide, attn_mask=seen, enable_gqa=True).transpose(1, 2)
    yield "attention of 4 drafts", "bf16", attend(asks, keys, values, causal=True), true
    yield from _latents()
    numbers, sums = drawn(2**20), torch.zeros(2**7, device=DEVICE)
    total(numbers, sums)
    yield "sum", "bf16", sums, numbers.view(2**7, -1).double().sum(1)
    order = torch.randperm(2**13, device=DEVICE).to(torch.int32)
    gathered(numbers, order, sums)
    yield "sum of pieces", "bf16", sums, numbers.view(2**13, -1)[order.long()].view(2**7, -1).double().sum(1)


def _latents() -> Iterator[tuple[str, str, torch.Tensor, torch.Tensor]]:
    """Latent attention, each way that the chip can run, over a cache that no stretch divides."""
    shape = Shape()
    caches = shape.cache(2, 700), shape.cache(2, 60)  # in several stretches and in one
    for way, cache in itertools.product(WAYS, caches):
        asks = drawn(2, 2 * way.rows, shape.latent + shape.place)
        out = torch.full((2, 2 * way.rows, shape.latent), torch.nan, device=DEVICE, dtype=torch.bfloat16)
        try:
            latent_attention(asks, cache, out, shape.scale, way)
        except triton.runtime.errors.OutOfResources:
            continue
        true = plain_latent(asks, cache, shape.latent, shape.scale)
        yield f"latent attention of {way.rows} by {way.block} over {cache.shape[1]}", "bf16", out, true
