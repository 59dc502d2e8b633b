// Parts of calc that travel by themselves (web/bundle/rooms.py, calc/figure/registry.py) are put beside the others.

import { writeAll } from "./unpack.js";

// Into a Python that runs, where what was looked for and not found is remembered.
export function putBeside(pyodide, files) {
  writeAll(pyodide.FS, files);
  pyodide.runPython("import sys; sys.path_importer_cache.clear()");
}
