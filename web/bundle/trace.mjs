// Finds what the reader's browser will import: starts Pyodide under Node with the whole standard library, numpy and calc,
// answers every figure once, and prints the files that were imported. Argument: JSON {pyodide, stdlib, packages: [zip]}.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// Node would quote the line of Pyodide that threw, which is a megabyte long.
process.on("uncaughtException", (error) => {
  console.error(String(error.message ?? error));
  process.exitCode = 1;
});

const { pyodide: home, stdlib, packages } = JSON.parse(process.argv[2]);
const { loadPyodide } = await import(pathToFileURL(join(home, "pyodide.mjs")));
const pyodide = await loadPyodide({ indexURL: home, stdLibURL: stdlib });
for (const path of packages) pyodide.unpackArchive(new Uint8Array(await readFile(path)), "zip", { extractDir: pyodide.FS.cwd() });

const imported = pyodide.runPython(`
import json
import sys

from calc import figures
from calc.live import respond

for figure in figures.every():
    respond(json.dumps({"figure": figure.name, "inputs": {}}))
    respond(json.dumps({"figure": figure.name, "inputs": {given.name: "?" for given in figure.inputs}}))

json.dumps(sorted({module.__file__ for module in sys.modules.values() if getattr(module, "__file__", None)}))
`);
const folders = [`${pyodide.FS.cwd()}/`, "/lib/python313.zip/"];
const relative = (path) => path.slice(folders.find((folder) => path.startsWith(folder))?.length ?? 0);
console.log(JSON.stringify(JSON.parse(imported).map(relative)));
