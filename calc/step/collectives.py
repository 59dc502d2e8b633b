"""Collectives among chips: how long they take over a switch, a mesh, a ring and a torus.

A chip sends or receives (n - 1) / n of what is gathered. A switch lets it use its whole link at any time. A ring and a
torus have links to neighbours alone: gathering uses them all, but in an all-to-all a byte crosses many of them, and the
longest side limits, as half of its bytes must cross the middle of that side. Every collective waits for rounds of
messages, each with a start-up time.

Symbols: n chips, b bandwidth of a chip over all its links in one direction (B/s), d_i chips along a side.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from calc.quantities.check import Count, NonNegative, Quantity, checked
from calc.quantities.errors import OutOfRange
from calc.setting.machine import MESH, TORUS, Machine


@checked
def mean_hops(side: Count) -> Quantity:
    """Links that a message crosses on the way round a ring of d chips, the mean over all receivers: d / 4 if d is even.

    >>> mean_hops(4), mean_hops(24), mean_hops(1)
    (1.0, 6.0, 0.0)
    """
    return np.floor(np.square(side) / 4) / side


@checked
def all_to_all_rate(machine: Machine, chips: Count) -> Quantity:
    """Bytes a second that each of n chips of one domain can send to the others in an even all-to-all.

    Over a torus of k sides each side has 2 links of b / 2k, and the longest side limits: (n - 1) / n of (b / k) / hops.

    >>> pod = Machine.published("tpu-v7-pod")
    >>> [round(all_to_all_rate(pod, chips) / 1e9, 1) for chips in (64, 9216)]
    [196.9, 33.3]
    """
    if machine.topology == TORUS:
        return _over_sizes(machine, chips, _torus_exchange)
    return gather_rate(machine, chips)


@checked
def gather_rate(machine: Machine, chips: Count) -> Quantity:
    """Bytes a second that each of n chips of one domain can send in an all-gather or a reduce-scatter.

    A mesh gives a group its own pairs alone: (n - 1) / (N - 1) of the domain's links; a torus the sides that it has.

    >>> gather_rate(Machine.published("mi300x-8"), 2) / 1e9, gather_rate(Machine.published("hgx-h100"), 2) / 1e9
    (64.0, 450.0)
    """
    if machine.topology == MESH:
        others = np.minimum(chips, machine.domain_chips) - 1
        own: Quantity = machine.scale_up * np.maximum(others, 1) / np.maximum(machine.domain_chips - 1, 1)
        return own
    if machine.topology == TORUS:
        return _over_sizes(machine, chips, _torus_gather)
    found: Quantity = machine.scale_up * np.ones_like(chips)
    return found


@checked
def all_gather_seconds(
    machine: Machine, gathered_bytes: NonNegative, chips: Count, startup: NonNegative = 0.0
) -> Quantity:
    """Least time after which each of n chips has all of what they hold together: (n - 1) / n bytes / rate + rounds x a.

    >>> round(all_gather_seconds(Machine.published("hgx-h100"), 4.5e9, 8) * 1e3, 2)
    8.75
    """
    return gathered_bytes * (chips - 1) / chips / gather_rate(machine, chips) + gather_rounds(machine, chips) * startup


@checked
def reduce_scatter_seconds(
    machine: Machine, reduced_bytes: NonNegative, chips: Count, startup: NonNegative = 0.0
) -> Quantity:
    """Least time after which each of n chips has its part of a sum: the same bytes the other way.

    >>> round(reduce_scatter_seconds(Machine.published("hgx-h100"), 4.5e9, 8) * 1e3, 2)
    8.75
    """
    return all_gather_seconds(machine, reduced_bytes, chips, startup)


@checked
def all_reduce_seconds(
    machine: Machine, reduced_bytes: NonNegative, chips: Count, startup: NonNegative = 0.0
) -> Quantity:
    """Least time after which each of n chips has a whole sum: reduce-scatter, then all-gather, 2 (n - 1) / n bytes.

    A switch that adds what passes through it (and sends a sum once to all) halves the bytes; it is not assumed.

    >>> round(all_reduce_seconds(Machine.published("hgx-h100"), 4.5e9, 8) * 1e3, 1)
    17.5
    """
    return 2 * all_gather_seconds(machine, reduced_bytes, chips, startup)


@checked
def all_to_all_seconds(machine: Machine, held_bytes: NonNegative, chips: Count, startup: NonNegative = 0.0) -> Quantity:
    """Least time to spread what each of n chips holds evenly over all: (n - 1) / n bytes / rate + rounds x start-up.

    >>> round(all_to_all_seconds(Machine.published("tpu-v7-pod"), 2e9, 64) * 1e3, 2)
    10.0
    """
    sent = held_bytes * (chips - 1) / chips
    return sent / all_to_all_rate(machine, chips) + exchange_rounds(machine, chips) * startup


@checked
def bisection_bytes_per_second(machine: Machine, chips: Count) -> Quantity:
    """Bytes a second between two halves of n chips of one domain, in one direction, as even as whole chips allow.

    A switch: n b / 2. A mesh: a link for each pair. A torus: 2 links for each chip across its longest side.

    >>> bisection_bytes_per_second(Machine.published("tpu-v7-pod"), 9216) / 1e12
    76.8
    """
    if machine.topology == TORUS:
        return _over_sizes(machine, chips, _torus_bisection)
    half = np.floor(np.asarray(chips) / 2)
    if machine.topology == MESH:
        pairs: Quantity = half * (chips - half) * machine.scale_up / np.maximum(machine.domain_chips - 1, 1)
        return pairs
    found: Quantity = half * machine.scale_up
    return found


@checked
def gather_rounds(machine: Machine, chips: Count) -> Quantity:
    """Messages that wait for one another in an all-gather: one over a switch or mesh, half of each side of a torus.

    >>> gather_rounds(Machine.published("hgx-h100"), 8), gather_rounds(Machine.published("tpu-v7-pod"), 64)
    (1.0, 6.0)
    """
    if machine.topology == TORUS:
        return _over_sizes(machine, chips, lambda _, n: sum(side // 2 for side in slice_sides(n, len(_.sides))))
    found: Quantity = np.minimum(np.asarray(chips) - 1, 1)
    return found


@checked
def exchange_rounds(machine: Machine, chips: Count) -> Quantity:
    """The same of an all-to-all, whose farthest message crosses half of each side.

    >>> exchange_rounds(Machine.published("tpu-v7-pod"), 9216)
    32.0
    """
    return gather_rounds(machine, chips)


@cache
def slice_sides(chips: int, dimensions: int) -> tuple[int, ...]:
    """The most even block of so many chips in so many dimensions, its longest side first.

    >>> slice_sides(64, 3), slice_sides(9216, 3), slice_sides(8, 2)
    ((4, 4, 4), (24, 24, 16), (4, 2))
    """
    if dimensions < 1 or chips < 1:
        raise OutOfRange("dimensions", dimensions, "a whole number of at least 1")
    if dimensions == 1:
        return (chips,)
    best: tuple[int, ...] = (chips, *[1] * (dimensions - 1))
    for side in range(1, math.isqrt(chips) + 1):
        for first in {side, chips // side} if chips % side == 0 else ():
            found = tuple(sorted((first, *slice_sides(chips // first, dimensions - 1)), reverse=True))
            best = min(best, found)
    return best


def _torus_exchange(machine: Machine, chips: int) -> float:
    """Where one part in n stays at home."""
    sides = slice_sides(chips, len(machine.sides))
    if chips == 1:
        return float(np.max(machine.scale_up))
    hops = max(float(mean_hops(side)) for side in sides) * chips / (chips - 1)
    return float(np.max(machine.scale_up)) / len(sides) / hops


def _torus_gather(machine: Machine, chips: int) -> float:
    sides = slice_sides(chips, len(machine.sides))
    used = max(1, sum(side > 1 for side in sides))
    return float(np.max(machine.scale_up)) * used / len(sides)


def _torus_bisection(machine: Machine, chips: int) -> float:
    sides = slice_sides(chips, len(machine.sides))
    return float(np.max(machine.scale_up)) / len(sides) * chips / sides[0] if chips > 1 else 0.0


def _over_sizes(machine: Machine, chips: Quantity, rate: Callable[[Machine, int], float]) -> Quantity:
    whole = math.prod(machine.sides)
    if np.max(chips) > whole:
        raise OutOfRange("chips", float(np.max(chips)), f"at most the {whole:,} of the torus")
    if np.ndim(chips) == 0:
        return float(rate(machine, int(chips)))
    sizes, where = np.unique(chips, return_inverse=True)
    return np.array([float(rate(machine, int(size))) for size in sizes])[where].reshape(np.shape(chips))
