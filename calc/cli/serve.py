"""`step`, `balance`, `fits` and `sweep`: a model on a system."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from typing import Any

import numpy as np

from calc import batching, catalog, moe
from calc.catalog import Model
from calc.cli import configuration, surveying
from calc.cli.report import Report, Value
from calc.quantities.errors import CalcError
from calc.quantities.units import bytes_per_element, plain, precision, show
from calc.serving import frontier
from calc.serving.measured import comparisons
from calc.setting import Architecture, Layout, Precisions, Setting
from calc.setting.precisions import PRESETS
from calc.step import Step, decode, forecast_of, most_sequences, why_not

NO_FORECAST = "No forecast: it is fitted to engines at published rates, without pipeline stages."
UNMEASURED = "No run on this system is among those that the forecast was fitted to."
SHARES = {"mfu": "MFU", "mbu": "MBU", "link": "links"}


class Place:
    """The place that the options name: a model on a system, laid out over its chips at shares of their rates."""

    def __init__(self, options: Namespace) -> None:
        self.model, self.notes = _model(options.model)
        self.system = catalog.system(_slug(options.system))
        self.precision = _formats(options.precision)
        self.shares = {name: getattr(options, name) for name in SHARES if hasattr(options, name)}
        self.setting = self._setting(options)

    def served(self, options: Namespace) -> Step:
        """Decoding as the options say."""
        return decode(self.setting, options.batch, options.context)

    def titled(self, options: Namespace) -> str:
        """All that a bound rests on: formats, batch, context, layout, and the shares of rates that are not all."""
        where = f"{self.model.name} on {self.system.name}, {self.precision.upper()}"
        asked = f"batch {plain(options.batch, 12)}, {plain(options.context, 12)} tokens each"
        return ", ".join([where, asked, _laid(self.setting.layout), *self.reached()])

    def reached(self) -> list[str]:
        """The shares of the rates that are reached, where they are not all."""
        return [f"{SHARES[name]} {show(share, '%')}" for name, share in self.shares.items() if share != 1]

    def _setting(self, options: Namespace) -> Setting:
        """Laid out as asked; else experts, or tensors where there are none, over all chips of the domain."""
        usual = Setting.published(self.model, self.system, self.precision)
        usual = replace(usual, machine=usual.machine.reached(**self.shares))
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
    expected, warning = _expected(place, served)
    return Report(
        place.titled(options), values | expected, notes=[*place.notes, measured_shares(), *filter(None, [warning])]
    )


def _expected(place: Place, served: Step) -> tuple[dict[str, Value], str]:
    """The forecast and its band, and a warning: why there is none, or that no run on the system stands behind it."""
    if not served.fits:
        return {}, why_not(served)
    if place.reached() or served.setting.layout.pipeline > 1:
        return {}, NO_FORECAST
    found = forecast_of(served)
    expected = {"expected": Value("To be expected", found.seconds, "s")}
    if not found.fit.covers(place.system.id):
        return expected, UNMEASURED
    low, high = found.band_above(served.bound_seconds)
    band = {
        "expected_low": Value("Range of four in five runs, from", low, "s"),
        "expected_high": Value("Range of four in five runs, to", high, "s"),
    }
    return expected | band, ""


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
    model, place = catalog.model(_slug(options.model)), Place(options)
    arguments: dict[str, Any] = {
        "active_params": model.active_params,
        "kv_bytes_per_token": place.setting.kept_bytes_per_token,
        "flops": system.flops(stored),
        "bandwidth": system.hbm_bandwidth,
    }
    sparsity = moe.sparsity(model.total_params, model.active_params)
    weights = model.weight_bytes(stored)
    with_cache = batching.balanced_batch_with_cache(options.context, weight_bytes=weights, **arguments)
    values |= {
        "sparsity": Value("Total over active parameters", sparsity),
        "batch": Value("Balanced batch, without a cache", batching.balanced_batch(ratio, sparsity), "sequences"),
        "batch_with_cache": Value(
            f"with {plain(options.context, 12)} tokens of context each",
            with_cache,
            "sequences",
            "none: no batch balances",
        ),
        "critical_context": Value(
            "Context past which no batch balances", batching.critical_context(**arguments), "tokens"
        ),
        "floor": Value("Least time of a step", batching.read_seconds(weights, system.hbm_bandwidth), "s"),
    }
    title = f"{model.name} on {system.name}, {stored.upper()}"
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
        place.titled(options), values, notes=[*place.notes, *[reason] * bool(reason)], status=int(not served.fits)
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
    title = ", ".join([where, f"{plain(options.context, 12)} tokens each", *place.reached()])
    tried = f"{best.batch.size} of {found.tried:,} combinations are beaten by no other; {found.batch.size:,} fit."
    return Report(title, rows=rows, notes=[*place.notes, tried, measured_shares()])


def measured_shares() -> str:
    """How far below their bounds the systems are whose rates are published, as a sentence."""
    shares = [each.share for each in comparisons().values() if "tokens" in each.unit]
    least, most = (show(share, "%", 2) for share in (min(shares), max(shares)))
    return f"These are bounds; of theirs, measured systems reach {least} to {most}."


def _laid(layout: Layout) -> str:
    named = {"tensor": layout.tensor, "expert": layout.data, "stages": layout.pipeline}
    ways = " × ".join(f"{name} {plain(count, 12)}" for name, count in named.items())
    return f"{plain(layout.chips, 12)} chips: {ways}"


def _model(name: str) -> tuple[Model | Architecture, list[str]]:
    """A model of the catalogue or of a config.json, with what of that was assumed."""
    if not name.endswith(".json"):
        return catalog.model(_slug(name)), []
    found = configuration.of_file(name)
    return found.model, configuration.doubts(found)


def _formats(name: str) -> str:
    """A format, or a usual choice of several, by the name that `calc` uses for it."""
    Precisions.named(name)  # refuses one that is neither
    usual = name.strip().lower()
    return usual if usual in PRESETS else precision(name)


def _slug(name: str) -> str:
    """A name of the catalogue, however its capitals and spaces were typed."""
    if not name.strip():
        raise CalcError("name", name, "a name of the catalogue")
    return "-".join(name.lower().split())
