// Runs Python of this repository inside Pyodide under Node. Argument: JSON {pyodide, wheels: [path], root, code, given};
// `code` finds the text `given` under that name, and what it evaluates to, a text, is printed after MARK.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const MARK = "\u0001";
const { pyodide: home, wheels, root, code, given } = JSON.parse(await readFile(process.argv[2], "utf8"));
const { loadPyodide } = await import(pathToFileURL(join(home, "pyodide.mjs")));
const pyodide = await loadPyodide({ indexURL: home, env: { PYTHONDONTWRITEBYTECODE: "1" } });
for (const path of wheels) {
  pyodide.unpackArchive(new Uint8Array(await readFile(path)), "wheel", { extractDir: "/lib/python3.13/site-packages" });
}
pyodide.FS.mkdirTree("/repository");
pyodide.mountNodeFS("/repository", root);
pyodide.runPython("import os, sys; os.chdir('/repository'); sys.path.insert(0, '/repository')");
pyodide.globals.set("given", given);
console.log(MARK + pyodide.runPython(code));
