"""The exchange beside the rest of a step: in the open, or hidden behind half of the batch. All from `calc.step`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from calc.batching.figures.setting import laid_out
from calc.catalog import Model
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import SECONDS, guide_layer, guides, here_layer
from calc.figure.inputs import Choice
from calc.figure.line_names import ends, labelled_lines
from calc.figure.scenario import BATCH, CONTEXT, MODEL, PRECISION, SYSTEM
from calc.moe.figures.setting import link_notes
from calc.moe.figures.shared import BATCHES, Compositions, over, turning_points
from calc.quantities.check import Quantity
from calc.quantities.units import plain, show
from calc.setting import Scenario, Setting
from calc.step import decode, why_not

ALONE = "one sequence has no halves"
LINES = {"bound": "Bound", "opened": "In turn", "halved": "In halves", "exchange": "Exchange"}
WAYS = {"within": "links within the domain", "out": "links out of it"}

LINKS = Choice(
    name="links",
    label="Over",
    default="within",
    options=WAYS,
    help="The links that carry the exchange: those of the domain, or the network cards that lead out of it.",
)


def exchange(*, model: str, system: str, precision: str, context: float, batch: float, links: str) -> Answer:
    """The step against the batch: with its exchange in the open, and with one half computing while the other sends."""
    names = Scenario.named(model, system, precision)
    inside = laid_out(model, system, precision, "usual")
    where = over(inside, links)
    curve = Compositions.of(where, BATCHES, context)
    here = Compositions.of(where, batch, context)
    pays, hidden = turning_points(curve)
    opened, halved, sent = float(here.opened), float(here.halved), float(here.exchange)
    crowded = why_not(decode(inside, batch, context))
    parted = f"as two halves, each of which reads the weights, it takes {show(halved, 's')}"
    table = {"batch": BATCHES[::2]} | {key: _drawn(getattr(curve, key)[::2]) for key in LINES}
    chips = float(np.max(where.layout.chips))
    return Answer(
        finding=_finding(names.model, batch, opened, halved, pays, "would take" if crowded else "takes"),
        description=(
            f"Line chart, both axes logarithmic: seconds of a decode step of {names.model.name} on {plain(chips, 9)} "
            f"chips of {names.system.name} against the batch. With operations in turn a batch of {plain(batch, 9)} "
            f"takes {show(opened, 's')}, of which {show(sent, 's')} is sending; {parted if batch > 1 else ALONE}. The "
            f"exchange rises in proportion to the batch; the halves begin higher and meet the other "
            f"line at {_at(pays)}."
        ),
        tables={
            "curve": table,
            "ends": ends(table, "batch", LINES),
            "here": {
                "batch": [batch],
                "seconds": [min(opened, halved)],
                "longer": [max(opened, halved)],
                "label": [show(min(opened, halved), "s")],
            },
            "guides": guides("batch", {"halves pay": pays, "exchange outlasts": hidden}, 1, 1e6),
        },
        values={
            "opened": Value(opened, "s", "Step, operations in turn"),
            "halved": Value(halved if batch > 1 else math.inf, "s", "Step, two halves that take turns", endless=ALONE),
            "exchange": Value(sent, "s", "The exchange"),
            "pays": Value(pays, "sequences", "Halving pays from", 2, endless="no batch"),
            "share": Value(sent / opened, "%", "Share of the exchange, in turn"),
            "bound": Value(here.bound, "s", "Step, if everything overlapped"),
            "hidden": Value(hidden, "sequences", "Halves hide it up to", 2, endless="any size"),
            "tokens": Value(batch / chips, "tokens", "Tokens of a chip"),
        },
        notes=[*filter(None, [crowded]), *link_notes(names), *_way_notes(names.system.name, inside, links)],
    )


def _way_notes(name: str, where: Setting, links: str) -> list[str]:
    if links == "out" and not np.max(where.machine.scale_out):
        return [f"So the exchange stays on the links within the {name}."]
    return []


def _drawn(seconds: Quantity) -> Quantity:
    """A logarithmic axis has no place for nothing."""
    return np.where(np.asarray(seconds) > 0, seconds, np.nan)


def _at(batch: float) -> str:
    return "no batch drawn" if math.isinf(batch) else f"a batch of about {plain(batch, 2)}"


def _finding(model: Model, batch: float, opened: float, halved: float, pays: float, takes: str) -> str:
    start = f"{model.name} is dense and sends sums: without starts" if model.dense else "Without starts"
    parted = f", {show(halved, 's')} in two halves" if batch > 1 else f" ({ALONE})"
    times = f"{takes} {show(opened, 's')} with its sending in the open{parted}"
    pays_from = "at no batch drawn" if math.isinf(pays) else f"from {plain(pays, 2)}"
    return f"{start} a batch of {plain(batch, 9)} {times}; halving pays {pays_from}"


def exchange_chart() -> Any:
    """Four lines from left to right, named at their ends; dotted rules where one overtakes another."""
    import altair as alt

    names: Mapping[str, str] = LINES
    lines = labelled_lines(
        alt,
        names,
        alt.X("batch:Q", title="Batch (sequences)").scale(type="log").axis(format="~s"),
        alt.Y("seconds:Q", title="Time of a step").scale(type="log").axis(**SECONDS),
    )
    return guide_layer(alt, "batch") + lines + here_layer(alt, "batch", "seconds", label="label", over="longer")


EXCHANGE = Figure(
    name="moe/exchange",
    inputs=(MODEL, SYSTEM, PRECISION, CONTEXT, BATCH, LINKS),
    compute=exchange,
    chart=exchange_chart,
    table="curve",
    columns={
        "batch": "Batch (sequences)",
        "bound": "Everything overlaps (s)",
        "opened": "Operations in turn (s)",
        "halved": "Two halves (s)",
        "exchange": "Exchange (s)",
    },
    assumptions=(
        "A token goes out in one byte a number and comes back in two, once for each chip with experts of its own.",
        "Links run at their full rate, all chips send and receive equally much, and a message takes no time to start.",
        "Each chip keeps attention and shared experts whole and serves sequences of its own; experts are spread.",
        "In turn: operation after operation, each at its own roofline. Halves: one computes while the other is sent, "
        "and each reads the weights; what hides is counted in sum over a layer, the most that its stages can hide.",
        "“Links out” is the same exchange on the same chips, if they had only those.",
    ),
    foremost=4,
    sources=("lecture", "aiconfigurator", "deepseek-insights"),
)
