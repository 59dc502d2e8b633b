"""Entries of MLPerf Inference beside the bound on writing: tokens a second of an accelerator, however it is laid out.

A rate of one accelerator is derived from an entry; it is no metric of MLPerf.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import numpy as np

from calc.catalog.measurement import MlperfResult, mlperf
from calc.setting import Setting
from calc.step import decode
from calc.step.room import most_sequences

MODELS = MappingProxyType(
    {"deepseek-r1": "deepseek-v3", "gpt-oss-120b": "gpt-oss-120b", "llama3.1-8b": "llama-3-8b", "llama2-70b-99.9": ""}
)
"""The names of MLPerf's models in the catalogue, which has no Llama 2."""
NAMES = MappingProxyType(
    {
        "deepseek-r1": "DeepSeek-R1",
        "gpt-oss-120b": "gpt-oss-120b",
        "llama3.1-8b": "Llama 3.1 8B",
        "llama2-70b-99.9": "Llama 2 70B",
    }
)
SYSTEMS = MappingProxyType(
    {
        "B300-SXM-270GB": "hgx-b300",
        "GB300": "gb300-nvl72",
        "MI355X": "mi355x-8",
        "GB200": "gb200-nvl72",
        "B200-SXM-180GB": "hgx-b200",
        "MI300X": "mi300x-8",
        "H200-SXM-141GB": "hgx-h200",
    }
)
FORMATS = MappingProxyType({"mxfp4": "fp4"})


@dataclass(frozen=True)
class Entry:
    """An entry, its tokens a second of one accelerator, and no less than what any of that kind could write."""

    row: MlperfResult
    bound: float

    @property
    def share(self) -> float:
        """Measured over the bound."""
        return self.row.per_accelerator / self.bound


def entries() -> tuple[Entry, ...]:
    """Every entry whose result counts tokens; its bound is infinite where model, system or lengths are not known.

    >>> found = entries()
    >>> len(found) > 300, all(each.share < 1 for each in found)
    (True, True)
    """
    return tuple(Entry(row, _bound(row)) for row in mlperf() if row.units == "Tokens/s" and row.model in MODELS)


def _bound(row: MlperfResult) -> float:
    model, system = MODELS[row.model], SYSTEMS.get(row.accelerator, "")
    if not model or not system or row.tokens_per_sample is None:
        return float("inf")
    return most_written(model, system, FORMATS.get(row.precision, row.precision), row.tokens_per_sample)


@cache
def most_written(model: str, system: str, precision: str, tokens: float) -> float:
    """Tokens a second of one chip that no layout exceeds, if prompts cost nothing and answers have so many tokens.

    The step's bound with all the sequences that have room, on average half written, on the best number of chips of a
    domain.

    >>> round(most_written("llama-3-8b", "hgx-h200", "fp8", 100), -4)
    130000.0
    """
    whole = int(Setting.published(model, system, precision).machine.domain_chips)
    best = 0.0
    for chips in {2**power for power in range(whole.bit_length())} | {whole}:
        setting = Setting.published(model, system, precision, chips=chips)
        batch = float(most_sequences(setting, tokens / 2))
        if 0 < batch < np.inf:
            best = max(best, float(decode(setting, batch, tokens / 2).chip_tokens_per_second))
    return best
