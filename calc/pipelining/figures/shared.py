"""The published files of Kimi K2 in four bits, which several figures fill memories beside."""

from __future__ import annotations

from calc.setting import Scenario, Setting, published_precisions

PUBLISHED = "kimi-k2.5"  # the same layers, published with experts in four bits


def published(where: Scenario) -> Setting:
    """Kimi K2 as published with experts alone in four bits, scales counted."""
    return Setting.published(PUBLISHED, where.system, published_precisions(PUBLISHED, "bf16"))


def files(where: Scenario) -> float:
    """Bytes of its weights, each once."""
    return float(published(where).weight_bytes)
