"""A chip by hand: what it cannot use is refused in a sentence, before any formula sees it."""

from __future__ import annotations

import numpy as np
import pytest

from calc.quantities.errors import CalcError
from calc.setting import Machine, Setting, transformer
from calc.step import decode

OWN = {
    "name": "mine",
    "rates": {"bf16": 1e15, "FP8": 2e15},
    "bandwidth": 4e12,
    "hbm_bytes": 80e9,
    "domain_chips": 8,
    "scale_up": 4e11,
}


def test_a_chip_by_hand_serves_a_step():
    assert decode(Setting.published("llama-3-8b", Machine(**OWN), "fp8"), 1, 1000).limit == "memory"
    alone = Machine(**OWN | {"domain_chips": 1, "scale_up": 0})
    assert np.isfinite(decode(Setting.published("llama-3-8b", alone, "fp8"), 1, 1000).bound_seconds)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"rates": {"bf16": -1e15}}, "rate of bf16 must be a finite number above 0; it was -1000000000000000"),
        ({"rates": {"bf16": 0}}, "rate of bf16 must be a finite number above 0; it was 0"),
        ({"rates": {"bf16": "1 PFLOP/s"}}, "rate of bf16 must be a finite number above 0, or an array"),
        ({"rates": None}, "rates must be FLOP/s by format"),
        ({"rates": {"fp7": 1e15}}, "precision must be one of"),
        ({"bandwidth": "4 TB/s"}, "bandwidth must be a number of at least 0; it was “4 TB/s”"),
        ({"bandwidth": float("nan")}, "bandwidth must be a number of at least 0; it was nan"),
        ({"hbm_bytes": 0}, "hbm_bytes must be above 0"),
        ({"domain_chips": "8"}, "domain_chips must be a number of at least 1; it was “8”"),
        ({"scale_up": 0}, "scale_up must be above 0 where chips share a domain"),
        ({"scale_out": None}, "scale_out must be a number of at least 0; it was None"),
        ({"topology": "ring"}, "topology must be one of mesh, switch, torus; it was “ring”"),
    ],
)
def test_what_a_chip_cannot_be_is_refused_by_name(change, sentence):
    with pytest.raises(CalcError) as refused:
        Machine(**OWN | change)
    assert str(refused.value).startswith(sentence)


def test_heads_that_share_keys_unevenly_are_refused():
    with pytest.raises(CalcError, match="kv_heads must be one that divides the heads, 32"):
        transformer(2, 4096, 14336, 32, 7, 128, 32000)
