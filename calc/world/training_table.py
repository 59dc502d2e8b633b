"""Benchmarks of training, from the pages on which their maker prints them.

`python -m calc.world.training_table PAGE …` writes them as a table. A PAGE is `docs/performance-summary.md` or
`docs/performance-summary-archive.md` of Megatron-Bridge: a table for each release, and in it for each model or each
system. Taken are runs of pre-training whose format stands in the table. Two numbers in one cell are two recipes.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from calc.catalog.measurement import write
from calc.catalog.training import TrainingStep

SYSTEMS: Mapping[str, str] = MappingProxyType(
    {
        "DGX-H100": "hgx-h100",
        "DGX-B200": "hgx-b200",
        "DGX-B300": "hgx-b300",
        "DGX-GB200": "gb200-nvl72",
        "DGX-GB300": "gb300-nvl72",
    }
)
FORMATS: Mapping[str, str] = MappingProxyType(
    {"BF16": "bf16", "FP8": "fp8", "FP8-CS": "fp8", "FP8-MX": "fp8", "MXFP8": "fp8", "NVFP4": "fp4"}
)
MODELS: Mapping[str, tuple[str, str, int]] = MappingProxyType(
    {
        "LLAMA3_8B": ("Llama 3 8B", "llama-3-8b", 0),
        "LLAMA3_70B": ("Llama 3 70B", "llama-3-70b", 0),
        "LLAMA3.1_405B": ("Llama 3.1 405B", "llama-3-405b", 0),
        "DeepSeekV3": ("DeepSeek-V3", "deepseek-v3", 1),
        "DeepSeekV3 (w/ MTP)": ("DeepSeek-V3", "deepseek-v3", 1),
        "DeepSeekV3 (w/o MTP)": ("DeepSeek-V3 (no guess)", "deepseek-v3", 0),
        "DeepSeekV4 Flash": ("DeepSeek-V4-Flash", "deepseek-v4-flash", 1),
        "GPT OSS 120B": ("gpt-oss-120b", "gpt-oss-120b", 0),
        "Qwen3_235B_a22B": ("Qwen3-235B-A22B", "qwen3-235b-a22b", 0),
        "Qwen3_30B_a3B": ("Qwen3-30B-A3B", "", 0),
        "Kimi_K2": ("Kimi K2", "kimi-k2", 0),
        "Nemotron_3_Nano": ("Nemotron 3 Nano", "", 0),
        "Nemotron_3_Super": ("Nemotron 3 Super", "", 0),
        "Nemotron_3_Ultra": ("Nemotron 3 Ultra", "", 0),
        "Nemotron_3_5_Lightning": ("Nemotron 3.5 Lightning", "", 0),
    }
)
"""Models by their names on the pages: a name to read, the catalogue's row, and layers that guess further tokens.

That DeepSeek-V3 and V4-Flash are trained with the layer that guesses is said in one release alone; elsewhere it is
inferred from the operations that the pages count, and a test holds it.
"""
_RELEASE = re.compile(r"## (\S+) NeMo Container")
_KIND = re.compile(r"### (.+) Performance")
_PART = re.compile(r"#### (Model|System): (.+)")
_NUMBER = re.compile(r"([\d.]+)(?:\s*\(([\d.]+)\))?")
_NOTE = re.compile(r"\[\^.*?\]")


def taken(page: str) -> Iterator[TrainingStep]:
    """The benchmarks of a page, in its order."""
    for release, row in _rows(page):
        for recipe, cells in _recipes(row):
            yield _step(release, recipe, cells)


def table(pages: Iterable[str]) -> str:
    """All benchmarks as a table, by model, system, format and release."""
    rows = [row for page in pages for row in taken(page)]
    return write(sorted(rows, key=lambda row: (*row.deployed, row.format, row.recipe, row.release)), TrainingStep)


def _rows(page: str) -> Iterator[tuple[str, dict[str, str]]]:
    release, pretraining, shared, head = "", False, {}, list[str]()
    for line in page.splitlines():
        if found := _RELEASE.match(line):
            release = found[1]
        elif found := _PART.match(line):
            shared = {found[1]: found[2].strip()}
        elif found := _KIND.match(line):
            pretraining = found[1] == "Pre-Training"
        elif line.startswith("|"):
            cells = [_NOTE.sub("", cell).strip() for cell in line.strip().strip("|").split("|")]
            if cells[0] in ("Model", "System"):
                head = cells
            elif pretraining and "Precision" in head and set(cells[0]) - set("-: "):
                yield release, shared | dict(zip(head, cells, strict=True))


def _recipes(row: Mapping[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    """The recipes of a row, each with the numbers that are its own: `FP8-CS (FP8-MX)` and `661 (624)`."""
    for place, recipe in enumerate(re.findall(r"[^\s()]+", row["Precision"])):
        yield recipe, {name: _part(cell, place) for name, cell in row.items()}


def _part(cell: str, place: int) -> str:
    found = _NUMBER.fullmatch(cell)
    return cell if found is None else found[place + 1] or found[1]


def _step(release: str, recipe: str, cells: Mapping[str, str]) -> TrainingStep:
    named, model, predicted = MODELS[cells["Model"]]
    count = {name: int(cells[name]) if cells.get(name, "n/a") != "n/a" else 1 for name in ("VP", "EP")}
    return TrainingStep(
        release=release,
        named=named,
        model=model,
        system=SYSTEMS[cells["System"]],
        chips=int(cells["#-GPUs"]),
        format=FORMATS[recipe],
        recipe=recipe,
        sequences=int(cells["GBS"]),
        micro_batch=int(cells["MBS"]),
        sequence=int(cells["Sequence Length"]),
        sharded=int(cells.get("FSDP", 0)),
        tensor=int(cells["TP"]),
        pipeline=int(cells["PP"]),
        context=int(cells["CP"]),
        interleaved=count["VP"],
        experts=count["EP"],
        predicted=predicted,
        chip_tokens_per_second=float(cells["Tokens / sec / GPU"]),
        chip_flops=float(cells["Model TFLOP / sec / GPU"]) * 1e12,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Read pages and print their benchmarks as a table."""
    parser = argparse.ArgumentParser(prog="python -m calc.world.training_table", description=__doc__)
    parser.add_argument("pages", type=Path, nargs="+", help="pages of benchmarks")
    print(table(page.read_text("utf-8") for page in parser.parse_args(arguments).pages), end="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
