"""Inputs that several figures of lecture 7 share, and what its network is."""

from __future__ import annotations

import math
from dataclasses import replace

from calc import catalog
from calc.catalog import Model
from calc.figure.inputs import Choice, Number
from calc.figure.scenario import MODELS
from calc.overtraining import training_run
from calc.reversible import feistel
from calc.reversible.rounds import Network, network
from calc.setting import architecture

WIDTH = 8
ACHIEVED = 0.4  # of the full rate: about two fifths, as Meta reports for the steps of Llama 3.1 405B
LAYERS_BUSY = 0.56  # of the full rate, while layers run: as timed on one H100; a run's average counts its waits too
LINK = catalog.datum("pcie-5-link")
GIGA = 1e9
DELIVERED = catalog.datum("pcie-5-delivered").value / LINK.value
FORMATS = {"float32": "32 bits", "float64": "64 bits"}
ROUNDED = {"bfloat16": "16 bits", "mixed": "16 bits, states in 32", **FORMATS}
STEPS = {"full": "full, σ = 1", "short": "short, σ = 1/√R"}
STRENGTHS = {"0.5": "weak, 0.5", "1": "ordinary, 1", "2.5": "strong, 2.5"}

BIT = Number(
    name="bit",
    label="Flipped bit",
    default=0,
    low=0,
    high=63,
    whole=True,
    help="0 is the last bit of the right half, 63 the first of the left.",
)
SEED = Number(
    name="seed", label="Key", default=1, low=1, high=1000, whole=True, help="Another number draws other round keys."
)
SBOX = Choice(
    name="sbox",
    label="S-box",
    default="present",
    options={"present": "PRESENT's, one to one", "lossy": "lossy, two to one"},
    help="The lossy one looks up twice in PRESENT's, and forgets a bit in between.",
)
TABLES = {"present": feistel.SBOX, "lossy": feistel.LOSSY}
FORMAT = Choice(name="format", label="Numbers", default="float32", options=FORMATS)
ANY_FORMAT = replace(FORMAT, options=ROUNDED, help="16 bits are bfloat16, in which training multiplies.")
STEP = Choice(name="step", label="Steps", default="full", options=STEPS, help="By how much a layer may move a state.")
STRENGTH = Choice(name="strength", label="Weights", default="1", options=STRENGTHS)
TRAINED = Choice(
    name="trained",
    label="Model that is trained",
    default="llama-3-70b",
    options={name: title for name, title in MODELS.items() if not catalog.model(name).routed_experts},
    help="Dense ones, whose layers all record the same.",
)
SEQUENCE = Number(
    name="sequence",
    label="Tokens of a sequence",
    default=131072,
    low=128,
    high=1e7,
    unit="tokens",
    log=True,
    whole=True,
    help="Attention works longer on long ones, which gives the link more time. One may be shared by chips.",
)
HOST = Number(
    name="link",
    label="Link to the host",
    default=LINK.value / GIGA,
    low=1,
    high=1000,
    unit="GB/s",
    log=True,
    help="One direction, for one chip. As set: PCIe 5.0, sixteen lanes, whatever the system; a GB200's own is faster.",
)

YOURS = "Rounding is that of the machine: live, in your browser, the last bits may be others than on the page as built."


def step_size(step: str, layers: int) -> float:
    """σ: 1, or as short as the depth asks for."""
    return 1.0 if step == "full" else 1 / math.sqrt(layers)


def drawn(layers: int, step: str, dtype: str = "float64", strength: str = "1") -> Network:
    """The network of the figures."""
    return network(layers, WIDTH, step=step_size(step, layers), dtype=dtype, strength=float(strength))


def record_bytes(model: Model, tokens: float) -> float:
    """Bytes that a layer of a dense model records: a gated feed-forward part, grouped heads, no dropout."""
    keys_values = 2 * model.known("kv_heads") * model.known("head_dim")
    return float(
        training_run.gated_record_bytes(tokens, model.known("d_model"), model.known("d_ff_dense"), keys_values)
    )


def gradient_bytes(model: Model, tokens: float) -> float:
    """Bytes of the two arrays that the way back of a gated feed-forward part holds beside its record, at the peak."""
    return float(2 * training_run.STATE_BYTES * tokens * model.known("d_ff_dense"))


def layer_params(model: Model) -> float:
    """Parameters of all layers that a token uses, without embedding and readout: their arithmetic sends no states."""
    return float(sum(group.active_params for group in architecture(model).layers))
