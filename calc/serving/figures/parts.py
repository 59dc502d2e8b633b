"""The parts of lecture 8's case: what the busiest chip does in a step, at full rates and as it is expected."""

from __future__ import annotations

from calc.figure.declared import Answer, Figure, Value
from calc.serving.figures.cases import PRECISION, case
from calc.serving.figures.lines import EXPERT, TENSOR, groups_tried
from calc.setting.split import placed_experts
from calc.step import Step, prefill
from calc.step.kernels import layer_kernels


def busiest_chip() -> Answer:
    """DeepSeek-V3 on a rack: the terms of a bound and of a forecast, and a step that has kept nothing."""
    found = case("rack")
    step, expected, fit = found.writing, found.expected, found.expected.fit
    setting, machine, held = step.setting, step.setting.machine, found.request.held
    routed = max((group.feed_forward for group in setting.model.layers), key=lambda part: part.experts)
    most = max(groups_tried(float(setting.model.experts), float(machine.domain_chips)))
    first, later = setting.model.layers
    experts = sum(float(each.weights) for each in step.operations if each.name == "experts")
    read_in, rate = step.memory_seconds - step.cache_seconds, machine.flops(PRECISION)
    whole = prefill(setting, step.requests[0].batch, held)

    def attending(work: Step) -> float:
        return sum(float(each.compute_seconds) for each in work.operations if each.name == "attention")

    return Answer(
        finding="A step of DeepSeek-V3 on a rack, part by part",
        values={
            "bandwidth": Value(machine.bandwidth, "B/s", "Bandwidth of a chip's memory"),
            "memory": Value(machine.hbm_bytes, "B", "Memory of a chip"),
            "experts": Value(routed.experts, "", "Experts of a layer"),
            "most_experts": Value(placed_experts(routed, setting.layout), "", "Of these on the busiest chip"),
            "most_groups": Value(max(EXPERT), "", "Groups that are tried, at most"),
            "most_chips": Value(most * max(TENSOR), "", "Chips that are tried, at most", 4),
            "experts_all": Value(experts * routed.experts / placed_experts(routed, setting.layout), "B", "All experts"),
            "experts_held": Value(experts, "B", "Weights of experts on the busiest chip"),
            "copies_read": Value(read_in * machine.bandwidth - experts, "B", "Of these it reads"),
            "all_caches": Value(setting.kept_bytes_per_token * held * step.requests[0].batch, "B", "Caches of all"),
            "copied": Value(step.chip_weight_bytes - experts, "B", "Weights that are copied to each chip"),
            "first_layers": Value(first.count, "", "Layers without experts"),
            "first_kernels": Value(layer_kernels(first, narrow=True), "", "Kernels of one of them"),
            "later_layers": Value(later.count, "", "Layers with experts"),
            "later_kernels": Value(layer_kernels(later, narrow=True), "", "Kernels of one of them"),
            "sequences": Value(expected.sequence_seconds / fit.sequence_seconds, "sequences", "Of the busiest chip"),
            "weights_read": Value(read_in * machine.bandwidth, "B", "Weights that it reads"),
            "weights_seconds": Value(read_in, "s", "Reading the weights of a chip"),
            "weights_expected": Value(read_in / fit.memory_share, "s", "Reading the weights, expected"),
            "operations": Value(step.compute_seconds * rate, "FLOP", "Arithmetic of the busiest chip"),
            "rate": Value(rate, "FLOP/s", "Arithmetic of a chip in FP8"),
            "longer": Value(whole.bound_seconds / step.bound_seconds, "x", "That over a step with a cache", 2),
            "whole": Value(whole.bound_seconds, "s", "A step without a cache, at least"),
            "activations": Value(step.activation_seconds, "s", "Activations in memory, at full rate"),
            "moving_expected": Value(expected.moving_seconds, "s", "Memory, expected"),
            "arithmetic": Value(step.compute_seconds, "s", "Arithmetic, at full rate"),
            "arithmetic_attention": Value(attending(step), "s", "Of that, attention"),
            "arithmetic_parameters": Value(step.compute_seconds - attending(step), "s", "Of that, all else"),
            "arithmetic_expected": Value(expected.arithmetic_seconds, "s", "Arithmetic, expected"),
            "sending_expected": Value(expected.sending_seconds, "s", "Links, expected"),
            "kernels_expected": Value(expected.kernel_seconds, "s", "Beside kernels' work, expected"),
            "sequences_expected": Value(expected.sequence_seconds, "s", "For sequences, expected"),
        },
    )


FIGURES = (Figure(name="serving/parts", compute=busiest_chip),)
