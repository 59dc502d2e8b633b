"""Calculations of the ledger's claims about this lecture.

`a1` decides claim A1, `a1_otherwise` is the circumstance in which it fails, `a1_by_lecture` a source's reading of it;
any other `a1_name` is a number that its reason quotes.
"""

from __future__ import annotations

import numpy as np

from calc import catalog, overtraining
from calc.ledger.calls import Found
from calc.overtraining import lifetime, scaling_law, training_run
from calc.world import losses

V3 = catalog.model("deepseek-v3")
DAY = catalog.deployment("deepseek-day-6")
NODE_FLOPS = catalog.system(DAY.system).flops("fp8")
H800_FLOPS = catalog.chip("h800-sxm").flops("fp8")
V3_OPERATIONS = overtraining.training_operations(V3.active_params, V3.known("train_tokens"))


def d1() -> Found:
    return overtraining.chinchilla_tokens(70e9)


def d1_fit() -> Found:
    return scaling_law.compute_optimal(
        scaling_law.ScalingLaw.published(catalog.loss_fit("chinchilla")), overtraining.training_operations(70e9, 1.4e12)
    ).tokens_per_param


def d1_refit() -> Found:
    held = scaling_law.ScalingLaw.published(catalog.loss_fit("chinchilla-refit"))
    return scaling_law.compute_optimal(held, overtraining.training_operations(70e9, 1.4e12)).tokens_per_param


def d2() -> Found:
    return np.isclose(
        np.array(
            [
                overtraining.training_operations(1, 1),
                overtraining.rl_factor(0),
                overtraining.rl_factor(1),
                overtraining.inference_operations(1, 1),
            ]
        ),
        [6, 2, 6, 2],
    )


def d2_otherwise() -> Found:
    return overtraining.rl_factor(1, 1) <= 6


def d2_repeated() -> Found:
    return overtraining.rl_factor(1, 1)


def d3() -> Found:
    return [lifetime.serving_that_justifies(law, 100e9, 200e12) for law in losses.laws()]


def d3_chinchilla() -> Found:
    return [lifetime.serving_that_justifies(law, 100e9, 200e12) for law in losses.laws()[:2]]


def d3_newer() -> Found:
    return [lifetime.serving_that_justifies(law, 100e9, 200e12) for law in losses.laws()[2:]]


def d3_original() -> Found:
    held = scaling_law.ScalingLaw.published(catalog.loss_fit("chinchilla"))
    equal, cheapest = (
        plan(held, scaling_law.loss(held, 100e9, 200e12), 1200e12).lifetime_operations(1200e12)
        for plan in (lifetime.equal_cost_at_loss, lifetime.cheapest_at_loss)
    )
    return equal / cheapest - 1


def d3_refit() -> Found:
    held = scaling_law.ScalingLaw.published(catalog.loss_fit("chinchilla-refit"))
    equal, cheapest = (
        plan(held, scaling_law.loss(held, 100e9, 200e12), 1200e12).lifetime_operations(1200e12)
        for plan in (lifetime.equal_cost_at_loss, lifetime.cheapest_at_loss)
    )
    return equal / cheapest - 1


def d3_quarter() -> Found:
    held = scaling_law.ScalingLaw.published(catalog.loss_fit("chinchilla-refit"))
    target = scaling_law.loss(held, 100e9, 200e12)
    quarter = scaling_law.params_for_loss(held, target, 400e12 / 3) * (6 * 400e12 / 3 + 2 * 1200e12)
    return quarter / lifetime.cheapest_at_loss(held, target, 1200e12).lifetime_operations(1200e12) - 1


def d3_dearer() -> Found:
    held = scaling_law.ScalingLaw.published(catalog.loss_fit("chinchilla"))
    target = scaling_law.loss(held, 100e9, 200e12)
    quarter = scaling_law.params_for_loss(held, target, 400e12 / 3) * (6 * 400e12 / 3 + 2 * 1200e12)
    return quarter / lifetime.cheapest_at_loss(held, target, 1200e12).lifetime_operations(1200e12) - 1


def d4() -> Found:
    bills = [
        scaling_law.params_for_loss(law, scaling_law.loss(law, 100e9, 200e12), 400e12 / 3) * 1600e12 / 100e9 / 1800e12
        for law in losses.laws()
    ]
    return [*bills, overtraining.pretraining_tokens_for(1, 1, 1) / overtraining.pretraining_tokens_for(1, 1, 2)]


def d4_chinchilla() -> Found:
    return [
        scaling_law.params_for_loss(law, scaling_law.loss(law, 100e9, 200e12), 400e12 / 3) * 1600e12 / 100e9 / 1800e12
        for law in losses.laws()[:2]
    ]


def d4_newer() -> Found:
    return [
        scaling_law.params_for_loss(law, scaling_law.loss(law, 100e9, 200e12), 400e12 / 3) * 1600e12 / 100e9 / 1800e12
        for law in losses.laws()[2:]
    ]


def d4_tokens() -> Found:
    return overtraining.pretraining_tokens_for(1, 1, 1) / overtraining.pretraining_tokens_for(1, 1, 2)


def d5() -> Found:
    measured = (
        overtraining.inference_operations(V3.active_params, DAY.decode_tokens_per_second)
        / NODE_FLOPS
        / training_run.achieved_utilisation(V3_OPERATIONS, H800_FLOPS, V3.known("pretrain_chip_hours"))
    )
    return [measured / 0.3, measured / (1 / 3)]


def d5_decoding() -> Found:
    return overtraining.inference_operations(V3.active_params, DAY.decode_tokens_per_second) / NODE_FLOPS


def d5_training() -> Found:
    return training_run.achieved_utilisation(V3_OPERATIONS, H800_FLOPS, V3.known("pretrain_chip_hours"))


def d5_measured() -> Found:
    return (
        overtraining.inference_operations(V3.active_params, DAY.decode_tokens_per_second)
        / NODE_FLOPS
        / training_run.achieved_utilisation(V3_OPERATIONS, H800_FLOPS, V3.known("pretrain_chip_hours"))
    )


def d5_job() -> Found:
    """Operations of learning, all of them at the learners' pace, over the time of all chips."""
    return catalog.datum("mai-rl-learner-chips").value / catalog.datum("mai-rl-chips").value


def d6() -> Found:
    return overtraining.equalised_tokens(1, rl_factor=3, rl_efficiency=1 / 3, serving_efficiency=1 / 3).reinforcement


def d6_by_flashcards() -> Found:
    return 1 / 1.5


def d6_by_summary_002() -> Found:
    return 1


def d6_rl() -> Found:
    return overtraining.equalised_tokens(1, rl_factor=4, rl_efficiency=1 / 3, serving_efficiency=1 / 3).reinforcement


def d7() -> Found:
    return [overtraining.pretraining_tokens_for(1, 0.3), 1 / overtraining.pretraining_tokens_for(1, 0.3)]


def d8() -> Found:
    return overtraining.served_tokens(5e8, 60 * 86400)


def d9() -> Found:
    return overtraining.served_tokens(5e7, 60 * 86400)


def d9_over() -> Found:
    return overtraining.overtraining_factor(100e9, overtraining.served_tokens(5e7, 60 * 86400))


def d10() -> Found:
    return [m.train_tokens for m in catalog.models().values() if m.train_tokens and m.standing != "rumour"]


def d11() -> Found:
    return [m.active_params for m in catalog.models().values() if m.sparsity > 1 and m.standing != "rumour"]


def d11_dense() -> Found:
    return catalog.model("llama-3-405b").active_params


def d12() -> Found:
    return [
        overtraining.overtraining_factor(m.active_params, m.train_tokens)
        for m in catalog.models().values()
        if m.train_tokens and m.standing != "rumour"
    ]


def d12_guessed() -> Found:
    return overtraining.overtraining_factor(100e9, 200e12)


def d12_scout() -> Found:
    return overtraining.overtraining_factor(
        catalog.model("llama-4-scout").active_params, catalog.model("llama-4-scout").known("train_tokens")
    )


def d12_small() -> Found:
    return overtraining.overtraining_factor(
        catalog.model("llama-3-8b").active_params, catalog.model("llama-3-8b").known("train_tokens")
    )


def d12_v3() -> Found:
    return overtraining.overtraining_factor(V3.active_params, V3.known("train_tokens"))


def d12_total() -> Found:
    return overtraining.overtraining_factor(
        catalog.model("llama-4-scout").total_params, catalog.model("llama-4-scout").known("train_tokens")
    )


def d13() -> Found:
    return overtraining.overtraining_factor(100e9, 200e12)


def d14() -> Found:
    return overtraining.rl_operations(
        100e9, overtraining.equalised_tokens(200e12, rl_factor=4).reinforcement, 4
    ) / overtraining.training_operations(100e9, overtraining.chinchilla_tokens(100e9))


def d14_operations() -> Found:
    reinforced = overtraining.equalised_tokens(200e12, rl_factor=4, rl_efficiency=1 / 3).reinforcement
    return overtraining.rl_operations(100e9, reinforced, 4) / overtraining.training_operations(100e9, 20 * 100e9)


def d15() -> Found:
    return overtraining.pretraining_tokens_for(200e12, 0.3) / overtraining.pretraining_tokens_for(200e12, 1)


def d16() -> Found:
    return [overtraining.training_operations(70e9, 100 * 1.4e12) / overtraining.training_operations(70e9, 1.4e12)] + [
        lifetime.price_at_equal_loss(law, 70e9, 1.4e12, 2000).training_ratio for law in losses.laws()
    ]


def d16_chinchilla() -> Found:
    return [lifetime.price_at_equal_loss(law, 70e9, 1.4e12, 2000).training_ratio for law in losses.laws()[:2]]


def d16_newer() -> Found:
    return [lifetime.price_at_equal_loss(law, 70e9, 1.4e12, 2000).training_ratio for law in losses.laws()[2:]]


def d16_ten() -> Found:
    held = scaling_law.ScalingLaw.published(catalog.loss_fit("chinchilla"))
    return lifetime.price_at_equal_loss(held, 70e9, 1.4e12, 200).training_ratio


def d16_ten_refit() -> Found:
    held = scaling_law.ScalingLaw.published(catalog.loss_fit("chinchilla-refit"))
    return lifetime.price_at_equal_loss(held, 70e9, 1.4e12, 200).training_ratio


def d19() -> Found:
    return [
        overtraining.equalised_tokens(1, rl_factor=4, rl_efficiency=0.3, serving_efficiency=0.3).serving,
        overtraining.equalised_tokens(1, rl_factor=4).serving,
    ]


def d20() -> Found:
    return [lifetime.price_at_equal_loss(law, 70e9, 1.4e12, 2000).size_ratio for law in losses.laws()]
