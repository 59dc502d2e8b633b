"""Decode steps of dense models beside those of another simulator, an npm package of Doubleword, on one machine.

It knows no links: the bound without them must agree within 0.5 %.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from calc.setting import Setting
from calc.step import decode
from web.bundle.node import node
from web.packages import unpacked

PACKAGE = "@doublewordai/inference-lab"
CASES = [
    ("llama-3-70b", 64, 8192),
    ("llama-3-70b", 256, 512),
    ("llama-3-8b", 1, 131_072),
    ("llama-3-8b", 900, 64),
    ("llama-3-405b", 16, 2048),
]


@pytest.fixture(scope="module")
def theirs():
    """Milliseconds a token by the package, one for each case."""
    script = Path(__file__).with_name("lab.mjs")
    configs = json.dumps([config(setting(name), batch, context) for name, batch, context in CASES])
    command = [node(), script, unpacked(PACKAGE)]
    done = subprocess.run(command, input=configs, capture_output=True, text=True, check=True, timeout=60)
    return json.loads(done.stdout)


def setting(name):
    return Setting.published(name, "hgx-h200", "fp8")


def config(where, batch, context):
    """The same setting in the words of the package: the chips of a node as one, and weights as they are read."""
    model, attention = where.model, where.model.layers[0].attention
    chips = int(where.layout.chips)
    hardware = {
        "name": where.machine.name,
        "compute_flops": chips * where.machine.flops("fp8"),
        "memory_bandwidth": chips * where.machine.bandwidth,
        "memory_capacity": 10**13,
        "kv_cache_capacity": int(2 * batch * where.kept_bytes(context + 16)),
        "gpu_memory_utilization": 0.9,
        "bytes_per_param": 1,
    }
    shape = {
        "name": model.name,
        "num_parameters": int(model.read_params),
        "num_active_parameters": int(model.active_params),
        "num_layers": int(model.layer_count),
        "hidden_dim": int(model.width),
        "num_heads": int(attention.heads),
        "num_kv_heads": int(attention.splits),
        "max_seq_len": 10**6,
    }
    scheduler = {
        "max_num_batched_tokens": 10**9,
        "max_num_seqs": 10**6,
        "policy": "fcfs",
        "enable_chunked_prefill": True,
        "long_prefill_token_threshold": 0,
        "max_num_partial_prefills": 1,
        "block_size": 1,
    }
    workload = {
        "arrival_pattern": "batched",
        "arrival_rate": 1e9,
        "input_len_dist": {"type": "fixed", "value": context},
        "output_len_dist": {"type": "fixed", "value": 2},
        "num_requests": batch,
        "duration_secs": None,
        "seed": 1,
    }
    return {
        "hardware": hardware,
        "model": shape,
        "scheduler": scheduler,
        "workload": workload,
        "simulation": {"log_interval": 10**6},
    }


@pytest.mark.parametrize(
    "case", range(len(CASES)), ids=[f"{name}, {batch} x {context}" for name, batch, context in CASES]
)
def test_the_bound_on_a_dense_model_agrees(theirs, case):
    name, batch, context = CASES[case]
    ours = decode(setting(name), batch, context)
    without_links = max(float(ours.compute_seconds), float(ours.memory_seconds))
    assert theirs[case] / 1e3 == pytest.approx(without_links, rel=5e-3)
