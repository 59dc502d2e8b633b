"""Every run draws the same examples, the first of them in the browser too; no slow machine fails a test by its clock.

The files that take long begin first, so that at the end no worker is left alone with a long file.
"""

from __future__ import annotations

import os
import sys

import pytest
from hypothesis import HealthCheck, settings

# Every core has a worker of its own: threads of numpy's products would only stand in one another's way.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# In this order: the first three need no site; while one worker builds it, the other is not yet in want of it.
LONG = (
    *("tests/web/bundle/test_parity.py", "tests/browser/test_engine.py", "tests/web/bundle/test_wasm.py"),
    "tests/browser/",
)

settings.register_profile(
    "rooflines",
    derandomize=True,
    deadline=None,
    max_examples=10 if sys.platform == "emscripten" else 50,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("rooflines")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the long files first; the others, and the tests of a file, stay in their order."""
    items.sort(key=lambda item: [not item.nodeid.startswith(name) for name in LONG])
