"""Timing: a list of calls is recorded as a CUDA graph, replayed, and timed by events of the chip."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from typing import TypeVar

import torch

Made = TypeVar("Made")
Call = Callable[[], object]
Product = Callable[[torch.Tensor, torch.Tensor], object]
DEVICE = "cuda"
WARM, LEAST, SECONDS = 2, 5, 0.04  # replays before timing, replays timed at least, time to spend on them
AWAY = 200e6  # bytes between two uses of a weight: four times what the cache of an H100 holds
LONG = 0.005  # seconds of calls recorded at once, about


def recorded(calls: Sequence[Call]) -> torch.cuda.CUDAGraph:
    """The calls as one graph, after each has run."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for call in [*calls, *calls[:1]]:
            call()
    torch.cuda.current_stream().wait_stream(side)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for call in calls:
            call()
    return graph


def replayed(run: Call, seconds: float = SECONDS) -> list[float]:
    """Seconds of each of the replays that fit into so much time."""
    for _ in range(WARM):
        run()
    torch.cuda.synchronize()
    first = _between(run)
    torch.cuda.synchronize()
    many = max(LEAST, min(200, int(seconds / max(first[0].elapsed_time(first[1]) / 1e3, 1e-6))))
    pairs = [_between(run) for _ in range(many)]
    torch.cuda.synchronize()
    return [begin.elapsed_time(end) / 1e3 for begin, end in pairs]


def _between(run: Call) -> tuple[torch.cuda.Event, torch.cuda.Event]:
    """Events of the chip before and after a run."""
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    run()
    end.record()
    return begin, end


def timed(calls: Sequence[Call], each: int | None = None, *, graph: bool = True) -> dict[str, float]:
    """Columns of time: of one call of several that do the same, or of `each` equal parts of all."""
    run = recorded(calls).replay if graph else lambda: [call() for call in calls]
    found = replayed(run)
    parts = len(calls) if each is None else each
    low, middle, high = statistics.quantiles(found, n=4)
    return {"seconds": middle / parts, "low": low / parts, "high": high / parts, "replays": len(found)}


def spread(make: Callable[[], Made], size: float) -> list[Made]:
    """Enough copies of what has so many bytes of its own that none is found in the chip's cache when its turn comes."""
    copies = [make() for _ in range(1 + int(AWAY // size))]
    return copies * max(1, 10 // len(copies))


def drawn(*shape: int, scale: float = 1.0, kind: torch.dtype = torch.bfloat16) -> torch.Tensor:
    """Random numbers of that format."""
    wide = torch.empty(shape, device=DEVICE, dtype=torch.bfloat16).normal_(0, scale)
    return wide if kind == torch.bfloat16 else wide.to(kind)


FORMATS = {"bf16": torch.bfloat16, "fp8": torch.float8_e4m3fn}
SIZE = {"bf16": 2, "fp8": 1}


def multiply(weight: torch.Tensor) -> Product:
    """A product with this weight, rows by columns, into a given tensor; in FP8 with one scale for each side."""
    across = weight.t()
    if weight.dtype == torch.bfloat16:
        return lambda inputs, out: torch.mm(inputs, across, out=out)
    one = torch.ones((), device=DEVICE)

    def narrow(inputs: torch.Tensor, out: torch.Tensor) -> object:
        return torch._scaled_mm(inputs, across, one, one, out_dtype=torch.bfloat16, use_fast_accum=True, out=out)

    return narrow
