"""`rooflines sweep FILE`: one table, whoever serves its parts, and however often the run or a worker is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from calc.cli import main, surveying
from calc.serving import survey

parquet = pytest.importorskip("pyarrow.parquet")

DECLARED = """
models = ["deepseek-v3", "llama-3-70b"]
systems = ["gb200-nvl72", "hgx-h200"]
precisions = ["fp8"]
batch = { from = 1, to = 100_000, points = 1500 }
[[workloads]]
input_tokens = 4096
output_tokens = 512
"""
ON_DASK = """
import os, signal, sys, threading, time
from pathlib import Path
from distributed import LocalCluster
from calc.cli import main

if __name__ == "__main__":
    folder = Path(sys.argv[2] + ".parts")
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        first = cluster.workers[0].pid

        def kill():
            while len(list(folder.glob("*.parquet"))) < 1:
                time.sleep(0.005)
            os.kill(first, signal.SIGKILL)

        threading.Thread(target=kill, daemon=True).start()
        status = main(["sweep", sys.argv[1], "--out", sys.argv[2], "--scheduler", cluster.scheduler_address])
        assert cluster.workers[0].pid != first, "no worker was killed"
    sys.exit(status)
"""


@pytest.fixture
def declared(tmp_path: Path) -> Path:
    path = tmp_path / "declared.toml"
    path.write_text(DECLARED, "utf-8")
    return path


@pytest.fixture(scope="module")
def whole() -> dict[str, list[object]]:
    """The table, served in this process."""
    served = [survey.serve(part).columns for part in survey.parts(DECLARED)]
    return {name: np.concatenate([columns[name] for columns in served]).tolist() for name in served[0]}


def table(path: Path) -> dict[str, list[object]]:
    return parquet.read_table(path).to_pydict()


def started(declared: Path, out: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "calc", "sweep", str(declared), "--out", str(out), "--workers", "1"]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )


def test_one_that_is_cut_off_goes_on_and_ends_with_the_same_table(declared, tmp_path, whole, capsys):
    out = tmp_path / "points.parquet"
    folder = tmp_path / "points.parquet.parts"
    running = started(declared, out)
    while not list(folder.glob("*.parquet")):
        assert running.poll() is None, running.communicate()[0]
        time.sleep(0.005)
    os.killpg(running.pid, signal.SIGKILL)
    running.communicate()
    kept = {path: path.stat().st_mtime_ns for path in folder.glob("*.parquet")}
    assert kept
    assert not out.exists()
    assert main(["sweep", str(declared), "--out", str(out), "--workers", "1", "--json"]) == 0
    assert f'"value": {float(len(kept))}' in capsys.readouterr().out.partition("found_done")[2][:80]
    assert table(out) == whole
    assert not folder.exists()


def test_on_dask_a_worker_that_is_killed_changes_nothing(declared, tmp_path, whole):
    out, script = tmp_path / "points.parquet", tmp_path / "on_dask.py"
    script.write_text(ON_DASK, "utf-8")
    done = subprocess.run(
        [sys.executable, str(script), str(declared), str(out)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert table(out) == whole


def test_parts_of_another_declaration_are_not_taken_for_its_own(declared, tmp_path, capsys):
    folder = tmp_path / "points.parquet.parts"
    folder.mkdir()
    (folder / "declaration").write_text("another", "utf-8")
    assert main(["sweep", str(declared), "--out", str(tmp_path / "points.parquet")]) == 2
    assert "parts of this very declaration" in capsys.readouterr().err


def test_without_its_extra_it_says_how_to_have_it(declared, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    assert main(["sweep", str(declared)]) == 2
    assert f"pip install '{surveying.EXTRA}'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nowhere.toml"], "declaration must be a file that can be read"),
        (["deepseek-v3"], "system must be the name of a system"),
        (["{declared}", "--scheduler", "tcp://127.0.0.1:9"], "scheduler must be the address of a Dask scheduler"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(words, sentence, declared, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(surveying, "PATIENCE", "100ms")
    assert main(["sweep", *(word.format(declared=declared) for word in words)]) == 2
    assert sentence in capsys.readouterr().err
