"""A step against the chips that share it: any model spread as is usual, and a dense one cut over all of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calc import catalog
from calc.batching.figures.setting import laid_out
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import guides
from calc.figure.inputs import Choice
from calc.figure.line_names import ends
from calc.figure.scenario import BATCH, CONTEXT, MODEL, MODELS, PRECISION, SYSTEM
from calc.moe.figures.in_parts import (
    AS_TIMED,
    COLUMNS,
    PARTS,
    SOURCES,
    STARTUP,
    WITH_STARTS,
    drawn,
    parts,
    parts_chart,
    room_notes,
    shortest,
    starting,
)
from calc.quantities.check import Array, Quantity
from calc.quantities.units import plain, show
from calc.setting import Layout, Setting, possible
from calc.step import decode, most_tensor_chips

MOST_CHIPS = 512
NEAR = 1.1  # of the least: what more chips still gain is not worth them
DENSE = Choice(
    name="dense",
    label="Dense model",
    default="llama-3-70b",
    options={name: label for name, label in MODELS.items() if catalog.model(name).routed_experts is None},
    help="All its matrices are cut over the chips.",
)
NODE, FEW = replace(SYSTEM, default="hgx-h100"), replace(BATCH, default=64)  # of which the text speaks


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
    every = counts[counts <= (where.model.experts or MOST_CHIPS)]
    counts = _with_room(where, every, batch, context)
    step = decode(where.with_layout(_spread(where, counts)), batch, context)
    found = {key: drawn(part, counts) for key, part in parts(step, startup).items()}
    total = found["step"]
    fits = np.asarray(step.fits) & np.ones(len(counts), dtype=bool)
    best = shortest(total, fits)
    enough = int(np.flatnonzero((total <= NEAR * total[best]) & (fits | ~fits[best]))[0])
    alone = replace(_spread(where, counts), relay=False)
    apart = drawn(parts(decode(where.with_layout(alone), batch, context), startup)["step"], counts)
    least_apart = shortest(apart, fits)
    domain = int(counts[counts <= np.max(where.machine.domain_chips)][-1])
    here = int(np.flatnonzero(counts == domain)[0])
    rounds = step.rounds * np.ones(len(counts))
    starting = float(np.nan_to_num(found["starting"][here]))  # none is drawn where a start takes no time
    falls = f"falls from {show(total[0], 's')} on {plain(counts[0])} to" if best else "is shortest with"
    table = {"chips": counts} | found
    return Answer(
        finding=_finding(where, counts, total, best, enough, domain),
        description=(
            f"Line chart, both axes logarithmic: seconds of a step of {where.model.name} at a batch of "
            f"{plain(batch, 9)} against the number of chips of {where.machine.name} that share it, in parts. The step "
            f"{falls} {show(total[best], 's')} on {plain(counts[best], 9)}; the start of messages takes "
            f"{show(starting, 's')} on {plain(domain, 9)} and does not fall."
        ),
        tables={
            "curve": table,
            "ends": ends(table, "chips", PARTS),
            "here": {"chips": [domain], "seconds": [total[here]], "label": [show(total[here], "s")]},
            "guides": guides("chips", {"end of the domain": domain} if counts[-1] > domain else {}, *counts[[0, -1]]),
        },
        values={
            "step": Value(total[here], "s", "Step on one domain"),
            "starting": Value(starting, "s", "of it the start of messages"),
            "best": Value(counts[best], "chips", "Chips of the shortest step", 9),
            "enough": Value(counts[enough], "chips", "Within a tenth of it", 9),
            "past_enough": Value(1 - total[best] / total[enough], "%", "The shortest is shorter by", 2),
            "network": Value(np.nan_to_num(found["network"][here]), "s", "of it on the links"),
            "rounds": Value(rounds[here], "", "Messages that wait for one another"),
            "arithmetic": Value(found["arithmetic"][here], "s", "of it multiplying"),
            "least": Value(total[best], "s", "Shortest step"),
            "apart": Value(apart[least_apart], "s", "The same, a copy sent to each expert"),
            "apart_best": Value(counts[least_apart], "chips", "Chips of it", 9),
        },
        notes=[*_dropped(every, counts), *room_notes(counts, fits)],
    )


def _dropped(every: Array, counts: Array) -> list[str]:
    """Why the line begins where it does."""
    few = len(counts) < len(every)
    return [f"Fewer than {plain(counts[0], 9)} chips cannot hold weights and cache: none are drawn."] if few else []


def _with_room(where: Setting, counts: Array, batch: float, context: float) -> Array:
    """Without those below a domain that cannot hold weights and cache, if a domain can."""
    domain = np.max(where.machine.domain_chips)
    fits = np.asarray(decode(where.with_layout(_spread(where, counts)), batch, context).fits) & (counts > 0)
    return counts[fits | (counts >= domain)] if np.any(fits & (counts <= domain)) else counts


def _finding(where: Setting, counts: Array, total: Array, best: int, enough: int, domain: int) -> str:
    name, least = where.model.name, show(total[best], "s")
    over = f", in {plain(counts[best] / domain)} domains" if counts[best] > domain else ""
    if enough == best:
        most = " (the most drawn)" if best == len(counts) - 1 else ""
        return f"{name}'s step is shortest on {show(counts[best], 'chips', 9)}{over}{most}, {least}"
    if over:
        whole = show(total[int(np.flatnonzero(counts == domain)[0])], "s")
        shortest_drawn = f"the shortest drawn takes {least}, on {plain(counts[best], 9)}{over}"
        return f"One batch: {name}'s step takes {whole} on one domain of {domain} chips; {shortest_drawn}"
    near = f"{show(total[enough], 's')} on {show(counts[enough], 'chips', 9)}"
    return f"{name}'s step takes {near}; the shortest drawn takes {least}, on {plain(counts[best], 9)}{over}"


def sums(*, dense: str, system: str, precision: str, context: float, batch: float, startup: float) -> Answer:
    """A dense model cut over more and more chips: its sums against its arithmetic."""
    found = chips(model=dense, system=system, precision=precision, context=context, batch=batch, startup=startup)
    curve = found.tables["curve"]
    name = catalog.model(dense).name
    over = plain(np.asarray(found.tables["here"]["chips"])[0], 9)
    longer = np.flatnonzero(np.nan_to_num(np.asarray(curve["network"])) > np.asarray(curve["arithmetic"]))
    equal = np.asarray(curve["chips"])[longer[0]] if longer.size else np.inf
    network, arithmetic = found.values["network"].number, found.values["arithmetic"].number
    starts = found.values["starting"].number
    waits = f" and {show(starts, 's')} to start" if starts else ""
    times = f"sums take {show(network, 's')} on links{waits}, arithmetic {show(arithmetic, 's')} of a step"
    return Answer(
        finding=f"{name} cut over {over} chips at a batch of {plain(batch, 9)}: {times}",
        description=found.description,
        tables=found.tables,
        values={
            **{name: found.values[name] for name in ("step", "network", "arithmetic")},
            "equal": Value(equal, "chips", "Sums on links take longer than arithmetic from", 9, endless="no number"),
            "ratio": Value(network / arithmetic, "x", "Sums on links over arithmetic, one domain"),
            **{name: found.values[name] for name in ("starting", "rounds", "best", "enough", "least")},
        },
        notes=found.notes,
    )


def tensor() -> Answer:
    """Llama 3 70B in FP8 cut over eight H100: what one sequence adds to a step."""
    where = laid_out("llama-3-70b", "hgx-h100", "fp8", "usual")
    step, model = decode(where, 1, 0), where.model
    table = model.vocabulary * model.width  # of inputs, which is read by row
    active = catalog.model("llama-3-70b").active_params - table
    sending = step.scale_up_seconds
    switched = sum(each.least_scale_up_seconds for each in step.operations)
    computing = 2 * active / where.system_flops
    layer = active / model.layer_count
    flops, link = where.machine.flops("fp8"), where.machine.scale_up
    most = most_tensor_chips(layer, model.width, flops=flops, link_bandwidth=link)
    hops = 2 * (where.layout.chips - 1)  # along all chips of the node and back, as the library counts
    library = catalog.datum("nccl-start").value + hops * catalog.datum("nccl-hop").value
    return Answer(
        finding="A dense model cut over a node",
        values={
            "sums": Value(sending, "s", "Sums that a sequence adds"),
            "arithmetic": Value(computing, "s", "Arithmetic that it adds", 2),
            "chips": Value(where.layout.chips, "", "Chips"),
            "starts": Value(starting(step, STARTUP.default), "s", "Starts of a step, two messages a sum"),
            "starts_library": Value(2 * model.layer_count * library, "s", "Starts of a step, a library's"),
            "most": Value(most, "chips", "Sums and arithmetic take equally long on", 2),
            "switched": Value(switched, "s", "Sums, if the switch adds"),
            "most_switched": Value(where.layout.chips * computing / switched, "chips", "Equally long then on", 2),
        },
    )


SUMS = Figure(
    name="moe/sums",
    inputs=(DENSE, NODE, PRECISION, CONTEXT, FEW, STARTUP),
    compute=sums,
    chart=parts_chart("chips", "Chips that cut every matrix (tensor parallelism)", guided=True),
    table="curve",
    columns={"chips": "Chips"} | COLUMNS,
    assumptions=(
        "Tensor parallelism: two all-reduces a layer, in BF16, of all tokens of the step; no switch adds in passing. "
        "Each waits for two messages, to add and to hand out the result.",
        "Beyond a domain a sum takes the links within and those out, both at once: the slower counts.",
        WITH_STARTS,
    ),
    foremost=4,
    sources=SOURCES,
)
CHIPS = Figure(
    name="moe/chips",
    inputs=(MODEL, SYSTEM, PRECISION, CONTEXT, BATCH, AS_TIMED),
    compute=chips,
    chart=parts_chart("chips", "Chips", falling=True, guided=True),
    table="curve",
    columns={"chips": "Chips"} | COLUMNS,
    assumptions=(
        "Attention on every chip for sequences of its own, experts spread; a dense model is cut over all chips.",
        "The batch stays the same, so each chip of a larger number serves fewer sequences.",
        "A token goes to each chip that has experts of its own once, which is a little less than once for each expert.",
        "Beyond a domain the slower of links within and out counts; a token crosses once to each with its experts.",
        WITH_STARTS,
    ),
    foremost=4,
    sources=SOURCES,
)
TENSOR = Figure(name="moe/tensor", compute=tensor, sources=("aiconfigurator", "nccl-tuning"))
