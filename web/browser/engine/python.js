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
    Object.assign(this, { runtime, files, rooms: new Map(), here: new Set() });
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
  // wait, these are asked for when all that the start needs is here. `near`: figures, the first to be asked for first.
  // `keeping`: so that its memory can be taken afterwards, with every lecture in it.
  async startPlain({ near = [], keeping = false } = {}) {
    const [home, ...others] = this.runtime.packs;
    const lectures = keeping ? Object.keys(this.runtime.lectures) : this.roomsOf(near[0]);
    const first = Promise.all([this.files.take(home, unpacked), this.arrived]); // Pyodide would not say what is missing
    if (this.runtime.inTurn) await first;
    const packs = [...others.map((name) => this.files.take(name, unpacked)), ...lectures.map((room) => this.take(room))];
    const rest = awaited(Promise.all([this.takeLibraries(), ...packs]));
    const [stdlib] = await first;
    note("compiled");
    await this.tried(async () => {
      this.pyodide = await this.boot({ fsInit: async (FS) => writeAll(FS, stdlib), _makeSnapshot: keeping });
    });
    note("started");
    const [, ...calc] = await rest;
    await this.tried(() => this.load(calc.flat(), keeping));
    lectures.forEach((room) => this.here.add(room));
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
    Object.keys(this.runtime.lectures).forEach((room) => this.here.add(room));
    this.respond = this.pyodide.globals.get("respond");
    note("imported");
  }

  async boot(options) {
    const { files, runtime } = this;
    const [machine] = await Promise.all([this.machine, this.script]);
    const where = { indexURL: files.base, packageBaseUrl: files.base, lockFileContents: runtime.lock };
    return withOurs(machine, () => loadPyodide({ ...where, env: { ...environment }, ...options }));
  }

  // Fetches all that a figure needs besides what came with the start: its lecture, and the room that it rests on.
  async provide({ figure, room }) {
    const due = this.missing(this.roomsOf(figure, room));
    const taken = await Promise.all(due.map((each) => this.take(each)));
    if (due.length) putBeside(this.pyodide, taken.flat());
    due.forEach((each) => this.here.add(each));
  }

  // These figures may be asked for: their lectures come while there is nothing else to do.
  expect(figures) {
    for (const room of this.missing(figures.flatMap((figure) => this.roomsOf(figure)))) this.take(room).catch(() => {});
  }

  roomsOf(figure = "", room = "") {
    return [figure.slice(0, figure.indexOf("/")), room].filter((each) => this.packOf(each));
  }

  missing(rooms) {
    return [...new Set(rooms)].filter((room) => !this.here.has(room));
  }

  packOf(room) {
    return this.runtime.lectures[room] ?? this.runtime.apart[room];
  }

  // The files of a room, asked for once.
  take(room) {
    if (!this.rooms.has(room)) this.rooms.set(room, this.fetchRoom(this.packOf(room)).catch((error) => {
      this.rooms.delete(room);
      throw error;
    }));
    return this.rooms.get(room);
  }

  fetchRoom({ file, size }) {
    return new Files(this.files.base, { [file]: size }, () => {}).take(file, unpacked);
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
