"""The inputs that mean the same in every lecture, and what they say about a decode step.

A reader's choice of model, system, precision, context and batch follows them from figure to figure and page to page.
"""

from __future__ import annotations

from dataclasses import dataclass

from calc import catalog
from calc import setting as setting_room
from calc.catalog import Chip, Model, System
from calc.figure.declared import Choice, Number

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
    help="All the chips of one scale-up domain, sharing the weights.",
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


@dataclass(frozen=True)
class Setting:
    """A model on a system at a precision: the numbers that the formulas take."""

    model: Model
    system: System
    precision: str

    @property
    def chip(self) -> Chip:
        """The chip of the system."""
        return self.system.chip

    @property
    def kv_precision(self) -> str:
        """Caches are not stored below eight bits here, whatever the weights are."""
        return "bf16" if self.precision == "bf16" else "fp8"

    @property
    def kv_bytes_per_token(self) -> float:
        """Bytes of cache a token."""
        return self.model.kv_bytes_per_token(self.kv_precision)

    @property
    def weight_bytes(self) -> float:
        """Bytes of all weights."""
        return self.model.weight_bytes(self.precision)

    @property
    def flops(self) -> float:
        """Dense rate of the system."""
        return self.system.flops(self.precision)

    @property
    def laid_out(self) -> setting_room.Setting:
        """The setting that `calc.step` takes, over the chips of the domain; refused where the geometry lacks a fact."""
        return setting_room.Setting.published(self.model, self.system, self.precision)

    def step_arguments(self) -> dict[str, float]:
        """The keyword arguments of `batching.step_time` and its kin."""
        return {
            "active_params": self.model.active_params,
            "weight_bytes": self.weight_bytes,
            "kv_bytes_per_token": self.kv_bytes_per_token,
            "flops": self.flops,
            "bandwidth": self.system.hbm_bandwidth,
        }

    def notes(self) -> list[str]:
        """What a reader should know about this combination."""
        return [*self.rate_notes(), *self.cache_notes()]

    def cache_notes(self) -> list[str]:
        """What its cache is taken to be, where that is not all that the model does."""
        if self.model.index_top_k:
            return [
                f"{self.model.name} reads a selection of its cache; here all of it is read, as a model without would."
            ]
        if self.model.sliding_window:
            return [f"{self.model.name}: only the layers whose cache grows with the context are counted."]
        return []

    def rate_notes(self) -> list[str]:
        """Whether the chip multiplies this precision at its own rate."""
        arithmetic = self.chip.arithmetic(self.precision)
        if arithmetic == self.precision:
            return []
        stored, used = self.precision.upper(), arithmetic.upper()
        return [
            f"{self.chip.name} does not multiply {stored}: weights are stored in it and multiplied at the {used} rate."
        ]


def key(name: str) -> str:
    """A catalogue name as part of a value's name."""
    return name.replace("-", "_").replace(".", "_")


def setting(model: str, system: str, precision: str) -> Setting:
    """Look the names up."""
    return Setting(catalog.model(model), catalog.system(system), precision)


def fit_notes(where: Setting, context: float, batch: float) -> list[str]:
    """Whether weights and cache fit in the memory of the system, said only when they do not."""
    needed = where.weight_bytes + batch * context * where.kv_bytes_per_token
    if needed <= where.system.hbm_bytes:
        return []
    from calc.quantities.units import show

    return [
        f"This does not fit: weights and cache take {show(needed, 'B')}, and {where.system.name} has "
        f"{show(where.system.hbm_bytes, 'B')}. The times here are those of a system that could hold it."
    ]
