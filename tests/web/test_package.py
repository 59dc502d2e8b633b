"""The package stands alone: a wheel of `calc` and nothing of the site, which answers with numpy beside it."""

from __future__ import annotations

import email
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from calc import __version__, catalog
from web.cache import ROOT

WORKS = """
import calc, numpy as np
from calc import batching, catalog
from calc.ledger import claims
assert not any(name.startswith(("web", "altair", "mkdocs")) for name in __import__("sys").modules)
assert batching.balanced_batch(300, 8) == 2400
assert catalog.model("deepseek-v3").total_params == 671e9
assert claims.claim("A8").derived() == "holds"
print(calc.__file__)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built by the back end that pip would call; no network."""
    folder = tmp_path_factory.mktemp("wheel")
    build = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", build, str(folder)], cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def members(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as opened:
        return opened.namelist()


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel unpacked as pip would, in a folder with numpy and nothing else."""
    folder = tmp_path_factory.mktemp("alone")
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(folder)
    for name in Path(sysconfig.get_path("purelib")).glob("numpy*"):
        (folder / name.name).symlink_to(name)
    return folder


def alone(installed: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Python without this environment's packages, in the folder where the wheel is."""
    variables = {"PYTHONPATH": str(installed), "PATH": os.environ["PATH"], "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, "-S", *words], cwd=installed, env=variables, capture_output=True, encoding="utf-8", check=False
    )


def test_the_wheel_holds_calc_with_its_data_and_nothing_of_the_site(members: list[str]) -> None:
    package = [name for name in members if ".dist-info/" not in name]
    tracked = subprocess.run(["git", "ls-files", "calc"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    if tracked:
        assert set(tracked.split()) <= set(package)
    assert {name.split("/")[0] for name in package} == {"calc"}
    assert "calc/py.typed" in package
    assert "calc/ledger/claims.toml" in package
    assert {f"calc/catalog/{table}.toml" for table in [*catalog.KINDS, "sources"]} <= set(package)
    assert not [name for name in package if not name.endswith((".py", ".toml", ".json", ".csv", "py.typed"))]


def test_the_wheel_asks_for_numpy_alone_and_brings_the_command(wheel: Path, members: list[str]) -> None:
    with zipfile.ZipFile(wheel) as opened:
        info = next(name for name in members if name.endswith("METADATA"))
        metadata = email.message_from_bytes(opened.read(info))
        entry = opened.read(info.replace("METADATA", "entry_points.txt")).decode()
    (needed,) = [row for row in metadata.get_all("Requires-Dist", []) if "extra ==" not in row]
    assert needed.startswith("numpy")
    assert metadata["Version"] == __version__
    assert "rooflines = calc.cli:main" in entry
    assert any(name.endswith("LICENSE") for name in members)


def test_it_imports_and_computes_alone(installed: Path) -> None:
    done = alone(installed, "-c", WORKS)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(installed / "calc" / "__init__.py")


def test_its_command_answers_alone(installed: Path) -> None:
    done = alone(installed, "-m", "calc", "balance", "hgx-h100", "--precision", "fp8")
    assert (done.returncode, done.stderr) == (0, "")
    assert "295" in done.stdout


def test_a_refusal_is_one_line_without_a_traceback(installed: Path) -> None:
    done = alone(installed, "-m", "calc", "step", "deepsek-v3", "hgx-h100")
    assert done.returncode == 2
    assert done.stderr.startswith("rooflines: model must be")
    assert done.stderr.count("\n") == 1


def test_a_reader_who_leaves_early_is_no_error(installed: Path) -> None:
    script = "import os, sys; from calc.cli import main; r, w = os.pipe(); os.close(r); os.dup2(w, 1); sys.exit(main())"
    done = alone(installed, "-c", script, "catalog", "chips")
    assert done.stderr == ""
    assert done.returncode == 141


def test_a_terminal_without_the_signs_gets_no_traceback(installed: Path) -> None:
    variables = {"PYTHONPATH": str(installed), "PYTHONIOENCODING": "ascii"}
    words = [sys.executable, "-S", "-m", "calc", "step", "deepseek-v3", "hgx-h800", "--expert", "144"]
    done = subprocess.run(words, env=variables, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
