// Finds what the reader's browser will import: starts Pyodide under Node with the whole standard library, numpy and calc,
// answers every figure, and prints the files that were imported or read. Argument: JSON {pyodide, stdlib, packages: [zip]}.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { everything } from "../browser/engine/everything.js";

const { pyodide: home, stdlib, packages } = JSON.parse(process.argv[2]);
const { loadPyodide } = await import(pathToFileURL(join(home, "pyodide.mjs")));
const pyodide = await loadPyodide({ indexURL: home, stdLibURL: stdlib });
for (const path of packages) {
  pyodide.unpackArchive(new Uint8Array(await readFile(path)), "zip", { extractDir: pyodide.FS.cwd() });
}

pyodide.runPython(`
import sys

opened = set()
sys.addaudithook(lambda event, given: opened.add(given[0]) if event == "open" and isinstance(given[0], str) else None)
`);
pyodide.runPython(everything);
const imported = pyodide.runPython(`
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
json.dumps(sorted(files | opened))
`);
const folders = [`${pyodide.FS.cwd()}/`, "/lib/python313.zip/"];
const relative = (path) => path.slice(folders.find((folder) => path.startsWith(folder))?.length ?? 0);
console.log(JSON.stringify(JSON.parse(imported).map(relative)));
