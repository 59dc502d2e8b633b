"""Lecture 7 in numbers: worked examples that do not change with the reader's scenario."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from calc import batching, catalog, reversible
from calc.figure.declared import Answer, Figure, Value
from calc.memory_wall import attention
from calc.overtraining import training_run
from calc.reversible import activation_memory, feistel, gradients
from calc.reversible.figures.crowded import SEQUENCE, TOKENS, crowded, divided, exchanged, pace, per_width
from calc.reversible.figures.setting import drawn, layer_params, record_bytes, step_size
from calc.reversible.figures.shared import DEPTHS, best_differential, memory_values
from calc.reversible.formats import FORMATS

PAIRS = 400_000  # so many that the commonest of three rounds stands out from the scatter
SPREAD_ROUNDS = 8
SETTLED = 0.49  # of the bits
CONTEXT = 8000
MIDDLE = 64
EVEN = 0.25  # the lecture's c_J by hand
WIDE, WIDE_INPUTS = 128, 100  # wide enough that in each draw some number rounds the other way
LEARNED = 16  # inputs whose gradients are compared
WIDE_SEEDS = (1, 2, 3)
WIDER = 2 * WIDE


def cipher() -> Answer:
    """The cipher's avalanche and its commonest difference, from many pairs."""
    share = _avalanche()
    common = feistel.differential(3, samples=PAIRS)
    settled = int(np.argmax(share >= SETTLED))
    return Answer(
        finding="The cipher of lecture 7",
        values={
            "bits": Value(feistel.BLOCK_BITS, "bits", "Block"),
            "half": Value(feistel.BLOCK_BITS // 2, "bits", "Half a block"),
            "flip_1": Value(share[1] * feistel.BLOCK_BITS, "bits", "Flipped after one round", 2),
            "flip_4": Value(share[4] * feistel.BLOCK_BITS, "bits", "After four", 2),
            "settled": Value(settled, "rounds", "Rounds until about half is flipped"),
            "common_1": Value(common[1], "%", "Commonest difference after one round"),
            "common_2": Value(common[2], "%", "After two"),
            "common_3": Value(common[3], "%", "After three", 2),
            "pairs": Value(PAIRS, "pairs", "Pairs", 9),
            "best": Value(best_differential(), "%", "Best of one S-box"),
        },
    )


@cache
def _avalanche() -> Any:
    return feistel.avalanche(SPREAD_ROUNDS)


def network() -> Answer:
    """Rounding errors of networks run back, and how a nudge grows."""
    layers = int(catalog.model("llama-3-70b").known("layers"))
    sixteen = {step: reversible.reconstruction_error(drawn(layers, step, "bfloat16"), 4) for step in ("full", "short")}
    wide = {step: _wide_error(WIDE, step) for step in ("full", "short")}
    nets = {step: drawn(MIDDLE, step) for step in ("full", "short")}
    gains = {step: reversible.spread(net, samples=16).gain for step, net in nets.items()}
    squared = {step: reversible.squared_gain(net) for step, net in nets.items()}
    foreseen = {step: reversible.growth(net, squared[step]) for step, net in nets.items()}
    constant = reversible.growth(nets["full"], np.full(MIDDLE, squared["full"][0]))
    deep_squared = reversible.squared_gain(drawn(DEPTHS[-1], "full"))
    return Answer(
        finding="The network of lecture 7",
        values={
            "middle": Value(MIDDLE, "layers", "Middling"),
            "layers": Value(layers, "layers", "Depth of Llama 3 70B", 9),
            "sixteen_full": Value(sixteen["full"], "%", "Error there, 16 bits, full steps", 2),
            "sixteen_short": Value(sixteen["short"], "%", "Error there, 16 bits, short steps", 2),
            "wide": Value(WIDE, "", "Width of wider networks"),
            "wide_draws": Value(len(WIDE_SEEDS), "networks", "Wider networks"),
            "wide_inputs": Value(WIDE_INPUTS, "inputs", "Inputs of each"),
            "wide_full": Value(wide["full"], "%", "Worst error of theirs, states in 32 bits, full steps", 1),
            "wide_short": Value(wide["short"], "%", "Worst error of theirs, states in 32 bits, short steps", 1),
            "wider_short": Value(_wide_error(WIDER, "short"), "%", "The same, twice as wide", 1),
            "coarse": Value(FORMATS["bfloat16"].spacing, "", "Spacing of 16-bit numbers at 1", 2),
            "epsilon": Value(np.finfo(np.float32).eps, "", "Spacing of 32-bit numbers at 1", 2),
            "gain_full": Value(gains["full"][-1], "x", "Nudge after so many layers, full steps", 2),
            "gain_short": Value(gains["short"][-1], "x", "Nudge after so many layers, short steps"),
            "squared_first": Value(squared["full"][0], "", "What the first layer makes of a squared length"),
            "squared_last": Value(squared["full"][-1], "", "The last one, full steps", 2),
            "foreseen_full": Value(foreseen["full"], "x", "Growth foreseen layer by layer, full steps", 2),
            "foreseen_short": Value(foreseen["short"], "x", "Growth foreseen, short steps"),
            "foreseen_constant": Value(constant, "x", "Growth foreseen from the first layer, full steps", 2),
            "even": Value(_even(deep_squared), "layers", "Depth from which on a constant quarter foresees too much"),
        },
    )


def _even(squared: Any) -> int:
    """Layers after which an even c_J promises more growth, with full steps, than each layer's own."""
    ahead = np.cumsum(np.log1p(EVEN / 2) - np.log1p(squared / 2))
    return int(np.argmax(ahead > 0)) + 1


@cache
def _wide_error(width: int, step: str) -> float:
    """The worst of all draws and inputs."""
    return max(reversible.reconstruction_error(_wide_network(width, step, seed), WIDE_INPUTS) for seed in WIDE_SEEDS)


def _wide_network(width: int, step: str, seed: int, dtype: str = "mixed") -> reversible.Network:
    layers = int(catalog.model("llama-3-70b").known("layers"))
    return reversible.network(layers, width, step=step_size(step, layers), seed=seed, dtype=dtype)


def gradient() -> Answer:
    """Gradients of wide networks as deep as a model, functions in 16 bits, states in 32 or narrow: the worst draw."""
    values = {}
    for kind, dtype, digits in (("", "mixed", 1), ("narrow_", "bfloat16", 2)):
        for step in ("full", "short"):
            undone, alone = _wide_gradients(step, dtype)
            how = f"{step} steps, {dtype}"
            values[f"{kind}undone_{step}"] = Value(undone, "%", f"Gradient moved by running backwards, {how}", digits)
            values[f"{kind}alone_{step}"] = Value(alone, "%", f"Gradient moved by the format alone, {how}", digits)
    return Answer(finding="Gradients of lecture 7's network", values=values)


@cache
def _wide_gradients(step: str, dtype: str) -> tuple[float, float]:
    """The worst of all draws, each for itself."""
    undone, alone = zip(*(_wide_gradient(seed, step, dtype) for seed in WIDE_SEEDS), strict=True)
    return max(undone), max(alone)


def _wide_gradient(seed: int, step: str, dtype: str) -> tuple[float, float]:
    net = _wide_network(WIDE, step, seed, dtype)
    arms = np.where(np.arange(LEARNED) % 2, 1, -1).astype(net.weights.dtype)
    readout = np.full((2, WIDE), 1 / WIDE, dtype=net.weights.dtype)
    return gradients.format_errors(net, readout, reversible.inputs(net, LEARNED), arms)


def memory() -> Answer:
    """Llama 3 70B with one long sequence, and what forgetting costs."""
    model = catalog.model("llama-3-70b")
    plan = activation_memory.reverse(model.known("layers"))
    values = memory_values(model, TOKENS)
    record = record_bytes(model, TOKENS)
    fused = record - training_run.STATE_BYTES * TOKENS * model.known("d_ff_dense")
    product, weights = model.known("d_ff_dense") * model.known("d_model"), layer_params(model) / model.known("layers")
    attended = model.known("d_model") * TOKENS
    last, last_long = (product / (weights + pairs) for pairs in (0, attended))
    share = attended / (weights + attended)
    apart, apart_short = (3 * product / (weights + model.known("d_model") * tokens) for tokens in (TOKENS, SEQUENCE))
    return Answer(
        finding=f"Activations of {model.name}",
        values=values
        | {
            "gated": Value(per_width(model), "bytes", "A record, a token and unit of width"),
            "ratio": Value(record / values["state"].number, "", "Records over states", 4),
            "fused": Value(fused / TOKENS / model.known("d_model"), "bytes", "The same, its function computed again"),
            "overhead": Value(plan.overhead(), "x", "Work, if backward is two forward passes"),
            "stopped": Value(plan.overhead() - last / 3, "x", "The same, without the last product of each layer"),
            "stopped_long": Value(plan.overhead() - last_long / 3, "x", "The same, with attention to a long sequence"),
            "attention": Value(share, "%", "Attention's share of a layer forward", 2),
            "attention_kept": Value(plan.overhead() - share / 3, "x", "Work, if attention's outputs are kept"),
            "pieces_again": Value(apart / 4, "%", "Work over recomputing, feed-forward parts run thrice", 1),
            "pieces_again_short": Value(apart_short / 4, "%", "The same, on sequences of 8,192 tokens", 2),
            "overhead_equal": Value(plan.overhead(1), "x", "Work, if it is one"),
            "params": Value(model.total_params / 1e9, "billion", "Parameters"),
        }
        | crowded(model)
        | exchanged(model)
        | divided()
        | pace(),
    )


def cache_trade() -> Answer:
    """The opposite trade: what a key-value cache keeps, and what it saves."""
    model = catalog.model("llama-3-70b")
    pair = attention.attention_flops(*(model.known(each) for each in ("layers", "heads", "head_dim", "head_dim")))
    anew = attention.prefill_flops(CONTEXT, model.active_params, pair)
    once = attention.prefill_flops(1, model.active_params, pair, CONTEXT - 1)
    kept = batching.cache_bytes(1, CONTEXT, model.kv_bytes_per_token("fp8"))
    return Answer(
        finding=f"The cache of {model.name}",
        values={
            "context": Value(CONTEXT, "tokens", "Context", 9),
            "kept": Value(kept, "B", "Cache kept"),
            "saved": Value(anew / once, "x", "Operations for a token without it"),
        },
    )


FIGURES = (
    Figure(name="reversible/facts", inputs=(), compute=cipher),
    Figure(name="reversible/network", inputs=(), compute=network, measures_rounding=True),
    Figure(name="reversible/gradient", inputs=(), compute=gradient, measures_rounding=True),
    Figure(name="reversible/worked", inputs=(), compute=memory),
    Figure(name="reversible/cache", inputs=(), compute=cache_trade),
)
