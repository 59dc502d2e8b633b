// Finds the words in the machine that only a person would read: starts Pyodide under Node, imports every module that is
// part of the machine, and numpy, and prints {told, frozen}: the documentation of all that is written in C; and, of the
// modules that lie compiled in the machine, their bytes and shorter ones, both in base64, that do the same (thin.py).
// Argument: JSON {pyodide, packages: pack}.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { unpack, writeAll } from "../browser/engine/unpack.js";

const { pyodide: home, packages } = JSON.parse(process.argv[2]);
const { loadPyodide } = await import(pathToFileURL(join(home, "pyodide.mjs")));
const pyodide = await loadPyodide({ indexURL: home, env: { PYTHONHASHSEED: "0" } });
writeAll(pyodide.FS, await unpack(new Blob([await readFile(packages)]).stream()));
pyodide.FS.writeFile(`${pyodide.FS.cwd()}/thin.py`, await readFile(fileURLToPath(new URL("thin.py", import.meta.url))));

console.log(pyodide.runPython(`
import _imp
import base64
import json
import marshal
import sys
from importlib import import_module
from types import FunctionType

import numpy.linalg
import thin

for name in sys.builtin_module_names:
    import_module(name)

def kinds(kind):
    for each in type.__subclasses__(kind):
        yield each
        yield from kinds(each)

def members():
    for each in (*sys.modules.values(), object, *kinds(object)):
        yield each
        yield from getattr(each, "__dict__", {}).values()

def told():
    for each in members():
        said = getattr(each, "__doc__", None)
        if isinstance(said, str) and not isinstance(each, FunctionType):
            yield said
            yield said.partition("\\n\\n")[2]  # behind the arguments, which numpy writes when it is asked

def frozen():
    for name in _imp._frozen_module_names():
        found = _imp.find_frozen(name, withdata=True)
        if found:
            given = bytes(found[0])
            yield [base64.b64encode(each).decode() for each in (given, marshal.dumps(thin.unsaid(marshal.loads(given))))]

json.dumps({"told": sorted(set(told())), "frozen": list(frozen())})
`));
