"""Treatment of the source's rows before they are compared with anything, each repair or refusal a rule of its own.

The source's columns describe a run as a configuration tool sees it. Some describe it wrongly: a layout that cannot be
(`calc.world.replicas`), a load that was queueing and not in flight, one run noted twice. A rule either repairs,
refuses, or keeps a row and says why it is set aside.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import replace
from types import MappingProxyType

from calc import catalog
from calc.catalog.measurement import Measurement
from calc.quantities.units import bytes_per_element
from calc.world.replicas import OWN_RUNS, Raw, Refused, contradiction, count, replica

DRAWN = 0.9  # of the nominal lengths: InferenceX draws them evenly between 0.8 and 1
TIE = 1e-12  # seconds, by which a half rounds up as it does in print
STORED = MappingProxyType({"": "bf16"})  # a row without a precision ran the published 16-bit weights
MODELS = MappingProxyType(
    {
        "deepseek-ai/DeepSeek-R1": "deepseek-v3",
        "deepseek-ai/DeepSeek-V3": "deepseek-v3",
        "nvidia/DeepSeek-R1-NVFP4": "deepseek-v3",
        "nvidia/DeepSeek-V3.1-NVFP4": "deepseek-v3",
        "moonshotai/Kimi-K2.5": "kimi-k2.5",
        "zhipuai/GLM-5": "glm-5",
        "meta-llama/Llama-3.1-70B": "llama-3-70b",
        "meta-llama/Llama-3.1-8B-Instruct": "llama-3-8b",
        "nvidia/Llama-3.1-8B-Instruct-FP8": "llama-3-8b",
        "Qwen/Qwen3-32B": "qwen3-32b",
        "nvidia/Qwen3-32B-NVFP4": "qwen3-32b",
        "Qwen/Qwen3-235B-A22B-FP8": "qwen3-235b-a22b",
        "openai/gpt-oss-120b": "gpt-oss-120b",
        "MiniMaxAI/MiniMax-M2.5": "minimax-m2.5",
        "Qwen/Qwen3.5-397B-A17B": "qwen3.5-397b-a17b",
    }
)
SYSTEMS = MappingProxyType(
    {
        "b200_sxm": "hgx-b200",
        "b300_sxm": "hgx-b300",
        "gb200": "gb200-nvl72",
        "gb300": "gb300-nvl72",
        "h100_sxm": "hgx-h100",
        "h200_sxm": "hgx-h200",
    }
)
DRAFTING = frozenset({"deepseek-v3", "glm-5", "minimax-m2.5", "qwen3.5-397b-a17b"})
"""Models published with layers that guess ahead, whose use no column of the source records.

Others, such as Kimi K2.5 and gpt-oss, draft with a second model alone. Their runs of which nothing is known are kept:
they are no faster than runs of the same model, engine and system that are known to have had no drafts.
"""


def does_not_fit(model: str, system: str, precision: str, chips: int) -> str:
    """Why a replica cannot hold the model's weights; empty if it can.

    >>> does_not_fit("qwen3-235b-a22b", "hgx-h200", "fp8", 1), does_not_fit("qwen3-235b-a22b", "hgx-h200", "fp8", 2)
    ('does not fit: 235 GB of weights on 151 GB', '')
    """
    weights = catalog.model(model).total_params * bytes_per_element(STORED.get(precision, precision))
    memory = chips * catalog.system(system).chip.hbm_bytes
    return f"does not fit: {weights / 1e9:.0f} GB of weights on {memory / 1e9:.0f} GB" if weights > memory else ""


def decoded_at_once(load: float, first_token_seconds: float, output_tokens: float, token_seconds: float) -> float:
    """Those of `load` requests that decode at a moment, by Little's law: load n t / (n t + first).

    A request waits and reads its prompt for `first_token_seconds` and then writes n tokens of t seconds each. Where
    that is less than one, chips idle between requests, and a step has one.

    >>> decoded_at_once(64, 10, 1000, 0.03)
    48.0
    """
    writing = output_tokens * token_seconds
    return max(1.0, load * writing / (writing + first_token_seconds))


def without_repeats(
    rows: Iterable[Measurement], already: Iterable[Measurement] = ()
) -> tuple[list[Measurement], list[Refused]]:
    """The rows that are not noted twice: one run has both times equal to seven digits, or where its machine is the same
    to the hundredth of a millisecond to which some rows are rounded.
    """
    seen = {key: row.id for row in already for key in _runs(row)}
    kept, refused = [], []
    for row in rows:
        first = next((seen[key] for key in _runs(row) if key in seen), "")
        if first:
            refused.append(Refused(row.id, f"repeat of {first}"))
            continue
        seen |= dict.fromkeys(_runs(row), row.id)
        kept.append(row)
    return kept, refused


def _runs(row: Measurement) -> tuple[tuple[object, ...], ...]:
    """Marks that two rows of one run have in common: both times, or both rounded and the machine."""
    first, token = row.first_token_seconds, row.token_seconds
    return (first, token), (row.model, row.system, row.chips, *(round(of + TIE, 5) for of in (first, token)))


def measurement(raw: Raw) -> Measurement | Refused:
    """A row of the source as a measurement, repaired; or why it is refused."""
    if raw["model_path"] not in MODELS or raw["system"] not in SYSTEMS:
        return Refused(raw["id"], f"not in the catalogue: {raw['model_path']} on {raw['system']}")
    first, token = _number(raw["silicon_ttft_ms"]), _number(raw["silicon_tpot_ms"])
    if not first or not token:
        return Refused(raw["id"], "a time is missing or not positive")
    if raw["mode"] == "disagg" and not count(raw["decode_num_workers"]):
        return Refused(raw["id"], "disaggregated without a count of workers")
    found = replica(raw)
    if isinstance(found, Refused):
        return found
    model, system = MODELS[raw["model_path"]], SYSTEMS[raw["system"]]
    impossible = contradiction(raw, found) or does_not_fit(model, system, raw["precision"], found.chips)
    if impossible:
        return Refused(raw["id"], impossible)
    drawn = 1.0 if OWN_RUNS in raw["silicon_data_source"] else DRAWN
    row = Measurement(
        id=raw["id"],
        model=model,
        system=system,
        engine=raw["backend"],
        engine_version=raw["backend_version"],
        precision=raw["precision"],
        projections=raw["gemm_quant_mode"],
        experts=raw["moe_quant_mode"],
        mode=raw["mode"],
        chips=found.chips,
        tensor=found.tensor,
        attention_groups=found.groups,
        batch=0.0,
        concurrency=_noted(raw, "silicon_concurrency"),
        input_tokens=int(raw["isl"]),
        output_tokens=int(raw["osl"]),
        mean_input=round(drawn * int(raw["isl"]), 1),
        mean_output=round(drawn * int(raw["osl"]), 1),
        in_flight=0.0,
        speculation="unknown" if model in DRAFTING else "not recorded",
        date=_day(raw),
        token_seconds=float(f"{token / 1e3:.7g}"),
        first_token_seconds=float(f"{first / 1e3:.7g}"),
        layout_from="row",
        set_aside="",
    )
    return loaded(row, raw)


def loaded(row: Measurement, raw: Raw) -> Measurement | Refused:
    """The row with its load, what of it was in flight, and why it is set aside, if it is."""
    if row.mode == "disagg":
        if row.concurrency is None:
            return Refused(row.id, "disaggregated without a concurrency")
        load = round(row.concurrency / count(raw["decode_num_workers"]), 2)
        aside = ""
    else:
        size = count(raw["batch_size"])
        widths = {size, size * count(raw["attention_dp_size"], 1), size * row.attention_groups}
        same = row.concurrency in widths
        load = row.concurrency if same and row.concurrency else float(size * row.attention_groups)
        aside = "" if same else "load"
    if not load:
        return Refused(row.id, "no load is recorded")
    in_flight = decoded_at_once(load, row.first_token_seconds, row.mean_output, row.token_seconds)
    aside = "waiting" if in_flight < load / 2 else aside
    aside = "speculation" if row.speculation == "unknown" else aside
    return replace(row, batch=load, in_flight=round(in_flight, 2), set_aside=aside)


def _noted(raw: Raw, name: str) -> float | None:
    found = re.search(rf"{name}=([\d.]+)", raw["silicon_data_source"])
    return float(found[1]) if found else None


def _day(raw: Raw) -> dt.date | None:
    found = re.search(r"measured=(\d{4}-\d{2}-\d{2})", raw["silicon_data_source"])
    return dt.date.fromisoformat(found[1]) if found else None


def _number(text: str | None) -> float:
    return float(text) if text else 0.0
