"""The machine on which a row of the source ran, repaired where its columns describe it wrongly.

A width may be multiplied by the groups that share the experts, or experts lie on more chips than the replica has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

Raw: TypeAlias = Mapping[str, str]
OWN_RUNS = "aic-auto-gap-analysis"  # runs of the source's maker, which draw the nominal lengths


@dataclass(frozen=True)
class Refused:
    """A row that is not taken in, and why."""

    id: str
    reason: str


@dataclass(frozen=True)
class Replica:
    """The machine of one replica: chips, tensor size and groups with their own attention."""

    chips: int
    tensor: int
    groups: int


def replica(raw: Raw) -> Replica | Refused:
    """The layout of the chips that decode, repaired where the width was multiplied by the groups of experts.

    The id names the width that was meant: `tp8_ep8` with 64 in the columns is eight chips and eight groups of experts.

    >>> replica({"id": "r_tp8_ep8_1", "mode": "agg", "tp_size": "64", "attention_dp_size": "1",
    ...     "moe_tp_size": "8", "moe_ep_size": "8"})
    Replica(chips=8, tensor=8, groups=1)
    """
    ahead = "decode_" if raw["mode"] == "disagg" else ""
    tensor, groups = count(raw.get(f"{ahead}tp_size")), count(raw.get(f"{ahead}attention_dp_size"), 1)
    if not tensor or not groups:
        return Refused(raw["id"], "no tensor size is recorded")
    width = _meant(raw, tensor * groups)
    if width and groups > 1 and tensor == 1:
        return Replica(width, 1, width)
    return Replica(width, width, 1) if width else Replica(tensor * groups, tensor, groups)


def _meant(raw: Raw, chips: int) -> int:
    """The width behind a product of width and groups of experts, or 0 where the columns are no such product."""
    named = re.search(r"_tp(\d+)(?:_0)?_ep(\d+)", raw["id"])
    if named and int(named[2]) > 1 and chips == int(named[1]) * int(named[2]):
        return int(named[1])
    within, between = count(raw.get("moe_tp_size")), count(raw.get("moe_ep_size"))
    if OWN_RUNS in raw.get("silicon_data_source", "") or chips != within * between:
        return 0
    tensor = count(raw.get("tp_size"))
    repeated = tensor * tensor == chips and within == 1  # groups noted as wide as the tensor group is
    return between if within == between > 1 else tensor if repeated and tensor > 1 else 0


def contradiction(raw: Raw, found: Replica) -> str:
    """Why a layout cannot be what ran: experts spread over more chips than the replica has; empty if it can.

    >>> raw = {"id": "r", "mode": "agg", "tp_size": "1", "moe_tp_size": "4", "moe_ep_size": "1"}
    >>> contradiction(raw, replica(raw))
    'impossible layout: experts over 4 chips of 1'
    """
    ahead = "decode_" if raw["mode"] == "disagg" else ""
    experts = count(raw.get(f"{ahead}moe_tp_size"), 1) * count(raw.get(f"{ahead}moe_ep_size"), 1)
    noted = count(raw.get(f"{ahead}tp_size")) * count(raw.get(f"{ahead}attention_dp_size"), 1)
    if experts > found.chips and noted == found.chips:  # where they differ, `replica` has repaired both
        return f"impossible layout: experts over {experts} chips of {found.chips}"
    return ""


def count(text: str | None, missing: int = 0) -> int:
    """A whole number of a column, or another where the column is empty."""
    return int(float(text)) if text and float(text) else missing
