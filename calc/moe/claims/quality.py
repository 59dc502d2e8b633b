"""Claims of lecture 2 about the quality that experts add, by the law of routed models."""

from __future__ import annotations

import numpy as np

from calc import catalog
from calc.ledger.calls import Found
from calc.moe import routed_scaling

V3 = catalog.model("deepseek-v3")
S_BASE = routed_scaling.with_paying_limit(
    routed_scaling.RoutedLaw.published(catalog.routing_fit("s-base")), catalog.routing_fit("s-base").params_cutoff
)
RL_R = routed_scaling.with_paying_limit(
    routed_scaling.RoutedLaw.published(catalog.routing_fit("rl-r")), catalog.routing_fit("rl-r").params_cutoff
)
HASHED = routed_scaling.with_paying_limit(
    routed_scaling.RoutedLaw.published(catalog.routing_fit("hash")), catalog.routing_fit("hash").params_cutoff
)

EXPERTS = np.arange(64.0, 1025.0)


def a36() -> Found:
    return routed_scaling.effective_params(370e6, 64, S_BASE)


def a36_rl() -> Found:
    return routed_scaling.effective_params(370e6, 64, RL_R)


def a36_hash() -> Found:
    return routed_scaling.effective_params(370e6, 64, HASHED)


def a36_printed() -> Found:
    return [
        routed_scaling.effective_params(370e6, 64, routed_scaling.RoutedLaw.published(fit))
        for fit in catalog.routing_fits().values()
    ]


def a37() -> Found:
    return [routed_scaling.effective_params(370e6, 64, law) / 370e6 for law in (S_BASE, RL_R, HASHED)]


def a37_printed() -> Found:
    return [
        routed_scaling.effective_params(370e6, 64, routed_scaling.RoutedLaw.published(fit)) / 370e6
        for fit in catalog.routing_fits().values()
    ]


def a37_growth() -> Found:
    return routed_scaling.expanded_params(1.0, 64, 1 / 3)


def a38() -> Found:
    return routed_scaling.effective_params(370e6, 100, S_BASE) / 370e6


def a38_by_summary_001() -> Found:
    return routed_scaling.rule_of_thumb(100)


def a38_by_summary_003() -> Found:
    return 10


def a38_tiny() -> Found:
    return routed_scaling.effective_params(5e6, 128, S_BASE) / 5e6


def a38_printed() -> Found:
    return (
        routed_scaling.effective_params(370e6, 100, routed_scaling.RoutedLaw.published(catalog.routing_fit("s-base")))
        / 370e6
    )


def a38_printed_tiny() -> Found:
    return (
        routed_scaling.effective_params(5e6, 128, routed_scaling.RoutedLaw.published(catalog.routing_fit("s-base")))
        / 5e6
    )


def a39() -> Found:
    return [
        routed_scaling.effective_params(V3.active_params, 256, law) / V3.active_params for law in (S_BASE, RL_R, HASHED)
    ]


def a39_otherwise() -> Found:
    return [routed_scaling.effective_params(1e12, 256, law) / 1e12 for law in (S_BASE, RL_R, HASHED)]


def a39_s_base() -> Found:
    return catalog.routing_fit("s-base").params_cutoff


def a39_hash() -> Found:
    return catalog.routing_fit("hash").params_cutoff


def a39_rl() -> Found:
    return catalog.routing_fit("rl-r").params_cutoff


def a39_active() -> Found:
    return V3.active_params


def a39_printed() -> Found:
    return [
        routed_scaling.effective_params(V3.active_params, 256, routed_scaling.RoutedLaw.published(fit))
        / V3.active_params
        for fit in catalog.routing_fits().values()
    ]


def a40() -> Found:
    return [
        2 ** (np.log(64) / np.log(routed_scaling.rule_of_thumb(64))),
        np.interp(
            routed_scaling.effective_params(370e6, 64, S_BASE),
            routed_scaling.effective_params(185e6, EXPERTS, S_BASE),
            EXPERTS / 64,
        ),
    ]


def a40_otherwise() -> Found:
    return 2 ** (np.log(routed_scaling.expanded_params(1.0, 64, 1 / 3)) / np.log(routed_scaling.rule_of_thumb(64)))


def a40_growth() -> Found:
    return routed_scaling.expanded_params(1.0, 64, 1 / 3)


def a40_printed() -> Found:
    printed = routed_scaling.RoutedLaw.published(catalog.routing_fit("s-base"))
    return np.interp(
        routed_scaling.effective_params(370e6, 64, printed),
        routed_scaling.effective_params(185e6, EXPERTS, printed),
        EXPERTS / 64,
    )
