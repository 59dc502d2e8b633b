"""Training schedules in numbers, and what was built: stages that are not even."""

from __future__ import annotations

from calc import batching, catalog
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, CONTEXT
from calc.pipelining.figures.setting import LLAMA_STAGES, OPENING, STAGES, held_weights, waiting_share
from calc.pipelining.figures.worked.stages import first_stage, longest_share, waits_of_unequal
from calc.pipelining.schedules import timetable
from calc.setting import Scenario
from calc.step import least_tokens_data_parallel

LLAMA_CHIPS, LLAMA_SEQUENCES, LLAMA_LENGTH = 16_384, 16, 8192  # of a copy, tokens; The Llama 3 herd of models, table 4
HOP = 0.1  # in forward passes
REPORTED = {
    "low": "llama-405b-busy-long",
    "rate": "llama-405b-busy",
    "high": "llama-405b-busy-half",
}


def training() -> Answer:
    """Bubbles of training, and the two pipelines that were published."""
    shares = {"p4_m8": waiting_share("1f1b", 4, 8), "zb_h1": waiting_share("zb-h1", 4, 8)}
    shares |= {f"hop_{name}": timetable(name, 4, 8, hop=HOP).idle_share for name in ("1f1b", "gpipe")}
    h100, node = catalog.chip("h100-sxm"), catalog.system("hgx-h100")
    link = node.known("scale_out_bandwidth")
    least = least_tokens_data_parallel(flops=h100.flops("bf16"), link_bandwidth=link)
    v3 = catalog.model("deepseek-v3")
    sparse = least * v3.total_params / v3.active_params
    copy = node.chips * LLAMA_STAGES
    each = LLAMA_SEQUENCES * LLAMA_LENGTH / copy
    chunks = (catalog.model("llama-3-405b").known("layers") + 2) / LLAMA_STAGES  # a layer each; embedding, output
    reached = {key: catalog.datum(name).value for key, name in REPORTED.items()}
    on_node = each * node.chips  # sharding counts a node as a copy: what is gathered enters it once, over all its links
    return Answer(
        finding="What training pipelines wait for and hold",
        values={name: Value(share, "%", "Waits") for name, share in shares.items()}
        | {
            "fsdp_least": Value(least, "tokens", "Least tokens of a copy, H100"),
            "fsdp_chip": Value(least / node.chips, "tokens", "Least tokens of a chip, all sharded"),
            "fsdp_reached": Value(least * reached["rate"], "tokens", "Least tokens at the rate of this layout's steps"),
            "fsdp_wide": Value(
                1.5 * least * reached["rate"], "tokens", "with sums in four bytes and weights gathered twice"
            ),
            "v3_least": Value(sparse, "tokens", "The same for DeepSeek-V3"),
            "llama_tokens": Value(LLAMA_CHIPS * each, "tokens", "Tokens of a step"),
            "llama_chips": Value(LLAMA_CHIPS, "chips", "Chips", 9),
            "llama_node": Value(on_node, "tokens", "Tokens of a node", 9),
            "llama_slices": Value(node.chips, "chips", "Slices of a layer"),
            "llama_deep": Value(LLAMA_STAGES, "stages", "Stages"),
            "llama_copy": Value(copy, "chips", "Chips of a copy"),
            "llama_per_copy": Value(copy * each, "tokens", "Tokens of a copy"),
            "llama_sequences": Value(LLAMA_SEQUENCES, "sequences", "Sequences of a copy"),
            "llama_length": Value(LLAMA_LENGTH, "tokens", "Tokens of a sequence", 9),
            "llama_bubble": Value(waiting_share("1f1b", LLAMA_STAGES, LLAMA_SEQUENCES), "%", "Bubble of 1F1B"),
            "llama_interleaved": Value(
                waiting_share("interleaved", LLAMA_STAGES, LLAMA_SEQUENCES, int(chunks)), "%", "Bubble, interleaved"
            ),
            "window": Value(1 - 1 / chunks, "%", "Gradients final before the last chunk", 3),
            **{f"reported_{key}": Value(rate, "%", "Rate of Llama's steps", 2) for key, rate in reached.items()},
        },
    )


def uneven() -> Answer:
    """Layers that do not divide, racks that need not be two, and the deployment that has no pipeline."""
    llama = catalog.model("llama-3-405b")
    unit = catalog.deployment("deepseek-day-6")
    node = catalog.system(unit.system)
    k2 = catalog.model("kimi-k2")
    layers = k2.known("layers")
    longest = -(-layers // STAGES)
    small, rack = catalog.system("hgx-h100"), catalog.system("gb200-nvl72")
    floor_small = batching.read_seconds(k2.weight_bytes("fp8"), small.hbm_bandwidth)
    copied = held_weights(Scenario.named(OPENING[0], rack.id, OPENING[2]))
    setting = Scenario.named(*OPENING).setting
    counted = float(setting.weight_bytes)
    caches = BATCH.default * CONTEXT.default * k2.kv_bytes_per_token("fp8")
    floor_rack = batching.read_seconds(k2.weight_bytes("fp8"), rack.hbm_bandwidth)
    return Answer(
        finding="Where the assumptions of a pipeline end",
        values={
            "layers": Value(layers, "", "Layers of Kimi K2"),
            "longest": Value(longest, "", "Layers of the longest of four stages"),
            "later": Value(
                STAGES * (first_stage(setting, STAGES) + longest_share(k2, STAGES) * caches) / (counted + caches) - 1,
                "%",
                "A token later, in a full row",
                2,
            ),
            "unequal": Value(waits_of_unequal(), "%", "One of four twice as long"),
            "llama": Value(llama.known("layers"), "", "Layers of Llama 3.1 405B"),
            "llama_stages": Value(LLAMA_STAGES, "", "Stages in its training"),
            "llama_even": Value(llama.known("layers") + 2, "", "with embedding and output"),
            "llama_each": Value((llama.known("layers") + 2) / LLAMA_STAGES, "", "for each stage"),
            "day_chips": Value(unit.decode_expert_parallel, "", "Chips of DeepSeek's decode unit"),
            "day_domains": Value(unit.decode_expert_parallel / node.chips, "", "Domains"),
            "k2": Value(k2.weight_bytes("fp8"), "B", "Weights of Kimi K2"),
            "k2_counted": Value(counted, "B", "Counted", 4),
            "k2_floor_counted": Value(counted / small.hbm_bandwidth, "s", "its floor"),
            "k2_memory": Value(small.hbm_bytes, "B", "Memory of a node"),
            "k2_floor": Value(floor_small, "s", "Floor on such nodes"),
            "k2_rack": Value(floor_rack, "s", "Floor on a GB200 rack"),
            "k2_rack_copied": Value(copied / rack.hbm_bandwidth, "s", "with what engines copy"),
        },
    )


FIGURES = (
    Figure(name="pipelining/training", compute=training),
    Figure(
        name="pipelining/uneven",
        compute=uneven,
        sources=("llama-3-paper", "deepseek-day-6", "kimi-k2-repo"),
    ),
)
