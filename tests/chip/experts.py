"""One layer's experts of a mixture, all on the chip: does the time follow the experts that the tokens chose?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import torch

from calc import catalog
from calc.catalog.chip_times import ChipTime
from tests.chip.clock import DEVICE, drawn, timed
from tests.chip.fused import gate

MODELS = ("deepseek-v3", "mixtral-8x7b")
BATCHES = [2**power for power in range(13)]
DRAWS = 3  # of small batches
UNEVEN = 1.0  # exponent of Zipf's law


def experts() -> Iterator[ChipTime]:
    """Both products of the chosen experts and the gate between, for tokens that choose evenly or by Zipf's law."""
    for model in MODELS:
        yield from _batches(model)
        torch.cuda.empty_cache()


def _batches(model: str) -> Iterator[ChipTime]:
    """One model's experts under batches that grow; they leave the chip when this returns."""
    known = catalog.model(model).known
    count, chosen = int(known("routed_experts")), int(known("active_routed_experts"))
    width, hidden = int(known("d_model")), int(known("d_ff_expert"))
    into, out = drawn(count, 2 * hidden, width, scale=0.02), drawn(count, width, hidden, scale=0.02)
    liked = torch.arange(1, count + 1, device=DEVICE, dtype=torch.float32) ** -UNEVEN
    for name, likes in (("even", torch.ones(count, device=DEVICE)), ("uneven", liked)):
        for batch in BATCHES:
            for _ in range(DRAWS if batch <= count else 1):
                choices = torch.multinomial(likes.expand(batch, -1), chosen)
                load = torch.bincount(choices.flatten(), minlength=count)
                ends = torch.cumsum(load, 0).to(torch.int32)
                inputs = drawn(batch * chosen, width)
                between = torch.empty(batch * chosen, hidden, device=DEVICE, dtype=torch.bfloat16)
                row = {"part": "experts", "name": name, "model": model, "tokens": batch}
                times = timed([partial(_layer, into, out, inputs, between, ends)])
                yield ChipTime(**row, count=int((load > 0).sum()), **times)


def _layer(
    into: torch.Tensor, out: torch.Tensor, inputs: torch.Tensor, between: torch.Tensor, ends: torch.Tensor
) -> None:
    """The layer's kernels, for rows sorted by expert that end where `ends` says."""
    gate(torch._grouped_mm(inputs, into.transpose(1, 2), offs=ends), between)
    torch._grouped_mm(between, out.transpose(1, 2), offs=ends)
