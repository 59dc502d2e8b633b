"""`python -m web.bundle.lock`: pin anew what `web/npm/package.json` asks for; the lock file names no address."""

from __future__ import annotations

import json
import subprocess

from web.bundle.fetch import NPM
from web.bundle.node import npm


def main() -> None:
    """Have npm resolve the versions, and take the addresses of sponsors out of what it writes."""
    subprocess.run([*npm(), "install", "--package-lock-only", "--loglevel=error"], cwd=NPM, check=True)
    lock = NPM / "package-lock.json"
    pinned = json.loads(lock.read_text("utf-8"))
    for package in pinned["packages"].values():
        package.pop("funding", None)
    lock.write_text(f"{json.dumps(pinned, indent=2)}\n", "utf-8")


if __name__ == "__main__":
    main()
