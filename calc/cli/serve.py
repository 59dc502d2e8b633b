"""`step`, `balance`, `fits` and `sweep`: a model on a system."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from typing import Any

import numpy as np

from calc import batching, catalog, moe
from calc.cli import surveying
from calc.cli.report import Report, Value
from calc.quantities.errors import CalcError
from calc.quantities.units import bytes_per_element, precision, show
from calc.serving import frontier
from calc.serving.measured import comparisons
from calc.setting import Layout, Setting
from calc.step import Step, decode, most_sequences, why_not


class Place:
    """The place that the options name: a model on a system, laid out over its chips at shares of their rates."""

    def __init__(self, options: Namespace) -> None:
        self.model = catalog.model(_slug(options.model))
        self.system = catalog.system(_slug(options.system))
        self.precision = precision(options.precision)
        self.setting = self._setting(options)

    def served(self, options: Namespace) -> Step:
        """Decoding as the options say."""
        return decode(self.setting, options.batch, options.context)

    def _setting(self, options: Namespace) -> Setting:
        """Laid out as asked; else experts, or tensors where there are none, over all chips of the domain."""
        shares = {name: getattr(options, name) for name in ("mfu", "mbu", "link") if hasattr(options, name)}
        usual = Setting.published(self.model, self.system, self.precision)
        usual = replace(usual, machine=usual.machine.reached(**shares))
        ways = {name: getattr(options, name, None) for name in ("tensor", "expert", "stages")}
        asked = {name: count for name, count in ways.items() if count is not None}
        tensor, groups, stages = (asked.get(name, 1.0) for name in ways)
        if not asked.keys() & {"tensor", "expert"}:
            return usual.with_layout(replace(usual.layout, pipeline=stages))
        return usual.with_layout(Layout(tensor=tensor, data=groups, expert=groups, pipeline=stages))


def step(options: Namespace) -> Report:
    """How long a decode step takes."""
    place = Place(options)
    served = place.served(options)
    values = {
        "bound": Value("Time between tokens, all overlapping", served.bound_seconds, "s"),
        "serial": Value("Time between tokens, nothing overlapping", served.serial_seconds, "s"),
        "compute": Value("Computing", served.compute_seconds, "s"),
        "weights": Value("Reading weights", served.weights_seconds, "s"),
        "cache": Value("Reading the cache", served.cache_seconds, "s"),
        "scale_up": Value("Links within the domain", served.scale_up_seconds, "s"),
        "scale_out": Value("Links out of it", served.scale_out_seconds, "s"),
        "limit": Value("Limited by", served.limit),
        "per_user": Value("A user gets at most", served.user_tokens_per_second, "tokens/s"),
        "per_chip": Value("A chip makes at most", served.chip_tokens_per_second, "tokens/s"),
    }
    notes = [measured_shares(), *filter(None, [why_not(served)])]
    return Report(f"{_named(place, options)}, {_laid(place.setting.layout)}", values, notes=notes)


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
        "kv_bytes_per_token": place.setting.kept_bytes_per_token,
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
    served = place.served(options)
    capacity, weights, kept = place.setting.machine.hbm_bytes, served.chip_weight_bytes, served.chip_kept_bytes
    values = {
        "fits": Value("Fits", bool(served.fits)),
        "capacity": Value("Memory of a chip", capacity, "B"),
        "weights": Value("Weights on it", weights, "B"),
        "cache": Value("Cache on it", kept, "B"),
        "free": Value("Left over", capacity - weights - kept, "B"),
        "chips": Value("Chips", place.setting.layout.chips),
        "most": Value("Sequences that fit", most_sequences(place.setting, options.context), ""),
    }
    reason = why_not(served)
    return Report(
        f"{_named(place, options)}, {_laid(place.setting.layout)}",
        values,
        notes=[reason] * bool(reason),
        status=int(not served.fits),
    )


def sweep(options: Namespace) -> Report:
    """The frontier of throughput per chip against speed for a user; of a declaration, every point."""
    if options.model.endswith(".toml"):
        return surveying.survey(options)
    if options.system is None:
        raise CalcError("system", None, "the name of a system, after that of the model")
    place = Place(options)
    found = frontier.sweep(place.setting, options.context)
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
    rows = [{name: Value(label, each[at]) for name, (label, each) in columns.items()} for at in range(shown.batch.size)]
    where = f"{place.model.name} on chips of {place.system.name}, {place.precision.upper()}"
    title = f"{where}, {options.context:,.0f} tokens each"
    tried = f"{best.batch.size} of {found.tried:,} combinations are beaten by no other; {found.batch.size:,} fit."
    return Report(title, rows=rows, notes=[tried, measured_shares()])


def measured_shares() -> str:
    """How far below their bounds the systems are whose rates are published, as a sentence."""
    shares = [each.share for each in comparisons().values() if "tokens" in each.unit]
    least, most = (show(share, "%", 2) for share in (min(shares), max(shares)))
    return f"These are bounds; of theirs, measured systems reach {least} to {most}."


def _named(place: Place, options: Namespace) -> str:
    where = f"{place.model.name} on {place.system.name}, {place.precision.upper()}"
    return f"{where}, batch {options.batch:,.0f}, {options.context:,.0f} tokens each"


def _laid(layout: Layout) -> str:
    named = {"tensor": layout.tensor, "expert": layout.data, "stages": layout.pipeline}
    ways = " × ".join(f"{name} {show(count)}" for name, count in named.items())
    return f"{show(layout.chips)} chips: {ways}"


def _slug(name: str) -> str:
    """A name of the catalogue, however its capitals and spaces were typed."""
    if not name.strip():
        raise CalcError("name", name, "a name of the catalogue")
    return "-".join(name.lower().split())
