"""A step as a list of operations, its compositions, and the collectives and limits that it rests on.

>>> from calc import step
>>> from calc.setting import Setting
>>> step.decode(Setting.published("llama-3-70b", "hgx-h100", "fp8"), batch=64, context=8192).limit
'memory'
"""

from calc.step.collectives import (
    all_gather_seconds,
    all_reduce_seconds,
    all_to_all_rate,
    all_to_all_seconds,
    bisection_bytes_per_second,
    exchange_rounds,
    gather_rate,
    gather_rounds,
    mean_hops,
    reduce_scatter_seconds,
    slice_sides,
)
from calc.step.operation import Operation
from calc.step.requests import Requests
from calc.step.speculation import Drafts, expected_tokens
from calc.step.step import Step, decode, mixed, prefill

__all__ = [
    "Drafts",
    "Operation",
    "Requests",
    "Step",
    "all_gather_seconds",
    "all_reduce_seconds",
    "all_to_all_rate",
    "all_to_all_seconds",
    "bisection_bytes_per_second",
    "decode",
    "exchange_rounds",
    "expected_tokens",
    "gather_rate",
    "gather_rounds",
    "mean_hops",
    "mixed",
    "prefill",
    "reduce_scatter_seconds",
    "slice_sides",
]
