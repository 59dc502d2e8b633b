"""The lines that a reader takes along say the same when they are run."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from calc.cli import main
from calc.figure import registry
from web.bundle.node import node

MODULE = Path(__file__).resolve().parents[3] / "web" / "browser" / "elsewhere.js"
OWN, MACHINE = (registry.find("serving/own").defaults()[name] for name in ("own", "machine"))
ASKED = [
    ("batching/step-time", {"batch": 64, "context": 1e5}),
    ("serving/sheet", {"model": "own", "own": OWN, "cached": 12.5, "price": 3.65}),
    ("serving/step", {"system": "own", "machine": MACHINE.replace("bandwidth.8e12", "bandwidth.1.6e13")}),
]


def taken(name, inputs):
    """Python and the command line, as the page writes them."""
    script = f"""
        import {{ commandLine, python }} from {json.dumps(MODULE.as_uri())};
        const asked = {json.dumps([name, inputs])};
        console.log(JSON.stringify([python(...asked), commandLine(...asked)]));
    """
    command = [node(), "--input-type=module", "--eval", script]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize(("name", "inputs"), ASKED, ids=lambda part: part if isinstance(part, str) else "")
def test_python_and_the_command_line_say_what_the_page_does(name, inputs, capsys):
    lines, command = taken(name, inputs)
    answer = registry.find(name).answer(**inputs)
    ran = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True, env=os.environ)
    assert ran.stdout.splitlines()[0] == answer.finding
    assert [line.split(maxsplit=1)[1] for line in ran.stdout.splitlines()[1:]] == [
        value.text for value in answer.values.values()
    ]
    program, *words = shlex.split(command)
    assert program == "rooflines"
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["title"] == answer.finding
    assert {key: value["value"] for key, value in told["values"].items()} == {
        key: value["number"] for key, value in answer.as_json()["values"].items()
    }
