"""Lecture 3's fixed numbers: DeepSeek-V3 on racks of GB200, the blackboard, training schedules, and what was built."""

from __future__ import annotations

from calc import batching, catalog, pipelining
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, CONTEXT, MODEL, PRECISION, SYSTEM
from calc.moe.figures.setting import BLACKBOARD_RATIO, link_ratio, links
from calc.pipelining import bubbles
from calc.pipelining.figures.setting import hop, step_alone, waiting_share, way_out
from calc.setting import Scenario
from calc.step import least_tokens_data_parallel

HOLDERS = 64  # chips of a GB200 rack that hold experts, by lecture 2
BATCH_LONG, CONTEXT_LONG = 2400, 100_000
TOKENS = 2000
LATENCY = 10e-6
STEP, SLOW_HOP = 0.02, 3e-3
STAGES = 4
LLAMA_TOKENS, LLAMA_CHIPS, LLAMA_STAGES = 16e6, 16_384, 16  # The Llama 3 herd of models, table 4
RATIOS = {"hgx": "hgx-h100", "rack": "gb200-nvl72"}


def scenario(*, model: str, system: str, precision: str, context: float, batch: float) -> Answer:
    """The values that the symbols stand for."""
    where = Scenario.named(model, system, precision)
    inside, outside = links(where)
    return Answer(
        finding=f"{where.model.name} on racks of {where.system.name}",
        values={
            "layers": Value(where.model.known("layers"), "", "Layers"),
            "width": Value(where.model.known("d_model"), "", "Width", 9),
            "picks": Value(where.model.routed[1], "", "Experts of a token"),
            "chips": Value(where.system.chips, "", "Chips of a rack", 9),
            "inside": Value(inside, "B/s", "Link within"),
            "outside": Value(outside, "B/s", "Link out"),
            "ratio": Value(inside / outside, "", "Ratio of the links"),
            "batch": Value(batch, "sequences", "Micro-batch", 9),
            "context": Value(context, "tokens", "Context", 9),
            "token": Value(where.kv_bytes_per_token, "B", "Cache of a token"),
            "weights": Value(where.weight_bytes, "B", "Weights"),
        },
    )


def worked() -> Answer:
    """DeepSeek-V3 in FP8 on racks of GB200: decoding."""
    where = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8")
    step = step_alone(where, BATCH.default, CONTEXT.default)
    each = hop(where, BATCH.default, LATENCY)
    per_layer = step / where.model.known("layers")
    dense = Scenario.named("llama-3-405b", "gb200-nvl72", "fp8")
    dense_layer = step_alone(dense, BATCH.default, CONTEXT.default) / dense.model.known("layers")
    width = where.model.known("d_model")
    outside = way_out(where)[1]
    bytes_sent = TOKENS * width * 2.0
    thin = pipelining.hop_seconds(TOKENS, width, links=HOLDERS, link_bandwidth=outside)
    return Answer(
        finding=f"{where.model.name} in FP8 on racks of {where.system.name}",
        values={
            "stages": Value(STAGES, "", "Stages"),
            "batch": Value(BATCH.default, "sequences", "Micro-batch", 9),
            "context": Value(CONTEXT.default, "tokens", "Context", 9),
            "step": Value(step, "s", "A step on one rack"),
            "slot": Value(step / STAGES, "s", "on one of four stages"),
            "hop": Value(each, "s", "A hop"),
            "fill": Value(pipelining.micro_batches_to_fill(step, STAGES, each, LATENCY), "", "Micro-batches to fill"),
            "sending": Value(hop(where, BATCH.default), "s", "Bytes of a hop"),
            "layer": Value(per_layer, "s", "Work of a layer, at least"),
            "dense_hop": Value(hop(dense, BATCH.default), "s", "Bytes of a hop, Llama 3.1 405B"),
            "dense_layer": Value(dense_layer, "s", "Work of a layer of it, at least"),
            "tokens": Value(TOKENS, "tokens", "Tokens of a hop", 9),
            "sent": Value(bytes_sent, "B", "Handed over"),
            "thin": Value(thin, "s", "over all links"),
            "latency": Value(LATENCY, "s", "Latency of a hop"),
            "hop_all": Value(thin + LATENCY, "s", "with a latency"),
            "guessed": Value(SLOW_HOP / (thin + LATENCY), "x", "The guessed hop over that"),
            "hop_one": Value(
                pipelining.hop_seconds(TOKENS, width, links=1, link_bandwidth=outside), "s", "over a single link"
            ),
            "link_out": Value(outside, "B/s", "Link out"),
        },
    )


def blackboard() -> Answer:
    """The lecture's links and those on sale; its hop, and a measured one."""
    picks = catalog.model("deepseek-v3").routed[1]
    ratios = {key: link_ratio(Scenario.named("deepseek-v3", name, "bf16")) for key, name in RATIOS.items()}
    values = {
        "ratio": Value(BLACKBOARD_RATIO, "", "Ratio"),
        "picks": Value(picks, "", "Experts of a token"),
        "margin": Value(pipelining.boundary_margin(picks, 1, BLACKBOARD_RATIO), "x", "Margin, one layer"),
        "step": Value(STEP, "s", "Step"),
        "slow_hop": Value(SLOW_HOP, "s", "Hop of a few milliseconds"),
        "slow": Value(_cycle(SLOW_HOP).seconds, "s", "with such hops"),
        "waits": Value(pipelining.decode_cycle(STEP, STAGES, 1).idle_share, "%", "Four racks, one batch"),
    }
    for key, ratio in ratios.items():
        margin = pipelining.boundary_margin(picks, 1, ratio, dispatch_bytes=1)
        values |= {
            f"ratio_{key}": Value(ratio, "", "Ratio"),
            f"margin_{key}": Value(margin, "x", "Margin, one layer"),
            f"free_{key}": Value(pipelining.free_layers(picks, ratio, dispatch_bytes=1), "", "Fewest layers"),
        }
    return Answer(finding="Pope's links and those on sale", values=values)


def _cycle(each: float) -> pipelining.DecodeCycle:
    return pipelining.decode_cycle(STEP, STAGES, STAGES, each)


def held() -> Answer:
    """The share of DeepSeek-V3 and long contexts that a chip holds, on the chips of a rack that have experts."""
    where = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8")
    limit = where.chip.hbm_bytes
    found = {
        stages: pipelining.chip_memory(
            where.weight_bytes,
            BATCH_LONG,
            CONTEXT_LONG,
            where.kv_bytes_per_token,
            chips_per_stage=HOLDERS,
            stages=stages,
        )
        for stages in (1, 2, 4, 8)
    }
    most = {
        stages: pipelining.largest_micro_batch(
            limit,
            where.weight_bytes,
            CONTEXT_LONG,
            where.kv_bytes_per_token,
            chips_per_stage=HOLDERS,
            stages=stages,
        )
        for stages in (1, 4)
    }
    saved = found[1].weights - found[STAGES].weights
    values = {f"weights_{stages}": Value(each.weights, "B", "Weights") for stages, each in found.items()}
    values |= {f"share_{stages}": Value(each.cache_share, "%", "Cache") for stages, each in found.items()}
    return Answer(
        finding="What a chip holds of DeepSeek-V3 and long contexts",
        values=values
        | {
            "chips": Value(HOLDERS, "", "Chips of a stage"),
            "batch": Value(BATCH_LONG, "sequences", "Micro-batch", 9),
            "context": Value(CONTEXT_LONG, "tokens", "Context", 9),
            "cache": Value(found[1].cache, "B", "Cache"),
            "memory": Value(limit, "B", "Memory"),
            "saved": Value(saved, "B", "Set free by four stages"),
            "saved_share": Value(saved / limit, "%", "of the memory", 2),
            "most_1": Value(most[1], "sequences", "Largest micro-batch, one stage"),
            "most_4": Value(most[4], "sequences", "with four"),
            "more": Value(most[4] / most[1] - 1, "%", "More", 2),
        },
    )


def training() -> Answer:
    """Bubbles of training, and the two pipelines that were published."""
    shares = {f"p4_m{many}": waiting_share("1f1b", 4, many) for many in (1, 8)}
    shares["zb_h1"] = waiting_share("zb-h1", 4, 8)
    many = 16
    h100, node = catalog.chip("h100-sxm"), catalog.system("hgx-h100")
    link = node.known("scale_out_bandwidth")
    least = least_tokens_data_parallel(flops=h100.flops("bf16"), link_bandwidth=link)
    v3 = catalog.model("deepseek-v3")
    sparse = least * v3.total_params / v3.active_params
    copy = node.chips * LLAMA_STAGES
    each = LLAMA_TOKENS / LLAMA_CHIPS
    held = {name: bubbles.peak_activations(name, 4, many) for name in ("gpipe", "1f1b", "zb-h2")}
    return Answer(
        finding="What training pipelines wait for and hold",
        values={name: Value(share, "%", "Waits") for name, share in shares.items()}
        | {
            "many": Value(many, "", "Micro-batches"),
            "gpipe": Value(held["gpipe"], "", "GPipe holds"),
            "1f1b": Value(held["1f1b"], "", "1F1B holds"),
            "h2": Value(held["zb-h2"], "", "ZB-H2 holds"),
            "fsdp_least": Value(least, "tokens", "Least tokens of a copy, H100"),
            "v3_least": Value(sparse, "tokens", "The same for DeepSeek-V3"),
            "llama_tokens": Value(LLAMA_TOKENS, "tokens", "Tokens of a step"),
            "llama_chips": Value(LLAMA_CHIPS, "chips", "Chips", 9),
            "llama_each": Value(each, "tokens", "Tokens of a chip"),
            "llama_slices": Value(node.chips, "chips", "Slices of a layer"),
            "llama_deep": Value(LLAMA_STAGES, "stages", "Stages"),
            "llama_copy": Value(copy, "chips", "Chips of a copy"),
            "llama_per_copy": Value(copy * each, "tokens", "Tokens of a copy"),
            "most": Value(
                1 / (1 - waiting_share("1f1b", 8, 24)) - 1, "%", "Most to gain, 8 stages and 24 micro-batches"
            ),
            "reported": Value(catalog.datum("zero-bubble-gain").value, "%", "Zero bubble, as reported", 2),
            "reported_memory": Value(
                catalog.datum("zero-bubble-gain-with-memory").value, "%", "with more memory, as reported", 2
            ),
            "most_stages": Value(8, "", "Stages"),
            "most_micro": Value(24, "", "Micro-batches"),
        },
    )


def uneven() -> Answer:
    """Layers that do not divide, racks that need not be two, and the deployment that has no pipeline."""
    v3, llama = catalog.model("deepseek-v3"), catalog.model("llama-3-405b")
    unit = catalog.deployment("deepseek-day-6")
    node = catalog.system(unit.system)
    longest = -(-v3.known("layers") // STAGES)
    k2 = catalog.model("kimi-k2")
    small, rack = catalog.system("hgx-h100"), catalog.system("gb200-nvl72")
    floor_small = batching.read_seconds(k2.weight_bytes("fp8"), small.hbm_bandwidth)
    floor_rack = batching.read_seconds(k2.weight_bytes("fp8"), rack.hbm_bandwidth)
    return Answer(
        finding="Where the assumptions of a pipeline end",
        values={
            "layers": Value(v3.known("layers"), "", "Layers of DeepSeek-V3"),
            "longest": Value(longest, "", "Layers of the longest of four stages"),
            "idle": Value(1 - v3.known("layers") / (STAGES * longest), "%", "The machine waits for it"),
            "llama": Value(llama.known("layers"), "", "Layers of Llama 3.1 405B"),
            "llama_stages": Value(LLAMA_STAGES, "", "Stages in its training"),
            "llama_even": Value(llama.known("layers") + 2, "", "with embedding and output"),
            "llama_each": Value((llama.known("layers") + 2) / LLAMA_STAGES, "", "for each stage"),
            "day_chips": Value(unit.decode_expert_parallel, "", "Chips of DeepSeek's decode unit"),
            "day_domains": Value(unit.decode_expert_parallel / node.chips, "", "Domains"),
            "k2": Value(k2.weight_bytes("fp8"), "B", "Weights of Kimi K2"),
            "k2_nodes": Value(
                pipelining.stages_to_hold(k2.weight_bytes("fp8"), small.chips, small.chip.hbm_bytes),
                "",
                "Nodes of eight H100 that hold them",
            ),
            "k2_memory": Value(small.hbm_bytes, "B", "Memory of a node"),
            "k2_floor": Value(floor_small, "s", "Floor on such nodes"),
            "k2_rack": Value(floor_rack, "s", "Floor on a GB200 rack"),
        },
    )


SETTING = Figure(name="pipelining/setting", inputs=(MODEL, SYSTEM, PRECISION, CONTEXT, BATCH), compute=scenario)

FIGURES = (
    SETTING,
    Figure(name="pipelining/worked", compute=worked, sources=("deepseek-v3-config", "aiconfigurator")),
    Figure(name="pipelining/blackboard", compute=blackboard, sources=("lecture", "aiconfigurator")),
    Figure(name="pipelining/held", compute=held, sources=("deepseek-v3-config", "aiconfigurator")),
    Figure(name="pipelining/training", compute=training),
    Figure(
        name="pipelining/uneven",
        compute=uneven,
        sources=("deepseek-v3-config", "llama-3-paper", "deepseek-day-6", "kimi-k2-repo"),
    ),
)
