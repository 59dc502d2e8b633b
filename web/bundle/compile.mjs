// Compiles archives of Python source with pyodide-build's own py-compile, on the interpreter that will run them: this
// starts Pyodide under Node. Argument: one JSON object {pyodide, tools: [wheel], archives: [path], folder, optimise}.
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

const { pyodide: home, tools, archives, folder, optimise } = JSON.parse(process.argv[2]);
const { loadPyodide } = await import(pathToFileURL(join(home, "pyodide.mjs")));
// A fixed date makes py_compile write hashes instead of times; a fixed seed fixes the order of frozen sets; columns are
// left out of the line tables, which halves them.
const env = {
  SOURCE_DATE_EPOCH: "315532800",
  PYTHONHASHSEED: "0",
  PYTHONNODEBUGRANGES: "1",
  PYTHONOPTIMIZE: String(optimise),
};
const pyodide = await loadPyodide({ indexURL: home, env });

const copyIn = async (paths, place) => {
  pyodide.FS.mkdirTree(place);
  for (const path of paths) pyodide.FS.writeFile(`${place}/${basename(path)}`, await readFile(path));
};
await copyIn(tools, "/tools");
await copyIn(archives, "/archives");

pyodide.runPython(`
import sys
from pathlib import Path

sys.path[:0] = [str(path) for path in sorted(Path("/tools").iterdir())]
from pyodide_build._py_compile import _py_compile_archive

for path in sorted(Path("/archives").iterdir()):
    made = _py_compile_archive(path, keep=False, verbose=False)
    made.rename(Path("/archives") / path.name)
`);
for (const path of archives) {
  await writeFile(join(folder, basename(path)), pyodide.FS.readFile(`/archives/${basename(path)}`));
}
