"""Bundle JavaScript with esbuild: the worker with Pyodide's loader, and the part of Vega that a page needs."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from web.bundle.errors import BundleError
from web.bundle.node import node


def bundle(entry: Path, modules: Path, made: Path, aliases: Mapping[str, Path], external: Iterable[str] = ()) -> None:
    """Bundle `entry` and all that it imports into one minified ES module."""
    options = ["--bundle", "--format=esm", "--target=es2022"]
    options += [f"--alias:{name}={path.resolve()}" for name, path in aliases.items()]
    _run(entry, modules, made, [*options, *(f"--external:{name}" for name in external)])


def minify(script: Path, modules: Path, made: Path) -> None:
    """Write a script anew with shorter names and no space; names that an `eval` may use stay."""
    _run(script, modules, made, [])


def _run(entry: Path, modules: Path, made: Path, options: Iterable[str]) -> None:
    always = ["--minify", "--legal-comments=none", "--log-level=error", f"--outfile={made}"]
    command = [node(), str(modules / "esbuild-wasm/bin/esbuild"), str(entry), *always, *options]
    environment = {"NODE_PATH": str(modules.resolve()), "PATH": str(Path(node()).parent)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        raise BundleError(f"esbuild could not bundle {entry.name}: {done.stderr.strip().splitlines()[0]}")
