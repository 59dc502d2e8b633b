"""Lecture 2 in numbers: the reader's scenario in symbols, and worked examples that do not change with it."""

from __future__ import annotations

from calc import batching, catalog, moe
from calc.batching.figures.setting import balanced_batch
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, CONTEXT, MODEL, SYSTEM
from calc.moe import routed_scaling, routing
from calc.moe.figures.setting import (
    BLACKBOARD_RATIO,
    exchange_step,
    hidden_batch,
    link_ratio,
    links,
    sent_bytes,
)
from calc.moe.figures.shared import (
    MEASURED_CHIPS,
    MEASURED_TOKENS,
    ROUTED_SHARE,
    day_step,
    gain,
    law,
    observed,
    over,
    published_bound,
    turning_points,
)
from calc.setting import Machine, Scenario
from calc.step import all_to_all_rate

EXAMPLE_TOKENS = 100
RATIOS = {"h100": "hgx-h100", "gb200": "gb200-nvl72", "gb300": "gb300-nvl72"}


def scenario(*, model: str, system: str, batch: float) -> Answer:
    """Every symbol at the reader's setting."""
    where = Scenario.named(model, system, "bf16")
    experts, picks = where.model.routed
    inside, outside = links(where)
    return Answer(
        finding=f"{where.model.name} on {where.system.name}",
        values={
            "experts": Value(experts, "", "Routed experts of a layer"),
            "picks": Value(picks, "", "of a token"),
            "width": Value(where.model.known("d_model"), "", "Width", 9),
            "layers": Value(where.model.expert_layers, "", "Layers with experts"),
            "chips": Value(where.system.chips, "", "Chips of a rack", 9),
            "inside": Value(inside, "B/s", "Link within"),
            "outside": Value(outside, "B/s", "Link out"),
            "ratio": Value(link_ratio(where), "", "Ratio of the links"),
            "batch": Value(batch, "sequences", "Batch", 9),
            "tokens": Value(batch / where.system.chips, "tokens", "Tokens of a chip"),
        },
    )


def worked() -> Answer:
    """DeepSeek-V3 in FP8 on a rack of 72 GB200."""
    where = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8")
    model, chips = where.model, where.system.chips
    experts, picks = model.routed
    placed = moe.place_experts(experts, chips)
    sent = moe.exchange_bytes(EXAMPLE_TOKENS, model.known("d_model"), picks)
    inside, outside = links(where)
    total = float(sent_bytes(model, EXAMPLE_TOKENS))
    step = batching.step_time(EXAMPLE_TOKENS * chips, CONTEXT.default, **where.step_arguments())
    balanced = balanced_batch(where)
    full = batching.step_time(balanced, CONTEXT.default, **where.step_arguments())
    share = float(exchange_step(model, balanced / chips, inside, chips)) / full.bound
    chip_ratio = batching.hardware_ratio(where.chip.flops("fp8"), where.chip.hbm_bandwidth, 1)
    return Answer(
        finding=f"{model.name} in FP8 on {where.system.name}",
        values={
            "experts": Value(experts, "", "Routed experts"),
            "run_tokens": Value(catalog.datum("clark-run-tokens").value, "tokens", "Tokens of a run of the law"),
            "picks": Value(picks, "", "of a token"),
            "one_in": Value(experts / picks, "", "Experts for each that a token uses"),
            "chips": Value(chips, "", "Chips"),
            "even": Value(experts / chips, "", "Experts for each chip"),
            "per_chip": Value(placed.experts_per_chip, "", "Experts on a chip"),
            "used": Value(placed.chips_used, "", "Chips with experts"),
            "idle": Value(placed.chips_idle, "", "Chips without"),
            "idle_share": Value(placed.idle_share, "%", "Share without"),
            "fill": Value(placed.copies_to_fill, "", "Copies that fill the rack"),
            "filled": Value(experts + placed.copies_to_fill, "", "Experts with copies"),
            "width": Value(model.known("d_model"), "", "Width", 9),
            "layers": Value(model.expert_layers, "", "Layers with experts"),
            "tokens": Value(EXAMPLE_TOKENS, "tokens", "Tokens of a chip"),
            "dispatch": Value(float(sent.dispatch), "B", "Dispatch"),
            "combine": Value(float(sent.combine), "B", "Combine"),
            "sent": Value(total, "B", "Both"),
            "inside": Value(float(moe.exchange_seconds(total, inside)), "s", "A layer, links within"),
            "step_inside": Value(
                float(exchange_step(model, EXAMPLE_TOKENS, inside, chips)), "s", "A step, links within"
            ),
            "step_outside": Value(
                float(exchange_step(model, EXAMPLE_TOKENS, outside, chips)), "s", "A step, links out"
            ),
            "rest": Value(float(step.bound), "s", "The rest of that step"),
            "context": Value(CONTEXT.default, "tokens", "Context", 9),
            "hidden_out": Value(hidden_batch(where, CONTEXT.default, outside), "sequences", "Hidden up to, links out"),
            "balanced": Value(balanced, "sequences", "Balanced batch, no cache"),
            "hidden_twice": Value(
                hidden_batch(where, CONTEXT.default, outside, readings=2),
                "sequences",
                "Hidden up to, links out, weights read twice",
            ),
            "expert_ratio": Value(chip_ratio, "tokens", "Tokens that an expert should meet"),
            "expert_batch": Value(chip_ratio * experts / picks, "sequences", "Batch that balances the experts alone"),
            "share": Value(share, "%", "Exchange within over the rest, at that batch", 2),
            "room": Value(1 / share, "x", "Longer that it may take and stay hidden", 2),
            "link_in": Value(inside, "B/s", "Link within"),
            "link_out": Value(outside, "B/s", "Link out"),
        },
    )


def overlap() -> Answer:
    """The cost of hiding an exchange: the blackboard's sums, and the operations of a real layout."""
    simple = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8")
    chips, context = simple.system.chips, CONTEXT.default
    each = float(exchange_step(simple.model, 1 / chips, links(simple)[0], chips))
    values: dict[str, Value] = {}
    for name, batch in (("small", BATCH.default), ("large", EXAMPLE_TOKENS * chips)):
        step = batching.step_time(batch, context, **simple.step_arguments())
        memory = step.weights + step.cache
        values |= {
            f"{name}_batch": Value(batch, "sequences", "Batch", 9),
            f"{name}_open": Value(max(memory, step.compute) + each * batch, "s", "Exchange in the open"),
            f"{name}_halves": Value(
                max(memory + step.weights, step.compute, each * batch), "s", "Two halves, weights read twice"
            ),
        }
        if name == "small":
            values["small_free"] = Value(max(step.bound, each * batch), "s", "If hiding were free")
    one = batching.step_time(1, context, **simple.step_arguments())
    where = simple.setting
    _, hidden_out = turning_points(over(where, "out"), context)
    return Answer(
        finding="What hiding an exchange costs",
        values=values
        | {
            "pays": Value(float(moe.halving_batch(each, one.weights)), "sequences", "Halving pays from", 2),
            "laid_hidden_out": Value(hidden_out, "sequences", "Hidden up to, links out, laid out", 2),
        },
    )


def throws() -> Answer:
    """Chance in DeepSeek-V3's routing: loads, and nodes that a token visits."""
    model = catalog.model("deepseek-v3")
    experts, picks = model.routed
    small = routing.busiest_expert(256, experts, picks)
    large = routing.busiest_expert(EXAMPLE_TOKENS * 72, experts, picks)
    groups, limit = model.known("expert_groups"), model.known("groups_per_token")
    remote = float(routing.remote_groups(experts, picks, groups, limit))
    return Answer(
        finding="What even routing does by chance",
        values={
            "small_batch": Value(256, "tokens", "A small batch"),
            "small_mean": Value(small.mean, "tokens", "An expert of it"),
            "small": Value(small.imbalance, "x", "Busiest, at least", 2),
            "large_mean": Value(large.mean, "tokens", "An expert of the large batch"),
            "large": Value(large.imbalance, "x", "Busiest, at least", 3),
            "nodes": Value(groups, "", "Nodes"),
            "limit": Value(limit, "", "Nodes that a token may use"),
            "remote": Value(remote, "", "Copies that leave, one a node"),
            "each": Value(picks * float(moe.leaving_share(groups)), "", "Copies that leave, one an expert"),
        },
    )


def blackboard() -> Answer:
    """The lecture's ratio and the catalogue's, for two racks and three."""
    ratios = {key: link_ratio(Scenario.named("deepseek-v3", name, "bf16")) for key, name in RATIOS.items()}
    values = {
        "ratio": Value(BLACKBOARD_RATIO, "", "Ratio"),
        "leaves_two": Value(float(moe.leaving_share(2)), "%", "Leaves one of two racks"),
        "leaves_three": Value(float(moe.leaving_share(3)), "%", "Leaves one of three racks"),
        "two": Value(float(moe.spread_slowdown(2, BLACKBOARD_RATIO)), "x", "Two racks"),
        "three": Value(float(moe.spread_slowdown(3, BLACKBOARD_RATIO)), "x", "Three racks"),
    }
    values |= {f"ratio_{key}": Value(ratios[key], "", "Ratio") for key in ("h100", "gb200")}
    values |= {
        f"two_{key}": Value(float(moe.spread_slowdown(2, ratios[key])), "x", "Two racks") for key in ("gb200", "gb300")
    }
    copies = float(routing.remote_groups(256, 8, 2))
    saved = {"saved_copies": Value(copies, "", "Copies that cross between two racks, one a rack")}
    return Answer(finding="Pope's links and those on sale", values=values | saved)


def domains() -> Answer:
    """Scale-up domains over the generations."""
    hopper, rack, rubin = (catalog.system(name) for name in ("hgx-h100", "gb200-nvl72", "rubin-nvl72"))
    ultra = catalog.announced("rubin-ultra-nvl576")
    dies = 2 * rubin.chips
    return Answer(
        finding="Scale-up domains over the generations",
        values={
            "hopper": Value(hopper.chips, "", "Hopper"),
            "blackwell": Value(rack.chips, "", "Blackwell"),
            "rubin": Value(rubin.chips, "", "Rubin, packages"),
            "rubin_dies": Value(dies, "", "Rubin, dies"),
            "ultra": Value(ultra.packages, "", "Rubin Ultra, packages"),
            "ultra_dies": Value(ultra.known("dies"), "", "Rubin Ultra, dies"),
            "by_dies": Value(ultra.known("dies") / dies, "x", "Growth by dies"),
            "by_packages": Value(ultra.packages / rubin.chips, "x", "Growth by packages"),
            "hopper_bandwidth": Value(hopper.hbm_bandwidth, "B/s", "Hopper"),
            "rack_bandwidth": Value(rack.hbm_bandwidth, "B/s", "Blackwell rack"),
            "bandwidth": Value(rack.hbm_bandwidth / hopper.hbm_bandwidth, "x", "Memory bandwidth of the domain"),
            "chips_growth": Value(rack.chips / hopper.chips, "x", "from more chips"),
            "chip_growth": Value(rack.chip.hbm_bandwidth / hopper.chip.hbm_bandwidth, "x", "from faster memory"),
            "both_ways": Value(2 * rack.known("scale_up_bandwidth"), "B/s", "NVLink 5, both directions"),
            "hopper_both": Value(2 * hopper.known("scale_up_bandwidth"), "B/s", "NVLink 4, both directions"),
            "rack_watts": Value(rack.chips * rack.chip.known("watts"), "W", "Chips of a GB200 rack"),
            "rubin_watts": Value(rubin.chips * rubin.chip.known("watts"), "W", "Chips of a Rubin rack"),
            "ultra_watts": Value(ultra.known("watts"), "W", "Rubin Ultra rack, announced"),
        },
    )


def torus() -> Answer:
    """The rate at which a chip of a TPU pod can send to all others, by how many they are."""
    pod = catalog.system("tpu-v7-pod")
    machine = Machine.published(pod)
    sizes = {"small": 64, "middle": 256, "pod": pod.chips}
    values = {"links": Value(machine.scale_up, "B/s", "Links of a chip")}
    for name, chips in sizes.items():
        values[name] = Value(chips, "", "Chips", 9)
        values[f"{name}_rate"] = Value(all_to_all_rate(machine, chips), "B/s", "All-to-all of a chip")
    return Answer(finding="All-to-all on a torus", values=values)


def day() -> Answer:
    """DeepSeek's experts over eighteen nodes."""
    found, unit = observed(), catalog.deployment("deepseek-day-6")
    experts = catalog.model(unit.model).routed[0]
    decode = moe.place_experts(experts, unit.decode_expert_parallel)
    slow, fast = (catalog.datum(f"comm-bound-{name}").value for name in ("link", "tokens-per-device"))
    rack_link = catalog.system("gb200-nvl72").known("scale_up_bandwidth")
    step = day_step()
    return Answer(
        finding="DeepSeek's experts over eighteen nodes",
        values={
            "chips": Value(unit.decode_expert_parallel, "", "Chips that share the experts"),
            "nodes": Value(unit.decode_nodes, "", "Nodes"),
            "copies": Value(decode.copies_to_fill, "", "Redundant copies"),
            "per_chip": Value(decode.experts_per_chip, "", "Routed experts on a chip"),
            "tokens": Value(found.tokens, "tokens", "Tokens of a chip", 2),
            "speed": Value(found.speed, "tokens/s", "Speed of a user"),
            "step": Value(found.step_seconds, "s", "Step, as observed"),
            "bound": Value(found.bound_seconds, "s", "Exchange, at least"),
            "miss": Value(found.step_seconds / found.bound_seconds, "x", "Step over that", 2),
            "reads": Value(float(sum(each.weights for each in step.operations)), "B", "Weights that a chip reads"),
            "weights": Value(float(step.weights_seconds), "s", "Reading them"),
            "cache": Value(float(step.cache_seconds), "s", "Reading the cache"),
            "arithmetic": Value(float(step.compute_seconds), "s", "Multiplying"),
            "sending": Value(float(step.scale_up_seconds + step.scale_out_seconds), "s", "Sending"),
            "serial": Value(float(step.serial_seconds), "s", "All of it, one after another"),
            "serial_share": Value(float(step.serial_seconds) / found.step_seconds, "%", "of what was seen", 2),
            "ceiling": Value(1 / found.bound_seconds, "tokens/s", "The links would leave a user", 2),
            "paper_tokens": Value(fast, "tokens", "Tokens of DeepSeek's estimate"),
            "paper_step": Value(published_bound(slow), "s", "DeepSeek's estimate, links out"),
            "paper_speed": Value(catalog.datum("comm-bound-speed").value, "tokens/s", "as a speed", 2),
            "paper_rack_step": Value(published_bound(rack_link), "s", "DeepSeek's estimate, a rack's links", 2),
            "paper_rack_speed": Value(1 / published_bound(rack_link), "tokens/s", "as a speed", 2),
            "measured_from": Value(MEASURED_CHIPS[0], "", "Fewest chips measured"),
            "measured_to": Value(MEASURED_CHIPS[-1], "", "Most chips measured"),
            "measured_tokens": Value(MEASURED_TOKENS, "tokens", "Tokens of a chip, measured"),
        },
    )


def quality() -> Answer:
    """The routed law where the lecture quotes it, and at the size of today's models."""
    base, many = 370e6, 64
    names = ("s-base", "hash", "rl-r")
    small = {name: float(gain(base, many, name)) for name in names}
    as_printed = {name: float(gain(base, many, name, "printed")) for name in names}
    v3 = catalog.model("deepseek-v3")
    large = {name: float(gain(v3.active_params, v3.routed[0], name)) for name in names}
    rounded = float(gain(v3.active_params, v3.routed[0], "rl-r", "printed"))
    tiny_base, tiny_many = 5e6, 128
    tiny = float(gain(tiny_base, tiny_many, "s-base", "printed"))
    limits = {name: routed_scaling.paying_limit(law(name)) for name in names}
    printed = routed_scaling.paying_limit(law("rl-r", "printed"))
    low, high = (float(end) for end in routed_scaling.paying_limit_range(law("rl-r", "printed")))
    total = float(routed_scaling.expanded_params(base, many, ROUTED_SHARE))
    return Answer(
        finding="What experts buy by the routed law",
        values={
            "base": Value(base, "parameters", "Base"),
            "many": Value(many, "", "Experts"),
            "gain": Value(small["s-base"], "x", "S-BASE"),
            "dense": Value(small["s-base"] * base, "parameters", "Dense model of the same loss"),
            "gain_hash": Value(small["hash"], "x", "HASH"),
            "gain_rl_r": Value(small["rl-r"], "x", "RL-R"),
            "printed_hash": Value(as_printed["hash"], "x", "HASH as printed"),
            "printed_rl_r": Value(as_printed["rl-r"], "x", "RL-R as printed"),
            "total": Value(total, "parameters", "All parameters, about", 2),
            "growth": Value(total / base, "x", "Over the base, about", 2),
            "exponent": Value(
                float(routed_scaling.expansion_exponent(base, many, law("s-base", "printed"))), "", "Exponent", 2
            ),
            "tiny_base": Value(tiny_base, "parameters", "A very small base"),
            "tiny_many": Value(tiny_many, "experts", "with"),
            "tiny": Value(tiny, "x", "S-BASE as printed"),
            "active": Value(v3.active_params, "parameters", "Size of DeepSeek-V3's token"),
            "large": Value(large["s-base"], "x", "S-BASE at that size"),
            "large_hash": Value(large["hash"], "x", "HASH"),
            "large_rl_r": Value(large["rl-r"], "x", "RL-R"),
            "rounded": Value(rounded, "x", "RL-R as printed"),
            "limit_rl_r": Value(limits["rl-r"], "parameters", "Cut-off, RL-R"),
            "printed": Value(printed, "parameters", "Cut-off of RL-R as printed", 2),
            "low": Value(low, "parameters", "RL-R: rounding allows from", 2),
            "high": Value(high, "parameters", "RL-R: to", 2),
        },
    )


SETTING = Figure(name="moe/setting", inputs=(MODEL, SYSTEM, BATCH), compute=scenario)

FIGURES = (
    SETTING,
    Figure(name="moe/worked", compute=worked, sources=("deepseek-v3-config", "aiconfigurator")),
    Figure(name="moe/overlap", compute=overlap, sources=("deepseek-v3-config", "aiconfigurator")),
    Figure(name="moe/throws", compute=throws, sources=("deepseek-v3-report",)),
    Figure(name="moe/blackboard", compute=blackboard, sources=("lecture", "aiconfigurator")),
    Figure(name="moe/domains", compute=domains, sources=("aiconfigurator", "rubin-writeups", "toms-rubin-ultra")),
    Figure(name="moe/torus", compute=torus, sources=("tpu-v7-docs",)),
    Figure(name="moe/day", compute=day, sources=("deepseek-day-6", "deepseek-insights", "deepep-legacy")),
    Figure(name="moe/quality", compute=quality, sources=("clark-paper",)),
)
