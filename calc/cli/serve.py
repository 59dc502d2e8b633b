"""`step`, `balance`, `fits` and `sweep`: a model on a system."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

import numpy as np

from calc import batching, catalog, moe
from calc.cli.report import Report, Value
from calc.quantities.errors import CalcError
from calc.quantities.units import bytes_per_element, precision, show
from calc.serving import frontier
from calc.serving.layout import Layout, chip_fit, most_sequences, require_possible, why_not
from calc.serving.measured import comparisons
from calc.serving.rates import Efficiency, Served, decode
from calc.serving.shapes import Machine, ModelShape


class Place:
    """What the options name: a model on a system, laid out over its chips."""

    def __init__(self, options: Namespace) -> None:
        self.model = catalog.model(_slug(options.model))
        self.system = catalog.system(_slug(options.system))
        self.precision = precision(options.precision)
        self.shape = ModelShape.published(self.model, self.precision)
        self.machine = Machine.published(self.system, self.precision)

    def layout(self, options: Namespace) -> Layout:
        """As asked; else experts, or tensors where there are none, over all chips of the domain."""
        routed, chips = self.model.routed_experts, self.system.chips
        if options.tensor is None and options.expert is None:
            layout = Layout(1, min(routed, chips), options.stages) if routed else Layout(chips, 1, options.stages)
        else:
            layout = Layout(options.tensor or 1, options.expert or 1, options.stages)
        require_possible(self.shape, layout, self.machine)
        return layout

    def served(self, options: Namespace) -> Served:
        """Decoding as the options say."""
        return decode(
            self.shape,
            self.layout(options),
            self.machine,
            options.batch,
            options.context,
            efficiency=efficiency(options),
        )


def step(options: Namespace) -> Report:
    """How long a decode step takes."""
    place = Place(options)
    layout, served = place.layout(options), place.served(options)
    parts = served.parts
    values = {
        "bound": Value("Time between tokens, all overlapping", served.bound.seconds, "s"),
        "serial": Value("Time between tokens, nothing overlapping", served.serial.seconds, "s"),
        "compute": Value("Computing", parts.compute, "s"),
        "weights": Value("Reading weights", parts.weights, "s"),
        "cache": Value("Reading the cache", parts.cache, "s"),
        "scale_up": Value("Links within the domain", parts.scale_up, "s"),
        "scale_out": Value("Links out of it", parts.scale_out, "s"),
        "limit": Value("Limited by", parts.limit),
        "per_user": Value("A user gets at most", served.bound.per_user, "tokens/s"),
        "per_chip": Value("A chip makes at most", served.bound.per_chip, "tokens/s"),
    }
    notes = [measured_shares(), *filter(None, [why_not(served.fit)])]
    return Report(f"{_named(place, options)}, {_laid(layout)}", values, notes=notes)


def balance(options: Namespace) -> Report:
    """From which batch on a system computes rather than reads."""
    system, stored = catalog.system(_slug(options.system)), precision(options.precision)
    ratio = batching.hardware_ratio(system.flops(stored), system.hbm_bandwidth, bytes_per_element(stored))
    values = {
        "ratio": Value("Multiplications in the time to read one weight", ratio),
        "drain": Value("Time to read all of the memory", system.chip.hbm_bytes / system.chip.hbm_bandwidth, "s"),
    }
    if not options.model:
        return Report(f"{system.name}, {stored.upper()}", values)
    place = Place(options)
    arguments: dict[str, Any] = {
        "active_params": place.model.active_params,
        "kv_bytes_per_token": place.shape.kv_bytes_per_token,
        "flops": system.flops(stored),
        "bandwidth": system.hbm_bandwidth,
    }
    sparsity = moe.sparsity(place.model.total_params, place.model.active_params)
    weights = place.model.weight_bytes(stored)
    with_cache = batching.balanced_batch_with_cache(options.context, weight_bytes=weights, **arguments)
    values |= {
        "sparsity": Value("Total over active parameters", sparsity),
        "batch": Value("Balanced batch, without a cache", batching.balanced_batch(ratio, sparsity), "sequences"),
        "batch_with_cache": Value(
            f"with {options.context:,.0f} tokens of context each", with_cache, "sequences", "none: no batch balances"
        ),
        "critical_context": Value(
            "Context past which no batch balances", batching.critical_context(**arguments), "tokens"
        ),
        "floor": Value("Least time of a step", batching.read_seconds(weights, system.hbm_bandwidth), "s"),
    }
    title = f"{place.model.name} on {system.name}, {stored.upper()}"
    return Report(title, values, notes=["The arithmetic of attention and all links are left out."])


def fits(options: Namespace) -> Report:
    """Whether a model, its batch and its context fit; the status is 1 if not."""
    place = Place(options)
    layout = place.layout(options)
    fit = chip_fit(place.shape, layout, place.machine, options.batch, options.context)
    values = {
        "fits": Value("Fits", bool(fit.fits)),
        "capacity": Value("Memory of a chip", fit.capacity, "B"),
        "weights": Value("Weights on it", fit.weights, "B"),
        "cache": Value("Cache on it", fit.cache, "B"),
        "free": Value("Left over", fit.free, "B"),
        "chips": Value("Chips", layout.chips),
        "most": Value("Sequences that fit", most_sequences(place.shape, layout, place.machine, options.context), ""),
    }
    reason = why_not(fit)
    return Report(
        f"{_named(place, options)}, {_laid(layout)}",
        values,
        notes=[reason] * bool(reason),
        status=int(not fit.fits),
    )


def sweep(options: Namespace) -> Report:
    """The frontier of throughput per chip against speed for a user."""
    place = Place(options)
    found = frontier.sweep(place.shape, place.machine, options.context, efficiency=efficiency(options))
    best = found.frontier()
    most = best.batch.size if options.json else int(options.rows)
    shown = best.only(np.unique(np.linspace(0, best.batch.size - 1, min(most, best.batch.size)).astype(int)))
    columns = {
        "per_user": ("tokens/s, user", shown.per_user),
        "per_chip": ("tokens/s, chip", shown.per_chip),
        "batch": ("batch", shown.batch),
        "chips": ("chips", shown.chips),
        "tensor": ("tensor", shown.tensor),
        "expert": ("expert", shown.expert),
        "stages": ("stages", shown.stages),
    }
    rows = [
        {name: Value(label, float(each[at])) for name, (label, each) in columns.items()}
        for at in range(shown.batch.size)
    ]
    where = f"{place.model.name} on chips of {place.system.name}, {place.precision.upper()}"
    title = f"{where}, {options.context:,.0f} tokens each"
    tried = f"{best.batch.size} of {found.tried:,} combinations are beaten by no other; {found.batch.size:,} fit."
    return Report(title, rows=rows, notes=[tried, measured_shares()])


def efficiency(options: Namespace) -> Efficiency:
    """The shares of the rates that the options say are reached."""
    return Efficiency(options.mfu, options.mbu, options.link)


def measured_shares() -> str:
    """How far below their bounds the systems are whose rates are published, as a sentence."""
    shares = [each.share for each in comparisons().values() if "tokens" in each.unit]
    least, most = (show(share, "%", 2) for share in (min(shares), max(shares)))
    return f"These are bounds; of theirs, measured systems reach {least} to {most}."


def _named(place: Place, options: Namespace) -> str:
    where = f"{place.model.name} on {place.system.name}, {place.precision.upper()}"
    return f"{where}, batch {options.batch:,.0f}, {options.context:,.0f} tokens each"


def _laid(layout: Layout) -> str:
    ways = " × ".join(f"{name} {show(getattr(layout, name))}" for name in ("tensor", "expert", "stages"))
    return f"{show(float(layout.chips))} chips: {ways}"


def _slug(name: str) -> str:
    """A name of the catalogue, however its capitals and spaces were typed."""
    if not name.strip():
        raise CalcError("name", name, "a name of the catalogue")
    return "-".join(name.lower().split())
