// Leaves out of compiled files what thin.py says, on the interpreter that will run them: this starts Pyodide under Node.
// Argument: one JSON object {pyodide, archive, called: file, made}; without `called`, no more than what draws goes.
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

called = Path("/called.json")
lacks = thin.uncalled({tuple(each) for each in json.loads(called.read_text())}) if called.exists() else thin.drawing
with zipfile.ZipFile("/given.zip") as given, zipfile.ZipFile("/made.zip", "w") as made:
    for info in given.infolist():
        data = given.read(info)
        made.writestr(info, thin.compiled(data, lacks) if info.filename.endswith(".pyc") else data)
`);
await writeFile(made, pyodide.FS.readFile("/made.zip"));
