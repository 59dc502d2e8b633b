"""A new generation: its tokens a chip against what the bound says of a faster memory."""

from __future__ import annotations

import pytest

from calc import catalog
from calc.figure import registry


def test_a_chip_gave_at_least_as_many_more_tokens_as_it_reads_faster():
    values = registry.find("world/rubin").answer().values
    assert values["chip"].number == pytest.approx(1.62 * 8.5 / 5)
    assert values["bandwidth"].number == catalog.chip("rubin").hbm_bandwidth / catalog.chip("gb300").hbm_bandwidth
    assert values["bandwidth"].number <= values["chip"].number < values["chip_most"].number
