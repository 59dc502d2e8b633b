"""Packs and archives: the same files, the same bytes, and nothing lost."""

from __future__ import annotations

import gzip
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from web import bundle
from web.bundle.pack import archive, laid_out, members, pack, unpack

FILES = st.dictionaries(st.text(min_size=1, max_size=20), st.binary(max_size=200), max_size=6)


@given(FILES)
def test_a_pack_gives_back_what_was_packed(files: dict[str, bytes]) -> None:
    assert unpack(pack(files)) == files


def test_a_pack_takes_less_than_gzip_would_and_is_always_the_same() -> None:
    files = {path.name: path.read_bytes() for path in Path(bundle.__file__).parent.glob("*.py")}
    assert len(pack(files)) < 0.95 * len(gzip.compress(laid_out(files)))
    assert pack(files) == pack(files)


@given(FILES)
def test_the_order_of_the_files_does_not_matter(files: dict[str, bytes]) -> None:
    assert pack(files) == pack(dict(reversed(files.items())))


def test_an_archive_depends_on_its_files_alone(tmp_path: Path) -> None:
    files = {"b.py": b"x = 1\n", "a/c.toml": b""}
    first = archive(files, tmp_path / "one.zip").read_bytes()
    assert archive(dict(reversed(files.items())), tmp_path / "two.zip").read_bytes() == first
    assert members(tmp_path / "one.zip") == files
