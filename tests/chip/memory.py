"""Times of a chip's memory, of its link to the host and of the start of a kernel."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import torch

from calc.catalog.chip_times import ChipTime
from tests.chip.clock import AWAY, DEVICE, drawn, timed
from tests.chip.fused import BLOCK, gathered, total

READ = [2**power for power in range(20, 33, 2)]  # bytes
MOVED = [2**power for power in range(12, 31, 3)]
STARTS = 1000
PIECES = [2**power for power in range(8, 21, 2)]  # bytes
SOME = 2**30  # bytes that are read in pieces, of four times as many


def memory() -> Iterator[ChipTime]:
    """Reading (and adding up), writing and copying, from a million bytes to four billion."""
    near, far = drawn(READ[-1] // 2), drawn(READ[-1] // 2)
    sums = torch.empty(READ[-1] // 2**14, device=DEVICE)
    for size in READ:
        cycle = range(max(1, int(AWAY // size) + 1))
        pieces = [(near[at * size // 2 :][: size // 2], far[at * size // 2 :][: size // 2]) for at in cycle]
        read = [partial(total, one, sums) for one, _ in pieces]
        yield ChipTime(part="memory", name="read", bytes=size, **timed(read))
        write = [partial(other.fill_, 1.5) for _, other in pieces]
        yield ChipTime(part="memory", name="write", bytes=size, **timed(write))
        copy = [partial(other.copy_, one) for one, other in pieces]
        yield ChipTime(part="memory", name="copy", bytes=2 * size, **timed(copy))


def starts() -> Iterator[ChipTime]:
    """A kernel that does next to nothing, started from a graph, and from Python one after another."""
    little = drawn(4096)
    calls = [lambda: little.mul_(1.0)] * STARTS
    yield ChipTime(part="start", name="graph", **timed(calls))
    yield ChipTime(part="start", name="python", **timed(calls, graph=False))


def pieces() -> Iterator[ChipTime]:
    """Reading in pieces that lie together, from places in random order, as a cache in pages is read."""
    numbers = drawn(4 * SOME // 2)
    sums = torch.empty(SOME // 2 // BLOCK, device=DEVICE)
    for size in PIECES:
        order = torch.randperm(4 * SOME // size, device=DEVICE)[: SOME // size]
        within = max(1, size // 2 // BLOCK)  # kernels read a longer piece as several
        parts = (order[:, None] * within + torch.arange(within, device=DEVICE)).flatten().to(torch.int32)
        found = timed([partial(gathered, numbers, parts, sums)])
        yield ChipTime(part="pieces", name="read", bytes=SOME, context=size, **found)


def link() -> Iterator[ChipTime]:
    """Bytes from the host, to it, and both at once, over memory that stays in place."""
    near = [torch.empty(MOVED[-1], dtype=torch.uint8, device=DEVICE).random_() for _ in range(2)]
    far = [torch.empty(MOVED[-1], dtype=torch.uint8, pin_memory=True) for _ in range(2)]
    other = torch.cuda.Stream()

    def reach(size: int) -> None:
        near[0][:size].copy_(far[0][:size], non_blocking=True)

    def leave(size: int) -> None:
        far[1][:size].copy_(near[1][:size], non_blocking=True)

    def both(size: int) -> None:
        other.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(other):
            leave(size)
        reach(size)
        torch.cuda.current_stream().wait_stream(other)

    for name, move, times in (("from the host", reach, 1), ("to the host", leave, 1), ("both ways", both, 2)):
        for size in MOVED:
            found = timed([partial(move, size)], graph=False)
            yield ChipTime(part="link", name=name, bytes=times * size, **found)
