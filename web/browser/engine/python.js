// Starts Python in this worker: the plain way, or from the memory that an earlier visit kept.

import { loadPyodide } from "pyodide";
import { putBack } from "./snapshot.js";
import { unpack, writeAll } from "./unpack.js";

const EMPTY_ZIP = Uint8Array.from([80, 75, 5, 6, ...Array(18).fill(0)]);
const EVERYTHING = `
import gc
from calc import figures
from calc.live import respond
figures.every()
gc.collect()
`;

export class Engine {
  constructor(runtime, files) {
    this.runtime = runtime;
    this.files = files;
  }

  // `keeping`: so that its memory can be taken afterwards.
  async startPlain(keeping = false) {
    const libraries = this.compiled();
    const packs = this.packs();
    packs.catch(() => {});
    const fsInit = async (FS) => (await packs).forEach((pack) => writeAll(FS, pack));
    this.pyodide = await this.boot({ fsInit, _makeSnapshot: keeping });
    linkWhenImported(this.pyodide.FS, await libraries);
    this.pyodide.runPython(keeping ? EVERYTHING : "from calc.live import respond");
    this.respond = this.pyodide.globals.get("respond");
  }

  async startKept(kept) {
    const libraries = this.compiled();
    this.pyodide = await this.boot({ _loadSnapshot: kept.memory });
    putBack(this.pyodide, kept, await libraries);
    this.respond = this.pyodide.globals.get("respond");
  }

  // A restored Python has everything imported but no files; they are for what it imports only when something goes wrong.
  async writeFiles() {
    for (const pack of await this.packs()) writeAll(this.pyodide.FS, pack);
  }

  async boot(options) {
    const { files, runtime } = this;
    const script = import(files.address(runtime.script));
    const own = { "pyodide.asm.wasm": files.get(runtime.wasm), "python_stdlib.zip": new Response(EMPTY_ZIP) };
    return answering(own, async () => {
      await script;
      files.arrived(runtime.script);
      return loadPyodide({ indexURL: files.base, packageBaseUrl: files.base, lockFileContents: runtime.lock, ...options });
    });
  }

  packs() {
    return Promise.all(this.runtime.packs.map(async (name) => unpack((await this.files.get(name)).body)));
  }

  async compiled() {
    const { libraries } = this.runtime;
    const modules = libraries.map(({ file }) => WebAssembly.compileStreaming(this.files.get(file)));
    return new Map((await Promise.all(modules)).map((module, at) => [libraries[at].path, module]));
  }
}

// Pyodide fetches its own files by fixed names; ours have other names and are on their way already.
async function answering(responses, action) {
  const ordinary = self.fetch;
  self.fetch = (address, options) => {
    const name = String(address).split("/").pop();
    return name in responses ? Promise.resolve(responses[name]) : ordinary.call(self, address, options);
  };
  try {
    return await action();
  } finally {
    self.fetch = ordinary;
  }
}

// Python opens numpy's libraries as files: hand over the modules that the browser compiled while they arrived.
function linkWhenImported(FS, compiled) {
  const ordinary = FS.readFile;
  for (const path of compiled.keys()) FS.writeFile(path, new Uint8Array(0));
  FS.readFile = (path, options) => compiled.get(path) ?? ordinary.call(FS, path, options);
}
