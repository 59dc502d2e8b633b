"""How fast rows of stages served: one machine that decoded in a row, and one rack that read prompts in a row.

`measurements/decoding-rows.csv` has section 6 of a document of aiconfigurator (Apache-2.0): Qwen3-32B in BF16 on eight
H20-3e of one machine, TensorRT-LLM 1.3.0rc20, prompts of 256 tokens and answers of 512. Its authors print tokens a
second over those of eight slices in one stage; for one request the tokens a second, and what they count from kernels
that were timed apart and (1) of lecture 3; for more requests by which share their count of a full row is too high.
Their table of 16 and 32 chips is a forecast, and is not carried.

`measurements/prompt-rows.csv` has prompts of 8,192 tokens read a second and chip by Kimi K3 on sixteen GB200 of one
rack, in SGLang (Apache-2.0): from a pull request of 28 July 2026 and the recipe that it changed. A way is stages with
slices in each, experts spread over all chips, or slices over all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calc.catalog.measurement import read, text
from calc.quantities.errors import CalcError

DECODING_ROWS_SOURCE, PROMPT_ROWS_SOURCE = "aiconfigurator-stages", "sglang-k3-gb200"


@dataclass(frozen=True, kw_only=True, slots=True)
class DecodingRow:
    """So many requests at once on `stages` of `slices` chips each.

    `over_slices` are tokens a second over those of one stage. `rate` and `counted` are tokens a second, measured and
    by the authors' count, and `excess` the share by which that count is too high: each as far as it is printed.
    """

    stages: int
    slices: int
    load: int
    over_slices: float
    rate: float | None
    counted: float | None
    excess: float | None

    @property
    def known_rate(self) -> float:
        """Tokens a second as measured; refused where they are not printed."""
        if self.rate is None:
            raise CalcError("load", str(self.load), "a load whose tokens a second are printed")
        return self.rate

    @property
    def counted_over(self) -> float:
        """The authors' count over what was measured."""
        if self.counted is not None:
            return self.counted / self.known_rate
        if self.excess is None:
            raise CalcError("load", str(self.load), "a load that is counted")
        return 1 + self.excess


@dataclass(frozen=True, kw_only=True, slots=True)
class PromptRow:
    """Tokens of prompts that a chip read in a second, with `load` prompts at once."""

    way: str
    stages: int
    slices: int
    load: int
    rate: float


@cache
def decoding_rows() -> tuple[DecodingRow, ...]:
    """Every run, in the order of the file.

    >>> [(row.stages, row.slices) for row in decoding_rows() if row.load == 1]
    [(2, 4), (4, 2), (8, 1)]
    """
    return tuple(read(DecodingRow, text("decoding-rows.csv")))


@cache
def prompt_rows() -> dict[tuple[str, int], PromptRow]:
    """Every run, by its way and load.

    >>> prompt_rows()["stages", 32].rate
    4550.0
    """
    return {(row.way, row.load): row for row in read(PromptRow, text("prompt-rows.csv"))}
