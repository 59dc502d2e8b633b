"""Lecture 1's numbers that several pictures show, and those of later lectures: chips, a step in full."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from calc import batching, catalog
from calc.batching.touched import touched_share
from calc.catalog import Chip, Deployment, System
from calc.figure import look
from calc.figure.guides import ASIDE, HALO
from calc.figure.inputs import Number
from calc.quantities.check import Quantity
from calc.quantities.errors import CalcError
from calc.quantities.units import bytes_per_element, plain, show
from calc.setting import Layout, Machine, Scenario, Setting
from calc.step import Drafts, Step, decode, gather_rounds

BLACKBOARD = 300.0
ANSWER = 1000  # tokens
AWAKE = 0.99  # share of the experts from which the simplest bound reads what a step reads
ENDLESS = 1e9  # sequences
CONTEXTS = np.logspace(1, 8, 113)  # tokens
READS = (
    "Every step reads all the weights once, and the whole cache of every sequence. Of a mixture of experts a small "
    "batch reads less."
)
ROOM = "Memory is full with one copy of the weights; further copies and an engine's own needs leave room for fewer."
WIDTHS = {"bf16": "BF16", "fp8": "8 bit", "fp4": "FP4"}
PERIOD = Number(
    name="period",
    label="Period",
    default=20,
    low=0.5,
    high=500,
    unit="ms",
    log=True,
    help="Time from one departure to the next, and from departure to arrival.",
)
TRAFFIC = Number(
    name="traffic",
    label="Traffic",
    default=80e3,
    low=100,
    high=1e10,
    unit="tokens/s",
    log=True,
    help="Tokens that all users together are to be sent in a second.",
)


def short_name(chip: Chip) -> str:
    """A chip's name without its maker and what follows in brackets.

    >>> short_name(catalog.chip("a100-sxm")), short_name(catalog.chip("tpu-v6e"))
    ('A100', 'TPU v6e')
    """
    return re.sub(r" (SXM.*|\(.*)$", "", chip.name.removeprefix(f"{chip.vendor} "))


def chip_ratio(chip: Chip, precision: str, measure: str = "weights") -> float:
    """The ratio of a chip at the rate at which it multiplies numbers stored as `precision`."""
    if measure == "bytes":
        return chip.flops(precision) / chip.hbm_bandwidth
    return batching.hardware_ratio(chip.flops(precision), chip.hbm_bandwidth, bytes_per_element(precision))


def rows(measure: str = "weights") -> list[tuple[Chip, str, float]]:
    """Every chip in the precisions that it multiplies itself, without widening them first."""
    return [
        (chip, width, chip_ratio(chip, fastest(chip, width), measure))
        for chip in catalog.chips().values()
        for width in WIDTHS
        if multiplies(chip, width)
    ]


def fastest(chip: Chip, width: str) -> str:
    """The format of this width that a chip multiplies fastest: INT8 on TPUs that take FP8 at the rate of BF16.

    >>> fastest(catalog.chip("tpu-v5p"), "fp8"), fastest(catalog.chip("h100-sxm"), "fp8")
    ('int8', 'fp8')
    """
    whole = {"fp8": ("fp8", "int8")}.get(width, (width,))
    return max((name for name in whole if name in chip.rates), key=chip.flops)


def multiplies(chip: Chip, width: str) -> bool:
    """Whether the rate of a chip at this width is known."""
    rates = {"bf16": (chip.bf16_flops,), "fp8": (chip.fp8_flops, chip.int8_ops), "fp4": (chip.fp4_flops,)}
    return any(rates[width])


def known(where: Scenario) -> Setting | None:
    """The setting whose operations can be listed, or nothing where attention's rate is not published."""
    try:
        found = where.setting
        found.machine.flops(found.precisions.attention_products)
    except CalcError:
        return None
    return found


def busy(where: Scenario, batch: Quantity, context: Quantity) -> Quantity:
    """Share of the multipliers that can be busy, attention's arithmetic included, if all chips share all reading."""
    found = known(where)
    if found is None:
        return batching.step_time(batch, context, **where.step_arguments()).utilisation
    step = decode(found.with_layout(Layout()), batch, context)
    return step.compute_seconds / np.maximum(step.compute_seconds, step.memory_seconds)


def published_guess() -> Drafts:
    """A guess of a token in each step, kept as often as DeepSeek-V3's makers report."""
    return Drafts(count=1, acceptance=catalog.datum("deepseek-v3-mtp-accepted").value)


def critical(found: Setting, active_params: float) -> float:
    """Tokens of context past which no batch balances, attention's arithmetic included: 2 N_a / (k F / w - a F / F_a).

    Attention's own operations count as many times as its format is slower than that of the products.
    """
    machine = found.machine
    return float(
        batching.critical_context(
            active_params,
            found.read_bytes_per_token,
            machine.flops(found.precisions.products),
            machine.bandwidth,
            found.attention_flops_per_token * slower(found),
        )
    )


def turning(where: Scenario) -> float:
    """The critical context by (7a); of a model that does not just read all of a cache, that of its operations.

    It is 0 where multipliers wait at any length.

    >>> [round(turning(Scenario.named(name, "gb200-nvl72", "fp8"))) for name in ("qwen3.5-397b-a17b", "deepseek-v3")]
    [0, 14890]
    """
    found = known(where)
    if found is None:
        return batching.critical_context(**where.token_arguments())
    if not where.cache_notes():
        return critical(found, where.model.active_params)
    step = decode(found.with_layout(Layout()), ENDLESS, CONTEXTS)
    room = np.log(np.asarray(step.compute_seconds / step.memory_seconds))
    last = int((room >= 0).sum()) - 1
    if last < 0 or last == len(room) - 1:
        return 0.0 if last < 0 else np.inf
    pair = slice(last, last + 2)
    return float(np.exp(np.interp(0, room[pair][::-1], np.log(CONTEXTS[pair])[::-1])))


def slower(found: Setting) -> float:
    """How many times slower a chip multiplies in attention's format than in that of the products."""
    rate, precisions = found.machine.flops, found.precisions
    return float(rate(precisions.products) / rate(precisions.attention_products))


def day_step(day: Deployment, sequences: Quantity, context: Quantity) -> Step:
    """The step of a published day's decode unit, with so many sequences on each chip."""
    return decode(Setting.decoding(day), day.decode_expert_parallel * sequences, context)


def torus_notes(system: System) -> list[str]:
    """The way that a message has to go over a torus, where a figure takes links as free."""
    if not system.torus:
        return []
    links = plain(gather_rounds(Machine.published(system), system.chips))
    return [
        f"The chips of {system.name} form a torus: a message across all of it passes over {links} links one after "
        "another, which the simplest bound does not count."
    ]


def sleeping(where: Scenario, batch: float) -> list[str]:
    """A warning where a batch wakes only some of the experts, and the simplest bound is therefore none."""
    awake = touched_share(batch, *where.model.routed)
    if awake > AWAKE:
        return []
    return [
        f"A batch of {plain(batch, 9)} wakes about {show(awake, '%', 2)} of the experts. This bound reads them all, so "
        "a step can be shorter than it."
    ]


def counted(where: Scenario) -> list[str]:
    """The notes of the simplest bound where a figure also counts the step's operations, which read otherwise."""
    read = where.cache_notes() and known(where)
    listed = ["Forecast and operations in turn count what it does read."] if read else []
    return [*where.notes(), *listed, *idle_notes(where)]


def idle_notes(where: Scenario) -> list[str]:
    """The chips of a system that the usual layout of a mixture leaves out."""
    found = known(where)
    if found is None or found.layout.chips == where.chips:
        return []
    return [
        f"Operations in turn run on {plain(found.layout.chips, 9)} of the system's {plain(where.chips, 9)} chips, as "
        "many as a layer has experts. So does the forecast; the other chips idle, and are paid."
    ]


def said_layer(alt: Any, x: str, y: str) -> Any:
    """The labels of the table `said` over its points, a row above the other; to the right where the line `falls`.

    Near an end of the frame they stand on the other side.
    """
    across = f"scale('x', datum.{x})"
    aside = ASIDE.format("label")
    right = f"(datum.falls && {across} < width - {aside} || {across} < {aside})"
    text: dict[str, Any] = {
        "align": alt.expr(f"{right} ? 'left' : 'right'"),
        "dx": alt.expr(f"{right} ? (datum.falls ? 9 : -min({across}, 9)) : -9"),
        "dy": alt.expr("-9 - 16 * datum.row"),
        "baseline": "bottom",
        "fontSize": 13,
        "fontWeight": 600,
    }
    base = alt.Chart(alt.NamedData("said")).encode(x=f"{x}:Q", y=f"{y}:Q", text="label:N")
    return base.mark_text(**text, **HALO) + base.mark_text(**text, color=look.ACCENT)
