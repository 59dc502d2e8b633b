// Starts Python in this worker and gives the one function that answers requests.

import { loadPyodide } from "pyodide";
import { unpack, writeAll } from "./unpack.js";

const HOME = "/lib/python3.13";
const EMPTY_ZIP = Uint8Array.from([80, 75, 5, 6, ...Array(18).fill(0)]);
const LOCK = { info: { abi_version: "2025_0", arch: "wasm32", platform: "emscripten", python: "3.13.2", version: "" }, packages: {} };

export async function plainStart(runtime, files) {
  const modules = Promise.all(runtime.libraries.map(({ file }) => WebAssembly.compileStreaming(files.get(file))));
  const packs = Promise.all(runtime.packs.map(async (file) => unpack((await files.get(file)).body)));
  const script = import(files.address(runtime.script));
  const pyodide = await withResponses(
    { "pyodide.asm.wasm": files.get(runtime.wasm), "python_stdlib.zip": new Response(EMPTY_ZIP) },
    async () => {
      await script;
      return loadPyodide({
        indexURL: files.base,
        lockFileContents: LOCK,
        packageBaseUrl: files.base,
        fsInit: async (FS) => {
          for (const pack of await packs) writeAll(FS, pack);
        },
      });
    },
  );
  linkCompiled(pyodide, runtime.libraries, await modules);
  return pyodide;
}

// Pyodide fetches its own files by fixed names; ours have other names and are already on their way.
async function withResponses(responses, action) {
  const ordinary = self.fetch;
  self.fetch = (address, options) => {
    const name = String(address).split("/").pop();
    return name in responses ? Promise.resolve(responses[name]) : ordinary(address, options);
  };
  try {
    return await action();
  } finally {
    self.fetch = ordinary;
  }
}

// Python opens numpy's libraries as files; hand over the modules that the browser compiled while they arrived.
function linkCompiled(pyodide, libraries, modules) {
  const compiled = new Map(libraries.map(({ path }, at) => [path, modules[at]]));
  const { FS } = pyodide;
  const ordinary = FS.readFile;
  for (const path of compiled.keys()) FS.writeFile(path, new Uint8Array(0));
  FS.readFile = (path, options) => compiled.get(path) ?? ordinary.call(FS, path, options);
}

export function respondFunction(pyodide) {
  return pyodide.runPython("from calc.live import respond; respond");
}
