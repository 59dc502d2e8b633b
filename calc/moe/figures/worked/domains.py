"""Scale-up domains over the generations, and the links of a torus."""

from __future__ import annotations

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.setting import Machine
from calc.step import all_to_all_rate
from calc.step.collectives import mean_hops

RING = 8  # chips of the ring in the text


def domains() -> Answer:
    """Scale-up domains over the generations."""
    names = ("hgx-h100", "gb200-nvl72", "gb300-nvl72", "rubin-nvl72")
    hopper, rack, faster, rubin = (catalog.system(name) for name in names)
    ultra = catalog.announced("rubin-ultra-nvl576")
    joined = catalog.announced("rubin-ultra-nvl576-racks")
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
            "ultra_racks": Value(joined.packages, "", "Rubin Ultra, eight racks"),
            "by_dies": Value(ultra.known("dies") / dies, "x", "Growth by dies"),
            "by_packages": Value(ultra.packages / rubin.chips, "x", "Growth by packages"),
            "both_ways": Value(2 * rack.known("scale_up_bandwidth"), "B/s", "NVLink 5, both directions"),
            "hopper_both": Value(2 * hopper.known("scale_up_bandwidth"), "B/s", "NVLink 4, both directions"),
            "rack_watts": Value(rack.chips * rack.chip.known("watts"), "W", "Chips of a GB200 rack"),
            "faster_watts": Value(faster.chips * faster.chip.known("watts"), "W", "Chips of a GB300 rack"),
            "rubin_watts": Value(rubin.chips * rubin.chip.known("watts"), "W", "Chips of a Rubin rack"),
            "ultra_watts": Value(ultra.known("watts"), "W", "Rubin Ultra rack, announced"),
        },
    )


def torus() -> Answer:
    """The rate at which a chip of a TPU pod can send to all others, by how many they are."""
    pod = catalog.system("tpu-v7-pod")
    machine = Machine.published(pod)
    sizes = {"small": 64, "pod": pod.chips}
    values = {"links": Value(machine.scale_up, "B/s", "Links of a chip")}
    for name, chips in sizes.items():
        values[name] = Value(chips, "", "Chips", 9)
        values[f"{name}_rate"] = Value(all_to_all_rate(machine, chips), "B/s", "All-to-all of a chip")
    longest = max(pod.torus or ())
    taken = 3 * mean_hops(4) * sizes["small"] / (sizes["small"] - 1)
    values["small_hops"] = Value(taken, "", "Links that a message takes up in a cube of rings of four, on average")
    values["longest"] = Value(longest, "", "Longest side")
    values["hops"] = Value(mean_hops(longest), "", "Hops along it, on average")
    ring = mean_hops(RING) * RING / (RING - 1)
    values["ring_hops"] = Value(ring, "", "Links that a message takes up round a ring of eight, on average")
    values["ring_rate"] = Value(1 / ring, "%", "Of its links' rate, in an all-to-all round that ring")
    return Answer(finding="All-to-all on a torus", values=values)


FIGURES = (
    Figure(
        name="moe/domains",
        compute=domains,
        sources=("aiconfigurator", "rubin-writeups", "toms-rubin-ultra", "nvidia-rubin-pod"),
    ),
    Figure(name="moe/torus", compute=torus, sources=("tpu-v7-docs",)),
)
