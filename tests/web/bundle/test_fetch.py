"""Only the pinned bytes come in; anything else is refused, asked for once more, and never kept."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from web.bundle.errors import BundleError
from web.bundle.fetch import fetch
from web.bundle.manifest import Pin

GOOD = b"the pinned bytes" * 100


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def pin(**other: str) -> Pin:
    given = {"name": "thing", "version": "1.0.0", "client": "npm", "use": "tools", "sha256": sha256(GOOD)}
    return Pin(**given | other)


class Registry:
    """Stands in for npm and pip: serves these answers, one for each time it is asked."""

    def __init__(self, *answers: bytes) -> None:
        self.answers = list(answers)
        self.afresh: list[bool] = []

    def __call__(self, wanted: Sequence[Pin], folder: Path, afresh: bool) -> None:
        self.afresh.append(afresh)
        data = self.answers.pop(0)
        for each in wanted:
            (folder / each.download).write_bytes(data)


def test_what_is_pinned_is_kept_and_not_asked_for_again(tmp_path: Path) -> None:
    registry = Registry(GOOD)
    first = fetch([pin()], tmp_path, print, registry)
    assert first == fetch([pin()], tmp_path, print, registry)
    assert first["thing"].read_bytes() == GOOD
    assert registry.afresh == [False]


@pytest.mark.parametrize("bad", [GOOD[:-1], GOOD[:800], b"", GOOD.replace(b"p", b"q", 1), GOOD + b"\n"])
def test_a_corrupted_or_truncated_file_is_asked_for_afresh(bad: bytes, tmp_path: Path) -> None:
    registry = Registry(bad, GOOD)
    assert fetch([pin()], tmp_path, print, registry)["thing"].read_bytes() == GOOD
    assert registry.afresh == [False, True]


def test_a_file_that_stays_wrong_is_refused_and_not_kept(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match=r"thing@1\.0\.0 is not what manifest\.toml pins"):
        fetch([pin()], tmp_path, print, Registry(b"wrong", b"wrong again"))
    assert list(tmp_path.rglob("*.tgz")) == []


def test_a_kept_file_that_decays_is_fetched_again(tmp_path: Path) -> None:
    place = fetch([pin()], tmp_path, print, Registry(GOOD))["thing"]
    place.write_bytes(GOOD[:10])
    assert fetch([pin()], tmp_path, print, Registry(GOOD))["thing"].read_bytes() == GOOD


def test_only_the_files_that_are_missing_are_asked_for(tmp_path: Path) -> None:
    fetch([pin()], tmp_path, print, Registry(GOOD))
    asked: list[str] = []

    def registry(wanted: Sequence[Pin], folder: Path, afresh: bool) -> None:
        asked.extend(each.spec for each in wanted)
        Registry(b"other")(wanted, folder, afresh)

    fetch([pin(), pin(name="other", sha256=sha256(b"other"))], tmp_path, print, registry)
    assert asked == ["other@1.0.0"]


@pytest.mark.parametrize(("inside", "kept"), [(b"the wheel", True), (b"another wheel", False)])
def test_of_a_carrier_only_the_pinned_member_is_kept(inside: bytes, kept: bool, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "carrier", "w") as carrier:
        carrier.writestr("a/b/numpy.whl", inside)
    data = (tmp_path / "carrier").read_bytes()
    wanted = pin(sha256=sha256(data), file="c.whl", member="a/b/numpy.whl", member_sha256=sha256(b"the wheel"))
    cache = tmp_path / "cache"
    if kept:
        assert fetch([wanted], cache, print, Registry(data))["thing"].read_bytes() == b"the wheel"
    else:
        with pytest.raises(BundleError, match="refused, twice"):
            fetch([wanted], cache, print, Registry(data, data))
    assert [path.name for path in cache.rglob("*") if path.is_file()] == ["numpy.whl"] * kept


def test_progress_is_told(tmp_path: Path) -> None:
    said: list[str] = []
    fetch([pin()], tmp_path, said.append, Registry(b"bad", GOOD))
    assert said == ["fetching 1 pinned packages", "fetching 1 pinned packages again, past the clients' caches"]
