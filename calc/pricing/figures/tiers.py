"""Lecture 6 in pictures: where a cache can be kept, and for how long it is sold, on one axis of time."""

from __future__ import annotations

from typing import Any

from calc import batching, catalog
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.inputs import Number
from calc.pricing import prompt_cache
from calc.pricing.figures.setting import HOLD
from calc.pricing.figures.shared import drains, nearest
from calc.quantities.arithmetic import DAY, HOUR, MINUTE
from calc.quantities.units import show

SHORTEST, LONGEST = 5e-3, 4e5
NEAR = 1e-3  # of a whole: less is not told apart from none
HALF = 2.0  # a hold of half to twice the drain time leaves neither capacity nor bandwidth more than half idle
SOLD = {"5 min": 5 * MINUTE, "1 h": HOUR, "24 h": DAY}
MEDIA = ("HBM", "DRAM", "flash", "disk", "yours")
SAID = {"hbm3e-gb200": "lecture-drain-hbm", "nvme-gen5-4tb": "lecture-drain-flash", "hdd-24tb": "lecture-drain-disk"}
NAMES = {
    "hbm4-rubin": "HBM4, Rubin",
    "hbm3e-gb200": "HBM3e, GB200",
    "lpddr5x-grace": "LPDDR5X, Grace",
    "ddr5-1.5tb": "DDR5, 1.5 TB",
    "ddr5-3tb": "DDR5, 3 TB",
    "hdd-24tb": "Disk, 24 TB",
    "qlc-123tb": "QLC, 123 TB",
}

CAPACITY = Number(
    name="capacity",
    label="Your device holds",
    default=8,
    low=0.01,
    high=1000,
    unit="TB",
    log=True,
    help="Or your shelf of devices, read at once.",
)
RATE = Number(
    name="rate", label="and is read at", default=14, low=0.1, high=30_000, unit="GB/s", log=True, help="All of it."
)


def short_name(name: str) -> str:
    """A device in a few letters."""
    full = catalog.tier(name).name
    return NAMES.get(name, full.replace("NVMe gen ", "NVMe ").replace(".72 TB", " TB").replace(".36 TB", " TB"))


def tiers(*, hold: float, capacity: float, rate: float) -> Answer:
    """Every device as the span of holds that it is good for, the holds on sale, and the reader's."""
    known = drains()
    own = batching.read_seconds(capacity * 1e12, rate * 1e9)
    found = catalog.tier(nearest(hold))
    rows = {short_name(name): drain for name, drain in known.items()} | {"Yours": own}
    media = [catalog.tier(name).medium for name in known] + ["yours"]
    said = {short_name(device): catalog.datum(key).value for device, key in SAID.items()}
    return Answer(
        finding=(
            f"A hold of {show(hold, 's')} {_points(hold / found.drain_seconds)} {found.name}, "
            f"which is read in {show(found.drain_seconds, 's')}"
        ),
        description=(
            f"Chart of {len(rows)} memories on one logarithmic axis of time, from high-bandwidth memory at "
            f"{show(min(known.values()), 's')} to a disk at {show(max(known.values()), 's')}. A point marks "
            f"the time to read each of them whole, a bar the holds from half to twice that. Upright lines mark "
            f"holds on sale, {', '.join(SOLD)}, and the hold chosen, {show(hold, 's')}. "
            f"Open diamonds mark what Pope said."
        ),
        tables={
            "devices": {
                "name": list(rows),
                "medium": media,
                "drain": list(rows.values()),
                "low": [drain / HALF for drain in rows.values()],
                "high": [drain * HALF for drain in rows.values()],
                "text": [show(drain, "s") for drain in rows.values()],
                "read": [prompt_cache.share_read_per_hold(hold, drain) for drain in rows.values()],
            },
            "said": {"name": list(said), "drain": list(said.values()), "label": ["", "Pope", ""]},
            "sold": {"hold": list(SOLD.values()), "label": list(SOLD)},
            "here": {"hold": [hold]},
        },
        values={
            "drain": Value(found.drain_seconds, "s", "Nearest device, read whole in"),
            "read": Value(prompt_cache.share_read_per_hold(hold, found.drain_seconds), "x", "Nearest, times in a hold"),
            "own": Value(own, "s", "Your device, read whole in"),
            "own_read": Value(prompt_cache.share_read_per_hold(hold, own), "x", "Yours, times in a hold"),
        },
        notes=_notes(hold, own),
    )


def _points(times: float) -> str:
    """Whether a hold lies on the nearest memory's bar, in words."""
    return "points at" if 1 / HALF <= times <= HALF else "suits no memory of our catalogue; nearest is"


def _notes(hold: float, own: float) -> list[str]:
    share = prompt_cache.share_read_per_hold(hold, own)
    if abs(share - 1) < NEAR:
        return ["On your device such a hold leaves next to nothing idle."]
    if share > 1:
        idle = f"{show(1 - 1 / share, '%')} of" if NEAR * share < 1 else "nearly all"
        return [f"On your device such a hold leaves {idle} the bandwidth idle."]
    return [f"On your device such a hold can fill only {show(share, '%')} of the capacity, for want of bandwidth."]


def tiers_chart() -> Any:
    """The shelf of memories, fastest on top, with the times for which caches are sold."""
    import altair as alt

    scale: dict[str, Any] = {"type": "log", "domain": [SHORTEST, LONGEST], "nice": False}
    clock = (
        "datum.value < 1 ? datum.value * 1000 + ' ms' : datum.value < 60 ? datum.value + ' s' : datum.value < 3600 ? "
    )
    clock += "datum.value / 60 + ' min' : datum.value / 3600 + ' h'"
    axis: dict[str, Any] = {"values": [0.01, 0.1, 1, 10, 60, 600, 3600, 36000, 360000], "labelExpr": clock}
    x = alt.X("drain:Q", title="Read whole in, or kept for").scale(**scale).axis(**axis)
    y = alt.Y("name:N", title=None, sort=None).axis(labelLimit=110, domain=False, ticks=False)
    color = alt.Color("medium:N", legend=None).scale(**look.series(*MEDIA))
    devices = alt.Chart(alt.NamedData("devices"))
    spans = devices.mark_bar(height={"band": 0.6}, fillOpacity=0.35, cornerRadius=3, clip=True).encode(
        x=alt.X("low:Q").scale(**scale), x2="high:Q", y=y, color=color
    )
    points = devices.mark_point(size=60, clip=True).encode(
        x=x, y=y, color=color, shape=alt.Shape("medium:N", legend=None).scale(**look.shapes(*MEDIA))
    )
    said = alt.Chart(alt.NamedData("said")).mark_point(
        shape="diamond", filled=False, strokeWidth=2, size=110, color=look.INK
    )
    words = alt.Chart(alt.NamedData("said")).mark_text(align="right", dx=-9, fontSize=11.5)
    sold = alt.Chart(alt.NamedData("sold")).encode(x="hold:Q")
    label = sold.mark_text(align="right", dx=-4, y=8, color=look.MUTED, fontSize=11.5).encode(text="label:N")
    here = alt.Chart(alt.NamedData("here")).mark_rule(color=look.ACCENT, strokeWidth=2.5).encode(x="hold:Q")
    return (
        spans
        + sold.mark_rule(strokeDash=[4, 3])
        + label
        + here
        + points
        + said.encode(x=x, y=y)
        + words.encode(x=x, y=y, text="label:N")
    )


TIERS = Figure(
    name="pricing/tiers",
    inputs=(HOLD, CAPACITY, RATE),
    compute=tiers,
    chart=tiers_chart,
    table="devices",
    columns={
        "name": "Memory",
        "medium": "Medium",
        "drain": "Drain time (s)",
        "read": "Read in a hold (×)",
    },
    assumptions=(
        "A memory is used whole if all of it is read once in a hold: capacity over bandwidth is the hold.",
        "Each device by itself, read in sequence at its rated speed; disks are slower towards the inner tracks.",
        "Open diamonds: the drain times of HBM, flash and disk as Pope said them.",
    ),
    sources=("lecture", "micron-9550", "micron-9650", "solidigm-p5336", "exos-x24", "aiconfigurator"),
)

FIGURES = (TIERS,)
