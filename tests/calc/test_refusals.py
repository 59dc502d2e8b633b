"""Every function of lectures 5 and 6 refuses what it cannot use, in a sentence, and its docstring's examples hold."""

from __future__ import annotations

import contextlib
import doctest
import inspect
from typing import get_type_hints

import numpy as np
import pytest

from calc.overtraining import budget, lifetime, reinforcement, scaling_law, training_run
from calc.pricing import bill, context_price, implied, prompt_cache
from calc.quantities.check import Range
from calc.quantities.errors import CalcError

MODULES = (budget, scaling_law, lifetime, training_run, reinforcement, implied, context_price, prompt_cache, bill)
RECORDS = {
    "law": scaling_law.ScalingLaw(1, 10, 20, 0.5, 0.5),
    "prices": bill.Prices(1, 1, 1, 1),
    "traffic": bill.Traffic(1, 1, 1, 1),
}
GOOD = {
    "target_loss": 3.0,
    "speed_ratio": 2.0,
    "longest": 2.0,
    "batch_share": 0.5,
    "fast_share": 0.5,
    "sharded": "everything",
    "kept": "inputs",
}
BAD = (float("nan"), float("inf"), -float("inf"), -1.0, "many", "", None, [], [1.0, "a"], [[1.0], [1.0, 2.0]], 1j, True)


ZERO = """
budget        training_operations: tokens; inference_operations: tokens; rl_factor: trained_share repeated_forward
budget        rl_operations: tokens; equalised_tokens: rl_cost_ratio serving_cost_ratio
budget        pretraining_tokens_for: served_tokens; forward_tokens: served_tokens rl_tokens
budget        served_tokens: tokens_per_second seconds
lifetime      cheapest_at_loss: forward_tokens
training_run  run_seconds: operations; chip_hours: operations; achieved_utilisation: operations
training_run  model_state_bytes: weight_bytes gradient_bytes optimiser_bytes; record_bytes: heads sequence
reinforcement policy_operations: samples epochs; acting_seconds: samples on_chip_bytes
reinforcement learning_seconds: samples epochs; reinforcement_time: samples epochs on_chip_bytes
implied       prefill_dollars_per_token: dollars_per_hour attention_operations
implied       decode_floor_dollars_per_token: context kv_bytes_per_token dollars_per_hour
implied       price_ratio: dear; utilisation: tokens_per_second; markup: price; margin: cost
implied       slow_mode_saving: weights cache
implied       blended_multiplier: batch_share batch_multiplier fast_share fast_multiplier
context_price decode_cost: context; prompt_cost: context; tiered_price: context; tier_margin: context markup
context_price longest_profitable_context: markup
prompt_cache  fresh_cost: reuses fresh; cached_cost: reuses write hit storage_per_hour hours
prompt_cache  break_even_reuses: fresh write hit storage_per_hour hours; saving_factor: reuses fresh hit
prompt_cache  reuses_for_saving: fresh write hit; owned_dollars_per_byte_hour: dollars_per_byte
prompt_cache  keep_warm_seconds: write; holding_dollars_per_byte_hour: premium
prompt_cache  memory_dollars_per_byte_hour: dollars_per_hour; share_read_per_hold: hold_seconds
prompt_cache  holding_cost: dollars_per_hour; hold_worth_storing: recompute_dollars_per_token
bill          bill: cached_share; levers: cached_share batch_share batch_multiplier shorten
bill          conversation: system_tokens tokens_in tokens_out
bill          conversation_bill: system_tokens tokens_in tokens_out cached
bill          requests_per_write: requests_per_second lifetime
"""
"""Where nothing is an answer: no tokens, no rent, no wait. Everywhere else 0 is refused."""
WHOLE = {"replicas", "layers", "heads", "environments", "minibatch", "turns"}
AT_MOST_ONE = {
    "trained_share",
    "repeated_forward",
    "batch_share",
    "fast_share",
    "cached_share",
    "cached",
    "shorten",
} | {
    ("levers", "batch_multiplier"),
    ("run_seconds", "utilisation"),
    ("chip_hours", "utilisation"),
    ("prefill_dollars_per_token", "utilisation"),
    ("implied_decode_utilisation", "prefill_utilisation"),
    ("implied_bytes_per_output_token", "prefill_utilisation"),
}
AT_LEAST_ONE = WHOLE | {("value_of_an_hour", "price_ratio"), ("value_of_an_hour", "speed_ratio")}


def accept_zero(function):
    lines = [line.split(maxsplit=1) for line in ZERO.strip().splitlines()]
    entries = [
        entry.split(":")
        for module, rest in lines
        if function.__module__.rpartition(".")[2] == module
        for entry in rest.split("; ")
    ]
    return {name for called, names in entries if called == function.__name__ for name in names.split()}


def public_functions():
    for module in MODULES:
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == module.__name__ and not name.startswith("_"):
                yield pytest.param(function, id=f"{module.__name__}.{name}")


FUNCTIONS = tuple(public_functions())


def quantities(function):
    """The names of the parameters that are annotated with a range, and whether None is accepted."""
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        if any(isinstance(part, Range) for part in parts(hints[name])):
            yield name, parameter.default is None


def parts(hint):
    for part in getattr(hint, "__metadata__", ()) + getattr(hint, "__args__", ()):
        yield part
        yield from parts(part)


def usable(function):
    names = inspect.signature(function).parameters
    return {name: RECORDS.get(name, GOOD.get(name, 1.0)) for name in names}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_a_quantity_cannot_be_is_refused_by_name(function):
    arguments = usable(function)
    function(**arguments)
    checked = list(quantities(function))
    assert checked
    for name, optional in checked:
        for value in BAD:
            if value is None and optional:
                continue
            with pytest.raises(CalcError, match=f"^{name} must be .*; it was ") as refused:
                function(**{**arguments, name: value})
            assert refused.value.argument == name


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_record_of_the_wrong_kind_is_refused_by_name(function):
    for name in RECORDS.keys() & inspect.signature(function).parameters.keys():
        with pytest.raises(CalcError, match=f"^{name} must be a [A-Z]") as refused:
            function(**{**usable(function), name: "much"})
        assert refused.value.argument == name


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_range_ends_where_it_should(function):
    def answers(name, value):
        try:
            function(**{**usable(function), name: value})
        except CalcError as refusal:
            return refusal.argument != name
        return True

    for name, _ in quantities(function):
        one = {name, (function.__name__, name)}
        assert answers(name, 0) == (name in accept_zero(function)), name
        assert answers(name, 0.5) == (not one & (AT_LEAST_ONE | {"target_loss", "longest"})), name
        assert answers(name, 2.5) == (not one & (WHOLE | AT_MOST_ONE)), name


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("value", [1e-300, 1e300])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_accepted_number_ends_in_a_traceback(function, value):
    names = [name for name, _ in quantities(function)]
    for absurd in [{name: value} for name in names] + [dict.fromkeys(names, value)]:
        with contextlib.suppress(CalcError):
            assert function(**{**usable(function), **absurd}) is not None


@pytest.mark.parametrize("function", FUNCTIONS)
def test_shapes_that_do_not_combine_are_refused(function):
    names = [name for name, _ in quantities(function)] + [name for name in usable(function) if name in RECORDS]
    if len(names) < 2:
        pytest.skip("takes one quantity")
    one, *others = names
    wrong = {name: np.full(3, GOOD.get(name, 1.0)) for name in others if name not in RECORDS}
    if "law" in names:
        wrong["law"] = scaling_law.ScalingLaw([1, 1, 1], 10, 20, 0.5, 0.5)
    if "prices" in names:
        wrong["prices"] = bill.Prices([1, 1, 1], 1, 1, 1)
    if "traffic" in names:
        wrong["traffic"] = bill.Traffic([1, 1, 1], 1, 1, 1)
    with pytest.raises(CalcError, match="combines with"):
        function(**{**usable(function), one: np.full(2, GOOD.get(one, 1.0)), **wrong})


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_the_examples_of_the_docstrings_hold(module):
    tried = doctest.testmod(module)
    assert tried.attempted > 0
    assert tried.failed == 0


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_function_shows_an_example(function):
    assert ">>>" in function.__doc__
