"""Losses of models of several sizes, each trained on several numbers of tokens: the runs of four groups.

`measurements/losses.csv` has, for each suite, parameters, tokens and the loss on text held out, in nats per token:

- `openeurollm`: for each size and number of tokens the best of several learning rates and batches, after annealing.
- `step-law`: the same, by the smoothed loss of training; its parameters leave out the table of embeddings.
- `gemstones`: one batch for all and a learning rate for each size, cooled down from every tenth of a run. Each size
  class has several shapes; the rows are those of the shape that reaches the lowest loss. One run is left out, of 1.01
  billion parameters on 22 billion tokens: its loss, 2.867, is above that of another shape as large, 2.800.
- `gadre-…`: on three corpora, the loss on C4, from the rule of thumb on; models of 79 million parameters and more, with
  one learning rate for all but the largest. Their files name several times and lists of data for runs of one size.

Losses of two suites cannot be compared, for texts and tokens differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calc.catalog.measurement import read, text

LOSSES_SOURCES = {
    "openeurollm": "openeurollm-grid",
    "step-law": "step-law-grid",
    "gemstones": "gemstones-runs",
    "gadre-c4": "gadre-runs",
    "gadre-redpajama": "gadre-runs",
    "gadre-refinedweb": "gadre-runs",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class LossRun:
    """A model's size, the tokens of its training and the loss that it reached."""

    suite: str
    params: float
    tokens: float
    loss: float


@cache
def loss_runs() -> tuple[LossRun, ...]:
    """Every run, in the order of the file.

    >>> first = loss_runs()[0]
    >>> first.suite, f"{first.params:.3g}", f"{first.tokens:.1g}", first.loss
    ('openeurollm', '4.76e+07', '6e+09', 2.9271794)
    """
    return tuple(read(LossRun, text("losses.csv")))
