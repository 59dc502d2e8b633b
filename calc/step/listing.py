"""A pass as its list of operations, from the table of embeddings to the choice of a token."""

from __future__ import annotations

from collections.abc import Iterator

from calc.step.attending import attention_operations
from calc.step.feeding import feed_forward_operations
from calc.step.operation import Operation
from calc.step.parts import Pass


def operations(work: Pass) -> Iterator[Operation]:
    """Every operation of the busiest chips, each over all its layers, stage after stage."""
    yield _embedding(work)
    for group in work.setting.model.layers:
        yield from attention_operations(work, group)
        yield from feed_forward_operations(work, group)
    yield from _head(work)


def _embedding(work: Pass) -> Operation:
    moved = 2 * work.own_tokens * work.setting.model.width * work.setting.precisions.activation_bytes
    return Operation(
        name="embedding",
        layers=1.0,
        activations=moved,
        launches=1.0,
        memory_bytes_per_second=work.setting.machine.bandwidth,
    )


def _head(work: Pass) -> Iterator[Operation]:
    model, tensor = work.setting.model, work.setting.layout.tensor
    yield work.product(
        "head",
        1.0,
        "head",
        tokens=work.own_answers,
        params=model.head_params / tensor,
        inputs=model.width,
        outputs=model.vocabulary / tensor,
    )
    logits = work.own_answers * model.vocabulary / tensor * work.setting.precisions.activation_bytes
    yield Operation(
        name="sampling",
        layers=1.0,
        activations=logits,
        launches=1.0,
        memory_bytes_per_second=work.setting.machine.bandwidth,
    )
