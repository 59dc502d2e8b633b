"""The page's modules that need no page, run by Node's own test runner."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from calc.quantities.units import plain
from web.bundle.node import node

HERE = Path(__file__).parent


def plain_cases() -> list[tuple[float, int, str]]:
    """Numbers of every size, ties included, and how Python writes them."""
    numbers = [10**power * head for power in range(-12, 25) for head in (1, 1.5, 2.5, 9.995, 9.9951, 3.14159, -7.25)]
    numbers += [0, 0.125, 0.375, 12.5, 13.5, 12350, 12250, 1e6 + 0.5, 2**40, 999.5, 99.95, 1e22, 0.1 + 0.2]
    return [(number, digits, plain(number, digits)) for number in numbers for digits in (1, 3, 4, 6, 12)]


@pytest.mark.parametrize("suite", sorted(path.name for path in HERE.glob("*.test.mjs")))
def test_the_modules_hold(suite: str) -> None:
    """Every test of one file passes in Node."""
    environment = os.environ | {"PLAIN_CASES": json.dumps(plain_cases())}
    command = [node(), "--test", "--test-reporter=tap", suite]
    done = subprocess.run(command, cwd=HERE, env=environment, capture_output=True, text=True, check=False)
    failed = [line for line in done.stdout.splitlines() if "not ok" in line]
    assert done.returncode == 0, "\n".join([*failed, done.stdout[-3000:], done.stderr[-1000:]])
    assert "# tests 0" not in done.stdout
