"""The inputs that mean the same in every lecture: those by which a reader names a `calc.setting.Scenario`.

A reader's choice of model, system, precision, context and batch follows them from figure to figure and page to page.
"""

from __future__ import annotations

from calc import catalog
from calc.figure.inputs import Choice, Number

MODELS = {  # those of which every fact that a step needs is known
    row.id: row.name
    for row in catalog.models().values()
    if row.kv_elements_per_token and (row.d_ff_expert or not row.routed_experts) and row.standing != "rumour"
}
SYSTEMS = {row.id: row.name for row in catalog.systems().values()}
PRECISIONS = {"bf16": "BF16 (2 bytes)", "fp8": "FP8 (1 byte)", "fp4": "FP4 (half a byte)"}

MODEL = Choice(
    name="model",
    label="Model",
    default="deepseek-v3",
    options=MODELS,
    help="Its parameters and cache size come from the catalogue.",
)
SYSTEM = Choice(
    name="system",
    label="System",
    default="gb200-nvl72",
    options=SYSTEMS,
    help="All the chips that the fastest links join, sharing the weights.",
)
PRECISION = Choice(
    name="precision",
    label="Precision",
    default="fp8",
    options=PRECISIONS,
    help="How weights are stored. The cache takes at least one byte per number.",
)
CONTEXT = Number(
    name="context",
    label="Context",
    default=4096,
    low=1,
    high=100e6,
    unit="tokens",
    log=True,
    whole=True,
    help="Tokens that each sequence has in its cache.",
)
BATCH = Number(
    name="batch",
    label="Batch",
    default=2048,
    low=1,
    high=1e6,
    unit="sequences",
    log=True,
    whole=True,
    help="Sequences decoded together, one token each a step.",
)


def key(name: str) -> str:
    """A catalogue name as part of a value's name."""
    return name.replace("-", "_").replace(".", "_")
