"""Pyodide's script without the functions that no page can ask for."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from web.bundle import wasm
from web.bundle.engine import Workshop
from web.bundle.node import node
from web.bundle.python import run_node

ROOT = Path(__file__).parents[3]
STORE = ROOT / ".cache" / "rooflines"
SCRIPT = """
var _createPyodideModule = (() => { return (async function(moduleArg = {}) {
  var moduleRtn;
  var Module=moduleArg;var wasmExports={one:()=>1,two:()=>2,three:()=>3};
  var SOUND={play(){return beep()},mute:[1,-1]};function beep(){return "beep"}
  function _play(){return SOUND.play()}_play.sig="i";
  Module["_play"]=_play;Module["SOUND"]=SOUND;
  var FS={read:()=>help()};function help(){return Module["_one"]()}Module["FS"]=FS;
  function _asked(){return later()}_asked.sig="i";var later=()=>Module._two();
  var _one=Module["_one"]=wasmExports.one;var _two=Module["_two"]=wasmExports["two"];
  var _three=Module["_three"]=wasmExports["three"];
  var wasmImports={asked:_asked,_play};
  Module["imports"]=wasmImports;var begun=start();function start(){return "begun"}
  moduleRtn = Module;Module["begun"]=begun;
  return moduleRtn;
}); })();
globalThis._createPyodideModule = _createPyodideModule;
"""
USER = """
_createPyodideModule({}).then((made) => {
  const [imports, names] = [made.imports, made].map((each) => Object.keys(each).sort().join());
  console.log(made.FS.read(), made.imports.asked(), made.begun, imports, names);
});
"""


@pytest.fixture(scope="module")
def workshop() -> Workshop:
    return Workshop(ROOT, STORE, print)


def unasked(workshop: Workshop, folder: Path, imports: list[str]) -> str:
    """The script as it stays for these imports and this user."""
    given, user, made = (folder / name for name in ("given.js", "user.js", "made.js"))
    given.write_text(SCRIPT, "utf-8")
    user.write_text(USER, "utf-8")
    acorn = workshop.modules / "acorn" / "dist" / "acorn.mjs"
    run_node("unasked.mjs", acorn=acorn, given=given, imports=imports, user=user, made=made)
    return made.read_text("utf-8")


def run(script: str) -> str:
    return subprocess.run([node(), "-e", script + USER], capture_output=True, text=True, check=True).stdout.strip()


def test_the_script_works_as_before_and_lacks_what_nobody_names(workshop: Workshop, tmp_path: Path) -> None:
    short = unasked(workshop, tmp_path, ["asked"])
    assert run(short) == "1 2 begun asked FS,_one,_two,begun,imports"
    for gone in ("SOUND", "beep", "_play", "three:", "_three"):
        assert gone not in short.replace("three:()=>3", "")
    assert run(SCRIPT).startswith("1 2 begun _play,asked FS,SOUND,")


def test_an_import_brings_all_that_it_names(workshop: Workshop, tmp_path: Path) -> None:
    """A sound is played by a table of functions, and the table by a function that the import names."""
    short = unasked(workshop, tmp_path, ["asked", "_play"])
    assert [part for part in ('beep(){return "beep"}', '_play.sig="i"') if part not in short] == []
    assert "_three" not in short


def test_the_page_has_every_function_that_the_webassembly_imports(workshop: Workshop) -> None:
    """Whatever Pyodide's own script has for it; what its libraries have for each other is not in the script."""
    table = re.compile(r"\bwasmImports=\{(.*?)\}[,;]", re.S)
    named = re.compile(r"(?:^|,)([\w$]+)")
    before, after = (
        set(named.findall(table.findall(path.read_text("utf-8"))[-1]))
        for path in (workshop.pyodide / "pyodide.asm.js", workshop.script)
    )
    asked = {name for module in workshop.whole.values() for name in wasm.imports(module)}
    assert after == before & asked
    assert len(after) > 400
    assert not re.search(r"_SDL_OpenAudio|_Mix_LoadWAV|_IMG_Load", workshop.script.read_text("utf-8"))
