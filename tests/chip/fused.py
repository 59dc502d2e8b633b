"""The small kernels of a layer, each one pass over its numbers, and attention."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

BLOCK = 8192  # numbers that a program adds up


@triton.jit
def _norm(stream, add, weight, out, WIDTH: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * WIDTH + tl.arange(0, WIDTH)
    value = tl.load(stream + at).to(tl.float32) + tl.load(add + at).to(tl.float32)
    tl.store(stream + at, value.to(stream.dtype.element_ty))
    scale = tl.rsqrt(tl.sum(value * value, 0) / WIDTH + 1e-5)
    scaled = value * scale * tl.load(weight + tl.arange(0, WIDTH)).to(tl.float32)
    tl.store(out + at, scaled.to(out.dtype.element_ty))


def norm(stream: torch.Tensor, add: torch.Tensor, weight: torch.Tensor, out: torch.Tensor) -> None:
    """Add what a part hands on to the stream of a token, and its norm into `out`."""
    _norm[(stream.shape[0],)](stream, add, weight, out, WIDTH=stream.shape[1], num_warps=8)


@triton.jit
def _rotate(
    made, asks, keys, values, cosine, sine, start, length, context,
    HEADS: tl.constexpr, SHARED: tl.constexpr, SIZE: tl.constexpr,
):  # fmt: skip
    row, head = tl.program_id(0), tl.program_id(1)
    place = start + row % length
    half = tl.arange(0, SIZE // 2)
    source = made + (row * (HEADS + 2 * SHARED) + head).to(tl.int64) * SIZE
    first, second = tl.load(source + half).to(tl.float32), tl.load(source + SIZE // 2 + half).to(tl.float32)
    cached = ((row // length) * context + place).to(tl.int64) * SHARED
    if head >= HEADS + SHARED:
        target = values + (cached + head - HEADS - SHARED) * SIZE
    else:
        turn = place * (SIZE // 2) + half
        cos, sin = tl.load(cosine + turn), tl.load(sine + turn)
        first, second = first * cos - second * sin, second * cos + first * sin
        if head < HEADS:
            target = asks + (row * HEADS + head).to(tl.int64) * SIZE
        else:
            target = keys + (cached + head - HEADS) * SIZE
    tl.store(target + half, first.to(asks.dtype.element_ty))
    tl.store(target + SIZE // 2 + half, second.to(asks.dtype.element_ty))


def rotate(
    made: torch.Tensor,
    asks: torch.Tensor,
    keys: torch.Tensor,
    values: torch.Tensor,
    turns: tuple[torch.Tensor, torch.Tensor],
    start: int,
    length: int,
) -> None:
    """Turn queries and keys by their places, keys and values into the cache, `length` tokens of a sequence at once."""
    _, context, shared, size = keys.shape
    heads = made.shape[1] // size - 2 * shared
    grid = (made.shape[0], heads + 2 * shared)
    _rotate[grid](
        made, asks, keys, values, *turns, start, length, context, HEADS=heads, SHARED=shared, SIZE=size, num_warps=1
    )


@triton.jit
def _gate(made, out, HIDDEN: tl.constexpr, BLOCK: tl.constexpr):
    row, at = tl.program_id(0).to(tl.int64), tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    gate = tl.load(made + row * 2 * HIDDEN + at).to(tl.float32)
    up = tl.load(made + row * 2 * HIDDEN + HIDDEN + at).to(tl.float32)
    tl.store(out + row * HIDDEN + at, (gate * tl.sigmoid(gate) * up).to(out.dtype.element_ty))


def gate(made: torch.Tensor, out: torch.Tensor) -> None:
    """The gate passed through its function, times the other branch."""
    hidden = out.shape[1]
    _gate[(made.shape[0], hidden // 1024)](made, out, HIDDEN=hidden, BLOCK=1024, num_warps=4)


@triton.jit
def _total(numbers, sums, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(sums + tl.program_id(0), tl.sum(tl.load(numbers + at).to(tl.float32), 0))


def total(numbers: torch.Tensor, sums: torch.Tensor) -> None:
    """Sums of 8,192 numbers each: a kernel that reads and writes next to nothing."""
    _total[(numbers.numel() // BLOCK,)](numbers, sums, BLOCK=BLOCK, num_warps=8)


@triton.jit
def _gathered(numbers, order, sums, MANY: tl.constexpr, PIECE: tl.constexpr):
    place = tl.load(order + tl.program_id(0) * MANY + tl.arange(0, MANY)).to(tl.int64) * PIECE
    found = tl.load(numbers + place[:, None] + tl.arange(0, PIECE)[None, :]).to(tl.float32)
    tl.store(sums + tl.program_id(0), tl.sum(tl.sum(found, 1), 0))


def gathered(numbers: torch.Tensor, order: torch.Tensor, sums: torch.Tensor) -> None:
    """The same sums, of pieces that lie where `order` says; as many numbers as there are sums for are read."""
    many = order.numel() // sums.numel()
    _gathered[(sums.numel(),)](numbers, order, sums, MANY=many, PIECE=BLOCK // many, num_warps=8)


def read_prompt(asks: torch.Tensor, keys: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Attention of a prompt to itself by cuDNN's kernel; sequences, heads, tokens, numbers of a head."""
    return torch.ops.aten._scaled_dot_product_cudnn_attention(asks, keys, values, None, False, 0.0, True, False)[0]


def of_each_head(*given: torch.Tensor) -> list[torch.Tensor]:
    """Queries, keys and values with heads before tokens, and a copy of a shared one for each head that asks."""
    heads = given[0].shape[2]
    return [each.transpose(1, 2).repeat_interleave(heads // each.shape[2], 1) for each in given]


def attend(asks: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, *, causal: bool) -> torch.Tensor:
    """Attention of some tokens over a cache that several heads share; sequences, tokens, heads, numbers of a head."""
    found = torch.ops.aten._flash_attention_forward(
        asks, keys, values, None, None, asks.shape[1], keys.shape[1], 0.0, causal, False
    )
    return found[0]
