"""Lecture 8's fleet on fewer chips than whole racks: what part of a rack has room for, and the fewest that do."""

from __future__ import annotations

import math

from calc.figure.declared import Answer, Figure, Value
from calc.quantities.arithmetic import MILLION
from calc.serving.copies import fewest_chips, room_on
from calc.serving.figures.cases import REQUEST, case, room_at_peak
from calc.serving.figures.setting import PROMISE as PROMISED
from calc.serving.modes import modes
from calc.setting.split import placed_experts

SPEED = float(PROMISED.default)


def fleet() -> Answer:
    """The case's traffic on parts of a rack, by the forecast and at its slow end."""
    here = case("rack")
    setting, fit = here.writing.setting, here.expected.fit
    whole, slower = float(setting.machine.domain_chips), fit.high_80 * SPEED
    promised = modes(here, SPEED).promised
    flight = here.in_flight(SPEED)
    share = float(flight) / promised.batch * whole
    (_, least), (copies, each) = (
        fewest_chips(here, flight, SPEED),
        fewest_chips(here, room_at_peak(here, SPEED), slower),
    )
    a_million = MILLION / (here.traffic * REQUEST.output_tokens)  # seconds in which the traffic has written so many
    a_chip = a_million * here.dollars_per_chip_second
    routed = max((group.feed_forward for group in setting.model.layers), key=lambda part: part.experts)
    experts, most = routed.experts, placed_experts(routed, setting.layout)
    sizes = {"half": (whole / 2, "half of a rack"), "least": (least, "those")}
    values = {
        "each": Value(each, "", "Chips of each of two groups that hold the peak"),
    }
    for name, (chips, said) in sizes.items():
        values |= {
            name: Value(chips, "chips", "Fewest that hold the traffic" if name == "least" else f"Chips of {said}"),
            f"{name}_room": Value(room_on(here, chips, SPEED), "sequences", f"Room on {said}, by the forecast", 4),
            f"{name}_slow": Value(room_on(here, chips, slower), "sequences", f"Room on {said}, at the slow end", 4),
        }
    return Answer(
        finding="The case's traffic on parts of a rack",
        values={
            **values,
            "even": Value(math.ceil(experts / most), "chips", "Fewest on which no chip holds more experts"),
            "share": Value(math.ceil(share), "chips", "A rack's share that the traffic fills by the forecast"),
            "least_output": Value(least * a_chip, "$", "Output on the fewest chips that hold the traffic"),
            "sized": Value(copies * each, "", "Chips of equal groups for the peak at the slow end, and chance"),
            "sized_output": Value(copies * each * a_chip, "$", "Output on them"),
        },
    )


FIGURES = (Figure(name="serving/fleet", compute=fleet),)
