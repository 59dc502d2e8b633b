"""Lecture 7's numbers on a chip that holds one long sequence: its parts, its host, and the link between them."""

from __future__ import annotations

from calc import catalog
from calc.figure.declared import Value
from calc.overtraining import training_run
from calc.reversible import activation_memory, memory_budget
from calc.reversible.figures.setting import DELIVERED, LAYERS_BUSY, gradient_bytes, layer_params, record_bytes

TOKENS = 131_072
SEQUENCE = 8192
SLICES, STAGES = 8, 16  # of Llama 3.1 405B in training, by Meta's table 4
REPLICAS = 256  # chips that share the weights
DIVIDED = 4  # chips of a sequence, where one is divided


def crowded(model: catalog.Model) -> dict[str, Value]:
    """The parts of the budget's chip, offloaded, what its host holds, and plans that the budget's figure leaves out."""
    given = {"params": model.total_params, "layers": model.known("layers"), "replicas": REPLICAS}
    record = record_bytes(model, TOKENS)
    state = activation_memory.state_bytes(TOKENS, model.known("d_model"))
    made = gradient_bytes(model, TOKENS)
    array = made / 2  # a record has four of them, at the peak two more are there
    larger = 2 * state + 4 * array  # input and norm of the feed-forward part, and its arrays
    pieces = record - 4 * array
    whole, taken = (
        {
            plan: memory_budget.held(plan, **given, state_bytes=state, record_bytes=kept, gradient_bytes=beside)
            for plan in ("offloaded", "reversed", "nested", "recomputed")
        }
        for kept, beside in ((record, made), (pieces, state))  # in pieces the gradient of the part's input is beside it
    )
    held, undone = whole["offloaded"], whole["reversed"]
    chips = catalog.system("hgx-h100").chips
    again = whole["recomputed"]
    four = again.fixed + (again.total - again.fixed) / DIVIDED
    return {
        "crowded_model": Value(held.model, "B", "Share of weights, gradients and optimiser"),
        "crowded_layer": Value(held.gathered, "B", "The layer in use"),
        "crowded_fixed": Value(held.total - held.states, "B", "All but states"),
        "crowded_narrow": Value(held.total + state, "B", "Backwards, states and gradients in 16 bits"),
        "pieces": Value(pieces, "B", "A record, in pieces"),
        "part": Value(larger, "B", "Record of the feed-forward part alone"),
        "peak_made": Value(made, "B", "Gradients at the peak, recomputed"),
        "peak_kept": Value(held.total + state, "B", "Offloaded, attention's outputs too"),  # one more arrives
        "peak_parts": Value(undone.total - record + larger, "B", "Backwards, attention apart"),
        "parts_offloaded": Value(held.total - record + larger, "B", "Offloaded, attention apart"),
        "fused_nested": Value(whole["nested"].total - array, "B", "Two levels, by fused kernels"),
        "fused_offloaded": Value(held.total - array, "B", "Offloaded, by fused kernels"),
        "fused_reversed": Value(undone.total - array, "B", "Backwards, by fused kernels"),
        "host_chips": Value(chips, "chips", "Chips of a host"),
        "host_shared": Value(chips * held.host, "B", "In their host, offloaded", 2),
        **{f"pieces_{plan}": Value(one.total, "B", f"In pieces, {plan}") for plan, one in taken.items()},
        "four_recomputed": Value(four, "B", "A sequence divided, recomputed"),
    }


def exchanged(model: catalog.Model) -> dict[str, Value]:
    """The rate at which a chip of a divided sequence fetches the others' keys and values, forward at the full rate."""
    ours = TOKENS / DIVIDED
    fetched = (TOKENS - ours) * model.kv_bytes_per_token("bf16") / model.known("layers")
    seconds = activation_memory.state_bytes(ours, model.known("d_model")) / _sending(model, sequence=TOKENS)
    return {
        "four_needed": Value(
            fetched / seconds, "B/s", "Keys and values fetched, a sequence divided, at the full rate", 2
        ),
    }


def divided() -> dict[str, Value]:
    """Records of one sequence of a model that trained without checkpoints, on one of the chips that share it."""
    model = catalog.model("llama-3-405b")
    stored = model.known("layers") * record_bytes(model, SEQUENCE)
    return {
        "divided": Value(stored / (SLICES * STAGES), "B", "Records of a sequence, on one of its chips", 2),
    }


def pace() -> dict[str, Value]:
    """Which networks a host's link keeps pace with, beside an H100."""
    chip, link = catalog.chip("h100-sxm"), catalog.datum("pcie-5-link").value
    model, flops = catalog.model("llama-3-70b"), chip.flops("bf16")
    streams = catalog.datum("deepseek-v4-streams")
    short, free = _sending(model, LAYERS_BUSY), LAYERS_BUSY * flops / (DELIVERED * link)
    stored = model.known("layers") * free / 2 * per_width(model) * free / 2 / memory_budget.PARAMS_PER_SQUARE
    return {
        "chip_memory": Value(chip.hbm_bytes, "B", "Memory of an H100, as its driver counts"),
        "link": Value(link, "B/s", "Link to the host"),
        "sequence": Value(SEQUENCE, "tokens", "Length of a sequence", 9),
        "busy": Value(LAYERS_BUSY, "%", "Share of a chip's rate that layers reach, timed alone"),
        "narrow_free": Value(flops / link, "tokens", "Length from which on it keeps pace at any width", 3),
        "link_delivered": Value(DELIVERED * link, "B/s", "Rate that the link delivers"),
        "delivered": Value(DELIVERED, "%", "Share of its rate that the link delivers"),
        "free_delivered": Value(free, "tokens", "The same, at rates that layers and link reach", 3),
        "narrow": Value(
            memory_budget.narrowest(flops, link, SEQUENCE), "", "Narrowest network that it keeps pace with", 3
        ),
        "narrow_stored": Value(  # 12 h + s = free has its largest product h s where the two summands are equal
            stored, "B", "Most that one sequence's records take where it does not keep pace", 2
        ),
        "short_needed": Value(short, "B/s", "Link that Llama 3 70B needs there, at a layer's rate", 2),
        "streams": Value(streams.value, "streams", "Residual streams of DeepSeek-V4"),
        "streams_needed": Value(
            streams.value * _sending(catalog.model("deepseek-v4-pro"), LAYERS_BUSY, 1),
            "B/s",
            "Link that DeepSeek-V4-Pro needs at most, at a layer's rate",
            2,
        ),
        "needed_records": Value(
            _sending(model, LAYERS_BUSY, TOKENS) * per_width(model) / training_run.STATE_BYTES,
            "B/s",
            "Link that would carry records, at a layer's rate",
            2,
        ),
        "grace": Value(catalog.datum("grace-link-in").value, "B/s", "Link from a Grace CPU, as measured"),
    }


def per_width(model: catalog.Model) -> float:
    """Bytes of a record for each token and unit of width."""
    return record_bytes(model, 1) / model.known("d_model")


def _sending(model: catalog.Model, share: float = 1.0, sequence: int = SEQUENCE) -> float:
    """Bytes a second at which the states of a model, a stream each, leave an H100 that reaches a share of its rate."""
    flops = catalog.chip("h100-sxm").flops("bf16")
    shape = layer_params(model), model.known("layers"), model.known("d_model")
    return float(memory_budget.sending_rate(*shape, sequence, flops, share))
