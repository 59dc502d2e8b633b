"""The pins: complete, exact, and without an address."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

from web.bundle.manifest import MANIFEST, Pin, pins


@pytest.mark.parametrize("pin", pins(), ids=lambda pin: pin.name)
def test_every_pin_is_exact(pin: Pin) -> None:
    assert re.fullmatch(r"\d+(\.\d+)+", pin.version)
    assert re.fullmatch(r"[0-9a-f]{64}", pin.sha256)
    assert pin.client in {"npm", "pip"}
    assert bool(pin.member) == bool(pin.member_sha256)
    assert pin.client == "npm" or pin.file.startswith(pin.name.replace("-", "_"))


def test_nothing_is_pinned_twice_and_no_host_is_named() -> None:
    assert max(Counter(pin.name for pin in pins()).values()) == 1
    assert not re.search(r"https?:|\.(com|org|net|io)\b", MANIFEST.read_text("utf-8"))


def test_numpy_is_the_same_minor_version_here_and_in_the_browser() -> None:
    carried = next(pin.member for pin in pins() if "numpy" in pin.member)
    version = re.search(r"numpy-(\d+)\.(\d+)", carried)
    assert version
    assert [int(part) for part in version.groups()] == [int(part) for part in np.__version__.split(".")[:2]]
