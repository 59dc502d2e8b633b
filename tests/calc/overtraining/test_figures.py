from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from calc import catalog
from calc.overtraining import lifetime, scaling_law, training_run
from calc.overtraining.figures import memory, public, shared
from calc.overtraining.figures.setting import FITS, law
from calc.overtraining.figures.shared import BY_FIT
from tests.calc.figure import asking

answer, number = asking.of("overtraining")


def test_the_lectures_plan_has_three_equal_bills():
    found = answer("life")
    assert found.tables["bills"]["share"] == pytest.approx([1 / 3] * 3)
    assert found.values["over"].number == pytest.approx(100)
    assert not found.notes


def test_the_products_beside_the_bars_are_in_proportion_to_the_bills():
    for slower in (1, 2.5):
        found = answer("life", slower=slower, factor=6, reinforced="50T").tables["bills"]
        products = [
            np.prod([float(part.removesuffix("T tokens")) for part in label.split(" × ")]) for label in found["label"]
        ]
        assert products / sum(products) == pytest.approx(found["share"])


def test_the_shares_do_not_depend_on_the_size():
    assert answer("life", params="1G").tables["bills"]["share"] == pytest.approx([1 / 3] * 3)


def test_a_bill_that_outgrows_the_others_is_remarked_upon():
    found = answer("life", served="1e17")
    assert found.notes == ["Serving dominates: to halve it saves more than to do without the other two."]
    assert answer("life", served="1e18").finding.endswith("serving more than 99.9%")
    assert "reinforcement less than 0.1%" in answer("life", reinforced=1).finding


@pytest.mark.parametrize(("served", "named"), [("799T", []), ("801T", ["Serving dominates"])])
def test_a_bill_dominates_if_half_of_it_is_more_than_both_others(served, named):
    found = answer("life", served=served)
    pretraining, reinforcement, serving = found.tables["bills"]["share"]
    assert (serving / 2 > pretraining + reinforcement) == bool(named)
    assert [note.partition(":")[0] for note in found.notes] == named


def test_traffic_becomes_tokens_by_the_formula():
    found = answer("served", served="180T", slower=4)
    assert found.values["trained"].number == pytest.approx(180e12 * 4 / 3)
    assert "the cheapest training grows more slowly than the traffic: for 180T tokens served" in found.finding
    equal = found.tables["curve"]["equal"]
    assert np.allclose(equal / found.tables["curve"]["served"], 4 / 3)


def test_the_guess_serves_as_many_tokens_as_it_was_trained_on_in_every_figure():
    """One number of tokens goes through the lecture; no figure opens on another one."""
    plan = answer("life")
    assert plan.tables["bills"]["tokens"] == pytest.approx([200e12, 100e12, 200e12])
    assert number("served", "trained") == pytest.approx(200e12)
    assert number("served", "refit") == pytest.approx(number("fits", "refit_best_tokens"))
    assert number("served", "original") == pytest.approx(number("fits", "original_best_tokens"))
    assert number("served", "refit", served=1e6) == pytest.approx(number("fits", "refit_alone_tokens"))
    assert number("optimum", "tokens") == pytest.approx(number("fits", "refit_best_tokens"))


@pytest.mark.parametrize("fit", FITS)
def test_nothing_on_the_curve_of_equal_loss_is_cheaper_than_the_cheapest(fit):
    found = answer("optimum", fit=fit)
    total = np.asarray(found.tables["curve"]["total"], float)
    assert np.nanmin(total) == pytest.approx(1, abs=1e-3)
    assert np.nanmin(total) >= 1 - 1e-12
    held = law(fit)
    assert np.allclose(
        scaling_law.loss(held, found.values["params"].number, found.values["tokens"].number),
        scaling_law.loss(held, 100e9, 200e12),
    )


@pytest.mark.parametrize(
    ("fit", "later", "third", "half"),
    [("chinchilla", "600T", 0.0397, 0.0160), ("chinchilla-refit", "600T", 0.0126, 0.168)],
)
def test_the_heuristic_costs_what_the_ledger_says(fit, later, third, half):
    values = answer("optimum", fit=fit, later=later).values
    assert values["half"].number == pytest.approx(half, rel=0.01)
    assert values["third"].number == pytest.approx(third, rel=0.01)
    assert values["plan"].number == pytest.approx(values["half"].number)


@pytest.mark.parametrize(("plan", "share"), [({}, "17.9%"), ({"params": "1e14"}, "none"), ({"tokens": "1e8"}, "none")])
def test_no_share_of_the_cost_justifies_a_plan_that_is_trained_for_too_short(plan, share):
    """There a per cent more tokens saves more than a per cent of size: longer training is cheaper in itself."""
    assert answer("optimum", **plan).values["justifies"].text == share


def test_too_few_tokens_for_a_loss_are_called_so():
    assert answer("optimum", later="1G").finding.count("is too little for any size") == 2


def test_the_smaller_plan_pays_whichever_of_the_two_comes_first():
    """The guess against a plan on 200 tokens a parameter, which is larger and takes less training."""
    given = answer("plans", params="100G", tokens="200T", ratio=200).values
    size, tokens, pays = (given[name].number for name in ("params", "tokens", "pays"))
    assert 100e9 * (3 * 200e12 + pays) == pytest.approx(size * (3 * tokens + pays))
    for ratio in (5, 20):  # larger and dearer to train, and the same plan
        assert answer("plans", params="70G", tokens="1.4T", ratio=ratio).values["pays"].number == 0


def test_the_mark_of_what_is_paid_back_is_on_both_plans_where_the_first_is_the_longer():
    given = answer("plans", params="100G", tokens="200T", ratio=200)
    assert given.values["life"].number > 1
    first, other = given.tables["paid"]["passes"]
    assert 100e9 * first == pytest.approx(given.values["params"].number * other)


def test_the_cheapest_plan_as_typed_costs_nothing_more():
    given = answer("optimum", params="111G", tokens="117T")
    assert given.values["plan"].text == "0%"
    assert given.tables["here"]["label"] == ["+0%"]


def test_the_note_says_how_far_the_runs_reach():
    note = answer("plans", params="1G", tokens="20G", ratio=50).notes[0]
    assert f"runs reach {number('fits', 'params') / 1e9:g}B parameters" in note


def test_every_public_model_that_says_how_long_is_on_the_map_and_no_rumour():
    rows = public.published()
    assert "gpt-4-rumour" not in {row.id for row in rows}
    assert {row.id for row in rows} >= {"llama-3-8b", "deepseek-v3", "kimi-k2"}
    table = answer("map").tables["models"]
    assert len(table["model"]) == 2 * len(rows) + 1
    shortest = min(rows, key=lambda row: row.known("train_tokens") / row.active_params)
    assert shortest.name == "Llama 3.1 405B"  # the page names it with the value


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("deepseek-v3", "20× Chinchilla's by active parameters, 1.1× by all"),
        ("llama-3-8b", "on 15T tokens, 93.4× Chinchilla's;"),
        ("mixtral-8x7b", "is not in the catalogue"),
    ],
)
def test_the_finding_of_the_map_says_how_it_counts(model, words):
    assert words in answer("map", model=model).finding


@pytest.mark.parametrize(
    ("sharded", "words"),
    [
        ("optimiser", "; the largest parts are weights and gradients"),
        ("everything", "1.25× what NVIDIA H100 SXM has; the largest part is activations"),  # exercise 7 says so
    ],
)
def test_the_finding_of_the_memory_names_every_largest_part(sharded, words):
    found = answer("memory", params="70G", replicas=64, sharded=sharded)
    assert found.finding.endswith(words)
    assert found.values["activations"].number > catalog.chip("h100-sxm").hbm_bytes
    assert answer("memory", params="70G", replicas=64, kept="inputs").values["filled"].number < 1


def test_a_shape_of_one_layer_has_no_plural():
    assert answer("memory", params="100k").notes[-1].endswith("1 layer of width 102.")
    assert "shares with nobody" in answer("memory", sharded="optimiser").notes[-1]
    assert "shares with nobody" not in answer("memory", sharded="optimiser", replicas=2).notes[-1]
    assert "shares with nobody" not in answer("memory").notes[-1]


@pytest.mark.parametrize("sharded", ["nothing", "optimiser", "gradients", "everything"])
def test_the_parts_of_a_state_add_up_to_it(sharded):
    parts = memory.state(7.5e9, 64, sharded)
    assert sum(parts.values()) == pytest.approx(float(training_run.sharded_state_bytes(7.5e9, 64, sharded)))
    assert parts["Weights"] == pytest.approx(15e9 / (64 if sharded == "everything" else 1))


def test_boxes_are_filled_in_proportion():
    found = answer("memory", system="gb200-nvl72")
    poured = found.tables["poured"]
    width = np.subtract(poured["x2"], poured["x"]) / (1 - memory.GAP)
    for name, share in zip(found.tables["parts"]["part"], found.tables["parts"]["share"], strict=True):
        drawn = sum(size for part, size in zip(poured["part"], width, strict=True) if part == name)
        assert drawn == pytest.approx(100 * share)


def test_what_does_not_fit_is_drawn_beyond_the_frames_of_the_chip():
    found = answer("memory", system="gb200-nvl72", params="70G")
    room, needed = catalog.chip("gb200").hbm_bytes, found.values["needed"].number
    poured, framed = found.tables["poured"], len(found.tables["boxes"]["x"])
    drawn = sum(np.subtract(poured["x2"], poured["x"])) / (1 - memory.GAP)
    assert framed / drawn == pytest.approx(room / needed, rel=0.05)
    assert set(poured["shade"]) == {1.0, 0.5}
    assert "× what NVIDIA GB200" in found.finding
    assert "the framed ones are the chip's memory" in found.notes[0]
    assert set(answer("memory", system="gb200-nvl72").tables["poured"]["shade"]) == {1.0}


@pytest.mark.parametrize(
    ("inputs", "words"),
    [({"params": "1G"}, "one chip has room for it"), ({"params": "100G"}, "it takes 19 chips to hold it")],
)
def test_the_finding_of_the_runs_says_how_many_chips_hold_the_state(inputs, words):
    assert words in answer("runs", **inputs).finding


def test_the_worked_examples_are_those_of_the_ledger():
    """Figures recomputed by hand for the ledger: each to the digits that it gives."""
    expected = {
        ("guess", "served"): 2.592e14,
        ("guess", "factor"): 100,
        ("guess", "factor_low"): 75,
        ("guess", "factor_high"): 129.6,
        ("guess", "rl_share"): 0.5,
        ("decoding", "measured"): 0.0692 / 0.1732,
        ("decoding", "afresh"): 266 / 776,
        ("decoding", "served_passes"): (266 * 0.1732 / 0.1507 + 168 * 0.1732 / 0.0692) / 776,
        ("fits", "original_exchange"): 1 / 2.60,
        ("fits", "refit_exchange"): 1 / 5.59,
        ("fits", "original_training"): 2.28,
        ("fits", "original_size"): 6.62,
        ("fits", "refit_params"): 17.0e9,
        ("fits", "refit_training"): 5.91,
        ("fits", "refit_size"): 4.11,
        ("exercise", "rl"): 1 / 2,
        ("exercise", "served"): 3 / 4,
    }
    for (slug, value), known in expected.items():
        assert number(slug, value) == pytest.approx(known, rel=0.015), (slug, value)


def test_the_exchange_is_the_slope_of_the_line_of_equal_loss():
    for name, fit in BY_FIT.items():
        held = law(fit)
        target = scaling_law.loss(held, 100e9, 200e12)
        step = 1e-4
        sizes = [float(scaling_law.params_for_loss(held, target, 200e12 * (1 + side * step))) for side in (-1, 1)]
        slope = (np.log(sizes[0]) - np.log(sizes[1])) / (2 * step)
        assert number("fits", f"{name}_exchange") == pytest.approx(slope, rel=1e-4)


def test_the_two_terms_at_the_guess_give_the_exchange_that_is_quoted_beside_them():
    for name in BY_FIT:
        size, data = (number("fits", f"{name}_{term}_term") for term in ("size", "data"))
        by_size, by_data = (number("fits", f"{name}_{term}_exponent") for term in ("size", "data"))
        assert number("fits", f"{name}_exchange") == pytest.approx(by_data * data / (by_size * size))
    assert [number("fits", f"refit_{term}_term") for term in ("size", "data")] == pytest.approx(
        [0.0720, 0.0122], rel=5e-3
    )


def test_published_runs_kept_the_share_busy_that_the_help_of_the_input_says():
    """“Between a seventh and a little over a third.”"""
    assert number("reported", "low") == pytest.approx(0.139, abs=0.001)  # Llama 3.1 8B: 1.46 million hours
    assert 1 / 3 < number("reported", "high") < 0.36


def test_a_rack_of_the_ladder_by_hand():
    """DeepSeek-V3: 6 x 37e9 x 14.8e12 operations, 16 bytes for each of 671e9 parameters, over 81,559 MiB a chip."""
    assert number("ladder", "experts_operations") == pytest.approx(3.2856e24)
    assert number("ladder", "experts_state") == 14 * 671e9
    assert number("ladder", "experts_chips") == 110


def test_the_readers_run_begins_as_the_first_row_of_the_table():
    """Hour for hour and byte for byte, in the words of the page; 680,000 hours once stood beside 674,000."""
    run, row = answer("runs").values, answer("ladder").values
    for name in ("operations", "hours", "state", "chips"):
        assert run[name].text.split()[0] == row[f"small_{name}"].text.split()[0], name
        assert run[name].number == pytest.approx(row[f"small_{name}"].number)


def test_the_guess_takes_three_times_the_hours_of_the_largest_run_and_a_quarter_of_its_bytes():
    hours, state = (
        number("ladder", f"guess_{name}") / number("ladder", f"large_{name}") for name in ("hours", "state")
    )
    assert 2.9 < hours < 3.3
    assert 0.23 < state < 0.27


def test_the_answer_moves_with_the_loss_that_is_asked_for():
    """By hand, from the line of equal loss of half and of twice the guess's size: 95 and 144 trillion tokens."""
    half, double = (number("optimum", "tokens", params=size) for size in ("50G", "200G"))
    assert number("fits", "half_tokens") == pytest.approx(half) == pytest.approx(95.3e12, rel=2e-3)
    assert number("fits", "double_tokens") == pytest.approx(double) == pytest.approx(143.7e12, rel=2e-3)
    for name, size in (("half", "50G"), ("double", "200G")):
        assert number("fits", f"{name}_over") == pytest.approx(number("optimum", "over", params=size))
    here = number("fits", "refit_best_tokens")
    assert [half / here, double / here] == pytest.approx([0.82, 1.23], abs=0.01)  # “by about a fifth”


def test_served_tokens_at_their_measured_passes_ask_for_less_training():
    """By hand: 0.9355 passes of 200 trillion served and 6 of 100 trillion reinforced are 787 trillion."""
    later = number("fits", "measured_later")
    assert later == pytest.approx(0.93552 * 200e12 + 6 * 100e12, rel=1e-4)
    suggested = answer("optimum", later="790T").values  # by the page, which shows two digits
    assert suggested["tokens"].number == pytest.approx(89.65e12, rel=5e-3)


@pytest.mark.parametrize("share", [1 / 6, 1 / 5, 1 / 4, 1 / 3])
def test_a_sixth_to_a_third_in_pre_training_is_within_a_few_per_cent_of_the_cheapest(share):
    held, later = law("chinchilla-refit"), number("guess", "later")
    target = scaling_law.loss(held, 100e9, 200e12)
    tokens = later / 3 * share / (1 - share)
    plan = scaling_law.Allocation(scaling_law.params_for_loss(held, target, tokens), tokens)
    best = lifetime.cheapest_at_loss(held, target, later)
    assert 1 <= plan.lifetime_operations(later) / best.lifetime_operations(later) < 1.045


def test_googles_month_is_sixteen_times_what_the_guess_serves():
    assert number("guess", "google_times") == number("guess", "google") / number("guess", "served_even") == 16


def test_the_shares_that_give_the_efficiency_are_those_of_the_numbers_beside_them():
    given = {name: value.number for name, value in answer("decoding").values.items()}
    assert given["training_busy"] == pytest.approx(given["operations"] / (given["hours"] * 3600 * given["rate"]))
    active = catalog.model("deepseek-v3").active_params
    written = 2 * active * given["node_writes"] / (given["node_chips"] * given["rate"])
    assert given["writing_busy"] == pytest.approx(written)


def test_logits_are_a_number_for_each_token_and_word():
    """One sequence of 4,096 tokens, 128,256 words, fourteen bytes; they are said and not added."""
    found = answer("memory")
    assert found.values["logits"].number == 4096 * 128_256 * 14
    parts = sum(found.values[name].number for name in ("weights", "gradients", "optimiser", "activations"))
    assert parts == pytest.approx(found.values["needed"].number)
    assert number("memory", "logits", sequences=2) == 2 * found.values["logits"].number


def test_a_hundred_times_the_rule_is_for_models_with_few_active_parameters():
    """Up to twenty-odd billion all are past fifty times it, above thirty none is past sixty."""
    few = [public._over(row, public.ACTIVE) for row in public.published() if row.active_params <= 22.5e9]
    many = [public._over(row, public.ACTIVE) for row in public.published() if row.active_params > 22.5e9]
    assert min(few) > 60 > max(many)


def test_the_table_of_splits_by_hand_and_a_third_is_near_the_cheapest_by_both_fits():
    """The cost at later life / 3 / odds tokens on the line of equal loss, over the least on that line."""
    by_hand = {"refit": [0.2475, 0.0418, 0.0196], "original": [0.0603, 0.0035]}
    for fit, expected in by_hand.items():
        found = [number("splits", f"{fit}_{share}") for share in ("half", "third", "sixth")[: len(expected)]]
        assert found == pytest.approx(expected, abs=1e-4)
        assert found[1] < 0.05
    for share in ("half", "third"):
        assert number("splits", f"refit_{share}") == pytest.approx(number("optimum", share))
        assert number("splits", f"original_{share}") == pytest.approx(number("optimum", share, fit="chinchilla"))
    advised = [number("splits", f"{fit}_advised") for fit in by_hand]
    assert advised == pytest.approx([0.0209, 0.0161], abs=1e-4)  # “at most” the first
    apart = number("fits", "original_best_tokens") / number("fits", "refit_best_tokens")
    assert 1.9 < apart < 2.1  # “differ twofold”
    assert number("decoding", "over") < number("guess", "factor_high") / 4  # traffic moves the answer by more


def test_the_guess_costs_six_times_the_training_of_a_model_as_good_and_four_times_as_large():
    """By hand: 435 billion parameters on 7.32 trillion tokens, 6.28 and 4.35 against the guess."""
    held = law("chinchilla-refit")
    tokens = np.geomspace(1e12, 2e14, 20001)
    sizes = scaling_law.params_for_loss(held, scaling_law.loss(held, 100e9, 200e12), tokens)
    least = int(np.argmin(sizes * tokens))
    assert number("splits", "refit_least_training") == pytest.approx(2e25 / (sizes * tokens)[least], rel=1e-4)
    assert number("splits", "least_params") == pytest.approx(sizes[least], rel=1e-3)
    assert number("splits", "least_tokens") == pytest.approx(tokens[least], rel=1e-3)


@pytest.mark.parametrize("params", [7e9, 70e9, 700e9])
def test_halves_are_cheapest_at_three_times_the_tokens_of_training_alone_at_any_size(params):
    held = law("chinchilla-refit")
    term = 1 / 2 * held.params_exponent * held.params_term(params) / held.tokens_exponent
    plan = scaling_law.Allocation(params, (held.tokens_factor / term) ** (1 / held.tokens_exponent))
    target = scaling_law.loss(held, plan.params, plan.tokens)
    assert plan.tokens / lifetime.cheapest_at_loss(held, target).tokens == pytest.approx(3.09976, rel=1e-4)
    best = lifetime.cheapest_at_loss(held, target, 3 * plan.tokens)
    assert [best.params, best.tokens] == pytest.approx([plan.params, plan.tokens])


def test_the_third_exercise_against_the_cheapest_models_as_good():
    """By hand: 37.2 billion parameters on 39.3 trillion tokens; 131 trillion cost 24% more."""
    found = [number("exercise", f"trained_{name}") for name in ("best_params", "best_tokens", "dearer")]
    assert found == pytest.approx([37.24e9, 39.27e12, 0.2403], rel=1e-3)


def test_half_and_half_at_a_constant_exchange():
    assert number("exercise", "dearer") == pytest.approx(2 * 3**0.75 / 4 - 1)


def test_the_steps_to_the_cheapest_plan_can_be_done_again_on_paper():
    """By hand, from the numbers that the lecture prints."""
    assert pytest.approx(number("fits", "refit_exchange"), rel=1e-3) == 0.004478 / 0.02504
    terms = {"best": (0.0149, 0.06933), "sixth": (0.01712, 0.06711)}
    for name, (data, size) in terms.items():
        assert data + size == pytest.approx(0.01224 + 0.07199, rel=1e-3)
        exchange = 0.3658 * data / (0.3478 * size)
        assert exchange == pytest.approx(number("steps", f"{name}_exchange"), rel=2e-3)
    assert (482.01 / terms["best"][1]) ** (1 / 0.3478) == pytest.approx(number("steps", "best_size"), rel=1e-3)
    assert number("steps", "best_over") == pytest.approx(number("optimum", "over"))
    assert number("steps", "best_exchange") == pytest.approx(number("optimum", "share"))
    assert number("splits", "advised_tokens") == pytest.approx(number("guess", "later") / 7)  # “seven passes”
    cheapest = 111.4 * 1550.55
    assert 100 * 1800 / cheapest - 1 == pytest.approx(number("splits", "refit_third"), abs=5e-4)
    sizes = {"advised": 102.9, "half": 89.81}
    for name, size in sizes.items():
        tokens = {"advised": 1200 / 7, "half": 400}[name]
        assert size * (3 * tokens + 1200) / cheapest - 1 == pytest.approx(number("splits", f"refit_{name}"), abs=5e-4)
    assert number("guess", "bill") * 2 == pytest.approx(number("guess", "later"))
    assert pytest.approx(number("plans", "pays") / 1e12, rel=1e-3) == 3 * (100 * 200 - 434.8 * 7.3207) / 334.8


def test_what_is_lost_by_the_wrong_fit_is_least_near_the_share_advised():
    dearer = {
        share: max(
            shared.dearer(law(fit), shared.guessed_loss(law(fit)), number("guess", "later"), 1 / share - 1)
            for fit in BY_FIT.values()
        )
        for share in np.arange(0.2, 0.41, 0.01)
    }
    assert min(dearer, key=lambda share: dearer[share]) == pytest.approx(number("splits", "advised_share"))
    assert max(number("splits", f"{name}_advised") for name in BY_FIT) == pytest.approx(min(dearer.values()))


def test_by_the_original_fit_long_training_costs_less_and_saves_less():
    """By hand, from the original fit's constants."""
    size, tokens = number("splits", "original_least_params"), number("splits", "original_least_tokens")
    assert number("splits", "original_least_training") == pytest.approx(100e9 * 200e12 / (size * tokens))
    life = 100e9 * 1800e12 / (size * (3 * tokens + 1200e12))
    assert number("splits", "original_least_life") == pytest.approx(life)


def test_the_share_advised_lies_between_the_cheapest_of_the_fits():
    shares = [number("splits", "best_share"), number("splits", "advised_share"), number("steps", "original_share")]
    assert shares == sorted(shares)
    assert number("steps", "original_at_refit") == pytest.approx(0.0906, abs=1e-4)
    cheapest = 111.432e9 * 1550.55e12
    above = 142.815e9 * (3 * 48e12 + 1200e12) / cheapest - 1
    assert above == pytest.approx(number("splits", "refit_ceiling"), abs=5e-4)
    assert number("splits", "year_passes") == pytest.approx(number("splits", "year_later") * number("guess", "later"))


def test_the_share_advised_is_dearer_by_less_on_average_if_one_in_four_is_for_the_original():
    chance = 1 / 4
    advised = (1 - chance) * number("splits", "refit_advised") + chance * number("splits", "original_advised")
    assert advised < chance * number("steps", "original_at_refit")  # the refit's cheapest share


def test_experts_make_three_thirds_nearly_cheapest_by_the_refit_and_two_equal_bills_by_the_original():
    """By hand: 1.778 times the guess's tokens by the original, and 0.885 by the refit, for twice their passes."""
    assert number("steps", "experts_original_share") == pytest.approx(1.7777 / 3.7777, rel=1e-3)
    assert number("steps", "experts_share") == pytest.approx(0.88508 / 2.88508, rel=1e-3)


@pytest.mark.parametrize("fit", BY_FIT.values())
def test_experts_worth_a_multiple_of_the_size_change_the_plan_of_a_loss_in_its_size_alone(fit):
    """“Tokens and share stay” at the guess's loss; for a better model, with as many active parameters, both rise."""
    dense = law(fit)
    experts = dataclasses.replace(
        dense, params_factor=dense.params_factor * shared.EXPERTS_WORTH**-dense.params_exponent
    )
    later, target = shared.LATER.default, shared.guessed_loss(dense)
    here, same = (lifetime.cheapest_at_loss(held, target, later) for held in (dense, experts))
    assert same.tokens == pytest.approx(here.tokens, rel=1e-4)
    assert same.params * shared.EXPERTS_WORTH == pytest.approx(here.params, rel=1e-4)
    assert shared.own_over(same) == pytest.approx(4 * shared.own_over(here), rel=1e-4)  # “four times as far past”
    better = lifetime.cheapest_at_loss(experts, shared.guessed_loss(experts), later)
    assert shared.training_share(better, later) > shared.training_share(here, later) + 0.05
    if dense == law(BY_FIT["refit"]):
        assert better.tokens == pytest.approx(177.0e12, rel=1e-3)
        assert shared.own_over(better) == pytest.approx(85.34, rel=1e-3)
    assert here.tokens > 2 * number("public", "largest_tokens")  # “new data end first”, for a mixture too


def test_eight_times_the_tokens_for_half_the_size_make_three_thirds_cheapest():
    """The second table of “Why equal?”: tokens, and a later life of 16, each times the size."""
    tokens = np.array([1.0, 8.0, 16.0, 64.0])
    size = tokens ** (-1 / 3)
    assert tokens * size + 16 * size == pytest.approx([17, 12, 12.70, 20], rel=1e-3)
    assert tokens[2] * size[2] == pytest.approx(16 * size[2])
    many = np.geomspace(1, 64, 999)
    assert np.min((many + 16) * many ** (-1 / 3)) == pytest.approx(12, rel=1e-6)


def test_by_the_original_fit_the_longer_plan_of_the_exercise_pays_within_a_week():
    pays = {fit: lifetime.price_at_equal_loss(law(fit), 70e9, 1.4e12, 200).pays_after for fit in FITS}
    assert pays["chinchilla-refit"] == pytest.approx(number("exercise", "pays"))
    assert number("exercise", "original_plan_pays") == pytest.approx(pays["chinchilla"])
    params, tokens = (number("exercise", f"original_plan_{name}") for name in ("params", "tokens"))
    assert [params, tokens] == pytest.approx([22.43e9, 4.486e12], rel=1e-3)
    assert number("exercise", "original_plan_training") == pytest.approx(params * tokens / 70e9 / 1.4e12)
    params, tokens = (number("exercise", f"plan_{name}") for name in ("params", "tokens"))
    assert number("exercise", "plan_training") == pytest.approx(params * tokens / 70e9 / 1.4e12)
    assert number("exercise", "original_pays_days") == pytest.approx(4.04, abs=0.01)
    pays = number("exercise", "pays") / (500_000 * 86_400 * 0.94)  # by the passes that the question gives
    assert number("exercise", "pays_days") == pytest.approx(pays)
    assert number("exercise", "original_pays_days") < 7 < 60 < number("exercise", "pays_days") < 365 / 3


def test_pope_s_hundred_lies_between_the_cheapest_multiples_of_both_fits():
    """By hand: sizes on the line of equal loss, 20 tokens for each parameter; 111B on 117T and 95B on 229T."""
    refit, original = number("optimum", "over"), number("splits", "original_best_over")
    assert [refit, original] == pytest.approx([52.43, 120.4], rel=1e-3)
    assert 1 / 2 < refit / number("guess", "factor") < 1 < original / number("guess", "factor") < 2
    assert original == pytest.approx(number("fits", "original_best_tokens") / 20 / 95.07e9, rel=1e-3)
    assert number("splits", "best_share") == pytest.approx(number("optimum", "share"))


def test_the_model_that_is_cheapest_to_train_by_both_fits():
    assert number("splits", "original_least_training") == pytest.approx(2.0617, rel=1e-3)
    lives = {"refit": 434.8 * (3 * 7.3207 + 1200), "original": 331.96 * (3 * 29.223 + 1200)}  # in passes, by hand
    for fit, other in lives.items():
        assert number("splits", f"{fit}_least_life") == pytest.approx(100 * (3 * 200 + 1200) / other, rel=1e-3)
    assert number("splits", "least_params") == pytest.approx(434.8e9, rel=1e-3)


def test_six_times_the_traffic_asks_for_about_three_times_the_tokens_by_either_fit():
    for fit in FITS:
        held = law(fit)
        target = scaling_law.loss(held, 100e9, 200e12)
        few, many = (lifetime.cheapest_at_loss(held, target, times * 600e12).tokens for times in (1, 6))
        assert 3 < many / few < 3.2


def test_with_attention_decoding_was_about_as_busy_as_training():
    """By hand: 17.0 MFLOP a position when absorbed and 5.0 when expanded, in 16 bits at half the FP8 rate."""
    expanded = 2 * 128 * (192 + 128) * 61 * 2048 / 74e9
    assert number("decoding", "training_attended") == pytest.approx(0.1732 * (1 + 2 * expanded), rel=2e-3)
    absorbed = 2 * 128 * (576 + 512) * 61 * 4989 / 74e9
    attended = asking.of("pricing")[1]("day", "busy_attended")
    assert attended == pytest.approx(number("decoding", "writing_busy") * (1 + 2 * absorbed), rel=1e-3)
    assert 0.9 < attended / number("decoding", "training_attended") < 1.1  # “as much busy”, on a card
    assert absorbed > 1  # “more work than the weights”


def test_which_tokens_pope_counts_moves_the_answer_either_way():
    """By hand: 0.936 passes of a mean token, and 0.936 / 0.2165 for a written one with the prompts that it answers."""
    assert number("decoding", "over_brought") == pytest.approx(0.93552 / (168 / 776) / 3 * 100, rel=1e-3)


def test_on_the_largest_set_on_record_the_fits_part():
    """By hand: the size of the guess's loss on 48 trillion tokens, and its life over the cheapest."""
    assert number("public", "largest_tokens") == 48e12
    assert number("guess", "tokens") / number("public", "largest_tokens") == pytest.approx(4, abs=0.2)  # “a quarter”
    found = [number("splits", f"{fit}_ceiling") for fit in BY_FIT]
    assert found == pytest.approx([0.11091, 0.61825], rel=1e-3)


def test_on_the_largest_set_read_again_the_share_advised_is_cheap_by_both_fits():
    """By hand: 171.43 trillion tokens are 3.5714 readings of 48, worth 48 (1 + 15.387756 (1 - e^(-2.5714 / 15.39)))."""
    assert number("splits", "readings") == pytest.approx(171.43 / 48, rel=1e-4)
    assert number("splits", "readings") < 4  # the readings that were nearly as good as new
    worth = 161.668e12
    assert scaling_law.worth_in_new_tokens(48e12, 171.43 / 48) == pytest.approx(worth, rel=1e-4)
    size = (482.01 / (0.0719873 + 0.0122427 - 2085.43 * worth**-0.3658)) ** (1 / 0.3478)
    above = size * 1714.29e12 / (111.432e9 * 1550.55e12) - 1
    assert number("splits", "refit_repeated") == pytest.approx(above, abs=5e-4)
    assert [number("splits", f"{fit}_repeated") for fit in BY_FIT] == pytest.approx([0.0325, 0.0412], abs=2e-4)


def test_the_verdict_counts_the_newer_laws_and_by_each_of_all_eight_new_data_end_first():
    """At the share advised the tuned suites are the dearest of four laws; the least cheapest share is a suite's."""
    world = asking.of("world")[1]
    dearest = max(number("splits", f"{fit}_advised") for fit in BY_FIT)
    assert dearest < world("loss-plans", "tuned_advised_high") < world("loss-plans", "advised_high")
    cheapest = (world("loss-plans", "share_low"), number("splits", "best_share"), number("steps", "original_share"))
    assert 144 / 1344 < min(cheapest) == cheapest[0]


@pytest.mark.parametrize("fit", FITS)
@pytest.mark.parametrize("later", [336e12, 1200e12, 4200e12])
def test_at_the_cheapest_the_share_of_pre_training_is_the_slope_of_equal_loss(fit, later):
    """By brute force: the least of many plans of one loss, and how its size falls with the tokens."""
    held, tokens = law(fit), np.geomspace(2e13, 2e15, 40001)
    size = np.asarray(scaling_law.params_for_loss(held, shared.guessed_loss(held), tokens))
    bills = np.where(np.isfinite(size), size * (6 * tokens + 2 * later), np.inf)
    best = int(np.argmin(bills))
    slope = -np.log(size[best + 1] / size[best - 1]) / np.log(tokens[best + 1] / tokens[best - 1])
    assert 6 * tokens[best] / (6 * tokens[best] + 2 * later) == pytest.approx(slope, rel=1e-3)
    assert number("optimum", "share", fit=fit, later=str(later)) == pytest.approx(slope, rel=1e-3)


def test_a_year_with_reinforcement_unchanged_asks_for_about_twice_the_tokens():
    assert number("splits", "year_reinforced") == pytest.approx(2.263, rel=1e-3)
    assert number("splits", "year_later") == pytest.approx(3.5)
    assert number("splits", "year_raised") == pytest.approx(3.250, rel=1e-3)
    assert number("splits", "year_tokens") == pytest.approx(number("served", "refit", served=1.2e15))
    times = [number("served", "original", served=served) for served in (2e14, 1.2e15)]
    assert 2 < times[1] / times[0] < 2.4  # “about twice”, by the original too
    held = law("chinchilla-refit")
    hardly_any = [
        lifetime.cheapest_at_loss(held, shared.guessed_loss(held), 3 * served).tokens for served in (2e14, 1.2e15)
    ]
    assert hardly_any[1] / hardly_any[0] == pytest.approx(3.147, rel=1e-3)  # “two to three times its own”


def test_poor_use_of_the_chips_triples_popes_tokens_and_doubles_the_cheapest():
    for line, times in {"trained": 3, "refit": 1.97, "original": 1.88}.items():
        assert number("served", line) / number("served", line, slower=1) == pytest.approx(times, abs=0.01)


def test_a_title_that_gives_one_fits_number_names_it():
    assert "by the refit" in answer("served").finding.lower()


def test_no_single_change_moves_the_cheapest_multiple_threefold():
    here = number("optimum", "over")
    changed = [number("splits", "original_best_over"), number("served", "over", served=1.2e15)]
    changed.append(number("optimum", "over", later="790T"))
    assert all(1 / 3 < each / here < 3 for each in changed)


def test_by_the_original_fit_the_third_exercise_still_asks_for_more_than_any_model_had():
    tokens, above = (number("exercise", f"trained_original_{name}") for name in ("tokens", "dearer"))
    assert [tokens, above] == pytest.approx([74.27e12, 0.0627], rel=2e-3)
    assert tokens > max(row.train_tokens for row in catalog.models().values() if row.train_tokens)
    assert number("exercise", "trained_best_tokens") < 40e12  # “by the refit none need be”


def test_the_scatter_is_that_of_all_fits_to_samples_and_holds_the_refit():
    """Quantiles of all 4,000 fits, of which the record has a hundred."""
    expected = {
        "exchange": (1 / 7.388, 1 / 4.570),
        "over": (41.33, 63.45),
        "third": (0.0211, 0.0761),
    }
    for name, ends in expected.items():
        assert [number("scatter", f"{name}_{end}") for end in ("low", "high")] == pytest.approx(ends, rel=0.02)
    assert [number("scatter", f"over_{end}") for end in ("least", "most")] == pytest.approx([35.42, 71.79], rel=0.02)
    held = {
        "exchange": number("fits", "refit_exchange"),
        "over": number("optimum", "over"),
        "third": number("splits", "refit_third"),
    }
    for name, found in held.items():
        assert number("scatter", f"{name}_low") < found < number("scatter", f"{name}_high")


def test_the_examples_own_numbers_are_those_that_its_figures_open_on():
    assert number("splits", "paid") == pytest.approx(number("plans", "pays"), rel=2e-3)
    assert number("splits", "target") == pytest.approx(number("optimum", "loss"))
