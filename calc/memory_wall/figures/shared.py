"""Lecture 4's numbers that several pictures show: a design, a long context, the largest model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from calc import batching, catalog, memory_wall, step
from calc.batching.figures.shared import short_name
from calc.batching.touched import touched_params
from calc.catalog import Model, System
from calc.figure import look
from calc.figure.inputs import Number
from calc.figure.named import name_layer
from calc.figure.scenario import CONTEXT
from calc.memory_wall import attention, long_context
from calc.memory_wall.figures.setting import DESIGNS, slope
from calc.memory_wall.long_context import LongContext
from calc.quantities.arithmetic import MICRO
from calc.quantities.check import Quantity
from calc.quantities.errors import CalcError
from calc.quantities.units import bytes_per_element, plain, show
from calc.setting import Machine, Scenario, Setting
from calc.step.collectives import all_gather_seconds, reduce_scatter_seconds
from calc.step.forecasting import FIT

RACK = "gb200-nvl72"  # of the examples
USUAL_RATIO, CROSSOVER, ACTIVE = 300.0, 200_000.0, 100e9  # Pope's round figures
PACE, RESERVED = 50.0, 0.5  # tokens a second promised to each user, and the share set aside for caches
SLOW, FAST = 20.0, 100.0  # other promises
LONG, FAR = 100_000.0, 100e6  # contexts
MANY = 2048.0  # sequences of a large batch
SUMS = 2  # of a layer: after attention and after the feed-forward part
SENT = "bf16"  # the numbers that are summed
SENDINGS = 2  # of a layer whose context is cut over chips: the queries out, the partial results back
STARTUP_SECONDS = 1 * MICRO  # of a message that no library starts
LONG_CONTEXT = replace(CONTEXT, default=LONG)
SPEED = Number(
    name="pace",
    label="Speed",
    default=50,
    low=1,
    high=10_000,
    unit="tokens/s",
    log=True,
    help="Tokens a second that each user is to get; a person reads about ten.",
)


def label(system: System) -> str:
    """A system by its chip and how many there are."""
    return f"{short_name(system.chip)} ×{system.chips:,}"


def said_bytes() -> float:
    """Cache of a token at which a context of 200K balances with 100B active parameters, at one byte and a ratio of 300.

    The critical context and the cache of a token stand for each other in 2 N_a w / (F k).
    """
    bandwidth = 1.0
    return batching.critical_context(ACTIVE, CROSSOVER, 2 * USUAL_RATIO * bandwidth, bandwidth)


def indexed_token_bytes(*, index: bool = True) -> float:
    """Cache of a token in all layers of DeepSeek-V3.2 as it is stored: with its index, and the scales of its numbers.

    >>> indexed_token_bytes(), indexed_token_bytes(index=False)
    (48068.0, 40016.0)
    """
    model = catalog.model("deepseek-v3.2")
    return float(model.known("layers") * (index * model.known("index_key_bytes") + model.known("attended_kv_bytes")))


def scale_notes(model: Model) -> list[str]:
    """A note on the model whose stored cache is known with the scales of its numbers."""
    if model.id != "deepseek-v3.2":
        return []
    return [f"{model.name} stores scales as well: {show(indexed_token_bytes(), 'B')} a token in FP8."]


def tokens(count: float) -> str:
    """So many tokens, in full.

    >>> tokens(1), tokens(100_000)
    ('1 token', '100,000 tokens')
    """
    return f"{plain(count, 9)} token{'' if count == 1 else 's'}"


def largest_model(
    system: System, precision: str, pace: float, reserved: float, *, sums: Quantity = 0.0, chips: Quantity | None = None
) -> memory_wall.LargestModel:
    """The limits of a system, or so many of its chips, that is to give every user so many tokens a second.

    `sums` are seconds of every step that go to sums and not to reading.
    """
    used = system.chips if chips is None else chips
    return memory_wall.largest_model(
        1 / pace - sums,
        1,
        bytes_per_weight=bytes_per_element(precision),
        chips=used,
        hbm_bytes=system.chip.hbm_bytes,
        bandwidth=system.chip.hbm_bandwidth,
        flops=1,
        cache_share=reserved,
    )


def attention_ratio(where: Scenario, products: str) -> float:
    """Multiplications that the chip makes while it reads one byte, in a format of attention."""
    try:
        rate = where.chip.flops(products)
    except CalcError:
        wanted = f"one whose rate in {products.upper()} is published"
        raise CalcError("system", where.system.id, wanted) from None
    return batching.hardware_ratio(rate, where.chip.hbm_bandwidth, 1.0)


def decode(
    where: Scenario, context: Quantity, dollars_per_hour: float = 0.0, kv_bytes: float | None = None
) -> LongContext:
    """Long contexts on a system: how many fit, and how long a token takes alone and with all of them."""
    own = where.kv_bytes_per_token
    return long_context.long_context(
        context,
        active_params=where.model.active_params,
        weight_bytes=where.weight_bytes,
        kv_bytes_per_token=kv_bytes or own,
        flops_per_context_token=slope(where.model) if kv_bytes is None else 0.0,
        hbm_bytes=where.hbm_bytes,
        bandwidth=where.bandwidth,
        flops=where.flops,
        dollars_per_hour=dollars_per_hour,
        awake=awake(where.model),
    )


def awake(model: Model) -> Callable[[Quantity], Quantity]:
    """The share of a model's weights that the experts of so many tokens and the part of every token are."""

    def share(tokens: Quantity) -> Quantity:
        return touched_params(tokens, model.total_params, model.active_params, *model.routed) / model.total_params

    return share


def uneven_seconds(where: Scenario) -> float:
    """Seconds that a chip which reads one of a token's experts whole in each layer reads longer than the mean chip."""
    expert = 3 * where.model.known("d_model") * where.model.known("d_ff_expert") * where.model.expert_layers  # in FP8
    return expert * (1 - where.model.routed[1] / where.system.chips) / where.chip.hbm_bandwidth


def prompt_seconds(where: Scenario, context: Quantity) -> Quantity:
    """Seconds in which a system can read a prompt, with nothing else to do: its arithmetic, or the weights once."""
    operations = attention.prefill_flops(context, where.model.active_params, slope(where.model, prompt=True))
    reading = where.weight_bytes * awake(where.model)(context) / where.bandwidth
    return np.maximum(operations / where.flops, reading)


def longest(where: Scenario) -> float:
    """The context with which one sequence fills the memory that the weights leave."""
    drain = where.hbm_bytes / where.bandwidth
    return long_context.longest_context(
        drain,
        weight_bytes=where.weight_bytes,
        kv_bytes_per_token=where.kv_bytes_per_token,
        hbm_bytes=where.hbm_bytes,
        bandwidth=where.bandwidth,
    )


def sum_seconds(
    model: Model, system: System, startup: float, chips: Quantity | None = None, sequences: float = 1.0
) -> Quantity:
    """Seconds of the sums of a step, of one sequence unless told, if all chips of a domain, or so many, share it all.

    Two sums a layer, each an all-reduce of what a token is between layers: its bytes over the links of a switch, a
    mesh or a torus, and the start of the messages that wait for one another.
    """
    machine, sent = Machine.published(system), sequences * model.known("d_model") * bytes_per_element(SENT)
    once = step.all_reduce_seconds(machine, sent, system.chips if chips is None else chips, startup)
    return SUMS * model.known("layers") * once


def cut_bytes(model: Model, sequences: float = 1.0) -> tuple[float, float]:
    """Queries of a layer and partial results of each chip, in bytes, if contexts of a latent are cut over chips."""
    wide = sequences * model.known("heads") * bytes_per_element(SENT)
    return wide * (model.known("kv_lora_rank") + model.known("rope_dim")), wide * model.known("kv_lora_rank")


def cut_sending_seconds(where: Scenario, sequences: float = 1.0) -> float:
    """Seconds of a step in which queries and partial results are sent, if contexts are cut over all chips."""
    machine, chips = Machine.published(where.system), where.system.chips
    queries, found = cut_bytes(where.model, sequences)
    layer = all_gather_seconds(machine, queries, chips, STARTUP_SECONDS)
    layer += reduce_scatter_seconds(machine, found, chips, STARTUP_SECONDS)
    return float(where.model.known("layers") * layer)


def cut_kernel_seconds(model: Model) -> float:
    """Seconds that a kernel for each of these sendings is expected to add to a step."""
    return float(model.known("layers") * SENDINGS * catalog.forecast_fit(FIT).kernel_seconds)


def beside_reading(where: Scenario, sequences: float = 1.0) -> float:
    """Seconds beside the work that a step is expected to take, with contexts cut over all chips of the rack."""
    cut = cut_sending_seconds(where, sequences) + cut_kernel_seconds(where.model)
    return kernel_seconds(where.model.id) + cut


def dots_by_design(alt: Any, table: str, x: Any, y: Any) -> Any:
    """A dot for each model of a table, told apart by the design of its attention; the table `named` says by which."""
    color = alt.Color("design:N", legend=None).scale(**look.series(*DESIGNS))
    shape = alt.Shape("design:N", legend=None).scale(**look.shapes(*DESIGNS))
    dots = alt.Chart(alt.NamedData(table)).mark_point(size=90).encode(x=x, y=y, color=color, shape=shape)
    return dots + name_layer(alt, look.series(*DESIGNS), alt.Y("row:N", title=None, sort=None))


def kernel_seconds(model: str) -> float:
    """Seconds that a step on the rack is expected to spend beside the work of its kernels, at any batch."""
    setting = Setting.published(model, RACK, "fp8")
    return float(step.forecast_of(step.decode(setting, setting.machine.domain_chips, LONG)).kernel_seconds)
