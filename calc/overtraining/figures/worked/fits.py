"""Two fits to the same runs, side by side: everything that depends on which is taken."""

from __future__ import annotations

from calc import catalog, overtraining
from calc.figure import registry
from calc.figure.declared import Answer, Figure, Value
from calc.overtraining import lifetime, scaling_law
from calc.overtraining.figures.setting import GUESSED_EFFICIENCY, GUESSED_PARAMS, GUESSED_TOKENS, law
from calc.overtraining.figures.shared import BY_FIT, CHINCHILLA, EVEN, own_over

RATIO = 2000.0
AIMS = {"half": 0.5, "double": 2.0}  # other losses to aim for: those of the guess at so many times its size


def fits() -> Answer:
    """Everything that depends on the fit, for both of them."""
    values: dict[str, Value] = {}
    for name, fit in BY_FIT.items():
        values |= {f"{name}_{item}": value for item, value in _fit_values(fit).items()}
    values |= (
        _far_runs()
        | _refit_values()
        | _measured()
        | {
            "ratio": Value(RATIO, "", "Tokens per parameter", 4),
            "params": Value(catalog.datum("chinchilla-largest-run-params").value, "parameters", "Largest of the runs"),
            "tokens": Value(catalog.datum("chinchilla-longest-run-tokens").value, "tokens", "Longest of the runs"),
        }
    )
    return Answer(finding="Two fits to the same runs", values=values)


def _far_runs() -> dict[str, Value]:
    """Runs that were made to see how far a law reaches."""
    return {
        "sardana_models": Value(catalog.datum("sardana-models").value, "", "Models trained by Sardana et al."),
        "sardana_ratio": Value(catalog.datum("sardana-longest-ratio").value, "", "Tokens a parameter, at most", 6),
    }


def _fit_values(fit: str) -> dict[str, Value]:
    held = law(fit)
    params, tokens = CHINCHILLA
    justified = lifetime.serving_that_justifies(held, GUESSED_PARAMS, GUESSED_TOKENS)
    longer = lifetime.price_at_equal_loss(held, params, tokens, RATIO)
    own = scaling_law.compute_optimal(held, overtraining.training_operations(params, tokens))
    target = scaling_law.loss(held, GUESSED_PARAMS, GUESSED_TOKENS)
    third = lifetime.cheapest_at_loss(held, target, _later(2))
    return {
        "floor": Value(held.irreducible, "", "Loss that remains", 5),
        "size_factor": Value(held.params_factor, "", "Factor of size", 5),
        "size_exponent": Value(held.params_exponent, "", "Exponent of size", 5),
        "data_factor": Value(held.tokens_factor, "", "Factor of data", 5),
        "data_exponent": Value(held.tokens_exponent, "", "Exponent of data", 5),
        "size_term": Value(held.params_term(GUESSED_PARAMS), "", "Term of size at the guess", 4),
        "data_term": Value(held.tokens_term(GUESSED_TOKENS), "", "Term of data at the guess", 4),
        "size_moves": Value(
            held.params_exponent * held.params_term(GUESSED_PARAMS), "", "Exponent times term of size", 4
        ),
        "data_moves": Value(
            held.tokens_exponent * held.tokens_term(GUESSED_TOKENS), "", "Exponent times term of data", 3
        ),
        "exchange": Value(1 / (1 + justified), "", "Exchange of size for tokens"),
        "best_tokens": Value(third.tokens, "tokens", "Cheapest tokens"),
        "training": Value(longer.training_ratio, "x", "Same loss, training"),
        "size": Value(longer.size_ratio, "x", "Same loss, smaller by"),
        "own_ratio": Value(own.tokens_per_param, "", "Its own optimum for Chinchilla's operations"),
    }


def _refit_values() -> dict[str, Value]:
    """Further of the refit: the guess without its reinforcement, and Chinchilla's loss by a longer run."""
    held = law("chinchilla-refit")
    target = scaling_law.loss(held, GUESSED_PARAMS, GUESSED_TOKENS)
    longer = lifetime.price_at_equal_loss(held, *CHINCHILLA, RATIO)
    alone = lifetime.cheapest_at_loss(held, target, _later(1))
    aims = {
        name: lifetime.cheapest_at_loss(held, scaling_law.loss(held, times * GUESSED_PARAMS, GUESSED_TOKENS), _later(2))
        for name, times in AIMS.items()
    }
    return {
        **{f"{name}_tokens": Value(best.tokens, "tokens", f"Cheapest, {name} the size") for name, best in aims.items()},
        **{f"{name}_over": Value(own_over(best), "x", "Over the rule", 2) for name, best in aims.items()},
        "refit_alone_tokens": Value(alone.tokens, "tokens", "Cheapest tokens, reinforcement left out"),
        "refit_params": Value(longer.allocation.params, "parameters", "Same loss, parameters"),
        "refit_tokens": Value(longer.allocation.tokens, "tokens", "Same loss, tokens"),
    }


def _measured() -> dict[str, Value]:
    """The later life if a served token takes the passes of DeepSeek's day, reinforcement as guessed."""
    passes = registry.find("overtraining/decoding").answer().values["served_passes"].number
    later = float(_later(2) + (passes - 1 / GUESSED_EFFICIENCY) * EVEN.serving)
    return {"measured_later": Value(later, "passes", "Later life, served tokens as measured", 2)}


def _later(times: float) -> float:
    """The later life for which the guess spends `times` as much on it as on pre-training."""
    return 3 * times * GUESSED_TOKENS


FIGURES = (Figure(name="overtraining/fits", compute=fits, sources=("chinchilla-paper", "chinchilla-refit-paper")),)
