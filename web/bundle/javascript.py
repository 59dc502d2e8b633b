"""Bundle JavaScript with esbuild: the worker with Pyodide's loader, and the part of Vega that a page needs."""

from __future__ import annotations

import subprocess
import tarfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from web.bundle.errors import BundleError
from web.bundle.node import node


def unpack_npm(tarball: Path, folder: Path) -> Path:
    """Unpack an npm package; what npm calls `package/` becomes `folder`."""
    with tarfile.open(tarball) as opened:
        for member in opened.getmembers():
            member.name = member.name.partition("/")[2]
            if member.name:
                opened.extract(member, folder, filter="data")
    return folder


def node_modules(tarballs: Mapping[str, Path], folder: Path) -> None:
    """Lay npm packages out as Node and esbuild look for them."""
    for name, tarball in tarballs.items():
        unpack_npm(tarball, folder / "node_modules" / name)


def bundle(entry: Path, modules: Path, made: Path, aliases: Mapping[str, Path], external: Iterable[str] = ()) -> None:
    """Bundle `entry` and all that it imports into one minified ES module."""
    options = ["--bundle", "--format=esm", "--minify", "--target=es2022", "--legal-comments=none", "--log-level=error"]
    options += [f"--alias:{name}={path.resolve()}" for name, path in aliases.items()]
    options += [f"--external:{name}" for name in external]
    command = [node(), str(modules / "node_modules/esbuild-wasm/bin/esbuild"), str(entry), *options]
    environment = {"NODE_PATH": str((modules / "node_modules").resolve()), "PATH": str(Path(node()).parent)}
    done = subprocess.run([*command, f"--outfile={made}"], capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        raise BundleError(f"esbuild could not bundle {entry.name}: {done.stderr.strip().splitlines()[0]}")
