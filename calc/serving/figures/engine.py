"""Lecture 8's cases where an engine keeps memory for itself: batch mode, which fills the rest, has room for fewer."""

from __future__ import annotations

from dataclasses import replace

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.arithmetic import HOUR
from calc.serving.figures.cases import CASES, case
from calc.serving.modes import Mode, modes
from calc.serving.sheet import Sheet, sheet


def engine() -> Answer:
    """Batch mode in all of the memory and in the share that an engine takes unless told otherwise."""
    share = catalog.datum("vllm-memory-share").value
    whole, less = ({name: _filled(case(name), each) for name in CASES} for each in (1.0, share))
    dearer = {name: less[name].dollars / whole[name].dollars - 1 for name in CASES}
    values = {
        "share": Value(share, "%", "Of a chip's memory, that vLLM takes"),
        "rack_less": Value(less["rack"].batch, "sequences", "On the rack in that share"),
        "rack_dearer": Value(dearer["rack"], "%", "Output of batch mode dearer by", 2),
        "node_dearer": Value(dearer["node"], "%", "The same on the node", 2),
    }
    return Answer(finding="Memory that an engine keeps back costs batch mode alone", values=values)


def _filled(found: Sheet, share: float) -> Mode:
    """Batch mode of a case in a share of its memory."""
    setting, batch = found.writing.setting, found.writing.requests[0].batch
    machine = replace(setting.machine, hbm_bytes=share * setting.machine.hbm_bytes)
    rent = found.dollars_per_chip_second * HOUR
    return modes(sheet(replace(setting, machine=machine), found.request, batch, rent)).slow


FIGURES = (Figure(name="serving/engine", compute=engine),)
