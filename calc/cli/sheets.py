"""`price`: what a million tokens costs to make, beside what it is sold for."""

from __future__ import annotations

from argparse import Namespace

from calc import catalog
from calc.cli.report import Report, Value
from calc.cli.serve import Place, measured_shares
from calc.pricing.implied import margin
from calc.quantities.arithmetic import MILLION
from calc.serving.rates import chip_dollars_per_token
from calc.step import prefill, why_not


def price(options: Namespace) -> Report:
    """Least cost of reading and of writing, at a rent."""
    place = Place(options)
    layout, written = place.setting.layout, place.served(options)
    prompts = layout.data * layout.pipeline  # one for each group and stage, so that none is idle
    read = prefill(place.setting, prompts, options.context)
    offer = catalog.rent(place.system.id) if options.rent is None else None
    rent = offer.dollars_per_chip_hour if offer else options.rent
    rates = {
        "input": read.chip_reading_rate(read.bound_seconds),
        "output": written.chip_tokens_per_second,
        "serial": written.chip_rate(written.serial_seconds),
    }
    costs = {way: chip_dollars_per_token(rent, rate) for way, rate in rates.items()}
    values = {
        "rent": Value("Rent of a chip for an hour", rent, "$"),
        "input": Value("Reading, at the least", costs["input"] * MILLION, "$/Mtok"),
        "output": Value("Writing, at the least", costs["output"] * MILLION, "$/Mtok"),
        "output_serial": Value("Writing, nothing overlapping", costs["serial"] * MILLION, "$/Mtok"),
    }
    if options.sheet:
        sheet = catalog.price(options.sheet)
        for way, asked in (("input", sheet.input), ("output", sheet.output)):
            values[f"{way}_sold"] = Value(f"{sheet.name}, {way}", asked, "$/Mtok")
            profit = margin(asked, costs[way] * MILLION)
            values[f"{way}_margin"] = Value("of which at most profit", profit, "%")
    title = f"{place.titled(options)}, never idle"
    notes = [f"Rent: {offer.name}, {offer.dated}."] if offer else []
    if options.tensor is None and options.expert is None:
        notes.append("The whole domain serves one copy; another layout may cost less: --tensor, --expert, or a sweep.")
    return Report(title, values, notes=[*place.notes, *notes, measured_shares(), *filter(None, [why_not(written)])])
