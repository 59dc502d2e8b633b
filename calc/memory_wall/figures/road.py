"""Lecture 4 in pictures: the road to contexts of a hundred million tokens, in seconds and in dollars."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import SECONDS, guide_layer, guides, here_layer
from calc.figure.inputs import Number
from calc.figure.line_names import ends, labelled_lines
from calc.figure.rent import RENT
from calc.figure.scenario import MODEL, PRECISION, SYSTEM
from calc.memory_wall import long_context
from calc.memory_wall.figures.setting import token_operations
from calc.memory_wall.figures.shared import decode, longest, prompt_seconds, said_bytes
from calc.memory_wall.long_context import LongContext
from calc.quantities.arithmetic import HOUR, MILLION
from calc.quantities.check import Quantity
from calc.quantities.units import plain, show
from calc.setting import Scenario

CONTEXTS = np.logspace(3, 9, 145)
NO_ROOM = "not even one fits"
TIMES = {"alone": "a token", "prompt": "the prompt"}
COSTS = {"decode": "written", "prompt": "read at once", "said": "Pope's cache, read only"}

TOKENS: dict[str, Any] = {"labelExpr": "replace(format(datum.value, '~s'), 'G', 'B')"}  # a billion tokens, not a giga
CLOCK: dict[str, Any] = {
    "values": [1e-6, 1e-5, 1e-3, 1, 60, 3600, 86400, 8640000],
    "tickCount": 12,
    "labelExpr": "datum.value >= 86400 ? format(datum.value / 86400, 'd') + ' d' : "
    "datum.value >= 3600 ? format(datum.value / 3600, 'd') + ' h' : "
    f"datum.value >= 60 ? format(datum.value / 60, 'd') + ' min' : {SECONDS['labelExpr']}",
}
DOLLARS: dict[str, Any] = {
    "labelExpr": "'$' + format(datum.value, datum.value < 0.01 ? '~g' : datum.value < 1 ? '.2f' : ',d')"
}

GOAL = Number(
    name="goal",
    label="Goal",
    default=100e6,
    low=1000,
    high=1e9,
    unit="tokens",
    log=True,
    whole=True,
    help="The context that is asked for.",
)


def road(*, model: str, system: str, precision: str, goal: float) -> Answer:
    """Seconds for a token, and for the prompt before it, against the context."""
    where = Scenario.named(model, system, precision)
    curve, here = decode(where, CONTEXTS), decode(where, goal)
    reads, most = float(prompt_seconds(where, goal)), longest(where)
    users = float(here.sequences)
    drawn = {
        "context": CONTEXTS,
        "alone": curve.fastest_seconds,
        "full": np.where(curve.fits, curve.step_seconds, np.nan),
        "prompt": prompt_seconds(where, CONTEXTS),
    }
    return Answer(
        finding=_road_finding(where, goal, here, reads),
        description=(
            f"Line chart, both axes logarithmic: seconds for a token of {where.model.name} on {where.system.name} "
            f"against the context, from a thousand to a billion tokens. A lone token stays at one reading of the "
            f"weights that it uses and then rises in proportion. The prompt begins at one reading of the weights and "
            f"rises with the square in the end. One sequence fills the memory at {show(most, 'tokens')}."
        ),
        tables={
            "curve": drawn,
            "ends": ends(drawn, "context", TIMES),
            "here": {
                "context": [goal, goal],
                "seconds": [here.fastest_seconds, reads],
                "label": [f"a token: {show(here.fastest_seconds, 's')}", f"the prompt: {show(reads, 's')}"],
            },
            "guides": guides("context", {"memory full": most}, 1e3, 1e9),
        },
        values={
            "token": Value(here.fastest_seconds, "s", "A token, alone"),
            "prompt": Value(reads, "s", "The prompt, worked through"),
            "users": Value(users, "sequences", "Sequences that fit", 4),
            "longest": Value(most, "tokens", "Longest context that fits"),
            "full": Value(here.step_seconds if users else np.inf, "s", "A token, with all that fit", endless=NO_ROOM),
            "cache": Value(here.cache_bytes, "B", "Cache of one sequence"),
            "month": Value(long_context.pace(goal, 30), "tokens/s", "To fill it in 30 days"),
        },
        notes=[*where.rate_notes(), *where.cache_notes()],
    )


def _road_finding(where: Scenario, goal: float, here: LongContext, reads: float) -> str:
    tokens, name = show(goal, "tokens", 9), where.system.name
    if not here.sequences:
        needs = f"the weights take {show(where.weight_bytes, 'B')}, its cache {show(here.cache_bytes, 'B')}"
        return f"Not one context of {tokens} fits on {name}: {needs}"
    held = f"{plain(here.sequences, 4)} context{'' if here.sequences == 1 else 's'}"
    return (
        f"By the simplest bound {name} holds {held} of {tokens}: {show(here.fastest_seconds, 's')} a "
        f"token alone, {show(reads, 's')} for the prompt"
    )


def road_chart() -> Any:
    """A floor that lifts off, and a prompt that bends upwards."""
    import altair as alt

    lines = labelled_lines(
        alt,
        TIMES,
        alt.X("context:Q", title="Context (tokens)").scale(type="log").axis(**TOKENS),
        alt.Y("seconds:Q", title="Time").scale(type="log").axis(**CLOCK),
    )
    return guide_layer(alt, "context") + lines + here_layer(alt, "context", "seconds", label="label")


def price(*, model: str, system: str, precision: str, goal: float, price: float) -> Answer:
    """Dollars for a million tokens on a full system, against the context."""
    where = Scenario.named(model, system, precision)
    rent = price * where.system.chips
    curve, here = decode(where, CONTEXTS, rent), decode(where, goal, rent)
    said, said_here = decode(where, CONTEXTS, rent, said_bytes()), decode(where, goal, rent, said_bytes())
    prompt = MILLION * rent / HOUR * prompt_seconds(where, CONTEXTS) / CONTEXTS
    reading = float(rent / HOUR * prompt_seconds(where, goal))
    spent = MILLION * float(here.dollars_per_token)
    multiplying = rent / HOUR * token_operations(where.model, goal) / where.flops
    drawn = {
        "context": CONTEXTS,
        "decode": _finite(MILLION * curve.dollars_per_token),
        "prompt": prompt,
        "said": _finite(MILLION * said.dollars_per_token),
    }
    return Answer(
        finding=_price_finding(where, goal, float(here.sequences), spent, reading),
        description=(
            f"Line chart, both axes logarithmic: dollars for a million tokens of {where.model.name} on a full "
            f"{where.system.name} at {show(price, '$')} a chip-hour, against the context. Decoding rises in proportion "
            f"to the context, and in steps where few sequences share the machine; with Pope's cache of "
            f"{show(said_bytes(), 'B')} a token it starts to rise later. A token of the shortest prompts costs most of "
            f"one reading of the weights; of long ones it rises in proportion."
        ),
        tables={
            "curve": drawn,
            "ends": ends(drawn, "context", COSTS),
            "here": {
                "context": [goal],
                "dollars": _finite(np.array([spent])),
                "label": [f"written: {show(spent, '$') if here.sequences else NO_ROOM}"],
            },
        },
        values={
            "decode": Value(spent, "$", "A million tokens, decoded", endless=NO_ROOM),
            "said": Value(
                MILLION * float(said_here.dollars_per_token), "$", "Pope's cache, read only", endless=NO_ROOM
            ),
            "prompt": Value(reading, "$", "The prompt, read once"),
            "users": Value(here.sequences, "sequences", "Sequences that share", 4),
            "said_users": Value(said_here.sequences, "sequences", "With Pope's cache", 4),
            "rent": Value(rent, "$/h", "Rent of the system"),
        },
        notes=[
            f"Pope's cache is the {show(said_bytes(), 'B')} a token that his ratio gives; its line is reading alone. "
            f"Multiplying alone, in {where.model.name}'s attention, costs at least {show(MILLION * multiplying, '$')} "
            "a million tokens.",
            *where.rate_notes(),
            *where.cache_notes(),
        ],
    )


def _finite(dollars: Quantity) -> Quantity:
    return np.where(np.isfinite(dollars), dollars, np.nan)


def _price_finding(where: Scenario, goal: float, users: float, spent: float, reading: float) -> str:
    if not users:
        return f"No context of {show(goal, 'tokens', 9)} fits on {where.system.name}, so writing in one has no price"
    shared = "one alone" if users == 1 else f"{plain(users, 4)} share the system"
    return (
        f"By the simplest bound, a million tokens at a context of {show(goal, '', 9)} cost at least {show(spent, '$')} "
        f"to write ({shared}), and {show(MILLION * reading / goal, '$')} to read, as part of one prompt of that length"
    )


def price_chart() -> Any:
    """Lines that rise with the context, in steps where the machine is shared by few."""
    import altair as alt

    lines = labelled_lines(
        alt,
        COSTS,
        alt.X("context:Q", title="Context (tokens)").scale(type="log").axis(**TOKENS),
        alt.Y("dollars:Q", title="Cost of a million tokens").scale(type="log").axis(tickCount=6, **DOLLARS),
    )
    return lines + here_layer(alt, "context", "dollars", label="label")


OVERLAP = "Reading and computing overlap perfectly and run at their rated speeds; links are free."
FULL = "Every token of the context is attended to, and all contexts are equally long."

ROAD = Figure(
    name="memory_wall/road",
    inputs=(MODEL, SYSTEM, PRECISION, GOAL),
    compute=road,
    chart=road_chart,
    table="curve",
    columns={
        "context": "Context (tokens)",
        "alone": "A token, alone (s)",
        "full": "A token, with all that fit (s)",
        "prompt": "The prompt, worked through (s)",
    },
    assumptions=(
        OVERLAP,
        FULL,
        "Of a mixture, a step reads the experts that its sequences wake if they choose evenly.",
        "The prompt has the whole system to itself, and reads its weights at least once.",
    ),
    foremost=4,
    sources=("lecture", "aiconfigurator", "inferencex"),
)

LENGTH = Figure(
    name="memory_wall/length",
    inputs=(MODEL, SYSTEM, PRECISION, GOAL, RENT),
    compute=price,
    chart=price_chart,
    table="curve",
    columns={
        "context": "Context (tokens)",
        "decode": "A million tokens, decoded ($)",
        "prompt": "A million tokens of prompt ($)",
        "said": "Decoded, Pope's cache, read only ($)",
    },
    assumptions=(
        OVERLAP,
        FULL,
        "Written: as many sequences as fit share each step, and the system is never idle.",
        "Read at once: one prompt of that length has the whole system to itself, and each of its tokens pays a share.",
    ),
    foremost=4,
    sources=("lecture", "spheron", "aiconfigurator", "inferencex"),
)

FIGURES = (ROAD, LENGTH)
