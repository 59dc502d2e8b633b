"""The published files of Kimi K2 in four bits, which several figures fill memories beside."""

from __future__ import annotations

from calc.setting import Scenario, Setting, published_precisions

PUBLISHED = "kimi-k2.5"  # the same layers, published with experts in four bits


def files(where: Scenario) -> float:
    """Bytes of Kimi K2 as published with experts alone in four bits, scales counted."""
    return float(Setting.published(PUBLISHED, where.system, published_precisions(PUBLISHED, "bf16")).weight_bytes)
