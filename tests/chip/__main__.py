"""`python -m tests.chip NAME OUT [PART …]`: time this machine's chip, NAME in the catalogue, and write OUT/chip.csv."""

from __future__ import annotations

import argparse
import csv
import datetime as dt
import json
import platform
import time
import traceback
from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path

import torch
import triton

from calc import catalog
from calc.catalog.chip_times import ChipTime
from tests.chip.check import check
from tests.chip.experts import experts
from tests.chip.latent import latents
from tests.chip.learning import learning
from tests.chip.llama import drafts, steps
from tests.chip.memory import link, memory, pieces, starts
from tests.chip.power import power, told
from tests.chip.products import attention, products, prompts

PARTS = (
    check, memory, pieces, starts, products, attention, prompts, latents, steps, drafts, experts, learning, link, power
)  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Say with which chip and programs, run the parts asked for, and count those that failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.chip", description="Time the kernels of this machine's GPU.")
    parser.add_argument("name", metavar="NAME", help="id of the chip in the catalogue, such as h100-sxm")
    parser.add_argument("out", metavar="OUT", type=Path, help="folder for chip.csv and chip.json")
    names = [part.__name__ for part in PARTS]
    parser.add_argument("parts", metavar="PART", nargs="*", default=[], help=f"all, or some of {', '.join(names)}")
    parser.add_argument("--run", type=int, default=1, help="a number that tells this run of the chip from others")
    given = parser.parse_args(arguments)
    if unknown := {*given.parts} - {*names}:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    catalog.chip(given.name)  # an error if the catalogue does not know it
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "chip.json").write_text(json.dumps(machine(), indent=2) + "\n", "utf-8")
    return run(given.name, given.run, given.out, given.parts)


def machine() -> dict[str, object]:
    """The chip, its driver and limit of power, and the versions of programs."""
    chip = torch.cuda.get_device_properties(0)
    return {
        "chip": chip.name,
        "uuid": str(chip.uuid),
        "multiprocessors": chip.multi_processor_count,
        "memory": chip.total_memory,
        **told(),
        "torch": torch.__version__,
        "triton": triton.__version__,
        "python": platform.python_version(),
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
    }


def run(name: str, number: int, out: Path, names: Sequence[str]) -> int:
    """Run the parts asked for, all by default; a part that fails says why, and the others go on."""
    failed = 0
    with (out / "chip.csv").open("w", encoding="utf-8", newline="") as file, torch.inference_mode(False):
        writer = csv.DictWriter(file, [field.name for field in fields(ChipTime)], lineterminator="\n")
        writer.writeheader()
        for part in PARTS:
            if names and part.__name__ not in names:
                continue
            start, rows = time.perf_counter(), 0
            try:
                for row in part():
                    writer.writerow(written(replace(row, chip=name, run=number)))
                    file.flush()
                    rows += 1
            except Exception:
                failed += 1
                traceback.print_exc(limit=-3)
            torch.cuda.empty_cache()
            print(f"{part.__name__}: {rows} rows, {time.perf_counter() - start:.1f} s", flush=True)
    return failed


def written(row: ChipTime) -> dict[str, str]:
    """Its columns, numbers that are not whole to six digits."""
    return {key: f"{value:.6g}" if isinstance(value, float) else str(value) for key, value in asdict(row).items()}


if __name__ == "__main__":
    raise SystemExit(main())
