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
from calc.step.flow import decoding_sequences, rent_dollars, requests_in_flight
from calc.step.forecast import Forecast, decode_forecast
from calc.step.operation import Operation
from calc.step.parallel_limits import least_tokens_data_parallel, least_tokens_fully_sharded, most_tensor_chips
from calc.step.product import Product, matrix_product, product_seconds, ridge_intensity, roofline_flops
from calc.step.requests import Requests
from calc.step.speculation import Drafts, expected_tokens
from calc.step.step import Step, decode, decode_step, mixed, prefill
from calc.step.woken import touched_share

__all__ = [
    "Drafts",
    "Forecast",
    "Operation",
    "Product",
    "Requests",
    "Step",
    "all_gather_seconds",
    "all_reduce_seconds",
    "all_to_all_rate",
    "all_to_all_seconds",
    "bisection_bytes_per_second",
    "decode",
    "decode_forecast",
    "decode_step",
    "decoding_sequences",
    "exchange_rounds",
    "expected_tokens",
    "gather_rate",
    "gather_rounds",
    "least_tokens_data_parallel",
    "least_tokens_fully_sharded",
    "matrix_product",
    "mean_hops",
    "mixed",
    "most_tensor_chips",
    "prefill",
    "product_seconds",
    "reduce_scatter_seconds",
    "rent_dollars",
    "requests_in_flight",
    "ridge_intensity",
    "roofline_flops",
    "slice_sides",
    "touched_share",
]
