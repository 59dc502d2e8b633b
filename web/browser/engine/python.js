// Starts Python in this worker: the plain way, or from the memory that an earlier visit kept.

import { loadPyodide } from "pyodide";
import { XzReadableStream } from "xz-decompress";
import { putBeside } from "./rooms.js";
import { environment } from "./environment.js";
import { Files } from "./files.js";
import { ahead, everything } from "./everything.js";
import { linkWhenImported } from "./libraries.js";
import { putBack } from "./snapshot.js";
import { unpack, writeAll } from "./unpack.js";

const compile = (response) => WebAssembly.compileStreaming(response);
const plain = ({ body }) => new Response(new XzReadableStream(body));
const compilePacked = async (response) => WebAssembly.compile(await plain(response).arrayBuffer());
const unpacked = (response) => unpack(plain(response).body);
const note = (stage) => performance.mark(stage); // of the start of Python: `times` in ../protocol.js
// A promise whose failure is heard by whoever awaits it, be it late.
const awaited = (promise) => (promise.catch(() => {}), promise);
const EMPTY_ZIP = Uint8Array.from([80, 75, 5, 6, ...Array(18).fill(0)]);

export class Engine {
  // The script and the machine, which both ways need first, are on their way from the first moment.
  constructor(runtime, files) {
    Object.assign(this, { runtime, files, rooms: new Map() });
    this.script = files.script(runtime.script);
    this.machine = this.takeModule(runtime.wasm);
    this.arrived = awaited(Promise.all([this.script, this.machine]));
  }

  takeLibraries() {
    this.libraries ??= awaited(Promise.all(this.runtime.libraries.map(({ file }) => this.takeModule(file))));
    return this.libraries;
  }

  takeModule(name) {
    return this.files.take(name, name.endsWith(".wasm") ? compile : compilePacked);
  }

  // Python starts while the libraries and calc are still coming; over a slow link, where every file makes the others
  // wait, these are asked for when all that the start needs is here. `keeping`: so that its memory can be taken afterwards.
  async startPlain(keeping = false) {
    const [home, ...others] = this.runtime.packs;
    const first = Promise.all([this.files.take(home, unpacked), this.arrived]); // Pyodide would not say what is missing
    if (this.runtime.inTurn) await first;
    const rest = awaited(Promise.all([this.takeLibraries(), ...others.map((name) => this.files.take(name, unpacked))]));
    const [stdlib] = await first;
    note("compiled");
    await this.tried(async () => {
      this.pyodide = await this.boot({ fsInit: async (FS) => writeAll(FS, stdlib), _makeSnapshot: keeping });
    });
    note("started");
    const [, ...packs] = await rest;
    await this.tried(() => this.load(packs.flat(), keeping));
    note("imported");
  }

  async load(files, keeping) {
    putBeside(this.pyodide, files);
    linkWhenImported(this.pyodide.FS, await this.compiled());
    this.pyodide.runPython(ahead);
    this.pyodide.runPython(keeping ? everything : "from calc.figure.answering import respond");
    this.respond = this.pyodide.globals.get("respond");
  }

  // Notes that an action failed in Python or its machine, not in what is fetched.
  async tried(action) {
    try {
      await action();
    } catch (error) {
      this.broken = true;
      throw error;
    }
  }

  async startKept(kept) {
    note("compiled");
    this.pyodide = await this.boot({ _loadSnapshot: kept.memory });
    note("started");
    putBack(this.pyodide, kept, await this.compiled());
    this.respond = this.pyodide.globals.get("respond");
    note("imported");
  }

  async boot(options) {
    const { files, runtime } = this;
    const [machine] = await Promise.all([this.machine, this.script]);
    const where = { indexURL: files.base, packageBaseUrl: files.base, lockFileContents: runtime.lock };
    return withOurs(machine, () => loadPyodide({ ...where, env: { ...environment }, ...options }));
  }

  // The files of a room on which a figure rests, where they have not come with the rest.
  provide(room) {
    const apart = this.runtime.apart[room];
    if (apart && !this.rooms.has(room)) this.rooms.set(room, this.fetchRoom(apart).catch((error) => {
      this.rooms.delete(room);
      throw error;
    }));
    return this.rooms.get(room);
  }

  async fetchRoom({ file, size }) {
    const files = new Files(this.files.base, { [file]: size }, () => {});
    putBeside(this.pyodide, await files.take(file, unpacked));
  }

  answer(request) {
    return JSON.parse(this.respond(JSON.stringify(request)));
  }

  async compiled() {
    const modules = await this.takeLibraries();
    return new Map(this.runtime.libraries.map(({ path }, at) => [path, modules[at]]));
  }
}

// Pyodide asks for its own two files while it starts: hand over the machine that is compiled already, and an empty
// archive, because the standard library comes in a pack.
async function withOurs(machine, action) {
  const { fetch } = self;
  const { instantiateStreaming } = WebAssembly;
  self.fetch = async () => new Response(EMPTY_ZIP);
  WebAssembly.instantiateStreaming = async (response, imports) => {
    return { module: machine, instance: await WebAssembly.instantiate(machine, imports) };
  };
  try {
    return await action();
  } finally {
    self.fetch = fetch;
    WebAssembly.instantiateStreaming = instantiateStreaming;
  }
}
