"""The runs nearest to the example: the same model and format on eight H200, with short prompts and with long ones."""

from __future__ import annotations

from calc import batching
from calc.batching.figures.setting import OPENING
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


def measured() -> Answer:
    """Each run beside the simplest bound of its step and a forecast whose constants do not know its deployment."""
    from calc.catalog.measurement import clean_measurements
    from calc.measured.runs import runs

    where, node = (Scenario.named(OPENING[0], system, OPENING[2]) for system in (NEAR, OPENING[1]))
    rows = {row.id: row for row in clean_measurements()}
    found = {key: rows[name] for key, name in RUNS.items()}
    expected = dict(zip(runs().id, runs().forecast, strict=True))
    steps = {
        key: batching.step_time(row.in_flight, row.context, **where.step_arguments()) for key, row in found.items()
    }
    values: dict[str, Value] = {
        "bandwidth": Value(where.bandwidth / node.bandwidth - 1, "%", "Bandwidth above the node's", 2),
    }
    for key in ("short_few", "short_many", "long_few", "long_many"):
        row = found[key]
        values |= {
            f"{key}_flight": Value(row.in_flight, "", "In flight", 2 if key.endswith("few") else 3),
            f"{key}_bound": Value(steps[key].bound, "s", "Step, at least"),
            f"{key}_forecast": Value(expected[row.id], "s", "Step, forecast with its prompts"),
            f"{key}_took": Value(row.token_seconds, "s", "From token to token, measured"),
        }
    for key in ("short", "long"):
        few, some, many = (found[f"{key}_{load}"] for load in ("few", "some", "many"))
        slope = (many.token_seconds - few.token_seconds) / (many.in_flight - few.in_flight)
        straight = few.token_seconds + slope * (some.in_flight - few.in_flight)
        values |= {
            f"{key}_prompt": Value(few.mean_input, "tokens", "Prompt, on average", 2),
            f"{key}_answer": Value(few.mean_output, "tokens", "Answer, on average", 2),
            f"{key}_gain": Value(many.token_seconds / few.token_seconds, "x", "Few users are faster by"),
            f"{key}_ceiling": Value(
                steps[f"{key}_many"].memory / steps[f"{key}_many"].weights, "x", "The weights alone would be, by (1)"
            ),
            f"{key}_some": Value(some.in_flight, "", "In flight, between"),
            f"{key}_off": Value(abs(some.token_seconds / straight - 1), "%", "Off the straight line", 1),
        }
    return Answer(finding="The example's model on eight H200, measured", values=values)


FIGURES = (Figure(name="batching/measured", compute=measured, rests_on=ROOM, sources=("aiconfigurator-silicon",)),)
