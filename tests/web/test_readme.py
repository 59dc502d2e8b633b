"""The README says what is true."""

from __future__ import annotations

import doctest
import re

from web.cache import ROOT

README = (ROOT / "README.md").read_text("utf-8")


def test_its_example_runs() -> None:
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert results.attempted >= 3
    assert results.failed == 0


def test_its_links_lead_to_files() -> None:
    linked = re.findall(r"\]\((?!https?:)([^)]+)\)", README)
    assert linked
    assert [name for name in linked if not (ROOT / name).exists()] == []


def test_its_commands_are_targets_of_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for name in ("README.md", "CONTRIBUTING.md"):
        said = set(re.findall(r"(?:^|`)make ([a-z]+)", (ROOT / name).read_text("utf-8"), re.MULTILINE))
        assert said
        assert said <= targets
