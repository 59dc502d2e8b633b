"""The runs nearest to the example: the same model and format on eight H200, with short prompts and with long ones."""

from __future__ import annotations

import numpy as np

from calc import batching
from calc.batching.figures.promise import promised_period, users_in_time
from calc.batching.figures.setting import EXAMPLE_CONTEXT, OPENING, largest_batch
from calc.figure.declared import Answer, Figure, Value
from calc.setting import Scenario

ROOM = "measured"  # where the runs lie
NEAR = "hgx-h200"
RUN = "2026_04_06_llama_3_1_70b_h200_sxm_trtllm_fp8_agg_"
RUNS = {  # of one engine on one day: few and many users with short prompts, and with long ones
    "short_few": RUN + "1024x8192_c4_tp8_ep1_611",
    "short_some": RUN + "1024x8192_c64_tp8_ep1_547",
    "short_many": RUN + "1024x8192_c128_tp8_ep1_414",
    "long_few": RUN + "8192x1024_c4_tp8_ep1_760",
    "long_some": RUN + "8192x1024_c64_tp8_ep1_859",
    "long_many": RUN + "8192x1024_c128_tp8_ep1_679",
}
FOUR = RUN + "1024x8192_c128_tp4_ep1_507"  # as many users as the most of short prompts, on four chips
HALVES = {"short": RUN + "1024x8192_c64_tp4_ep1_525", "long": RUN + "8192x1024_c64_tp4_ep1_659"}  # on four chips
TABLED = ("short_few", "short_many", "long_few", "long_many")


def measured() -> Answer:
    """Each run beside the simplest bound of its step and a forecast whose constants do not know its deployment."""
    from calc.measured.runs import runs

    where, node = (Scenario.named(OPENING[0], system, OPENING[2]) for system in (NEAR, OPENING[1]))
    every = runs()
    at = {key: every.id.index(name) for key, name in RUNS.items()}
    flight, took = (
        {key: float(each[place]) for key, place in at.items()} for each in (every.in_flight, every.measured)
    )
    steps = {
        key: batching.step_time(flight[key], every.context[place], **where.step_arguments())
        for key, place in at.items()
    }
    values: dict[str, Value] = {
        "bandwidth": Value(where.bandwidth / node.bandwidth - 1, "%", "Bandwidth above the node's", 2),
    }
    four = every.id.index(FOUR)
    values |= {
        "short_four": Value(every.measured[four], "s", "The most users with short prompts, on four chips"),
        "short_four_forecast": Value(every.forecast[four], "s", "The same, forecast"),
        "halves_serve": Value(
            2 * _served(4, every.measured[four] / every.forecast[four]), "users", "In time on two halves, so scaled"
        ),
        "whole_serves": Value(
            _served(None, took["short_many"] / every.forecast[at["short_many"]]), "users", "In time on the whole, so"
        ),
    }
    for key in TABLED:
        values |= {
            f"{key}_flight": Value(flight[key], "", "In flight", 2 if key.endswith("few") else 3),
            f"{key}_bound": Value(steps[key].bound, "s", "Step, at least"),
            f"{key}_forecast": Value(every.forecast[at[key]], "s", "Step, forecast with its prompts"),
            f"{key}_took": Value(took[key], "s", "From token to token, measured"),
        }
    for key in ("short", "long"):
        few, some, many = (f"{key}_{load}" for load in ("few", "some", "many"))
        straight = np.interp(flight[some], [flight[few], flight[many]], [took[few], took[many]])
        prompt, answer = map(int, RUNS[few].removeprefix(RUN).split("_")[0].split("x"))
        values |= {
            f"{key}_prompt": Value(prompt, "tokens", "Prompt, at most", 4),
            f"{key}_answer": Value(answer, "tokens", "Answer, at most", 4),
            f"{key}_halves": Value(every.measured[every.id.index(HALVES[key])], "s", "The most users, on two halves"),
            f"{key}_gain": Value(took[many] / took[few], "x", "Few users are faster by"),
            f"{key}_ceiling": Value(
                steps[many].memory / steps[many].weights, "x", "The weights alone would be, by (1)"
            ),
            f"{key}_some": Value(flight[some], "", "In flight, between"),
            f"{key}_off": Value(abs(took[some] / straight - 1), "%", "Off the straight line", 1),
        }
    return Answer(finding="The example's model on eight H200, measured", values=values)


def _served(chips: float | None, errs: float) -> float:
    """The most users in time on so many chips of the node, if steps take `errs` times their forecast."""
    where = Scenario.named(*OPENING, chips=chips)
    return users_in_time(where.setting, promised_period() / errs, largest_batch(where, EXAMPLE_CONTEXT))[0]


FIGURES = (Figure(name="batching/measured", compute=measured, rests_on=ROOM, sources=("aiconfigurator-silicon",)),)
