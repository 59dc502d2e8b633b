"""Calculations of the ledger's claims about this lecture.

`a1` decides claim A1, `a1_otherwise` is the circumstance in which it fails, `a1_by_lecture` a source's reading of it;
any other `a1_name` is a number that its reason quotes.
"""

from __future__ import annotations

import numpy as np

from calc import batching, catalog, reversible
from calc.ledger.calls import Found
from calc.memory_wall import attention
from calc.reversible import activation_memory, feistel
from calc.setting import published

V3 = catalog.model("deepseek-v3")
SHAPE = published.architecture(V3)


def f1() -> Found:
    keys = feistel.round_keys(1, 8)
    left = np.arange(1000)
    right = left[::-1]
    enciphered = feistel.encrypt(left, right, keys, feistel.LOSSY)
    return [
        np.array_equal(feistel.decrypt(*enciphered, keys, feistel.LOSSY), (left, right)),
        reversible.reconstruction_error(reversible.network(8, 8)) < 1e-12,
    ]


def f1_rounding() -> Found:
    return reversible.reconstruction_error(reversible.network(8, 8))


def f3() -> Found:
    return [
        activation_memory.reverse(R).bytes(1, 1) / activation_memory.reverse(1).bytes(1, 1) for R in (10, 100, 1000)
    ]


def f4() -> Found:
    return [activation_memory.reverse(64).overhead(2), activation_memory.reverse(64).overhead(1)]


def f5() -> Found:
    anew = attention.prefill_flops(8000, V3.active_params, SHAPE.expanded_attention_flops_per_position)
    return anew / attention.prefill_flops(1, V3.active_params, SHAPE.attention_flops_per_position, 7999)


def f5_bytes() -> Found:
    return batching.cache_bytes(1, 8000, V3.kv_bytes_per_token("fp8"))


def f6() -> Found:
    return [feistel.differential(8)[8] < 0.01, reversible.spread(reversible.network(8, 8)).gain[8] > 10]


def f6_gain() -> Found:
    return reversible.spread(reversible.network(8, 8)).gain[8]


def f10() -> Found:
    return feistel.avalanche(16)[16]
