"""`calc` inside Pyodide: its own tests run there, and every figure's answers equal those of this Python to 1e-12.

`python -m web.bundle.parity` does both; `python -m web.bundle.parity tests/calc/quantities/test_units.py -x` passes
its arguments to pytest there.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from calc.figure.inputs import Choice, Input, Number
from web.bundle.engine import Workshop
from web.bundle.errors import BundleError
from web.bundle.fetch import wheels
from web.bundle.node import running

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).with_name("parity.mjs")
MARK = "\u0001"
TOLERANCE = 1e-12
WRITTEN = re.compile(r"−?[\d.,]*\d( × 10[⁻⁰¹²³⁴-⁹]+)?")
TOLD = (  # one starts a process, three read words, and to compare with the ends of a range is the same everywhere
    "test_package.py::test_asking_one_name_of_a_chapter_imports_no_more_than_its_module",
    "test_package.py::test_everything_public_says_what_it_is",
    "test_package.py::test_only_the_catalogue_says_what_it_hands_on",
    "quantities/test_units.py::test_every_unit_that_counts_has_a_singular_that_is_no_plural_and_half_of_none",
    "test_refusals.py::test_what_a_quantity_cannot_be_is_refused_by_name",
)
# No reader's browser runs the command line, fits measurements or judges claims; words, records and the tree of imports
# are the same text there; and `requests` asks every figure what `test_every` does, and compares whole answers with
# those that the tests of figures judge here. The figures of ROUNDING measure how a machine rounds, so that
# their numbers may differ: their tests run there, too.
ROUNDING = "tests/calc/reversible/test_figures.py"
ELSEWHERE = (
    *(f"tests/calc/{room}" for room in ("cli", "world", "measured", "ledger")),
    *sorted({str(path.relative_to(ROOT)) for path in ROOT.glob("tests/calc/*/test_figures.py")} - {ROUNDING}),
    *(f"tests/calc/figure/{name}.py" for name in ("test_every", "test_endless")),
    *(f"tests/calc/{name}.py" for name in ("catalog/test_records", "quantities/test_errors")),
    *(f"tests/calc/test_{name}.py" for name in ("house", "arrows")),
    "tests/calc/setting/test_against_hf_mem.py",  # a package that is not there
    "tests/calc/step/test_against_inference_lab.py",  # it runs under Node
)
IGNORED = tuple(f"--ignore={path}" for path in ELSEWHERE)
TESTS = ("tests/calc", *IGNORED, *(f"--deselect=tests/calc/{name}" for name in TOLD))
# Python starts once for all: first it answers, then pytest runs, once for each list of arguments.
RUN = """
import json
from calc.figure.answering import respond

requests, runs = json.loads(given)
answers = [json.loads(respond(json.dumps(request))) for request in requests]

import pytest

class Undrawn:
    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        try:
            return (yield)
        except ModuleNotFoundError as missing:
            if missing.name != "altair":
                raise
            pytest.skip("charts are drawn at build and not in the browser")

json.dumps([answers, [int(pytest.main(arguments, plugins=[Undrawn()])) for arguments in runs]])
"""
PLAIN = ("-p", "no:cacheprovider", "--capture=sys", "--color=no")


def run_inside(code: str, given: str) -> str:
    """The value of `code` inside Pyodide, with numpy, pytest and this repository; what it prints is passed on."""
    workshop = Workshop(ROOT, ROOT / ".cache" / "rooflines", _say)
    paths = [*wheels("parity", workshop.store, _say), workshop.numpy_wheel]
    arguments = {"pyodide": str(workshop.pyodide), "wheels": [str(path) for path in paths], "root": str(ROOT)}
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as asked:
        json.dump(arguments | {"code": code, "given": given}, asked)
        asked.flush()
        done = subprocess.run([*running(SCRIPT), asked.name], stdout=subprocess.PIPE, text=True, check=False)
    printed, _, result = done.stdout.partition(MARK)
    print(printed, end="")
    if done.returncode or not result:
        raise BundleError("Python inside Pyodide stopped before the end; its last words are above.")
    return result.strip()


def inside(asked: Sequence[dict[str, Any]], *runs: Sequence[str]) -> tuple[list[Any], list[int]]:
    """The answers of Pyodide, and the exit codes of pytest there, one for each list of its arguments."""
    answers, codes = json.loads(run_inside(RUN, json.dumps([asked, [[*PLAIN, *arguments] for arguments in runs]])))
    return answers, codes


def requests() -> Iterator[dict[str, Any]]:
    """Every figure as it stands, with each input at its ends or choices, and with all at their first or last, once."""
    from calc.figure import registry

    for figure in registry.every():
        taken = {given.name: _ends(given) for given in figure.inputs}
        alone = ({name: end} for name, ends in taken.items() for end in ends)
        together = ({name: ends[side] for name, ends in taken.items()} for side in (0, -1))
        several = {tuple(inputs.items()): inputs for inputs in ({}, *alone, *together)}
        yield from ({"figure": figure.name, "inputs": inputs} for inputs in several.values())


def _ends(given: Input) -> list[Any]:
    if isinstance(given, Number):
        return [given.low, given.high]
    if isinstance(given, Choice):
        return list(given.options)
    first, *others = given.default, *given.starts.values()
    return [first, given.written, *others, *(others or [first])[-1:]]


def differences(asked: Sequence[dict[str, Any]], there: Sequence[Any]) -> list[str]:
    """Where the answers inside Pyodide differ from those of this Python."""
    from calc.figure import registry
    from calc.figure.answering import respond

    here = [json.loads(respond(json.dumps(request))) for request in asked]
    return [
        f"{json.dumps(request)}: {found}"
        for request, one, other in zip(asked, here, there, strict=True)
        for found in differs(*_comparable(registry.find(request["figure"]).measures_rounding, one, other))
    ]


def _comparable(rounding: bool, *answers: Any) -> tuple[Any, ...]:
    """A figure that measures rounding has the same words elsewhere, and other numbers."""
    return tuple(outline(answer) for answer in answers) if rounding else answers


def outline(answer: Any) -> Any:
    """An answer without its numbers, also those written in its sentences, and without how many stand in a row.

    Where two ways end in the very same bits there is nothing to draw on a logarithmic axis.
    """
    if isinstance(answer, dict):
        return {key: outline(value) for key, value in answer.items()}
    if isinstance(answer, list):
        if all(isinstance(value, int | float | None) for value in answer):
            return [None if gap else 0 for gap, _ in groupby(value is None for value in answer)]
        return [outline(value) for value in answer]
    if isinstance(answer, str):
        return WRITTEN.sub("#", answer)
    return 0 if isinstance(answer, int | float) else answer


def differs(one: Any, other: Any, where: str = "answer") -> Iterator[str]:
    """The places where two answers are not the same, numbers being the same within 1e-12 of their size."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key in one:
            yield from differs(one[key], other[key], f"{where}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, pair in enumerate(zip(one, other, strict=True)):
            yield from differs(*pair, f"{where}[{place}]")
    elif not _same(one, other):
        yield f"{where} is {one!r} here and {other!r} there"


def _same(one: Any, other: Any) -> bool:
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (one, other))
    return math.isclose(one, other, rel_tol=TOLERANCE) if numbers else one == other


def _say(line: str) -> None:
    print(line, file=sys.stderr)


def main(arguments: Sequence[str]) -> int:
    """Run the tests inside Pyodide; without arguments, compare the figures' answers as well."""
    asked = [] if arguments else list(requests())
    answers, (failed,) = inside(asked, arguments or TESTS)
    found = differences(asked, answers)
    if asked:
        print("\n".join(found) or f"{len(asked)} answers are the same here and inside Pyodide.")
    return failed or bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
