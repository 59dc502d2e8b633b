"""Joules: the chip's own counter before and after some seconds of one kind of work."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from statistics import median

import torch

from calc.catalog.chip_times import ChipTime
from tests.chip.clock import DEVICE, FORMATS, Call, drawn, multiply, recorded
from tests.chip.fused import total
from tests.chip.llama import MODEL, Shape

try:
    import pynvml
except ModuleNotFoundError:  # the other parts go without it
    pynvml = None

SECONDS, SIZE = 2.5, 8192


def told() -> dict[str, object]:
    """The version of the driver and the limit of power in watts, as far as NVML tells them."""
    found: dict[str, object] = {}
    if pynvml is not None:
        with suppress(pynvml.NVMLError):
            pynvml.nvmlInit()
            found["driver"] = pynvml.nvmlSystemGetDriverVersion()
            chip = pynvml.nvmlDeviceGetHandleByIndex(0)
            found["power_limit"] = pynvml.nvmlDeviceGetPowerManagementLimit(chip) / 1e3
    return found


def power() -> Iterator[ChipTime]:
    """Doing nothing, reading, multiplying random numbers and zeros, and whole steps."""
    if pynvml is None:
        raise ModuleNotFoundError("power needs pynvml, from the package nvidia-ml-py")
    pynvml.nvmlInit()
    chip = pynvml.nvmlDeviceGetHandleByIndex(0)
    yield _nothing(chip)
    yield _read(chip)
    for kind in FORMATS:
        for name, scale in (("product", 1.0), ("product of zeros", 0.0)):
            yield _product(chip, kind, name, scale)
    for kind in FORMATS:
        yield from _steps(chip, kind)
        torch.cuda.empty_cache()


def _nothing(chip: object) -> ChipTime:
    """Some seconds without work."""
    torch.cuda.synchronize()
    time.sleep(1)
    begin, start = pynvml.nvmlDeviceGetTotalEnergyConsumption(chip), time.perf_counter()
    time.sleep(SECONDS)
    spent = pynvml.nvmlDeviceGetTotalEnergyConsumption(chip) - begin
    return ChipTime(part="power", name="nothing", seconds=time.perf_counter() - start, joules=spent / 1e3)


def _read(chip: object) -> ChipTime:
    """Reading four billion bytes over and over."""
    numbers, sums = drawn(2**31), torch.empty(2**18, device=DEVICE)
    return _spent(chip, [partial(total, numbers, sums)], name="read", bytes=2.0 * numbers.numel())


def _product(chip: object, kind: str, name: str, scale: float) -> ChipTime:
    """The product of two square matrices of random numbers of that scale."""
    inputs, weight = (drawn(SIZE, SIZE, scale=scale, kind=FORMATS[kind]) for _ in range(2))
    out = torch.empty(SIZE, SIZE, device=DEVICE, dtype=torch.bfloat16)
    calls: list[Call] = [partial(multiply(weight), inputs, out)] * 10
    return _spent(chip, calls, name=name, format=kind, tokens=SIZE, context=SIZE)


def _steps(chip: object, kind: str) -> Iterator[ChipTime]:
    """Whole steps in one format; its weights leave the chip when this returns."""
    shape = Shape(kind)
    for batch in (1, 64, 256):
        calls = [call for _, call in shape.calls(batch, 1, 1024)]
        yield _spent(chip, calls, parts=1, name="step", model=MODEL, format=kind, tokens=batch, context=1024)


def _spent(chip: object, calls: list[Call], parts: int | None = None, **row: object) -> ChipTime:
    """Seconds and joules of one call, over some seconds of replays, and the middle of the clocks seen meanwhile."""
    graph = recorded(calls)
    once = _once(graph)
    many, clocks, replays = max(1, int(0.1 / once)), [], 0
    begin, start = pynvml.nvmlDeviceGetTotalEnergyConsumption(chip), time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        for _ in range(many):
            graph.replay()
        with suppress(pynvml.NVMLError):
            clocks.append(pynvml.nvmlDeviceGetClockInfo(chip, pynvml.NVML_CLOCK_SM) * 1e6)
        torch.cuda.synchronize()
        replays += many
    took = time.perf_counter() - start
    spent = (pynvml.nvmlDeviceGetTotalEnergyConsumption(chip) - begin) / 1e3
    share = replays * (parts or len(calls))
    found = {"seconds": took / share, "joules": spent / share, "replays": replays}
    return ChipTime(part="power", clock=median(clocks) if clocks else 0.0, **row, **found)


def _once(graph: torch.cuda.CUDAGraph) -> float:
    """Seconds of a replay, after one."""
    graph.replay()
    torch.cuda.synchronize()
    start = time.perf_counter()
    graph.replay()
    torch.cuda.synchronize()
    return time.perf_counter() - start
