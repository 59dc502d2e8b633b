"""`here`: the computer that runs this, timed; a matrix with one column to many."""

from __future__ import annotations

import itertools
import math
import time
from argparse import Namespace
from typing import Any

import numpy as np

from calc.cli.report import Report, Value
from calc.quantities.units import show
from calc.world.own_machine import OwnMachine

Numbers = np.ndarray[Any, np.dtype[np.floating]]
COLUMNS = tuple(2**power for power in range(10))
HELD = 2**29
"""Bytes of matrices that take turns: more than the caches of a processor hold."""
FORMATS = {4: np.float32, 8: np.float64}
SPENT = 0.25
"""Seconds of products with each number of columns."""


def here(options: Namespace) -> Report:
    """This computer's two rates, and its products beside the bound that these give."""
    machine = timed(round(options.size), int(options.bytes))
    rows = [
        {
            "columns": Value("columns", float(columns)),
            "seconds": Value("measured", seconds, "s"),
            "column_seconds": Value("for each column", seconds / columns, "s"),
            "bound": Value("the longer", machine.bound(columns), "s"),
            "sum": Value("the sum", machine.added(columns), "s"),
            "over": Value("measured / longer", machine.over(columns), "x"),
        }
        for columns, seconds in machine.seconds.items()
    ]
    values = {
        "size": Value("Rows of the matrix", float(machine.size)),
        "bytes": Value("A number", float(machine.number_bytes), "B"),
        "bandwidth": Value("Reads, at most", machine.bandwidth, "B/s"),
        "flops": Value("Multiplies, at most", machine.flops, "FLOP/s"),
        "ridge": Value("Ridge", machine.flops / machine.bandwidth, "FLOP/B"),
        "balanced": Value("Columns that balance", machine.balanced),
    }
    notes = [
        "The longer of reading and multiplying is the bound; the sum is what a product takes if nothing overlaps.\n"
        f"Both rates are this computer's own, so the rows between their ends ({_ends(machine)}) are the test.\n"
        "Other programs lengthen a time, so each is the shortest of several."
    ]
    if machine.disturbed:
        notes.append("Some product took less time than one with fewer columns: the computer was busy. Try again.")
    title = f"This computer, by NumPy: {machine.size:,} × {machine.size:,} numbers of {show(machine.number_bytes, 'B')}"
    return Report(title, values, rows, notes)


def timed(size: int, number_bytes: int = 4) -> OwnMachine:
    """Make matrices, and time their products with one column to many."""
    form = FORMATS[number_bytes]
    draws = np.random.default_rng(0)
    count = math.ceil(HELD / (number_bytes * size**2))
    matrices = [draws.standard_normal((size, size)).astype(form) for _ in range(count)]
    seconds = {}
    for columns in COLUMNS:
        given = draws.standard_normal((size, columns)).astype(form)
        made = np.empty((size, columns), dtype=form)
        seconds[columns] = _shortest(matrices, given, made)
    return OwnMachine(size, number_bytes, seconds)


def _shortest(matrices: list[Numbers], given: Numbers, made: Numbers) -> float:
    """The shortest product of some, the first left out, for it finds the machine asleep."""
    np.matmul(matrices[-1], given, out=made)
    found, end = math.inf, time.perf_counter() + SPENT
    for matrix in itertools.cycle(matrices):
        start = time.perf_counter()
        np.matmul(matrix, given, out=made)
        now = time.perf_counter()
        found = min(found, now - start)
        if now > end:
            return found
    return found


def _ends(machine: OwnMachine) -> str:
    """Columns that gave a rate."""
    return " and ".join(f"{columns}" for columns in machine.seconds if columns not in machine.between)
