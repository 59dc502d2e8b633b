"""Layers of a reversible dense model forward and back: records kept, made again, or undone from the result.

A layer has the two parts of a dense layer, each added to one of two streams, so that it can be undone. Weights and
what layers compute are of 16 bits; the streams are of 16 or of 32.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import torch
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from calc import catalog
from calc.catalog.chip_times import ChipTime
from calc.world.chip import matrices
from tests.chip.clock import drawn, timed

MODEL = "llama-3-8b"
LAYERS, TOKENS = (2, 6), 8192
STREAMS = {"bf16": torch.bfloat16, "fp32": torch.float32}
Pair = tuple[torch.Tensor, torch.Tensor]
Part = Callable[[torch.Tensor], torch.Tensor]


class Layer:
    """Weights of one layer, and its two parts."""

    def __init__(self) -> None:
        known = catalog.model(MODEL).known
        self.heads, self.shared, self.size = (int(known(each)) for each in ("heads", "kv_heads", "head_dim"))
        names = matrices(MODEL)
        self.weights = [drawn(*names[name], scale=0.02).requires_grad_() for name in names if name != "head"]
        for weight in self.weights:
            weight.grad = torch.zeros_like(weight)
        self.width = names["down"][0]

    def attention(self, stream: torch.Tensor) -> torch.Tensor:
        """The part of attention."""
        made = self._norm(stream) @ self.weights[0].t()
        sizes = [self.heads * self.size, self.shared * self.size, self.shared * self.size]
        asks, keys, values = (
            each.view(1, TOKENS, -1, self.size).transpose(1, 2) for each in torch.split(made, sizes, dim=1)
        )
        found = functional.scaled_dot_product_attention(asks, keys, values, is_causal=True, enable_gqa=True)
        return found.transpose(1, 2).reshape(TOKENS, -1) @ self.weights[1].t()

    def feed_forward(self, stream: torch.Tensor) -> torch.Tensor:
        """The part of the feed-forward network, with its gate."""
        gate, other = (self._norm(stream) @ self.weights[2].t()).chunk(2, dim=1)
        return (functional.silu(gate) * other) @ self.weights[3].t()

    def _norm(self, stream: torch.Tensor) -> torch.Tensor:
        """A part's input: the stream's norm, in 16 bits."""
        return functional.rms_norm(stream, (self.width,)).to(torch.bfloat16)

    def __call__(self, first: torch.Tensor, second: torch.Tensor) -> Pair:
        """Both streams after the layer."""
        first = first + self.attention(second)
        return first, second + self.feed_forward(first)


def kept(layers: list[Layer], given: Pair, pull: Pair) -> Pair:
    """Every record is kept; returns what the loss asks of the input."""
    begin = [each.detach().requires_grad_() for each in given]
    pair: Pair = (begin[0], begin[1])
    for layer in layers:
        pair = layer(*pair)
    torch.autograd.backward(pair, pull)
    return begin[0].grad, begin[1].grad


def again(layers: list[Layer], given: Pair, pull: Pair) -> Pair:
    """Each layer's input is kept, and its record made again on the way back."""
    begin = [each.detach().requires_grad_() for each in given]
    pair: Pair = (begin[0], begin[1])
    for layer in layers:
        pair = checkpoint(layer, *pair, use_reentrant=False)
    torch.autograd.backward(pair, pull)
    return begin[0].grad, begin[1].grad


@torch.no_grad()
def forward(layers: list[Layer], given: Pair, pull: Pair) -> Pair:
    """Forward alone."""
    for layer in layers:
        given = layer(*given)
    return given


def undone(layers: list[Layer], given: Pair, pull: Pair) -> Pair:
    """Nothing is kept but the last state; each layer is undone on the way back."""
    first, second = forward(layers, given, pull)
    left, right = pull
    for layer in reversed(layers):
        second, left = _back(layer.feed_forward, first, second, left, right)
        first, right = _back(layer.attention, second, first, right, left)
    return left, right


def _back(part: Part, given: torch.Tensor, changed: torch.Tensor, own: torch.Tensor, pull: torch.Tensor) -> Pair:
    """One part undone: the stream that it was added to as it was before, and what is asked of the stream it read."""
    begin = given.detach().requires_grad_()
    with torch.enable_grad():
        found = part(begin)
    found.backward(pull.to(found.dtype))
    return changed - found.detach(), own + begin.grad


WAYS = {"forward": forward, "kept": kept, "again": again, "undone": undone}


def learning() -> Iterator[ChipTime]:
    """Times and most memory of several layers each way, and how far the gradients of one way differ from another's."""
    for kind in STREAMS:
        for count in LAYERS:
            yield from _ways(kind, count)
            torch.cuda.empty_cache()


def _ways(kind: str, count: int) -> Iterator[ChipTime]:
    """So many layers each way; they leave the chip when this returns."""
    layers = [Layer() for _ in range(count)]
    given, pull = (_pair(layers[0].width, kind) for _ in range(2))
    true: Pair | None = None
    for name, way in WAYS.items():
        row = {"part": "learn", "name": name, "model": MODEL, "format": kind, "tokens": TOKENS}
        run = partial(way, layers, given, pull)
        torch.cuda.synchronize()
        torch.cuda.empty_cache()
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        found = run()
        torch.cuda.synchronize()
        most = torch.cuda.max_memory_allocated() - before
        true = found if name == "kept" else true
        apart = _apart(found, true) if name in ("again", "undone") and true else 0.0
        del found
        yield ChipTime(**row, count=count, bytes=float(most), error=apart, **timed([run], graph=False))


def _pair(width: int, kind: str) -> Pair:
    """Both streams of random tokens."""
    return drawn(TOKENS, width).to(STREAMS[kind]), drawn(TOKENS, width).to(STREAMS[kind])


def _apart(one: Pair, other: Pair) -> float:
    """Distance of two pairs over the length of the second."""
    left, right = (torch.cat([each.float() for each in pair]) for pair in (one, other))
    return float(torch.linalg.vector_norm(left - right) / torch.linalg.vector_norm(right))
