"""A step against the ways to spread a model: more chips, and larger groups of chips that cut every matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from calc import catalog
from calc.batching.figures.setting import laid_out
from calc.figure.declared import Answer, Choice, Figure, Number, Value
from calc.figure.guides import SECONDS, ends, here_layer, labelled_lines
from calc.figure.scenario import BATCH, CONTEXT, MODEL, MODELS, PRECISION, SYSTEM
from calc.quantities.check import Array, Quantity
from calc.quantities.units import plain, show
from calc.setting import Layout, Setting, possible
from calc.step import Step, decode, most_tensor_chips

MOST_CHIPS = 512
NEAR = 1.1  # of the least: what more chips still gain is not worth them
PARTS = {
    "weights": "Weights",
    "cache": "Cache",
    "arithmetic": "Arithmetic",
    "network": "Network",
    "starting": "Start-up",
    "step": "In turn",
}
DENSE = Choice(
    name="dense",
    label="Dense model",
    default="llama-3-70b",
    options={name: label for name, label in MODELS.items() if catalog.model(name).routed_experts is None},
    help="All its matrices are cut over the chips.",
)
STARTUP = Number(
    name="startup",
    label="Start of a message",
    default=5,
    low=0,
    high=100,
    unit="µs",
    help=(
        f"From the call to the first byte at the other end. NVIDIA's library counts on "
        f"{show(catalog.datum('nccl-start').value, 's')}, and {show(catalog.datum('nccl-hop').value, 's')} a step over "
        "NVLink. No bandwidth shortens it."
    ),
)
MICRO = 1e-6


def parts(step: Step, startup: float) -> dict[str, Any]:
    """Seconds of a step by what they go to, and with operations in turn; start-up times are added to those."""
    starting = step.rounds * startup * MICRO
    return {
        "weights": step.weights_seconds,
        "cache": step.cache_seconds,
        "arithmetic": step.compute_seconds,
        "network": step.scale_up_seconds + step.scale_out_seconds,
        "starting": starting,
        "step": step.in_turn_seconds + starting,
    }


def sizes(where: Setting) -> Array:
    """Numbers of chips to compare: powers of two, whole domains, and as far as a layout makes sense."""
    domain = int(np.max(where.machine.domain_chips))
    found = {2**power for power in range(10)} | {domain, 2 * domain, 4 * domain}
    usable = [count for count in sorted(found) if count <= MOST_CHIPS and (count <= domain or count % domain == 0)]
    return np.array([n for n in usable if np.all(possible(where.model, where.machine, _spread(where, n)))], dtype=float)


def _spread(where: Setting, chips: Quantity) -> Layout:
    """The usual layout over so many chips, or over each of so many; as many groups as experts at the most."""
    if where.model.experts == 0:
        return Layout(tensor=chips)
    return Layout(data=np.asarray(chips)[()])


def chips(*, model: str, system: str, precision: str, context: float, batch: float, startup: float) -> Answer:
    """A step against the number of chips that share it."""
    where = laid_out(model, system, precision, "usual")
    counts = sizes(where)
    counts = counts[counts <= (where.model.experts or MOST_CHIPS)]
    step = decode(where.with_layout(_spread(where, counts)), batch, context)
    found = {key: _drawn(part, counts) for key, part in parts(step, startup).items()}
    total = found["step"]
    fits = np.asarray(step.fits) & np.ones(len(counts), dtype=bool)
    best = _shortest(total, fits)
    enough = int(np.flatnonzero((total <= NEAR * total[best]) & (fits | ~fits[best]))[0])
    domain = int(counts[counts <= np.max(where.machine.domain_chips)][-1])
    here = int(np.flatnonzero(counts == domain)[0])
    table = {"chips": counts} | found
    return Answer(
        finding=_chips_finding(where, counts, total, best, enough),
        description=(
            f"Line chart, both axes logarithmic: seconds of a step of {where.model.name} at a batch of "
            f"{plain(batch, 9)} against the number of chips of {where.machine.name} that share it, in parts. The step "
            f"falls from {show(float(total[0]), 's')} on {plain(counts[0])} to {show(float(total[best]), 's')} on "
            f"{plain(counts[best], 9)}; the start of messages takes {show(float(found['starting'][here]), 's')} on "
            f"{plain(domain, 9)} and does not fall."
        ),
        tables={
            "curve": table,
            "ends": ends(table, "chips", PARTS),
            "here": {"chips": [domain], "seconds": [total[here]]},
        },
        values={
            "step": Value(float(total[here]), "s", "Step on one domain"),
            "network": Value(float(np.nan_to_num(found["network"][here])), "s", "of it on the links"),
            "starting": Value(float(np.nan_to_num(found["starting"][here])), "s", "of it the start of messages"),
            "rounds": Value(float(np.max(np.asarray(step.rounds))), "", "Messages that wait for one another, at most"),
            "arithmetic": Value(float(found["arithmetic"][here]), "s", "of it multiplying"),
            "best": Value(float(counts[best]), "chips", "Shortest step", 9),
            "least": Value(float(total[best]), "s", "Shortest step"),
            "enough": Value(float(counts[enough]), "chips", "Within a tenth of it", 9),
        },
        notes=_room_notes(counts, fits),
    )


def _shortest(total: Array, fits: NDArray[np.bool_]) -> int:
    """Where the step is shortest among those that have room, or among all if none has."""
    return int(np.argmin(np.where(fits, total, np.inf) if np.any(fits) else total))


def _drawn(part: Quantity, places: Array) -> Array:
    """A logarithmic axis has no place for nothing."""
    wide = np.asarray(part, dtype=float) * np.ones(len(places))
    return np.where(wide > 0, wide, np.nan)


def _room_notes(places: Array, fits: NDArray[np.bool_]) -> list[str]:
    """Which places on the axis the memory of a chip rules out."""
    if np.all(fits):
        return []
    without = ", ".join(plain(place, 9) for place in places[~fits])
    return [f"Weights and cache do not fit at {without}: the times there are those of chips with more memory."]


def _chips_finding(where: Setting, counts: Array, total: Array, best: int, enough: int) -> str:
    name, least = where.model.name, show(float(total[best]), "s")
    end = f"{name}'s step is shortest on {plain(counts[best], 9)} chips, {least}"
    if enough == best:
        return end
    return f"{end}; {plain(counts[enough], 9)} come within a tenth of that"


def sums(*, dense: str, system: str, precision: str, context: float, batch: float, startup: float) -> Answer:
    """A dense model cut over more and more chips: its sums against its arithmetic."""
    found = chips(model=dense, system=system, precision=precision, context=context, batch=batch, startup=startup)
    curve = found.tables["curve"]
    name = catalog.model(dense).name
    over = plain(float(np.asarray(found.tables["here"]["chips"])[0]), 9)
    longer = np.flatnonzero(np.nan_to_num(np.asarray(curve["network"])) > np.asarray(curve["arithmetic"]))
    equal = float(np.asarray(curve["chips"])[longer[0]]) if longer.size else np.inf
    network, arithmetic = found.values["network"].number, found.values["arithmetic"].number
    times = f"sums take {show(float(network), 's')} and arithmetic {show(float(arithmetic), 's')} of a step"
    return Answer(
        finding=f"{name} cut over {over} chips at a batch of {plain(batch, 9)}: {times}",
        description=found.description,
        tables=found.tables,
        values={
            **found.values,
            "ratio": Value(float(network) / float(arithmetic), "x", "Sums over arithmetic, one domain"),
            "equal": Value(equal, "chips", "Sums take longer than arithmetic from", 9, endless="no number"),
        },
        notes=found.notes,
    )


def layouts(*, model: str, system: str, precision: str, context: float, batch: float, startup: float) -> Answer:
    """One domain, divided into groups of chips that cut every matrix among them and share their sequences."""
    usual = laid_out(model, system, precision, "usual")
    many = int(np.max(usual.layout.chips))
    ways = np.array(
        [each for each in range(1, many + 1) if many % each == 0 and (each & (each - 1) == 0 or each == many)]
    )
    layout = Layout(tensor=ways, data=many // ways, expert=many if usual.model.experts else 0)
    step = decode(usual.with_layout(layout), batch, context)
    found = {key: _drawn(part, ways) for key, part in parts(step, startup).items()}
    total = found["step"]
    reads = np.asarray(step.memory_bytes) * np.ones(len(ways))
    holds = np.asarray(step.chip_weight_bytes + step.chip_kept_bytes) * np.ones(len(ways))
    fits = holds <= float(np.max(usual.machine.hbm_bytes))
    best = _shortest(total, fits)
    table = {"tensor": ways, "groups": many // ways} | found | {"reads": reads, "holds": holds}
    return Answer(
        finding=(
            f"{usual.model.name} on {plain(many, 9)} chips: groups of {plain(ways[best], 9)} take "
            f"{show(float(total[best]), 's')}, single chips {show(float(total[0]), 's')}, one group of all "
            f"{show(float(total[-1]), 's')}"
        ),
        description=(
            f"Line chart, both axes logarithmic: seconds of a step of {usual.model.name} on {plain(many, 9)} chips of "
            f"{usual.machine.name} against the chips of a group that cuts every matrix. A larger group reads fewer "
            f"weights a chip, {show(float(found['weights'][0]), 's')} down to "
            f"{show(float(found['weights'][-1]), 's')}, and more cache, {show(float(found['cache'][0]), 's')} up to "
            f"{show(float(found['cache'][-1]), 's')}."
        ),
        tables={
            "curve": table,
            "ends": ends(table, "tensor", PARTS),
            "here": {"tensor": [ways[best]], "seconds": [total[best]]},
        },
        values={
            "best": Value(float(ways[best]), "chips", "Best group", 9),
            "least": Value(float(total[best]), "s", "Step with it"),
            "single": Value(float(total[0]), "s", "Step, attention on every chip (DP)"),
            "whole": Value(float(total[-1]), "s", "Step, everything cut over all (TP)"),
            "single_reads": Value(float(reads[0]), "B", "A chip reads, DP"),
            "best_reads": Value(float(reads[best]), "B", "A chip reads, best group"),
            "whole_reads": Value(float(reads[-1]), "B", "A chip reads, TP"),
            "single_holds": Value(float(holds[0]), "B", "A chip holds, DP"),
            "whole_holds": Value(float(holds[-1]), "B", "A chip holds, TP"),
            "memory": Value(float(np.max(usual.machine.hbm_bytes)), "B", "Memory of a chip"),
        },
        notes=_room_notes(ways, fits),
    )


def tensor() -> Answer:
    """Llama 3 70B in FP8 cut over eight H100: what one sequence adds to a step."""
    where = laid_out("llama-3-70b", "hgx-h100", "fp8", "usual")
    step, model = decode(where, 1, 0), where.model
    sending = float(step.scale_up_seconds)
    computing = 2 * float(model.active_params) / float(where.system_flops)
    layer = float(model.active_params - model.head_params) / float(model.layer_count)
    flops, link = float(where.machine.flops("fp8")), float(where.machine.scale_up)
    most = most_tensor_chips(layer, model.width, flops=flops, link_bandwidth=link)
    return Answer(
        finding="A dense model cut over a node",
        values={
            "sums": Value(sending, "s", "Sums that a sequence adds"),
            "arithmetic": Value(computing, "s", "Arithmetic that it adds", 2),
            "chips": Value(where.layout.chips, "", "Chips"),
            "messages": Value(2 * model.layer_count, "", "All-reduces of a step"),
            "most": Value(most, "chips", "Sums and arithmetic take equally long on", 2),
        },
    )


def parts_chart(field: str, title: str) -> Any:
    """The parts of a step as lines that are named at their ends, and the reader's setting with its time."""

    def chart() -> Any:
        import altair as alt

        lines = labelled_lines(
            alt,
            PARTS,
            alt.X(f"{field}:Q", title=title).scale(type="log", base=2, nice=False).axis(format="d", tickCount=6),
            alt.Y("seconds:Q", title="Time in a step")
            .scale(type="log")
            .axis(**SECONDS | {"values": [10.0**power for power in range(-7, 4)]}),
            point={"size": 30},
        )
        return lines + here_layer(alt, field, "seconds")

    return chart


IN_TURN = "In turn: operation after operation, each at its own roofline, with the start of every message added."
COLUMNS = {
    "weights": "Reading weights (s)",
    "cache": "Reading cache (s)",
    "arithmetic": "Multiplying (s)",
    "network": "On the links (s)",
    "starting": "Start of messages (s)",
    "step": "In turn (s)",
}
SOURCES = ("lecture", "aiconfigurator", "deepseek-v3-config", "nccl-tuning")

SUMS = Figure(
    name="moe/sums",
    inputs=(DENSE, SYSTEM, PRECISION, CONTEXT, BATCH, STARTUP),
    compute=sums,
    chart=parts_chart("chips", "Chips that cut every matrix (tensor parallelism)"),
    table="curve",
    columns={"chips": "Chips"} | COLUMNS,
    assumptions=(
        "Tensor parallelism: two all-reduces a layer, in BF16, of all tokens of the step; no switch adds in passing.",
        "Beyond a domain a sum is made within each domain first, and then over the links out.",
        IN_TURN,
    ),
    sources=SOURCES,
)
CHIPS = Figure(
    name="moe/chips",
    inputs=(MODEL, SYSTEM, PRECISION, CONTEXT, BATCH, STARTUP),
    compute=chips,
    chart=parts_chart("chips", "Chips"),
    table="curve",
    columns={"chips": "Chips"} | COLUMNS,
    assumptions=(
        "Attention on every chip for sequences of its own, experts spread; a dense model is cut over all chips.",
        "The batch stays the same, so each chip of a larger number serves fewer sequences.",
        IN_TURN,
    ),
    sources=SOURCES,
)
LAYOUTS = Figure(
    name="moe/layouts",
    inputs=(MODEL, SYSTEM, PRECISION, CONTEXT, BATCH, STARTUP),
    compute=layouts,
    chart=parts_chart("tensor", "Chips of a group that cuts every matrix"),
    table="curve",
    columns={"tensor": "Chips of a group", "groups": "Groups"}
    | COLUMNS
    | {"reads": "A chip reads (B)", "holds": "A chip holds (B)"},
    assumptions=(
        "Groups serve sequences of their own (DP), the chips of a group cut attention and dense layers (TP), experts "
        "are spread whole over all chips (EP).",
        "A cache that heads share, as a latent does, cannot be cut by heads: every chip of the group keeps it all.",
        IN_TURN,
    ),
    sources=SOURCES,
)
TENSOR = Figure(name="moe/tensor", compute=tensor, sources=("aiconfigurator",))
FIGURES = (SUMS, LAYOUTS, CHIPS, TENSOR)
