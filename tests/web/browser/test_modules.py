"""The page's modules that need no page, run by Node's own test runner."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

import web
from calc.figure import registry
from calc.quantities import parsing, units
from calc.quantities.errors import CalcError
from calc.quantities.units import plain
from web import bundle, charts
from web.bundle.node import node

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
BROWSER = Path(web.__file__).parent / "browser"


def plain_cases() -> list[tuple[float, int, str]]:
    """Numbers of every size, ties included, and how Python writes them."""
    numbers = [10**power * head for power in range(-12, 25) for head in (1, 1.5, 2.5, 9.995, 9.9951, 3.14159, -7.25)]
    numbers += [0, 0.125, 0.375, 12.5, 13.5, 12350, 12250, 1e6 + 0.5, 2**40, 999.5, 99.95, 1e22, 0.1 + 0.2]
    return [(number, digits, plain(number, digits)) for number in numbers for digits in (1, 3, 4, 6, 12)]


def quantity_cases() -> list[tuple[dict[str, object], str, float | None]]:
    """Answers in every kind of unit, the ways to write it, and what Python makes of them: nothing if refused."""
    texts = {
        "s": ("20 ms", "0.02 s", "3 min", "2 hours", "1.5 days", "7 µs", "7 us", "12 GB", "5m"),
        "B": ("405 GB", "2 GiB", "128 kB", "3 bytes", "1.5 TB", "4 MB", "70272 B", "400 Gb", "8 ms"),
        "B/s": ("38.4 TB/s", "400 Gb/s", "1.5 TBps", "3 GB"),
        "$": ("$12.50", "0.5", "79k", "$1.2M", "5 s"),
        "$/Mtok": ("$0.31/Mtok", "0.31", "0.31/Mtok", "0.31 $/Mtok", "$3/h"),
        "%": ("50%", "50 %", "12.5", "3x"),
        "x": ("2.7×", "2.7x", "2.7", "27%"),
        "": ("8", "64k", "10⁶", "0.5", "8 chips"),
        "tokens": ("1 token", "200 000 tokens", "8k", "8k tokens", "1e6", "3 sequences"),
        "parameters": ("37B", "8.64T parameters", "37 billion", "5 × 10⁹"),
        "operations": ("6.35 × 10²⁴ operations", "6.35e24", "6E24 tokens"),
    }
    return [
        ({"written": parsing.written(unit), "dollars": unit.startswith("$")}, text, read_by_python(text, unit))
        for unit, each in texts.items()
        for text in each
    ]


def read_by_python(text: str, unit: str) -> float | None:
    """The number, or nothing where it is refused."""
    try:
        return parsing.parse(text, unit)
    except CalcError:
        return None


def compiled_charts() -> list[dict[str, object]]:
    """Every chart that a reader's inputs move, compiled."""
    moving = (figure for figure in registry.every() if figure.inputs and figure.chart)
    return [{"name": figure.name, "spec": {**charts.vega(figure), "config": {}}} for figure in moving]


def charts_with_lines() -> list[dict[str, object]]:
    """Every chart whose lines can be read, with the tables of its defaults."""
    specs = ((figure, charts.vega(figure)) for figure in registry.every() if figure.chart)
    return [
        {"name": figure.name, "spec": {**spec, "config": {}}, "tables": figure.answer().as_json()["tables"]}
        for figure, spec in specs
        if "usermeta" in spec
    ]


def shown_cases() -> list[tuple[float, str, str]]:
    """Quantities of every size in every unit that an axis has, and how Python writes them."""
    numbers = [10.0**power * head for power in range(-9, 16) for head in (1, 1.5, 3.125, 9.995, 3.14159)] + [0.0]
    drawn = {measured["unit"] for each in charts_with_lines() for measured in each["spec"]["usermeta"].values()}
    return [(number, unit, units.show(number, unit)) for number in numbers for unit in sorted(drawn)]


@pytest.mark.parametrize("suite", sorted(path.name for path in HERE.glob("*.test.mjs")))
def test_the_modules_hold(suite: str, tmp_path: Path) -> None:
    """Every test of one file passes in Node."""
    environment = os.environ | {
        "PLAIN_CASES": json.dumps(plain_cases()),
        "QUANTITY_CASES": json.dumps(quantity_cases()),
    }
    if suite == "overlaid.test.mjs":
        specs = tmp_path / "specs.json"
        specs.write_text(json.dumps(compiled_charts()), encoding="utf-8")
        environment["SPECS"] = str(specs)
    if suite == "lines.test.mjs":
        with_lines = tmp_path / "drawn.json"
        with_lines.write_text(json.dumps(charts_with_lines()), encoding="utf-8")
        built = bundle.build(ROOT, print)
        vega = built.files[Path(built.vega).name].as_uri()
        environment |= {"DRAWN": str(with_lines), "SHOWN": json.dumps(shown_cases()), "VEGA": vega}
    command = [node(), "--test", "--test-force-exit", "--test-reporter=tap", suite]  # a timer left behind ends it too
    done = subprocess.run(command, cwd=HERE, env=environment, capture_output=True, text=True, check=False)
    failed = [line for line in done.stdout.splitlines() if "not ok" in line]
    assert done.returncode == 0, "\n".join([*failed, done.stdout[-3000:], done.stderr[-1000:]])
    assert "# tests 0" not in done.stdout


def test_every_script_of_a_page_reads_and_finds_what_it_imports() -> None:
    entries = [str(BROWSER / name) for name in ("main.js", "acts.js", "reference.js", "plain/head.js", "plain/lost.js")]
    command = [node(), "--no-warnings", "--experimental-vm-modules", "linked.mjs", *entries]
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > len(entries)
