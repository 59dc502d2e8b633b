// Leaves out of compiled files what thin.py says, on the interpreter that will run them: this starts Pyodide under Node.
// Argument: one JSON object {pyodide, archive, called: file, made}; without `called`, no more than what draws goes. The file
// is JSON {called: [[file, name, first line]], named: whether what those name stays, too, settled: [[file, name]]}.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const { pyodide: home, archive, called, made } = JSON.parse(process.argv[2]);
const { loadPyodide } = await import(pathToFileURL(join(home, "pyodide.mjs")));
const pyodide = await loadPyodide({ indexURL: home, env: { PYTHONHASHSEED: "0" } });
const here = pyodide.FS.cwd();
pyodide.FS.writeFile(`${here}/thin.py`, await readFile(fileURLToPath(new URL("thin.py", import.meta.url))));
pyodide.FS.writeFile("/given.zip", await readFile(archive));
if (called) pyodide.FS.writeFile("/called.json", await readFile(called));

pyodide.runPython(`
import json
import zipfile
from pathlib import Path

import thin

told = Path("/called.json")

def chosen(files):
    if not told.exists():
        return thin.drawing
    found = json.loads(told.read_text())
    called = {tuple(each) for each in found["called"]}
    settled = {tuple(each) for each in found["settled"]}
    return thin.unnamed(called, files, settled) if found["named"] else thin.uncalled(called)

with zipfile.ZipFile("/given.zip") as given, zipfile.ZipFile("/made.zip", "w") as made:
    files = [(info, given.read(info)) for info in given.infolist()]
    lacks = chosen([data for info, data in files if info.filename.endswith(".pyc")])
    for info, data in files:
        made.writestr(info, thin.compiled(data, lacks, told.exists()) if info.filename.endswith(".pyc") else data)
`);
await writeFile(made, pyodide.FS.readFile("/made.zip"));
