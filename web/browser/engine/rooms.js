// Rooms of calc that travel by themselves (calc/figure/registry.py) come when one of their figures is first asked for.

import { writeAll } from "./unpack.js";

// Into a Python that runs, where what was looked for and not found is remembered.
export function putBeside(pyodide, files) {
  writeAll(pyodide.FS, files);
  pyodide.runPython("import sys; sys.path_importer_cache.clear()");
}
