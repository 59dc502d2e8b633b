"""The forecast beside runs on chips of other makers than those that it was fitted to."""

from __future__ import annotations

from typing import Any

from calc import catalog
from calc.catalog.other_chips import other_chip_runs
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import show
from calc.world.figures.strip import strip
from calc.world.other_chips import OtherChips, OtherDeployment, known_ratios, short_name
from calc.world.training import middle

SCALE: dict[str, Any] = {"type": "log", "domain": [0.7, 2.9], "nice": False}
KNOWN = "NVIDIA (middle)"
OLDER = ("atom-deepseek-r1", "atom-qwen3-235b", "atom-kimi-k2-thinking")
YOUNG, GPT_OSS, TPU = "atom-deepseek-v4", "inferencex-gpt-oss-mi300x", "tpu-qwen3.5"
LLAMA, LLAMA_TPU = "oracle-llama-405b-mi300x", "tpu-recipes-llama"
TRAINIUM_2 = "neuron-llama-70b"
FEW = 2
"""So few requests at once leave little but the time of layers and of reading weights."""


def other() -> Answer:
    """Every run, measured over forecast, deployment by deployment."""
    found = OtherChips()
    lines = sorted(found.deployments, key=lambda each: (each.vendor, each.middle))
    vendors = sorted({each.vendor for each in lines})
    low, high = found.fit.low_80, found.fit.high_80
    every = found.over_forecast.tolist()
    return Answer(
        finding=(
            f"On chips of {', '.join(vendors[:-1])} and {vendors[-1]} a token took {show(min(every), 'x')} to "
            f"{show(max(every), 'x')} its forecast; runs on one kind of chip lie up to {show(found.widest, 'x')} apart"
        ),
        description=(
            "Strip plot with a logarithmic axis, a row for each deployment and a mark for each of its runs: time of a "
            "token over its forecast. A band marks where four of five runs lay on the chips that the forecast was "
            f"fitted to, from {show(low, 'x')} to {show(high, 'x')}. " + " ".join(map(_words, lines))
        ),
        tables={
            "marks": {
                "line": [each.name for each in lines for _ in _marks(each)],
                "kind": [kind for each in lines for kind, _ in _marks(each)],
                "over": [ratio for each in lines for _, ratio in _marks(each)],
            },
            "runs": {
                "line": [each.name for each in lines for _ in each.judged],
                "engine": [one.run.engine for each in lines for one in each.judged],
                "load": [one.run.load for each in lines for one in each.judged],
                "prompt": [one.run.input_tokens for each in lines for one in each.judged],
                "over": [one.over_forecast for each in lines for one in each.judged],
                "bound": [one.over_bound for each in lines for one in each.judged],
            },
            "band": {"low": [low], "high": [high]},
        },
        values=_values(found),
    )


def _values(found: OtherChips) -> dict[str, Value]:
    every = found.over_forecast.tolist()
    middles = [each.middle for each in found.deployments]
    older = [ratio for source in OLDER for ratio in found.of(source)]
    young, tpu, gpt_oss = (
        next(each for each in found.deployments if each.first.source == name) for name in (YOUNG, TPU, GPT_OSS)
    )
    ranges = {"young": YOUNG, "gpt_oss": GPT_OSS, "llama": LLAMA, "tpu": TPU, "tpu_llama": LLAMA_TPU}
    loads = [run.load for run in other_chip_runs() if run.source == LLAMA]
    aws = [each for each in found.judged if catalog.system(each.run.system).chip.vendor == "AWS"]
    beyond = [each.of_a_layer[1] for each in aws if each.run.load <= FEW]
    h200 = known_ratios(lambda row: (row.model, row.system, row.engine) == ("gpt-oss-120b", "hgx-h200", "trtllm"))
    scaled = max(found.deployments, key=lambda each: each.scaled_off)
    hopper = known_ratios(lambda row: (row.model, row.system, row.engine) == ("gpt-oss-120b", "hgx-h100", "vllm"))
    return {
        "count": Value(len(every), "", "Runs", 3),
        "inside": Value(found.inside(every), "", "Runs in the band of four in five", 3),
        "middle": Value(middle(every), "x", "Measured over forecast, middle"),
        "least_bound": Value(found.over_bound.min(), "x", "Measured over the bound, the least"),
        "tables": Value(len({each.first.source for each in found.deployments}), "", "Tables", 2),
        "chips": Value(len({each.first.system for each in found.deployments}), "", "on so many kinds of chips", 2),
        "deployments": Value(len(middles), "", "Deployments", 2),
        "middles": Value(found.inside(middles), "", "of them with their middle in the band", 2),
        "widest": Value(found.widest, "x", "Between runs on one kind of chip, most"),
        "older": Value(len(older), "", "Runs of AMD's engine with older models", 3),
        "older_low": Value(min(older), "x", "Those over their forecast, least"),
        "older_high": Value(max(older), "x", "Those over their forecast, most"),
        "young_days": Value(_days_after_release(young), "days", "DeepSeek-V4-Pro, after its release", 3),
        "gpt_oss_elsewhere": Value(_known(gpt_oss), "x", "gpt-oss-120b on NVIDIA's chips, middle"),
        "hopper": Value(middle(hopper), "x", "gpt-oss-120b on H100 in vLLM, middle"),
        "h200": Value(middle(h200), "x", "gpt-oss-120b on H200 in TensorRT-LLM, middle"),
        "scaled_off": Value(scaled.scaled_off, "%", f"{scaled.name}: scaled between its ends, off by at most", 2),
        "tpu_elsewhere": Value(_known(tpu), "x", "Qwen3.5-397B-A17B in FP8 on NVIDIA's chips, middle"),
        "aws_most": Value(max(each.run.load for each in aws), "", "On AWS's chips, most at once", 2),
        "aws_low": Value(min(each.over_forecast for each in aws), "x", "On AWS's chips, over their forecast, least"),
        "aws_high": Value(max(each.over_forecast for each in aws), "x", "On AWS's chips, over their forecast, most"),
        "aws_middle": Value(middle(found.of(TRAINIUM_2)), "x", f"{_model(TRAINIUM_2)}"),
        "layer_low": Value(min(beyond), "s", "On AWS's chips, beyond the forecast, each layer, least", 2),
        "layer_high": Value(max(beyond), "s", "On AWS's chips, beyond the forecast, each layer, most", 2),
        "spread": Value(max(each.spread for each in found.deployments), "x", "Within a deployment, most"),
        "llama_least": Value(min(loads), "", "Llama 3.1 405B on MI300X, fewest at once", 3),
        "llama_most": Value(max(loads), "", "Llama 3.1 405B on MI300X, most at once", 3),
        **{
            f"{name}_{end}": Value(pick(found.of(source)), "x", f"{_model(source)}, {label}")
            for name, source in ranges.items()
            for end, pick, label in (("low", min, "least"), ("high", max, "most"))
        },
    }


def _known(each: OtherDeployment) -> float:
    if each.elsewhere is None:
        raise ValueError(f"{each.name}: no run of this model is in the sample")
    return each.elsewhere


def _days_after_release(each: OtherDeployment) -> int:
    released = catalog.model(each.first.model).effective
    if each.first.date is None or released is None:
        raise ValueError(f"{each.first.source} has no date, or {each.first.model} none of its release")
    return (each.first.date - released).days


def _marks(each: OtherDeployment) -> list[tuple[str, float]]:
    """A mark for each run, and one for the middle of the same model on the chips that the constants know."""
    known = [] if each.elsewhere is None else [(KNOWN, each.elsewhere)]
    return [*((each.vendor, ratio) for ratio in each.ratios), *known]


def _model(source: str) -> str:
    first = next(run for run in other_chip_runs() if run.source == source)
    return f"{catalog.model(first.model).name} on {short_name(first.system)}"


def _words(each: OtherDeployment) -> str:
    ends = " to ".join(dict.fromkeys(show(end, "x") for end in (min(each.ratios), max(each.ratios))))
    known = "" if each.elsewhere is None else f", and on NVIDIA's chips by the middle {show(each.elsewhere, 'x')}"
    return f"{each.name}: {ends}{known}."


def other_chart() -> Any:
    """A mark for each run, and the band of the forecast behind them."""
    import altair as alt

    vendors = sorted({catalog.system(run.system).chip.vendor for run in other_chip_runs()})
    band = alt.Chart(alt.NamedData("band")).mark_rect(color=look.FAINT, opacity=0.45)
    return band.encode(x=alt.X("low:Q").scale(**SCALE), x2="high:Q") + strip(
        "marks",
        "over",
        "Measured over forecast",
        y="line",
        kind="kind",
        kinds=(*vendors, KNOWN),
        colours=(look.FREE[0], look.FREE[1], look.LINKS, look.MUTED),
        scale=SCALE,
        at=1,
        ticks=[0.75, 1, 1.5, 2, 2.5],
    )


FIGURES = (
    Figure(
        name="world/other-chips",
        compute=other,
        chart=other_chart,
        table="runs",
        foremost=4,
        columns={
            "line": "Model, chips",
            "engine": "Engine",
            "load": "Requests at once",
            "prompt": "Longest prompt (tokens)",
            "over": "Measured over forecast (×)",
            "bound": "Measured over bound (×)",
        },
        assumptions=(
            "What was in flight follows by Little's law from tokens a second and the time of a token. Times of "
            "gpt-oss-120b and Qwen3.5 and all on Trainium2 are medians over requests, the others means.",
            "Experts are counted as cut over all chips of a group, also where a server spread them whole. Kimi K2 is "
            "K2 Thinking, and DeepSeek-V3 is R1, of the same shape. Products are in 16 bits where a kernel takes "
            "four-bit weights with such activations.",
            "Qwen3's engine sends sums of prompts in four bits; the forecast counts sixteen.",
            "Two cores of a TPU are counted as one chip, also where each has attention of its own. The table of "
            "Qwen3.5's short prompts goes on past sixteen requests; those rows were not read.",
            "Cores of Trainium are counted as the chips that they lie on. On the first of them the time of a token is "
            "what tokens a second and the first token leave; a row is left out whose median exceeds its 99th "
            "percentile. There, and where one request runs alone, no prompt is read beside the tokens.",
            "Llama 3.1 405B on MI300X was measured request by request: its time of a token holds its share of the "
            "prompts, and so does its forecast.",
        ),
        sources=tuple(dict.fromkeys(run.source for run in other_chip_runs())),
    ),
)
