"""Lecture 7 in pictures: a state must leave the chip in the time of its layer's forward pass."""

from __future__ import annotations

from typing import Any

from calc import catalog
from calc.figure import look
from calc.figure.boxes import table
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO, SECONDS
from calc.figure.inputs import Number
from calc.quantities.units import plain, show
from calc.reversible import activation_memory, memory_budget
from calc.reversible.figures.setting import DELIVERED, GIGA, HOST, LINK, SEQUENCE

LAYERS = 6  # that are drawn
SHOWN = 3.0  # times of these layers, after which the drawing ends
READABLE = 9  # pixels that a number needs
RATE = Number(
    name="link",
    label="Link to the host",
    default=round(DELIVERED * LINK.value / GIGA, 1),
    low=HOST.low,
    high=HOST.high,
    unit="GB/s",
    log=True,
    help="One direction. As set: what PCIe 5.0 delivered.",
)
WIDTH = Number(name="width", label="Width", default=8192, low=1024, high=65536, log=True, whole=True)
ROWS = "layer", "link", "least"
KINDS = dict(zip(ROWS, (look.ARITHMETIC, look.LINKS, look.MUTED), strict=True))


def sending(*, link: float, width: float, sequence: float) -> Answer:
    """When layers run forward, and when the states before them leave, by the link as set and by the slowest enough."""
    flops = catalog.chip("h100-sxm").flops("bf16")
    shape = memory_budget.PARAMS_PER_SQUARE * width**2, 1, width, sequence
    needed = float(memory_budget.sending_rate(*shape, flops))
    state = float(activation_memory.state_bytes(sequence, width))
    layer, leaves = state / needed, state / (GIGA * link)
    gone = _ends(layer, leaves)
    waiting = sum(each > LAYERS * layer * (1 + 1e-9) for each in gone)
    slow = f"is too slow, and after {LAYERS} layers the chip still holds {waiting} of their states"
    names = (
        f"H100: {LAYERS} layers run forward, {show(layer, 's')} each",
        f"link as set, {show(GIGA * link, 'B/s')}: a state leaves in {show(leaves, 's')}",
        f"slowest link that keeps pace: {show(needed, 'B/s', 2)}",
    )
    return Answer(
        finding=(
            f"A layer {plain(width, 9)} wide takes {show(layer, 's')} for a sequence of {plain(sequence, 9)} tokens, "
            f"and its state leaves in {show(leaves, 's')}: the link {slow if waiting else 'keeps pace'}"
        ),
        description=(
            f"Three lanes in time: {names[0]}; {names[1]}; {names[2]}, whose states each fill the time of their layer. "
            f"A state begins to leave when its layer begins, or when the one before has left."
        ),
        tables={
            "boxes": table(_boxes(dict(zip(ROWS, (layer, leaves, layer), strict=True)), layer)),
            "names": {"row": list(ROWS), "at": [0.0] * len(ROWS), "label": list(names)},
            "times": table({"layer": at, "run": at * layer, "left": left} for at, left in enumerate(gone, start=1)),
        },
        values={
            "layer": Value(layer, "s", "A layer's forward pass, at the full rate"),
            "leaves": Value(leaves, "s", "A state leaves in"),
            "needed": Value(needed, "B/s", "Slowest link that keeps pace", 2),
            "waiting": Value(waiting, "states", f"Still on the chip after {LAYERS} layers", 9),
        },
    )


def _ends(layer: float, leaves: float) -> list[float]:
    """When each state has left: it goes when its layer begins, or when the one before it is gone."""
    ends = [0.0]
    for place in range(LAYERS):
        ends.append(max(ends[-1], place * layer) + leaves)
    return ends[1:]


def _boxes(spans: dict[str, float], layer: float) -> list[dict[str, Any]]:
    """A box for each layer and for each state on its way, as far as the drawing reaches."""
    most = SHOWN * LAYERS * layer
    ends = {row: _ends(layer, span) for row, span in spans.items()}
    last = min(most, max(gone[-1] for gone in ends.values()))
    rows = []
    for row, gone in ends.items():
        for number, end in enumerate(gone, start=1):
            start, stop = end - spans[row], min(end, most)
            if start < most:
                middle, share = (start + stop) / 2, (stop - start) / last
                rows.append(
                    {"row": row, "start": start, "end": stop, "middle": middle, "span": share, "label": str(number)}
                )
    return rows


def sending_chart() -> Any:
    """Boxes in three lanes, each lane named over its first box, and numbers where there is room."""
    import altair as alt

    x = alt.X("start:Q", title="Time").scale(nice=False, zero=True).axis(**SECONDS)
    y = alt.Y("row:N", title=None).scale(domain=list(ROWS), paddingInner=0.55, paddingOuter=0.3).axis(None)
    color = alt.Color("row:N", legend=None).scale(domain=list(KINDS), range=list(KINDS.values()))
    boxes = alt.Chart(alt.NamedData("boxes"))
    drawn = boxes.mark_rect(stroke=look.GROUND, strokeWidth=1).encode(x=x, x2="end:Q", y=y, color=color)
    seen = alt.expr(f"width * datum.span < {READABLE} ? 0 : 1")
    numbers = boxes.mark_text(color=look.PAPER, fontSize=11.5, opacity=seen).encode(x="middle:Q", y=y, text="label:N")
    words: dict[str, Any] = {"align": "left", "baseline": "bottom", "dy": alt.expr("-bandwidth('y') / 2 - 4")}
    names = alt.Chart(alt.NamedData("names")).encode(x="at:Q", y=y, text="label:N")
    return drawn + numbers + names.mark_text(**words, **HALO) + names.mark_text(**words, color=look.INK)


SENDING = Figure(
    name="reversible/sending",
    inputs=(RATE, WIDTH, SEQUENCE),
    compute=sending,
    chart=sending_chart,
    table="times",
    columns={"layer": "Layer", "run": "It has run (s)", "left": "Its state has left (s)"},
    assumptions=(
        "Layers of 12 h² weights run at an H100's full 16-bit rate; attention is causal. One sequence is on the chip.",
        "The state before a layer may leave as soon as the layer begins. Copies slow no product.",
    ),
    sources=("lecture",),
)


FIGURES = (SENDING,)
