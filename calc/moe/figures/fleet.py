"""Prefill and decode as two jobs: what share of a fleet reads prompts, and the day on which one was published."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import catalog
from calc.batching.figures.setting import laid_out
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import DECADES, HALO, PLAIN, here_layer
from calc.figure.line_names import ends, labelled_lines
from calc.figure.scenario import BATCH, MODEL, PRECISION, SYSTEM
from calc.moe.figures.in_parts import AS_TIMED, with_starts
from calc.moe.figures.jobs import jobs
from calc.moe.figures.shared import ANSWER, CACHED, PROMPT
from calc.moe.fleet import fleet_nodes, prefill_share
from calc.quantities.units import plain, show

RATIOS = np.geomspace(0.1, 1000, 65)
LINES = {"yours": "yours", "day": "the day"}


def fleet(
    *,
    model: str,
    system: str,
    precision: str,
    batch: float,
    prompt: float,
    answer: float,
    cached: float,
    startup: float,
) -> Answer:
    """The share of chips that read prompts, against prompt tokens for each written one."""
    where = laid_out(model, system, precision, "usual")
    reading, writing, held, groups, chips, crowded = jobs(where, batch, prompt, answer, cached)
    ttft, tpot = with_starts(reading, startup), with_starts(writing, startup)
    each_read, each_written = ttft * chips / groups / prompt, tpot * chips / batch
    day = catalog.deployment("deepseek-day-6")
    rates = day.prefill_tokens_per_second, day.decode_tokens_per_second
    ratio, day_ratio = prompt / answer, day.input_tokens / day.output_tokens
    curve = {
        "ratio": RATIOS,
        "yours": prefill_share(RATIOS, 1 / each_read, 1 / each_written),
        "day": prefill_share(RATIOS, *rates),
    }
    share = float(prefill_share(ratio, 1 / each_read, 1 / each_written))
    seen = float(prefill_share(day_ratio, *rates))
    inside = int(RATIOS[0] <= ratio <= RATIOS[-1])
    begins, reads = ("This does not fit; if it did, at", "would read") if crowded else ("At", "read")
    return Answer(
        finding=(
            f"{begins} full rates and {plain(ratio)} prompt tokens for each written one, {show(share, '%')} of the "
            f"chips {reads} prompts; on DeepSeek's day it was {show(seen, '%')} of the nodes at {plain(day_ratio)}"
        ),
        description=(
            f"Line chart against prompt tokens for each written one, on a logarithmic axis: the share of chips that "
            f"read prompts rises from none to all. For {where.model.name} on {where.machine.name} it is "
            f"{show(share, '%')} at {plain(ratio)}; at the rates of DeepSeek's day {show(seen, '%')} at "
            f"{plain(day_ratio)}."
        ),
        tables={
            "curve": curve,
            "ends": ends(curve, "ratio", LINES, log=False),
            "here": {"ratio": [ratio] * inside, "share": [share] * inside, "label": [show(share, "%")] * inside},
            "seen": {"ratio": [day_ratio], "share": [seen], "label": [f"DeepSeek, {show(seen, '%')}"]},
        },
        values={
            "share": Value(share, "%", "Chips that read prompts"),
            "ratio": Value(ratio, "", "Prompt tokens for each written one"),
            "busy": Value(float(reading.compute_seconds) / ttft, "%", "Multiplying while reading"),
            "busy_writing": Value(float(writing.compute_seconds) / tpot, "%", "Multiplying while writing"),
            "held": Value(held, "tokens", "of a prompt, found in a cache", 7),
            "ttft": Value(ttft, "s", "Reading a prompt (TTFT without queues)"),
            "tpot": Value(tpot, "s", "From token to token (TPOT)"),
            "request_read": Value(each_read * prompt, "s", "Chip time to read a request"),
            "request_written": Value(each_written * (answer - 1), "s", "Chip time to write the rest"),
        },
        notes=[crowded] * bool(crowded)
        + ["At full rates, operations in turn, with starts; the day's line is measured, with other chips and lengths."],
    )


def published_day() -> Answer:
    """DeepSeek's day: the nodes that its tokens and rates ask for, beside those that were counted."""
    day = catalog.deployment("deepseek-day-6")
    read = fleet_nodes(day.input_tokens, day.prefill_tokens_per_second)
    written = fleet_nodes(day.output_tokens, day.decode_tokens_per_second)
    model, node = catalog.model(day.model), catalog.system(day.system).flops("fp8")
    loaded, hopper = catalog.datum("sglang-h100-prefill").value, catalog.system("hgx-h100").flops("fp8")
    return Answer(
        finding="Nodes of DeepSeek's day",
        values={
            "input": Value(day.input_tokens, "tokens", "Read"),
            "output": Value(day.output_tokens, "tokens", "Written"),
            "cached": Value(day.cached_input_tokens / day.input_tokens, "%", "of what was read, found in a cache", 2),
            "prefill_rate": Value(day.prefill_tokens_per_second, "tokens/s", "A node reads, cache hits included"),
            "decode_rate": Value(day.decode_tokens_per_second, "tokens/s", "A node writes"),
            "prefill_nodes": Value(read, "nodes", "Nodes that read"),
            "decode_nodes": Value(written, "nodes", "Nodes that write"),
            "nodes": Value(read + written, "nodes", "Together", 4),
            "mean": Value(day.nodes_mean, "nodes", "Counted on average", 5),
            "share": Value(read / (read + written), "%", "of them read", 2),
            "computed": Value(day.computed_tokens_per_second, "tokens/s", "A node computes of prompts"),
            "dearer_computed": Value(
                day.computed_tokens_per_second / day.decode_tokens_per_second,
                "x",
                "A written token over a computed one",
                2,
            ),
            "busy": Value(2 * model.active_params * day.computed_tokens_per_second / node, "%", "by their products", 2),
            "loaded": Value(2 * model.active_params * loaded / hopper, "%", "A node under load, by its products", 2),
        },
    )


def fleet_chart() -> Any:
    """Two curves from none to all, and the day that was published."""
    import altair as alt

    lines = labelled_lines(
        alt,
        LINES,
        alt.X("ratio:Q", title="Prompt tokens for each written token").scale(type="log").axis(values=DECADES, **PLAIN),
        alt.Y("share:Q", title="Chips that read prompts").scale(domain=[0, 1]).axis(format="%"),
    )
    seen = alt.Chart(alt.NamedData("seen")).encode(x="ratio:Q", y="share:Q")
    mark = seen.mark_point(shape="square", color=look.INK, size=80, opacity=1)
    text: dict[str, Any] = {"align": "right", "dx": -10, "dy": -8, "fontSize": 12}
    halo = seen.mark_text(**text, **HALO).encode(text="label:N")
    label = halo + seen.mark_text(**text, color=look.INK).encode(text="label:N")
    here = here_layer(alt, "ratio", "share", label="label", under=True)
    return lines + mark + label + here


FLEET = Figure(
    name="moe/fleet",
    inputs=(MODEL, SYSTEM, PRECISION, BATCH, PROMPT, ANSWER, CACHED, AS_TIMED),
    compute=fleet,
    chart=fleet_chart,
    table="curve",
    columns={"ratio": "Prompt tokens for each written one", "yours": "Yours", "day": "DeepSeek's day"},
    assumptions=(
        "Yours: one prompt in each group of chips, and one batch of sequences; operations in turn, with starts.",
        "A request's lengths set what its tokens take; along the line only the mix of the two changes.",
        "The day's rates are measured, of nodes of eight H800; its prefill rate counts tokens found in a cache.",
    ),
    foremost=4,
    sources=("deepseek-day-6", "aiconfigurator"),
)
FIGURES = (FLEET, Figure(name="moe/day-fleet", compute=published_day, sources=("deepseek-day-6", "sglang-96-h100")))
