"""Reading, writing and training on one company's chips, and what they say of the lecture's efficiency."""

from __future__ import annotations

from calc import catalog, overtraining
from calc.figure.declared import Answer, Figure, Value
from calc.memory_wall.figures.setting import slope
from calc.overtraining import training_run
from calc.overtraining.figures.setting import GUESSED_EFFICIENCY, GUESSED_TOKENS
from calc.overtraining.figures.shared import EVEN, over_the_rule

SEQUENCE = 4096  # of DeepSeek-V3's pre-training, by its report; a token sees half of it on average


def decoding() -> Answer:
    """How busy serving and training kept the same model's chips, and what a served token costs in passes of training.

    A pass is a token's way forward, at the operations a second of training; what a cache held takes none.
    """
    day = catalog.deployment("deepseek-day-6")
    model = catalog.model(day.model)
    node = catalog.system(day.system).flops("fp8")
    fresh = day.uncached_share
    reading, writing = (
        overtraining.inference_operations(model.active_params, rate) / node
        for rate in (day.computed_tokens_per_second, day.decode_tokens_per_second)
    )
    operations = overtraining.training_operations(model.active_params, model.known("train_tokens"))
    chip = catalog.system(day.system).chip
    training = training_run.achieved_utilisation(operations, chip.flops("fp8"), model.known("pretrain_chip_hours"))
    least = slope(model, prompt=True) * SEQUENCE / 2 / (2 * model.active_params)
    slower = chip.flops("fp8") / chip.flops("bf16")  # core attention ran in BF16, by the report
    passes = day.input_tokens * fresh * training / reading + day.output_tokens * training / writing
    tokens = day.input_tokens + day.output_tokens
    served = passes / tokens
    asked = float(served / 3 * EVEN.serving)
    guessed = (day.input_tokens * fresh * training / reading + day.output_tokens / GUESSED_EFFICIENCY) / tokens
    brought = float(passes / day.output_tokens / 3 * EVEN.serving)
    return Answer(
        finding="Reading, writing and training on DeepSeek's chips",
        values={
            "reading_busy": Value(reading, "%", "Multipliers busy in prefill"),
            "writing_busy": Value(writing, "%", "Multipliers busy in decode"),
            "training_busy": Value(training, "%", "Multipliers busy in pre-training, of the FP8 rate"),
            "training_attended": Value(
                training * (1 + least * slower), "%", "Multipliers busy in pre-training, attention counted", 2
            ),
            "sequence": Value(SEQUENCE, "tokens", "Sequence of pre-training", 4),
            "operations": Value(operations, "operations", f"Pre-training {model.name}", 3),
            "hours": Value(model.known("pretrain_chip_hours"), "chip-hours", "Its hours, by its maker"),
            "rate": Value(chip.flops("fp8"), "FLOP/s", "FP8 rate of an H800"),
            "node_writes": Value(day.decode_tokens_per_second, "tokens/s", "Written by a node"),
            "node_chips": Value(node / chip.flops("fp8"), "", "Chips of a node", 9),
            "measured": Value(writing / training, "", "Efficiency of decoding, measured", 2),
            "fresh_passes": Value(training / reading, "", "Passes of a token that is read afresh", 3),
            "written_passes": Value(training / writing, "", "Passes of a written token", 3),
            "served_passes": Value(served, "", "Passes of a served token, the mean", 2),
            "charged_passes": Value(1 / GUESSED_EFFICIENCY, "", "Passes that Pope charges", 2),
            "trained": Value(served / 3, "", "Trained for each token served, if both cost the same", 2),
            "over": Value(over_the_rule(asked), "x", "Over the rule, by the mean of a served token", 2),
            "over_at_guess": Value(
                over_the_rule(float(guessed / 3 * EVEN.serving)), "x", "The same at the efficiency guessed", 2
            ),
            "asked": Value(asked, "tokens", "Trained, if serving costs the same by the mean of a served token", 2),
            "brought": Value(brought, "tokens", "Trained, if those served are the written", 3),
            "over_brought": Value(over_the_rule(brought), "x", "Over the rule, if those served are the written", 3),
            "peak": Value(day.peak, "x", "Nodes at the peak, over the mean", 3),
            "peaked": Value(day.peak * GUESSED_TOKENS, "tokens", "Trained, if serving pays for chips at the peak", 3),
            "afresh": Value(day.input_tokens * fresh / tokens, "%", "Of the tokens read afresh", 2),
            "written": Value(day.output_tokens / tokens, "%", "Of the tokens written", 2),
        },
    )


FIGURES = (Figure(name="overtraining/decoding", compute=decoding, sources=("deepseek-day-6", "deepseek-v3-report")),)
