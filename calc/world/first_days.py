"""Runs of models in the days in which they appeared, which no constant was fitted to.

`python -m calc.world.first_days FOLDER` writes them as a table. FOLDER is `experimental/token_position_decode_slo` of
InferenceX, whose authors call its code basic: one result a file, named after model, layout, lengths and concurrency.
The chips stand in the titles of its plots, the formats in the names of the checkpoints. Times are medians over
requests, and what is in flight follows from them by Little's law.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calc import catalog
from calc.catalog.measurement import Measurement, first_days, write
from calc.world.against import Point, points
from calc.world.falsify import confronted
from calc.world.fitting import count_within
from calc.world.judge import judge
from calc.world.work import Array

CHIPS, SYSTEM, ENGINE = 8, "hgx-h200", "vllm"
SERVERS: Mapping[str, tuple[str, str, int, str]] = MappingProxyType(
    {
        "minimax_m25_vllm_tep8": ("minimax-m2.5", "fp8", 1, ""),
        "minimax_m25_vllm_dep8": ("minimax-m2.5", "fp8", CHIPS, ""),
        "qwen35_vllm_tp8": ("qwen3.5-397b-a17b", "bf16", 1, ""),
        "glm5_fp8_vllm_tp8": ("glm-5", "fp8", 1, "speculation"),
    }
)
"""Servers by the first part of their files' names: model, format, groups with attention of their own, why set aside."""
_NAME = re.compile(r"(?P<server>\w+?)_isl(?P<read>\d+)_osl(?P<written>\d+)_conc(?P<load>\d+)")


def taken(name: str, result: Mapping[str, Any]) -> Measurement:
    """One result as a row of the catalogue."""
    found = _NAME.fullmatch(name)
    if found is None:
        raise ValueError(f"{name} is not the name of a result")
    model, precision, groups, aside = SERVERS[found["server"]]
    first, whole = result["median_ttft"], result["median_e2el"]
    return Measurement(
        id=f"first-days-{name}",
        model=model,
        system=SYSTEM,
        engine=ENGINE,
        engine_version="nightly",
        precision=precision,
        projections=precision,
        experts=precision,
        mode="agg",
        chips=CHIPS,
        tensor=CHIPS // groups,
        attention_groups=groups,
        batch=float(found["load"]),
        concurrency=float(found["load"]),
        input_tokens=int(found["read"]),
        output_tokens=int(found["written"]),
        mean_input=result["total_input_tokens"] / result["completed"],
        mean_output=result["total_output_tokens"] / result["completed"],
        in_flight=float(f"{result['request_throughput'] * (whole - first):.4g}"),
        speculation="multi-token" if aside else "none",
        date=dt.datetime.strptime(result["date"], "%Y%m%d-%H%M%S").date(),
        token_seconds=float(f"{result['median_tpot']:.6g}"),
        first_token_seconds=float(f"{first:.6g}"),
        layout_from="row",
        set_aside=aside,
    )


def table(files: Iterable[Path]) -> str:
    """All results as a table."""
    rows = [taken(path.stem, json.loads(path.read_text("utf-8"))) for path in files]
    return write(
        sorted(rows, key=lambda row: (row.model, row.attention_groups, row.input_tokens, row.batch)), Measurement
    )


DAYS = 7  # after a model's release that count as its first


def as_young() -> list[Point]:
    """Runs of the sample, in other engines or on other systems, of the same models and no older."""
    models = {model for model, *_ in SERVERS.values()}
    return [each for each in points() if each.row.model in models and 0 <= age(each.row) <= DAYS]


def age(row: Measurement) -> float:
    """Days from a model's release to a run of it; endless where one of the two has no date."""
    released = catalog.model(row.model).effective
    return (row.date - released).days if row.date and released else math.inf


class FirstDays:
    """The runs without drafts beside the bound and the forecast of their own settings."""

    def __init__(self) -> None:
        judged = judge(first_days())
        self.rows, self.fit = judged.rows, judged.fit
        self.over_forecast: Array = judged.times / judged.forecast
        self.over_bound: Array = np.array([each.ratio for each in confronted(self.rows)])
        self.models = np.array([row.model for row in self.rows])
        self.prompts = np.array([row.in_flight * row.mean_input / row.mean_output for row in self.rows])

    @property
    def inside(self) -> int:
        """How many lie in the band of 80 %."""
        return count_within(self.over_forecast, self.fit.low_80, self.fit.high_80)

    def middle(self, among: NDArray[np.bool_]) -> float:
        """Measured over forecast in the runs among which it is true, the median."""
        return float(np.median(self.over_forecast[among]))

    @property
    def fewest(self) -> NDArray[np.bool_]:
        """Whether a run is in the quarter with the fewest tokens of prompts beside a step."""
        least: NDArray[np.bool_] = self.prompts <= np.quantile(self.prompts, 0.25)
        return least

    @property
    def oldest(self) -> int:
        """Days from a model's release to the last of its runs, the most of them."""
        return int(max(map(age, self.rows)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Read a folder of results and print them as a table."""
    parser = argparse.ArgumentParser(prog="python -m calc.world.first_days", description=__doc__)
    parser.add_argument("folder", type=Path, help="a folder of results")
    print(table(sorted(parser.parse_args(arguments).folder.rglob("*_conc*.json"))), end="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
