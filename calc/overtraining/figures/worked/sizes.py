"""Runs of every size on H100, from Llama 3 8B to the lecture's guess."""

from __future__ import annotations

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.overtraining import training_run
from calc.overtraining.figures.shared import EXAMPLE_CHIP, GUESS, ladder
from calc.quantities.arithmetic import HOUR, MONTH

UTILISATION = 0.3
MONTHS = 3
ROWS = {"Llama 3 8B": "small", "DeepSeek-V3": "experts", "Llama 3.1 405B": "large", GUESS: "guess"}  # 70B is asked for


def ladder_values() -> Answer:
    """Operations, chip-hours, state and chips of runs from Llama 3 8B to the lecture's guess, on H100."""
    chip = catalog.chip(EXAMPLE_CHIP)
    rent = catalog.rent(EXAMPLE_CHIP).dollars_per_chip_hour
    v3 = catalog.model("deepseek-v3")
    own_hours, own_rent = v3.known("train_chip_hours"), catalog.rents()["h800-assumed"].dollars_per_chip_hour
    values: dict[str, Value] = {}
    runs = {label: rest for label, *rest in ladder()}
    for label, name in ROWS.items():
        operations, params = runs[label]
        hours = training_run.chip_hours(operations, chip.known("bf16_flops"), UTILISATION)
        own = {"gradient_bytes": 4.0, "optimiser_bytes": 8.0} if name == "experts" else {}
        state = training_run.model_state_bytes(params, **own)
        values |= {
            f"{name}_operations": Value(operations, "", label),
            f"{name}_hours": Value(hours, "", label),
            f"{name}_dollars": Value(hours * rent, "$", label, 2),
            f"{name}_state": Value(state, "B", label),
            f"{name}_chips": Value(max(1.0, -(-state // chip.hbm_bytes)), "", label, 9),
        }
    return Answer(
        finding="Runs of every size on H100",
        values=values
        | {
            "state_bytes": Value(training_run.model_state_bytes(1), "B", "State of a parameter"),
            "busy": Value(UTILISATION, "%", "Multipliers busy"),
            "rent": Value(rent, "$/h", "Rent of a chip"),
            "experts_own_hours": Value(own_hours, "", f"{v3.name}, its maker's hours", 3),
            "experts_own_rent": Value(own_rent, "$/h", "The rent that it supposes"),
            "experts_own_dollars": Value(own_hours * own_rent, "$", f"{v3.name}, its maker's dollars", 2),
            "months": Value(MONTHS, "", "Months"),
            "large_gpus": Value(values["large_hours"].number * HOUR / (MONTHS * MONTH), "", "H100 for three months", 2),
            "large_power": Value(
                values["large_hours"].number * HOUR / (MONTHS * MONTH) * chip.known("watts"), "W", "Their power", 2
            ),
            "chip_power": Value(chip.known("watts"), "W", "Power of a chip"),
        },
    )


FIGURES = (
    Figure(
        name="overtraining/ladder", compute=ladder_values, sources=("lecture", "llama-models", "deepseek-v3-report")
    ),
)
