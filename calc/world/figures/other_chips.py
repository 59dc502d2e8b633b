"""The forecast beside runs on chips of other makers than those that it was fitted to."""

from __future__ import annotations

from typing import Any

from calc import catalog
from calc.catalog.other_chips import other_chip_runs
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import show
from calc.world.figures.strip import strip
from calc.world.other_chips import OtherChips, OtherDeployment, short_name
from calc.world.training import middle

SCALE: dict[str, Any] = {"type": "log", "domain": [0.7, 2.2], "nice": False}
OLDER = ("atom-deepseek-r1", "atom-qwen3-235b", "atom-kimi-k2-thinking")
YOUNG, GPT_OSS, TPU = "atom-deepseek-v4", "inferencex-gpt-oss-mi300x", "tpu-qwen3.5"
LLAMA, LLAMA_TPU = "oracle-llama-405b-mi300x", "tpu-recipes-llama"


def other() -> Answer:
    """Every run, measured over forecast, deployment by deployment."""
    found = OtherChips()
    lines = sorted(found.deployments, key=lambda each: (each.vendor, each.middle))
    vendors = sorted({each.vendor for each in lines})
    low, high = found.fit.low_80, found.fit.high_80
    older = [ratio for source in OLDER for ratio in found.of(source).tolist()]
    young = next(each for each in lines if each.runs[0].source == YOUNG)
    ranges = {"young": YOUNG, "gpt_oss": GPT_OSS, "llama": LLAMA, "tpu": TPU, "tpu_llama": LLAMA_TPU}
    llama = [run.load for run in other_chip_runs() if run.source == LLAMA]
    return Answer(
        finding=(
            f"On chips of {' and '.join(vendors)} a token took {show(found.over_forecast.min(), 'x')} to "
            f"{show(found.over_forecast.max(), 'x')} its forecast; runs on one kind of chip lie up to "
            f"{show(found.widest, 'x')} apart"
        ),
        description=(
            f"Strip plot with a logarithmic axis, a row for each deployment and a mark for each of its runs: time of a "
            f"token over its forecast. A band marks where four of five runs lay on the chips that the forecast was "
            f"fitted to, from {show(low, 'x')} to {show(high, 'x')}. " + " ".join(map(_words, lines))
        ),
        tables={
            "marks": {
                "line": [each.name for each in lines for _ in each.runs],
                "vendor": [each.vendor for each in lines for _ in each.runs],
                "engine": [run.engine for each in lines for run in each.runs],
                "load": [run.load for each in lines for run in each.runs],
                "prompt": [run.input_tokens for each in lines for run in each.runs],
                "over": [ratio for each in lines for ratio in each.over_forecast.tolist()],
                "bound": [ratio for each in lines for ratio in each.over_bound.tolist()],
            },
            "band": {"low": [low], "high": [high]},
        },
        values={
            "count": Value(len(found.over_forecast), "", "Runs", 3),
            "chips": Value(len({each.runs[0].system for each in lines}), "", "on so many kinds of chips", 2),
            "least_bound": Value(found.over_bound.min(), "x", "Measured over the bound, the least"),
            "inside": Value(found.inside, "", "Runs in the band of four in five", 3),
            "middle": Value(middle(found.over_forecast.tolist()), "x", "Measured over forecast, middle"),
            "older": Value(len(older), "", "Runs of AMD's engine with older models", 3),
            "older_low": Value(min(older), "x", "Those over their forecast, least"),
            "older_high": Value(max(older), "x", "Those over their forecast, most"),
            "young_days": Value(young.age, "days", "DeepSeek-V4-Pro, after its release", 3),
            "widest": Value(found.widest, "x", "Between runs on one kind of chip, most"),
            "llama_least": Value(min(llama), "", "Llama 3.1 405B on MI300X, fewest at once", 3),
            "llama_most": Value(max(llama), "", "Llama 3.1 405B on MI300X, most at once", 3),
            **{
                f"{name}_{end}": Value(pick(found.of(source)), "x", f"{_model(source)}, {label}")
                for name, source in ranges.items()
                for end, pick, label in (("low", min, "least"), ("high", max, "most"))
            },
        },
    )


def _model(source: str) -> str:
    first = next(run for run in other_chip_runs() if run.source == source)
    return f"{catalog.model(first.model).name} on {short_name(first.system)}"


def _words(each: OtherDeployment) -> str:
    ends = " to ".join(dict.fromkeys(show(end, "x") for end in (each.over_forecast.min(), each.over_forecast.max())))
    return f"{each.name}: {ends}."


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
        kind="vendor",
        kinds=vendors,
        colours=look.FREE[: len(vendors)],
        scale=SCALE,
        at=1,
        ticks=[0.75, 1, 1.25, 1.5, 2],
    )


FIGURES = (
    Figure(
        name="world/other-chips",
        foremost=4,
        compute=other,
        chart=other_chart,
        table="marks",
        columns={
            "line": "Model, chips",
            "engine": "Engine",
            "load": "Requests at once",
            "prompt": "Longest prompt (tokens)",
            "over": "Measured over forecast (×)",
            "bound": "Measured over bound (×)",
        },
        assumptions=(
            "What was in flight follows by Little's law from tokens a second and the time of a token.",
            "Experts are counted as cut over all chips of a group, also where a server spread them whole. Kimi K2 is "
            "K2 Thinking, and DeepSeek-V3 is R1, of the same shape.",
            "Two cores of a TPU are counted as one chip, also where each has attention of its own.",
            "Llama 3.1 405B on MI300X was measured request by request: its time of a token holds its share of the "
            "prompts, and so does its forecast.",
        ),
        sources=tuple(dict.fromkeys(run.source for run in other_chip_runs())),
    ),
)
