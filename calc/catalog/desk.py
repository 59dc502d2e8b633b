"""Steps of llama.cpp on two machines that stand on desks, and the model files that they read.

`measurements/desk.csv` has the tables of `llama-batched-bench` that the authors of llama.cpp publish beside their code
(MIT): every sequence has a prompt of the same length, and 32 tokens are written to each, drawn at random from the
vocabulary. So batch and context are known and not inferred, as from runs under load. The file for the M2 Ultra was read
in a copy of their repository. `measurements/desk-models.csv` has the sizes of files as those tables give them, and the
shapes of layers; weights of experts take 17 bytes for 32 in MXFP4, all others 34 for 32, and each bias of an expert 4.
`measurements/desk-depths.csv` has the tables of `llama-bench` from the same files: one user, and a longer and longer
context before the 32 tokens that are written; GLM-4.7-Flash, on one machine, is in these alone.
Gemma 3 4B, which the tables have too, is left out: its shape is in none of our sources.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calc.catalog.measurement import read, text

DESK_SOURCES = {"dgx-spark": "llama-cpp-spark", "m2-ultra": "llama-cpp-m2-ultra"}
SHAPES_SOURCE, LATENT_SOURCE = "vime-shapes", "glm-flash-shape"


class OnDesk:
    """A model on one of the machines."""

    __slots__ = ()
    machine: str
    model: str

    @property
    def file(self) -> DeskModel:
        """The file that was read."""
        return desk_models()[self.model]


@dataclass(frozen=True, kw_only=True, slots=True)
class DeskRun(OnDesk):
    """So many sequences at once, each with a prompt, and the seconds in which `written` tokens came to each."""

    machine: str
    model: str
    prompt: int
    batch: int
    written: int
    seconds: float
    rate: float

    @property
    def step_seconds(self) -> float:
        """Seconds of a step."""
        return self.seconds / self.written

    @property
    def context(self) -> float:
        """Tokens of a sequence, on average while it is written."""
        return self.prompt + self.written / 2


@dataclass(frozen=True, kw_only=True, slots=True)
class DeskDepth(OnDesk):
    """One user with `depth` tokens of context before the written ones, and the tokens a second that came."""

    machine: str
    model: str
    depth: int
    rate: float


@dataclass(frozen=True, kw_only=True, slots=True)
class DeskModel:
    """A model's file: its size in GiB, bytes of a weight of its experts or of all, and the shape of its layers.

    Some layers keep only a `window` of tokens. A dense model has no experts of its own. A `latent` in place of keys and
    values has so many numbers.
    """

    id: str
    name: str
    file_gib: float
    weight_bytes: float
    layers: int
    windowed_layers: int
    window: int
    kv_heads: int
    head_dim: int
    latent: int
    d_model: int
    d_ff_expert: int
    experts: int
    active_experts: int
    vocabulary: int
    expert_biases: int

    @property
    def kept(self) -> int:
        """Numbers that a layer keeps of each token."""
        return self.latent if self.latent else 2 * self.kv_heads * self.head_dim


@cache
def desk_runs() -> tuple[DeskRun, ...]:
    """Every run, in the order of the file.

    >>> run = desk_runs()[0]
    >>> run.machine, run.model, run.batch, round(run.step_seconds * 1e3, 1)
    ('dgx-spark', 'gpt-oss-20b', 1, 12.3)
    """
    return tuple(read(DeskRun, text("desk.csv")))


@cache
def desk_models() -> dict[str, DeskModel]:
    """Every file, by its id.

    >>> desk_models()["gpt-oss-120b"].experts
    128
    """
    return {row.id: row for row in read(DeskModel, text("desk-models.csv"))}


@cache
def desk_depths() -> tuple[DeskDepth, ...]:
    """Every run of one user, in the order of the file.

    >>> desk_depths()[4]
    DeskDepth(machine='dgx-spark', model='gpt-oss-20b', depth=32768, rate=59.85)
    """
    return tuple(read(DeskDepth, text("desk-depths.csv")))
