"""Made once for the same parts; nothing half done is ever found."""

from __future__ import annotations

from pathlib import Path

import pytest

from web.bundle.cache import digest, made


def test_the_same_parts_are_made_once(tmp_path: Path) -> None:
    runs: list[Path] = []

    def make(folder: Path) -> None:
        runs.append(folder)
        (folder / "result").write_text("done", "utf-8")

    first = made(tmp_path, "thing", ["a", b"b"], make)
    assert made(tmp_path, "thing", ["a", b"b"], make) == first
    assert (first / "result").read_text("utf-8") == "done"
    assert made(tmp_path, "thing", ["a", b"c"], make) != first
    assert len(runs) == 2


def test_a_make_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def half(folder: Path) -> None:
        (folder / "half").write_text("", "utf-8")
        raise RuntimeError("cut off")

    with pytest.raises(RuntimeError, match="cut off"):
        made(tmp_path, "thing", ["a"], half)
    assert list(tmp_path.iterdir()) == []


def test_a_path_stands_for_its_bytes_and_parts_do_not_run_together(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"ab")
    assert digest([file]) == digest(["ab"]) == digest([b"ab"])
    assert digest(["a", "b"]) != digest(["ab"]) != digest(["ab", ""])
