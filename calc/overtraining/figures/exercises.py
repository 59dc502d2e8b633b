"""Lecture 5's exercises: every number that they ask for or answer with."""

from __future__ import annotations

from calc import catalog, overtraining
from calc.figure import registry, slips
from calc.figure.declared import Answer, Figure, Value
from calc.overtraining import lifetime, training_run
from calc.overtraining.figures.setting import law
from calc.overtraining.figures.shared import BY_FIT, CHINCHILLA, against_cheapest
from calc.overtraining.scaling_law import Allocation
from calc.quantities.arithmetic import DAY

CHIP = "h100-sxm"
FACTOR, EFFICIENCY = 3.0, 0.25
RATE, LIFE_DAYS, SERVED_EFFICIENCY, PARAMS = 5e6, 365.0, 0.4, 30e9
EXCHANGE = 1 / 4
OF_RULE = (slips.Slip(overtraining.TOKENS_PER_PARAM, "The rule already gives each parameter twenty tokens."),)
LARGE, REPLICAS = 70e9, 64
SMALL_RATE, LONGER = 500e3, 200.0  # tokens a second; tokens for each parameter of the plan that trains longer


def recalled() -> dict[str, Value]:
    """1: Llama 3 70B against the rule."""
    row = catalog.model("llama-3-70b")
    tokens = row.known("train_tokens")
    backward = (slips.Slip(1 / 3, "This is the forward pass alone: the backward pass costs two more."),)
    return {
        "size": Value(row.active_params, "parameters", row.name),
        "tokens": Value(tokens, "tokens", "Trained on"),
        "rule": Value(overtraining.chinchilla_tokens(row.active_params), "tokens", "By the rule"),
        "over": Value(overtraining.overtraining_factor(row.active_params, tokens), "x", "Over the rule", slips=OF_RULE),
        "operations": Value(
            overtraining.training_operations(row.active_params, tokens), "operations", "6ND", slips=backward
        ),
    }


def evened() -> dict[str, Value]:
    """2: three equal bills with other constants."""
    plan = overtraining.equalised_tokens(1.0, rl_factor=FACTOR, rl_efficiency=EFFICIENCY, serving_efficiency=EFFICIENCY)
    half = overtraining.equalised_tokens(
        1.0, rl_factor=FACTOR, rl_efficiency=EFFICIENCY, serving_efficiency=EFFICIENCY, serving_cost_ratio=2.0
    )
    slower = slips.forgotten(EFFICIENCY, "the efficiency, by which writing takes longer")
    return {
        "cost_factor": Value(FACTOR, "operations", "A reinforced token"),
        "efficiency": Value(EFFICIENCY, "%", "Efficiency"),
        "rl": Value(plan.reinforcement, "", "Reinforced for each trained", slips=slower),
        "served": Value(plan.serving, "", "Served for each trained", slips=slower),
        "served_half": Value(half.serving, "", "Served for each trained, half of all cost", slips=slower),
    }


def sized() -> dict[str, Value]:
    """3: from traffic to training tokens."""
    served = overtraining.served_tokens(RATE, LIFE_DAYS * DAY)
    tokens = overtraining.pretraining_tokens_for(served, SERVED_EFFICIENCY)
    left_out = slips.forgotten(1 / SERVED_EFFICIENCY, "a served token costs more than its operations")
    left_out += slips.forgotten(1 / 3, "a trained token costs six operations, a served one two")
    left_out += (
        slips.Slip(3 * SERVED_EFFICIENCY, "This is the traffic: (3) divides it by three times the efficiency."),
    )
    passes = registry.find("overtraining/decoding").answer().values
    mixed = served * passes["served_passes"].number / 3
    best, above = _against_cheapest(tokens)
    other, above_other = _against_cheapest(tokens, "original")
    return {
        "trained_best_params": Value(best.params, "parameters", "As good as the first answer, cheapest", 2),
        "trained_best_tokens": Value(best.tokens, "tokens", "As good as the first answer, cheapest", 2),
        "trained_dearer": Value(above, "%", "The first answer costs more by", 2),
        "trained_original_tokens": Value(other.tokens, "tokens", "The same by the original fit", 2),
        "trained_original_dearer": Value(above_other, "%", "The first answer costs more by, original fit", 2),
        "trained_mixed": Value(mixed, "tokens", "Trained, by the mean of a served token", 2),
        "trained_mixed_over": Value(overtraining.overtraining_factor(PARAMS, mixed), "x", "Over the rule", 2),
        "rate": Value(RATE, "tokens/s", "Traffic"),
        "days": Value(LIFE_DAYS, "days", "Served for"),
        "served_efficiency": Value(SERVED_EFFICIENCY, "%", "Efficiency"),
        "params": Value(PARAMS, "parameters", "Active parameters"),
        "served_tokens": Value(served, "tokens", "Served"),
        "trained": Value(tokens, "tokens", "Trained", slips=left_out),
        "trained_over": Value(overtraining.overtraining_factor(PARAMS, tokens), "x", "Over the rule", slips=OF_RULE),
    }


def _against_cheapest(tokens: float, fit: str = "refit") -> tuple[Allocation, float]:
    """A fit's cheapest plan as good as half and half on so many tokens, and what these cost more."""
    return against_cheapest(law(BY_FIT[fit]), Allocation(PARAMS, tokens), 3 * tokens)


def exchanged() -> dict[str, Value]:
    """4: the best ratio where size falls as a power of the tokens, and the cost of half and half instead."""
    ratio = 1 / EXCHANGE - 1
    equal = 2 * ratio ** (1 - EXCHANGE)
    share = "The exchange is pre-training's share of all cost; the later life has the rest."
    whole = tuple(slips.Slip(each / ratio, share) for each in (EXCHANGE, 1 / EXCHANGE))
    undivided = (slips.Slip(1 + ratio, "Divide by what the cheapest costs."),)
    return {
        "exchange": Value(EXCHANGE, "", "Exchange", 3),
        "best_ratio": Value(ratio, "", "Later life over pre-training", slips=whole),
        "longer": Value(ratio, "x", "Trained for longer, half and half"),
        "dearer": Value(equal / (1 + ratio) - 1, "%", "Half and half costs more by", 2, slips=undivided),
    }


def held() -> dict[str, Value]:
    """7: the bytes of a 70B model on H100."""
    memory = catalog.chip(CHIP).hbm_bytes
    largest = training_run.largest_trainable(memory)
    each = training_run.model_state_bytes(1.0)
    state_of_one = tuple(
        slips.Slip(each / of_one, "These are the weights alone; gradients and the optimiser's state come with them.")
        for of_one in (1, training_run.WEIGHT_BYTES)
    )
    shared = {stage: training_run.sharded_state_bytes(LARGE, REPLICAS, stage) for stage in ("optimiser", "everything")}
    state = training_run.model_state_bytes(LARGE)
    down = (slips.Slip(state // memory / -(-state // memory), "So many hold only part of it: round up."),)
    return {
        "large": Value(LARGE, "parameters", "Model"),
        "replicas": Value(REPLICAS, "", "Chips"),
        "memory": Value(memory, "B", "Memory of a chip"),
        "largest": Value(largest, "parameters", "Most on one chip", 2, slips=state_of_one),
        "state": Value(state, "B", "State"),
        "chips": Value(-(-state // memory), "", "Chips to hold it", 9, slips=down),
        "shared_optimiser": Value(shared["optimiser"], "B", "Each, the optimiser shared"),
        "shared": Value(shared["everything"], "B", "Each, everything shared"),
    }


def paid_back() -> dict[str, Value]:
    """5: two plans of one loss, and the traffic after which the longer trained one is the cheaper."""
    plans, other = (
        lifetime.price_at_equal_loss(law(BY_FIT[fit]), *CHINCHILLA, LONGER) for fit in ("refit", "original")
    )
    passes = round(registry.find("overtraining/decoding").answer().values["served_passes"].number, 2)  # as asked
    a_day = SMALL_RATE * passes * DAY
    whole_pass = (slips.Slip(passes, "A served token takes less than a pass here: many are found in a cache."),)
    ways = slips.forgotten(3, "a trained token costs three passes, a read one a single pass")
    first, second = CHINCHILLA[0], plans.allocation.params
    saves = "A later pass saves the difference of both sizes."
    ways += tuple(slips.Slip(float((first - second) / each), saves) for each in (first, second))
    return {
        "small_rate": Value(SMALL_RATE, "tokens/s", "Traffic"),
        "plan_params": Value(plans.allocation.params, "parameters", "As good as Chinchilla", 4),
        "plan_tokens": Value(plans.allocation.tokens, "tokens", "As good as Chinchilla"),
        "plan_training": Value(plans.training_ratio, "x", "Its training"),
        "pays": Value(plans.pays_after, "passes", "Passes that pay for it", 3, slips=ways),
        "pays_days": Value(plans.pays_after / a_day, "days", "Days until then", slips=whole_pass),
        "original_plan_params": Value(other.allocation.params, "parameters", "As good as Chinchilla, original fit"),
        "original_plan_tokens": Value(other.allocation.tokens, "tokens", "As good as Chinchilla, original fit"),
        "original_plan_training": Value(other.training_ratio, "x", "Its training, original fit"),
        "original_plan_pays": Value(other.pays_after, "passes", "Has paid after, original fit", 2),
        "original_pays_days": Value(other.pays_after / a_day, "days", "Days until then, original fit", 1),
    }


def exercise() -> Answer:
    """All of them."""
    values = recalled() | evened() | sized() | exchanged() | held() | paid_back()
    return Answer(finding="The exercises of lecture 5", values=values)


FIGURES = (Figure(name="overtraining/exercise", compute=exercise, sources=("llama-models", "aiconfigurator")),)
