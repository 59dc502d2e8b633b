// Finds what the reader's browser will import: starts Pyodide under Node with the whole standard library, numpy and calc,
// answers every figure, and prints {imported, written}: the files that were imported or read, and, with their hashes, the
// texts of methods that Python wrote for dataclasses. Argument: JSON {pyodide, stdlib: zip, packages: pack}.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { environment } from "../browser/engine/environment.js";
import { everything } from "../browser/engine/everything.js";
import { unpack, writeAll } from "../browser/engine/unpack.js";

const { pyodide: home, stdlib, packages } = JSON.parse(process.argv[2]);
const { loadPyodide } = await import(pathToFileURL(join(home, "pyodide.mjs")));
const pyodide = await loadPyodide({ indexURL: home, stdLibURL: stdlib, env: { ...environment } });
writeAll(pyodide.FS, await unpack(new Blob([await readFile(packages)]).stream()));

pyodide.runPython(`
import builtins
import dataclasses
import sys

opened = set()
written = {}

def execute(text, *where):
    written[text] = hash(text)
    builtins.exec(text, *where)

dataclasses.exec = execute
sys.addaudithook(lambda event, given: opened.add(given[0]) if event == "open" and isinstance(given[0], str) else None)
`);
pyodide.runPython(everything);
const [imported, written] = JSON.parse(pyodide.runPython(`
import dis
import json
import sys
from importlib import import_module
from types import CodeType

def names(code):
    yield from (it.argval for it in dis.get_instructions(code) if it.opname == "IMPORT_NAME")
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from names(inner)

# What calc would import only on some rare way through a function: from the standard library, and from its own chapters,
# whose faces import a module when a name of it is asked for.
seen = set()
while new := {name for name in sys.modules if name.partition(".")[0] == "calc"} - seen:
    seen |= new
    for name in new:
        for wanted in names(sys.modules[name].__spec__.loader.get_code(name)):
            if wanted.partition(".")[0] in {*sys.stdlib_module_names, "calc"}:
                import_module(wanted)

files = {module.__file__ for module in sys.modules.values() if getattr(module, "__file__", None)}
json.dumps([sorted(files | opened), written], sort_keys=True)
`));
const folders = [`${pyodide.FS.cwd()}/`, "/lib/python313.zip/"];
const relative = (path) => path.slice(folders.find((folder) => path.startsWith(folder))?.length ?? 0);
console.log(JSON.stringify({ imported: imported.map(relative), written }));
