"""Rows as the source writes them, each with one thing wrong: repaired, set aside or refused, and for its reason."""

from __future__ import annotations

import datetime as dt

import pytest

from calc.world.repairs import measurement
from calc.world.replicas import Refused

ROW = {
    "id": "run_1024x1024_c64_cfg7",
    "silicon_data_source": "db-dump/2026-04-27; silicon_concurrency=64; measured=2026-04-18T00:00:00.000Z",
    "backend": "vllm",
    "backend_version": "0.19.0",
    "model_path": "meta-llama/Llama-3.1-70B",
    "system": "h100_sxm",
    "precision": "fp8",
    "mode": "agg",
    "isl": "1024",
    "osl": "1024",
    "gemm_quant_mode": "fp8",
    "moe_quant_mode": "fp8",
    "batch_size": "64",
    "tp_size": "8",
    "pp_size": "1",
    "attention_dp_size": "1",
    "moe_tp_size": "8",
    "moe_ep_size": "1",
    "silicon_ttft_ms": "307.2",
    "silicon_tpot_ms": "20",
}
DECODERS = {
    "mode": "disagg",
    "batch_size": "",
    "tp_size": "",
    "decode_num_workers": "4",
    "decode_tp_size": "2",
    "decode_attention_dp_size": "1",
    "decode_moe_tp_size": "2",
    "decode_moe_ep_size": "1",
}


def made(**changes):
    found = measurement({**ROW, **changes})
    assert not isinstance(found, Refused), found
    return found


def refusal(**changes):
    found = measurement({**ROW, **changes})
    assert isinstance(found, Refused)
    return found.reason


def test_a_plain_row_becomes_a_measurement_in_si_units():
    row = made()
    assert (row.model, row.system, row.engine) == ("llama-3-70b", "hgx-h100", "vllm")
    assert (row.chips, row.tensor, row.attention_groups) == (8, 8, 1)
    assert (row.token_seconds, row.first_token_seconds) == (0.02, 0.3072)
    assert row.date == dt.date(2026, 4, 18)
    assert row.set_aside == ""


def test_lengths_are_those_that_were_drawn():
    assert (made().mean_input, made().mean_output) == (921.6, 921.6)
    own = made(silicon_data_source="source_file=/data/aic-auto-gap-analysis/x.csv; silicon_concurrency=64")
    assert (own.mean_input, own.mean_output) == (1024, 1024)


def test_by_littles_law_a_request_that_waits_is_not_in_flight():
    # 921.6 tokens of 20 ms are 18.432 s; with 0.3072 s before, 60 of 61 parts of a request's time are decoding.
    assert made().in_flight == pytest.approx(64 * 60 / 61, abs=0.01)
    queueing = made(silicon_ttft_ms="36864")
    assert queueing.in_flight == pytest.approx(64 / 3, abs=0.01)
    assert queueing.set_aside == "waiting"


def test_experts_on_more_chips_than_there_are_is_impossible():
    assert refusal(tp_size="2", moe_tp_size="4") == "impossible layout: experts over 4 chips of 2"


def test_weights_beyond_the_memory_do_not_fit():
    assert refusal(precision="", tp_size="1", moe_tp_size="1") == "does not fit: 141 GB of weights on 86 GB"
    assert made(precision="", tp_size="2", moe_tp_size="2").chips == 2


def test_a_load_that_is_not_one_replicas_is_set_aside():
    elsewhere = made(silicon_data_source="silicon_concurrency=256")
    assert (elsewhere.batch, elsewhere.set_aside) == (64, "load")


def test_a_model_that_may_draft_is_set_aside_where_nothing_says_whether_it_did():
    row = made(model_path="deepseek-ai/DeepSeek-R1", system="h200_sxm")
    assert (row.speculation, row.set_aside) == ("unknown", "speculation")


def test_a_decoding_worker_has_its_share_of_the_load():
    row = made(**DECODERS)
    assert (row.chips, row.batch) == (2, 16)
    assert row.in_flight == pytest.approx(16 * 60 / 61, abs=0.01), "the others wait, or are read elsewhere"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({**DECODERS, "decode_num_workers": ""}, "disaggregated without a count of workers"),
        ({**DECODERS, "silicon_data_source": "x"}, "disaggregated without a concurrency"),
        ({"tp_size": ""}, "no tensor size is recorded"),
        ({"silicon_tpot_ms": "0"}, "a time is missing or not positive"),
        ({"batch_size": "", "silicon_data_source": "x"}, "no load is recorded"),
        ({"model_path": "acme/unheard-of"}, "not in the catalogue: acme/unheard-of on h100_sxm"),
    ],
)
def test_a_row_that_cannot_be_repaired_is_refused(changes, reason):
    assert refusal(**changes) == reason
