"""Lecture 5 in numbers: its guesses, the fits side by side, and worked examples that change with nothing."""

from __future__ import annotations

from calc import catalog, overtraining
from calc.figure import registry
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import key
from calc.overtraining import lifetime, reinforcement, scaling_law, training_run
from calc.overtraining.figures.setting import (
    GUESSED_DAYS,
    GUESSED_EFFICIENCY,
    GUESSED_FACTOR,
    GUESSED_PARAMS,
    GUESSED_RATE,
    GUESSED_TOKENS,
    even_plan,
    later_tokens,
    law,
)
from calc.overtraining.figures.shared import BY_FIT, CHINCHILLA, ladder
from calc.overtraining.scaling_law import Allocation
from calc.quantities.arithmetic import DAY, HOUR, MONTH

FAMILY_RATE = 500e6  # said by Pope of all models of one family; a guess
LOW_TOKENS = 150e12  # the lower of Pope's two figures for pre-training
RATIO = 2000.0
UTILISATION = 0.3
MONTHS = 3
EXAMPLE_CHIP = "h100-sxm"
HOURS_ON = {
    "deepseek-v3": "h800-sxm",
    "llama-3-8b": EXAMPLE_CHIP,
    "llama-3-70b": EXAMPLE_CHIP,
    "llama-3-405b": EXAMPLE_CHIP,
    "llama-4-scout": EXAMPLE_CHIP,
    "llama-4-maverick": EXAMPLE_CHIP,
}
LONG_KNOWN = ("deepseek-v3", "llama-3-8b", "llama-3-70b", "llama-3-405b")
NAMED, NEWER = ("llama-3.2-1b", "qwen3-8b", "qwen3-0.6b", "deepseek-v3"), "llama-4-scout"


def guess() -> Answer:
    """The consequences of the lecture's guesses of a frontier model."""
    seconds = GUESSED_DAYS * DAY
    served = float(overtraining.served_tokens(GUESSED_RATE, seconds))
    plan = even_plan()
    rl = {name: 6 * GUESSED_EFFICIENCY / factor for name, factor in {"low": 6.0, "high": 2.0}.items()}
    later = float(later_tokens(plan.serving, plan.reinforcement, GUESSED_FACTOR, GUESSED_EFFICIENCY))
    return Answer(
        finding="Pope's guesses of a frontier model",
        values={
            "params": Value(GUESSED_PARAMS, "parameters", "Active parameters"),
            "tokens": Value(GUESSED_TOKENS, "tokens", "Trained on"),
            "tokens_low": Value(LOW_TOKENS, "tokens", "Trained on, lower"),
            "family_rate": Value(FAMILY_RATE, "tokens/s", "Traffic of a family"),
            "family": Value(float(overtraining.served_tokens(FAMILY_RATE, seconds)), "tokens", "Served by a family"),
            "rate": Value(GUESSED_RATE, "tokens/s", "Traffic of one model"),
            "served": Value(served, "tokens", "Served by one model"),
            "chinchilla": Value(float(overtraining.chinchilla_tokens(GUESSED_PARAMS)), "tokens", "By the rule"),
            "factor": Value(_over(GUESSED_TOKENS), "x", "Over the rule"),
            "factor_low": Value(_over(LOW_TOKENS), "x", "Over the rule, lower"),
            "factor_high": Value(_over(served), "x", "Over the rule, one token trained for each served"),
            "efficiency": Value(GUESSED_EFFICIENCY, "%", "Efficiency of decoding"),
            "cost_factor": Value(GUESSED_FACTOR, "", "Operations of a reinforced token"),
            "served_share": Value(plan.serving / GUESSED_TOKENS, "", "Served for each trained"),
            "rl_share": Value(plan.reinforcement / GUESSED_TOKENS, "", "Reinforced for each trained"),
            "rl_low": Value(rl["low"], "", "Reinforced for each trained, all learned from"),
            "rl_high": Value(rl["high"], "", "Reinforced for each trained, only generated"),
            "served_even": Value(plan.serving, "tokens", "Served, equal bills"),
            "rl_even": Value(plan.reinforcement, "tokens", "Reinforced, equal bills"),
            "later": Value(later, "tokens", "Later life"),
            "per_served": Value(1 / (3 * GUESSED_EFFICIENCY), "", "Trained for each served"),
        },
    )


def _guessed_served() -> float:
    return float(overtraining.served_tokens(GUESSED_RATE, GUESSED_DAYS * DAY))


def _over(tokens: float) -> float:
    return float(overtraining.overtraining_factor(GUESSED_PARAMS, tokens))


def worked() -> Answer:
    """Chinchilla and Llama 3 8B, one H100 and the rule of thumb."""
    params, tokens = CHINCHILLA
    chinchilla = float(overtraining.training_operations(params, tokens))
    small = catalog.model("llama-3-8b")
    trained = small.known("train_tokens")
    chip = catalog.chip(EXAMPLE_CHIP)
    rate = chip.known("bf16_flops")
    return Answer(
        finding="Chinchilla and Llama 3 8B",
        values={
            "rule": Value(overtraining.TOKENS_PER_PARAM, "", "Tokens per parameter"),
            "params": Value(params, "parameters", "Chinchilla"),
            "tokens": Value(tokens, "tokens", "Chinchilla"),
            "operations": Value(chinchilla, "operations", "Chinchilla"),
            "rate": Value(rate, "FLOP/s", "16-bit rate of an H100"),
            "hours": Value(float(training_run.chip_hours(chinchilla, rate)), "chip-hours", "At the full rate"),
            "small_tokens": Value(trained, "tokens", small.name),
            "small_over": Value(
                float(overtraining.overtraining_factor(small.active_params, trained)), "x", "Over the rule"
            ),
        },
    )


def decoding() -> Answer:
    """How busy serving and training kept the same model's chips, and what a served token costs in passes of training.

    A pass is a token's way forward, at the operations a second of training; what a cache held takes none.
    """
    day = catalog.deployment("deepseek-day-6")
    model = catalog.model(day.model)
    node = catalog.system(day.system).flops("fp8")
    fresh = 1 - day.cached_input_tokens / day.input_tokens
    reading, writing = (
        float(overtraining.inference_operations(model.active_params, rate)) / node
        for rate in (day.prefill_tokens_per_second * fresh, day.decode_tokens_per_second)
    )
    operations = overtraining.training_operations(model.active_params, model.known("train_tokens"))
    chip = catalog.system(day.system).chip
    training = float(
        training_run.achieved_utilisation(operations, chip.flops("fp8"), model.known("pretrain_chip_hours"))
    )
    passes = day.input_tokens * fresh * training / reading + day.output_tokens * training / writing
    served = passes / (day.input_tokens + day.output_tokens)
    return Answer(
        finding="Reading, writing and training on DeepSeek's chips",
        values={
            "reading_busy": Value(reading, "%", "Multipliers busy in prefill", 2),
            "writing_busy": Value(writing, "%", "Multipliers busy in decode", 2),
            "training_busy": Value(training, "%", "Multipliers busy in pre-training, of the FP8 rate", 2),
            "measured": Value(writing / training, "", "Efficiency of decoding, measured", 2),
            "fresh_passes": Value(training / reading, "", "Passes of a token that is read afresh", 2),
            "written_passes": Value(training / writing, "", "Passes of a written token", 2),
            "served_passes": Value(served, "", "Passes of a served token, the mean", 2),
            "charged_passes": Value(1 / GUESSED_EFFICIENCY, "", "Passes that Pope charges", 2),
            "trained": Value(served / 3, "", "Trained for each token served, equal bills", 2),
            "over": Value(
                _over(served / 3 * _guessed_served()), "x", "Over the rule, by the mean of a served token", 2
            ),
            "hits": Value(1 - fresh, "%", "Of the input found in a cache"),
            "written": Value(
                day.output_tokens / (day.input_tokens + day.output_tokens), "%", "Of the tokens written", 2
            ),
        },
    )


def fits() -> Answer:
    """Everything that depends on the fit, for both of them."""
    values: dict[str, Value] = {}
    for name, fit in BY_FIT.items():
        values |= {f"{name}_{item}": value for item, value in _fit_values(fit).items()}
    justified = [values[f"{name}_justified"].number for name in BY_FIT]
    values |= (
        _errors()
        | _refit_values()
        | {
            "ratio": Value(RATIO, "", "Tokens per parameter", 4),
            "params": Value(catalog.datum("chinchilla-largest-run-params").value, "parameters", "Largest of the runs"),
            "tokens": Value(catalog.datum("chinchilla-longest-run-tokens").value, "tokens", "Longest of the runs"),
            "apart": Value(max(justified) / min(justified), "", "Ratios that justify the guess, one over the other", 2),
        }
    )
    return Answer(finding="Two fits to the same runs", values=values)


def _errors() -> dict[str, Value]:
    """The effect of a standard error of each of the refit's exponents on the ratio that justifies the guess.

    The law is held at the largest of the runs: what is uncertain is how it goes on from there.
    """
    row, held = catalog.loss_fit("chinchilla-refit"), law("chinchilla-refit")
    runs = (catalog.datum("chinchilla-largest-run-params").value, catalog.datum("chinchilla-longest-run-tokens").value)
    moved = [
        float(
            lifetime.serving_that_justifies(
                held.turned(
                    *runs,
                    params_exponent=held.params_exponent + size * row.known("params_exponent_error"),
                    tokens_exponent=held.tokens_exponent + data * row.known("tokens_exponent_error"),
                ),
                GUESSED_PARAMS,
                GUESSED_TOKENS,
            )
        )
        for size in (-1, 1)
        for data in (-1, 1)
    ]
    return {
        "error": Value(row.known("tokens_exponent_error"), "", "Standard error of an exponent"),
        "justified_low": Value(min(moved), "", "Ratio that justifies the guess, least"),
        "justified_high": Value(max(moved), "", "Ratio that justifies the guess, most"),
        "sardana_models": Value(catalog.datum("sardana-models").value, "", "Models trained by Sardana et al."),
        "sardana_ratio": Value(catalog.datum("sardana-longest-ratio").value, "", "Tokens a parameter, at most", 6),
    }


def _fit_values(fit: str) -> dict[str, Value]:
    held = law(fit)
    params, tokens = CHINCHILLA
    justified = float(lifetime.serving_that_justifies(held, GUESSED_PARAMS, GUESSED_TOKENS))
    longer = lifetime.price_at_equal_loss(held, params, tokens, RATIO)
    own = scaling_law.compute_optimal(held, overtraining.training_operations(params, tokens))
    target = scaling_law.loss(held, GUESSED_PARAMS, GUESSED_TOKENS)
    third = lifetime.cheapest_at_loss(held, target, _later(2))
    return {
        "justified": Value(justified, "", "Ratio that justifies the guess"),
        "exchange": Value(1 / (1 + justified), "", "Exchange of size for tokens"),
        "half": Value(_above(fit, 1), "%", "Half costs more by", 2),
        "third": Value(_above(fit, 2), "%", "A third costs more by", 2),
        "best_tokens": Value(float(third.tokens), "tokens", "Cheapest tokens"),
        "training": Value(float(longer.training_ratio), "x", "Same loss, training"),
        "size": Value(float(longer.size_ratio), "x", "Same loss, smaller by"),
        "own_ratio": Value(float(own.tokens_per_param), "", "Its own optimum for Chinchilla's operations"),
    }


def _refit_values() -> dict[str, Value]:
    """Further of the refit: the guess without its reinforcement, and Chinchilla's loss by a longer run."""
    held = law("chinchilla-refit")
    target = scaling_law.loss(held, GUESSED_PARAMS, GUESSED_TOKENS)
    longer = lifetime.price_at_equal_loss(held, *CHINCHILLA, RATIO)
    alone = lifetime.cheapest_at_loss(held, target, _later(1))
    return {
        "refit_alone_tokens": Value(float(alone.tokens), "tokens", "Cheapest tokens, reinforcement left out"),
        "refit_params": Value(float(longer.allocation.params), "parameters", "Same loss, parameters"),
        "refit_tokens": Value(float(longer.allocation.tokens), "tokens", "Same loss, tokens"),
        "refit_pays": Value(float(longer.pays_after), "tokens", "Has paid after"),
    }


def _later(times: float) -> float:
    """The later life for which the guess spends `times` as much on it as on pre-training."""
    return 3 * times * GUESSED_TOKENS


def _above(fit: str, times: float) -> float:
    """The guess's cost over the cheapest model of its loss, if its later life costs `times` its pre-training."""
    held, later = law(fit), _later(times)
    best = lifetime.cheapest_at_loss(held, scaling_law.loss(held, GUESSED_PARAMS, GUESSED_TOKENS), later)
    spent = Allocation(GUESSED_PARAMS, GUESSED_TOKENS).lifetime_operations(later)
    return float(spent) / float(best.lifetime_operations(later)) - 1


def public() -> Answer:
    """Some public models by active and by all parameters."""
    rows = {name: catalog.model(name) for name in (*NAMED, NEWER)}
    values = {
        f"{key(name)}_active": Value(
            float(overtraining.overtraining_factor(rows[name].active_params, rows[name].known("train_tokens"))),
            "x",
            rows[name].name,
        )
        for name in NAMED
    }
    v3, scout = rows["deepseek-v3"], rows[NEWER]
    every = overtraining.overtraining_factor(v3.total_params, v3.known("train_tokens"))
    values |= {
        "deepseek_v3_all": Value(every, "x", f"{v3.name}, by all parameters"),
        "llama_4_scout_tokens": Value(scout.known("train_tokens"), "tokens", scout.name),
    }
    return Answer(finding="Public models against the rule", values=values)


def reported() -> Answer:
    """The share of the multipliers that published runs kept busy, from their hours."""
    shares: dict[str, float] = {}
    for name, chip in HOURS_ON.items():
        row = catalog.model(name)
        hours = row.pretrain_chip_hours or row.known("train_chip_hours")
        operations = overtraining.training_operations(row.active_params, row.known("train_tokens"))
        rate = catalog.chip(chip).known("bf16_flops")
        shares[name] = float(training_run.achieved_utilisation(operations, rate, hours))
    return Answer(
        finding="Published runs kept this share of the multipliers busy",
        values={
            **{f"{key(name)}_busy": Value(shares[name], "%", catalog.model(name).name) for name in LONG_KNOWN},
            "low": Value(min(shares.values()), "%", "Lowest"),
            "high": Value(max(shares.values()), "%", "Highest"),
            "times_low": Value(1 / max(shares.values()), "x", "Hours over the bound, least", 2),
            "times_high": Value(1 / min(shares.values()), "x", "Hours over the bound, most", 2),
        },
    )


def ladder_values() -> Answer:
    """Operations, chip-hours, state and chips of runs from a robot policy to the lecture's guess, on H100."""
    chip = catalog.chip(EXAMPLE_CHIP)
    rent = catalog.rent(EXAMPLE_CHIP).dollars_per_chip_hour
    values: dict[str, Value] = {}
    names = ("robot", "small", "middle", "experts", "large", "guess")
    for name, (label, operations, params) in zip(names, ladder(), strict=True):
        hours = float(training_run.chip_hours(operations, chip.known("bf16_flops"), UTILISATION))
        state = float(training_run.model_state_bytes(params))
        values |= {
            f"{name}_operations": Value(operations, "", label, 2),
            f"{name}_hours": Value(hours, "", label, 2),
            f"{name}_dollars": Value(hours * rent, "$", label, 2),
            f"{name}_state": Value(state, "B", label, 2),
            f"{name}_chips": Value(max(1.0, -(-state // chip.hbm_bytes)), "", label, 9),
        }
    values |= {f"{what}_span": _span(values, what) for what in ("hours", "state")}
    return Answer(
        finding="Runs of every size on H100",
        values=values
        | {
            "busy": Value(UTILISATION, "%", "Multipliers busy"),
            "rent": Value(rent, "$/h", "Rent of a chip"),
            "months": Value(MONTHS, "", "Months"),
            "large_gpus": Value(values["large_hours"].number * HOUR / (MONTHS * MONTH), "", "H100 for three months", 2),
            "large_power": Value(
                values["large_hours"].number * HOUR / (MONTHS * MONTH) * chip.known("watts"), "W", "Their power", 2
            ),
            "chip_power": Value(chip.known("watts"), "W", "Power of a chip"),
        },
    )


def _span(values: dict[str, Value], what: str) -> Value:
    """The largest over the least."""
    column = [float(value.number) for name, value in values.items() if name.endswith(f"_{what}")]
    return Value(max(column) / min(column), "x", "Largest over least", 2)


def policy() -> Answer:
    """The default policy on one H100."""
    own = registry.find("overtraining/run")
    run = own.answer(system="hgx-h100").values
    parts = ("wall", "simulating", "acting", "learning", "acting_batch", "learning_batch")
    given = own.defaults()
    chip = catalog.chip(EXAMPLE_CHIP)
    robot = own.answer(system="hgx-h100", environments=1).values
    filled = run["state"].number / chip.hbm_bytes
    return Answer(
        finding="A small policy on one H100",
        values={name: run[name] for name in parts}
        | {
            "params": Value(float(given["params"]), "parameters", "Policy"),
            "samples": Value(float(given["samples"]), "samples", "Experience"),
            "epochs": Value(float(given["epochs"]), "times", "Learned from"),
            "environments": Value(float(given["environments"]), "environments", "Side by side", 9),
            "pace": Value(float(given["pace"]), "steps/s", "Pace of each"),
            "minibatch": Value(float(given["minibatch"]), "samples", "An update", 9),
            "filled": Value(filled, "%", "of the memory"),
            "one_robot": Value(robot["simulating"].number, "s", "World, one robot"),
            "update_bytes": Value(reinforcement.BYTES_PER_UPDATE, "B", "Moved for each parameter in an update"),
            "cache": Value(float(given["cache"]) * 1e6, "B", "Memory beside the multipliers"),
            "state_bytes": Value(float(training_run.model_state_bytes(1)), "B", "State of a parameter"),
        },
    )


FIGURES = (
    Figure(name="overtraining/guess", compute=guess, sources=("lecture",)),
    Figure(name="overtraining/worked", compute=worked, sources=("chinchilla-paper", "llama-3-paper", "aiconfigurator")),
    Figure(name="overtraining/decoding", compute=decoding, sources=("deepseek-day-6",)),
    Figure(name="overtraining/fits", compute=fits, sources=("chinchilla-paper", "chinchilla-refit-paper")),
    Figure(
        name="overtraining/public",
        compute=public,
        sources=("llama-models", "deepseek-v3-report", "qwen3-paper", "kimi-k2-repo"),
    ),
    Figure(name="overtraining/reported", compute=reported, sources=("llama-models", "deepseek-v3-report")),
    Figure(
        name="overtraining/ladder", compute=ladder_values, sources=("lecture", "llama-models", "deepseek-v3-report")
    ),
    Figure(name="overtraining/policy", compute=policy, sources=("aiconfigurator",)),
)
