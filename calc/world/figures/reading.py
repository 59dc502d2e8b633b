"""Times to a first token of runs with few requests, over the forecast of the pass that reads the prompt."""

from __future__ import annotations

from typing import Any

from calc import catalog
from calc.catalog.measurement import SERVING_SOURCE, clean_measurements
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import plain, show
from calc.world.figures.strip import strip
from calc.world.reading import FEW, Read, reads
from calc.world.training import middle

TICKS = [1, 2, 4, 8, 16, 32]
KINDS = {True: "long prompts", False: "short prompts"}  # of 7,000 to 8,000 tokens, and of 500 to 1,100
DENSE = "llama-3-70b"


def reading() -> Answer:
    """How many times as long as forecast the first token of a prompt took, model by model."""
    found = reads(clean_measurements())
    long, short = ([each for each in found if each.is_long is which] for which in (True, False))
    models = sorted({each.row.model for each in long}, key=lambda name: _middle(long, name))
    found = sorted(found, key=lambda each: (models.index(each.row.model), each.is_long, each.over))
    slowest = models[-1]
    told = [f"{_name(model)} {show(_middle(long, model), 'x', 2)}" for model in models]
    quickest = next(model for model in models if model != DENSE)
    return Answer(
        finding=(
            f"A prompt of several thousand tokens took {show(middle(each.over for each in long), 'x', 2)} its forecast "
            f"until the first token (median); of {catalog.model(DENSE).name} {show(_middle(long, DENSE), 'x', 2)}"
        ),
        description=(
            f"Strip plot, logarithmic, a row for each model and a mark for each of {plain(len(found))} runs with {FEW} "
            f"requests at once: time to the first token over the forecast of a pass that reads the prompt. Of long "
            f"prompts, by the median: {'; '.join(told)}. "
            f"Of short ones, all models together, {show(middle(each.over for each in short), 'x', 2)}."
        ),
        tables={
            "reads": {
                "model": [_name(each.row.model) for each in found],
                "kind": [KINDS[each.is_long] for each in found],
                "over": [each.over for each in found],
                "bound": [each.over_bound for each in found],
                "milliseconds": [1e3 * each.row.first_token_seconds for each in found],
                "chips": [f"{each.row.chips} of {_system(each)}" for each in found],
                "formats": [(each.row.precision or "bf16").upper() for each in found],
                "engine": [each.row.engine for each in found],
            }
        },
        values={
            "count": Value(len(found), "", "Runs with few requests", 4),
            "few": Value(FEW, "", "Requests at once"),
            "long_runs": Value(len(long), "", "of them with long prompts", 3),
            "long": Value(middle(each.over for each in long), "x", "Long prompts, over the forecast", 2),
            "short": Value(middle(each.over for each in short), "x", "Short prompts, over the forecast", 2),
            "beside": Value(middle(each.beside for each in short), "s", "Short prompts, beyond the forecast", 2),
            "beside_long": Value(middle(each.beside for each in long), "s", "Long prompts, beyond the forecast", 2),
            "dense": Value(_middle(long, DENSE), "x", "Llama 3 70B", 2),
            "quickest": Value(_middle(long, quickest), "x", f"{_name(quickest)}, the least of mixtures", 2),
            "slowest": Value(_middle(long, slowest), "x", f"{_name(slowest)}, the most", 2),
            "most": Value(max(each.over for each in long), "x", "The longest", 2),
            "least_bound": Value(min(each.over_bound for each in found), "x", "Over the bound, the least", 2),
        },
    )


def _name(model: str) -> str:
    return catalog.model(model).name


def _system(each: Read) -> str:
    return catalog.system(each.row.system).chip.name


def _middle(found: list[Read], model: str) -> float:
    return middle(each.over for each in found if each.row.model == model)


def reading_chart() -> Any:
    """A row of marks for each model, and a rule at the forecast."""
    scale = {"type": "log", "nice": False, "zero": False, "padding": 14}
    kinds: dict[str, Any] = {"kind": "kind", "kinds": [*KINDS.values()], "colours": look.FREE[:2]}
    title = "First token, over the forecast of its pass"
    return strip("reads", "over", title, y="model", at=1, scale=scale, ticks=TICKS, size=45, lanes=True, **kinds)


FIGURES = (
    Figure(
        name="world/reading",
        foremost=4,
        compute=reading,
        chart=reading_chart,
        table="reads",
        columns={
            "model": "Model",
            "chips": "Chips",
            "formats": "Weights",
            "engine": "Engine",
            "kind": "Prompts",
            "milliseconds": "First token (ms)",
            "over": "Over the forecast (×)",
            "bound": "Over the bound (×)",
        },
        assumptions=(
            "A long prompt has 7,000 to 8,000 tokens, a short one 500 to 1,100.",
            "The forecast is of one pass that reads the whole prompt, at the rates and with the kernels of writing.",
            "A tenth of a run's requests begin together, so that some wait for the prompts of others.",
        ),
        sources=(SERVING_SOURCE,),
    ),
)
