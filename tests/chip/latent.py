"""Attention over a cache of latents: every head of a layer reads the same numbers of a token, once for all.

A program of the chip takes up to 64 heads of a sequence over a stretch of its cache, reads each latent once and uses
it twice: as the key and as the value. A second kernel joins the stretches.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import torch
import triton
import triton.language as tl

from calc import catalog
from calc.catalog.chip_times import ChipTime
from tests.chip.clock import DEVICE, Call, drawn, recorded, replayed, spread, timed

MODEL = "deepseek-v3"
HEADS = (16, 32, 64, 128, 256, 512)
"""Rows that ask of each latent: heads on a chip, or all 128 of two tokens or four."""
LOADS = {4096: (1, 16, 64, 128), 16384: (1, 16, 32), 131072: (1, 4)}
CHIP_PROGRAMS = 132  # that run at once on this generation, one on each multiprocessor
LOG2_E = 1.4426950408889634


@triton.jit
def _stretches(
    asks, cache, parts, levels, heads, context, stretches, length, scale,
    LATENT: tl.constexpr, PLACE: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    group, stretch, sequence = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    head = sequence * heads + group * ROWS + tl.arange(0, ROWS)
    number, turn = tl.arange(0, LATENT), tl.arange(0, PLACE)
    ask = asks + head.to(tl.int64)[:, None] * (LATENT + PLACE)
    content, place = tl.load(ask + number[None, :]), tl.load(ask + LATENT + turn[None, :])
    begin = stretch * length
    end = tl.minimum(begin + length, context)
    start = cache + sequence.to(tl.int64) * context * (LATENT + PLACE)
    most = tl.full([ROWS], -1e30, tl.float32)
    total = tl.zeros([ROWS], tl.float32)
    mixed = tl.zeros([ROWS, LATENT], tl.float32)
    for first in range(begin, end, BLOCK):
        token = first + tl.arange(0, BLOCK)
        there = token < end
        row = start + token.to(tl.int64)[:, None] * (LATENT + PLACE)
        latent = tl.load(row + number[None, :], mask=there[:, None], other=0.0)
        turned = tl.load(row + LATENT + turn[None, :], mask=there[:, None], other=0.0)
        score = tl.dot(content, tl.trans(latent))
        score = tl.dot(place, tl.trans(turned), score) * scale
        score = tl.where(there[None, :], score, -1e30)
        now = tl.maximum(most, tl.max(score, 1))
        shrink = tl.exp2(most - now)
        weight = tl.exp2(score - now[:, None])
        total = total * shrink + tl.sum(weight, 1)
        mixed = tl.dot(weight.to(latent.dtype), latent, mixed * shrink[:, None])
        most = now
    at = head.to(tl.int64) * stretches + stretch
    tl.store(parts + at[:, None] * LATENT + number[None, :], (mixed / total[:, None]).to(parts.dtype.element_ty))
    tl.store(levels + at, most + tl.log2(total))


@triton.jit
def _join(parts, levels, out, stretches, LATENT: tl.constexpr, MOST: tl.constexpr):
    head, number = tl.program_id(0).to(tl.int64) * stretches, tl.arange(0, LATENT)
    stretch = tl.arange(0, MOST)
    level = tl.load(levels + head + stretch, mask=stretch < stretches, other=-1e30)
    highest = tl.max(level, 0)
    total = tl.sum(tl.exp2(level - highest), 0)
    mixed = tl.zeros([LATENT], tl.float32)
    for one in range(stretches):
        share = tl.exp2(tl.load(levels + head + one) - highest) / total
        mixed += share * tl.load(parts + (head + one) * LATENT + number)
    tl.store(out + tl.program_id(0).to(tl.int64) * LATENT + number, mixed.to(out.dtype.element_ty))


@dataclass(frozen=True)
class Way:
    """How the kernel is cut up: heads and tokens that a program takes at once, its warps and its loads ahead."""

    rows: int
    block: int
    warps: int
    stages: int
    waves: int = 1


WAYS = (
    Way(64, 64, 8, 1),
    Way(64, 64, 8, 2),
    Way(64, 32, 8, 2),
    Way(64, 32, 8, 3),
    Way(64, 64, 8, 2, waves=2),
    Way(32, 32, 4, 2),
    Way(32, 64, 8, 2),
    Way(16, 32, 4, 2),
    Way(16, 64, 4, 2),
    Way(16, 64, 8, 2, waves=2),
)


def latent_attention(asks: torch.Tensor, cache: torch.Tensor, out: torch.Tensor, scale: float, way: Way) -> None:
    """Mix the latents of each sequence for each head; a token of the cache is a latent and a turned key."""
    sequences, heads, size = asks.shape
    context, latent = cache.shape[1], out.shape[2]
    groups = heads // way.rows
    wanted = max(1, way.waves * CHIP_PROGRAMS // (groups * sequences))
    length = triton.cdiv(triton.cdiv(context, wanted), way.block) * way.block
    stretches = triton.cdiv(context, length)
    many = stretches > 1
    parts = torch.empty(sequences, heads, stretches, latent, device=asks.device) if many else out
    levels = torch.empty(sequences, heads, stretches, device=asks.device)
    _stretches[(groups, stretches, sequences)](
        asks, cache, parts, levels, heads, context, stretches, length, scale * LOG2_E,
        LATENT=latent, PLACE=size - latent, ROWS=way.rows, BLOCK=way.block, num_warps=way.warps, num_stages=way.stages,
    )  # fmt: skip
    if many:
        most = triton.next_power_of_2(stretches)
        _join[(sequences * heads,)](parts, levels, out, stretches, LATENT=latent, MOST=most, num_warps=4)


def plain_latent(asks: torch.Tensor, cache: torch.Tensor, latent: int, scale: float) -> torch.Tensor:
    """The same in plain arithmetic of 64 bits."""
    wide, kept = asks.double(), cache.double()
    share = torch.softmax(torch.einsum("shn,scn->shc", wide, kept) * scale, 2)
    return torch.einsum("shc,scn->shn", share, kept[:, :, :latent])


class Shape:
    """Sizes of a model's latent attention."""

    def __init__(self) -> None:
        known = catalog.model(MODEL).known
        self.latent, self.place = int(known("kv_lora_rank")), int(known("rope_dim"))
        self.scale = (known("qk_nope_dim") + self.place) ** -0.5

    def cache(self, batch: int, context: int) -> torch.Tensor:
        """A new random cache of one layer."""
        return drawn(batch, context, self.latent + self.place)


def latents() -> Iterator[ChipTime]:
    """One layer's attention over latents, for few rows that ask and many, each in the fastest of several ways."""
    shape = Shape()
    refused: set[Way] = set()
    for context, batches in LOADS.items():
        for batch in batches:
            row = {"part": "latent", "name": "triton", "model": MODEL, "tokens": batch, "context": context}
            size = batch * context * (shape.latent + shape.place) * 2.0
            caches = spread(partial(shape.cache, batch, context), size)
            for heads in HEADS:
                yield ChipTime(**row, count=heads, **_fastest(shape, heads, caches, refused))


def _fastest(shape: Shape, heads: int, caches: list[torch.Tensor], refused: set[Way]) -> dict[str, float]:
    """Columns of time of the way that takes least; ways that ask too much of the chip are refused from then on."""
    batch = caches[0].shape[0]
    asks = drawn(batch, heads, shape.latent + shape.place)
    out = torch.empty(batch, heads, shape.latent, device=DEVICE, dtype=torch.bfloat16)
    best: tuple[float, list[Call]] | None = None
    for way in WAYS:
        if way in refused or way.rows != min(heads, WAYS[0].rows):
            continue
        calls: list[Call] = [partial(latent_attention, asks, cache, out, shape.scale, way) for cache in caches]
        try:
            took = min(replayed(recorded(calls).replay, seconds=0.005))
        except triton.runtime.errors.OutOfResources as error:
            print(f"{way}: {error}", flush=True)
            refused.add(way)
            continue
        if best is None or took < best[0]:
            best = took, calls
    if best is None:
        raise RuntimeError(f"no way for {heads} rows")
    return timed(best[1])
