// Finds which functions of the WebAssembly are called when Python starts, is kept and put back, and answers every figure
// in many ways: runs the observed modules (web/bundle/wasm.py) under Node and prints {starting, answering, python}: in the
// first two, by path, the numbers of those that had been called until then, where the machine's own path is empty; then
// the functions of Python's modules that were called, each by file, name and first line.
// Argument: JSON {pyodide, modules: {path: file}, packs: [file], apart: {room: file}, stdlib: file}.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { putBeside } from "../browser/engine/rooms.js";
import { environment } from "../browser/engine/environment.js";
import { ahead, everything } from "../browser/engine/everything.js";
import { linkWhenImported } from "../browser/engine/libraries.js";
import { putBack, take } from "../browser/engine/snapshot.js";
import { unpack, writeAll } from "../browser/engine/unpack.js";

const NOTES = "calls";
const MACHINE = "";
const NOTING = "/lib/python3.13/site-packages/sitecustomize.py";
// Every figure as it stands, with each input at its ends, in between and refused, and with all at once in many places,
// where it says, too, how they can be moved; what no page sends is refused.
const variously = `
import json
import re
from itertools import accumulate, count, repeat
from calc.figure import registry
from calc.figure.answering import respond

WRONG = ["?", "", " ", "-1", "1e999", "nan", "inf", "10%", "8 k", "1,5", "0x10", "9" * 400, "10⁶", "x" * 99, None, True, -7, 1e300, [], {}]
numbers = accumulate(repeat(48271), lambda last, factor: last * factor % 0x7FFFFFFF)

def spoilt(text):
    rows = text.splitlines()
    wrong = [row + "0" for row in rows] + [re.sub("[0-9.]+", "0", row) for row in rows] + ["colour: red", ": 1", "x"]
    yield from wrong
    yield from ("\\n".join([*rows, row]) for row in wrong)
    yield from ("\\n".join(rows[:at]) for at in range(len(rows) + 1))

def places(given):
    declared = given.declaration()
    if declared.get("options"):
        return [value for value, _ in declared["options"]]
    if declared["kind"] == "text":
        texts = [text for _, text in declared.get("starts", [])] or [declared["default"]]
        return [*texts, texts[0][: len(texts[0]) // 2], "{}", *(spoilt(given.written) if given not in read else [])]
    low, high = declared["low"], declared["high"]
    between = [low + (high - low) * share for share in (0.001, 0.1, 0.5, 0.9)]
    found = [low, *between, (low * high) ** 0.5 if low > 0 else low, high]
    if declared.get("integer"):
        found = [round(each) for each in found]
    return [each if at % 2 else str(each) for at, each in enumerate(found)]  # as a slider and as a box would send them

def ask(name, inputs, **more):
    for part in count():  # as the worker does (web/browser/parts.js)
        if "of" not in json.loads(respond(json.dumps({"figure": name, "inputs": inputs, "part": part} | more))):
            return

read = []
for figure in registry.asked():
    taken = {given.name: places(given) for given in figure.inputs}
    own = {given.name: {given.goes_with: "own"} for given in figure.inputs if given.kind == "text"}  # then it is read
    for name, values in taken.items():
        for value in (*values, *WRONG):
            ask(figure.name, {name: value} | own.get(name, {}))
    read += [given for given in figure.inputs if given.name in own]
    for _ in range(8 if taken else 0):
        inputs = {name: values[next(numbers) % len(values)] for name, values in taken.items()}
        ask(figure.name, inputs)
        ask(figure.name, inputs, ways=True)
    ask(figure.name, {"no such input": 1})
`;

const addressed = `
import json

from calc.figure import registry

chapters = {}
for figure in registry.asked():
    given = {given.name: given.declaration() for given in figure.inputs}
    values = {name: str(declared["high"]) for name, declared in given.items() if "high" in declared}
    if values:
        chapters.setdefault(figure.name.partition("/")[0], json.dumps({"figure": figure.name, "inputs": values}))
json.dumps(list(chapters.values()))
`;

// Python notes each of its own functions when it is first called, and all those of what was imported before it could.
const noting = `
import sys
from types import CodeType

called = set()
watch = sys.monitoring

def note(code, place=0):
    called.add((code.co_filename, code.co_qualname, code.co_firstlineno))
    return watch.DISABLE

def note_all(code):
    note(code)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            note_all(inner)

for name, module in list(sys.modules.items()):
    code = module.__spec__ and module.__spec__.loader.get_code(name)
    if code:
        note_all(code)

watch.use_tool_id(watch.PROFILER_ID, "${NOTES}")
watch.register_callback(watch.PROFILER_ID, watch.events.PY_START, note)
watch.set_events(watch.PROFILER_ID, watch.events.PY_START)
`;
const noted = `
import json
import sitecustomize

json.dumps(list(sitecustomize.called))
`;

const { pyodide: home, modules, packs, apart, stdlib } = JSON.parse(process.argv[2]);
process.argv[1] = "./this.program"; // as Emscripten names a program in a browser
const { loadPyodide } = await import(pathToFileURL(join(home, "pyodide.mjs")));
const compile = async (file) => WebAssembly.compile(await readFile(file));
const compiled = new Map();
for (const [path, file] of Object.entries(modules)) compiled.set(path, await compile(file));
const machine = compiled.get(MACHINE);
compiled.delete(MACHINE);
const unpacked = async (file) => unpack(new Blob([await readFile(file)]).stream());
const [standard, ...others] = await Promise.all(packs.map(unpacked));
const late = await Promise.all(Object.values(apart).map(unpacked));
const called = new Map(Object.keys(modules).map((path) => [path, new Set()]));
const { Instance, instantiate } = WebAssembly;
const notes = [];
const started = [];

// Emscripten would take the memory of notes for one of its own symbols.
function hidden(path, instance) {
  const { [NOTES]: memory, ...exports } = instance.exports;
  notes.push([path, memory]);
  return { exports };
}

WebAssembly.Instance = function (module, imports) {
  const instance = new Instance(module, imports);
  const path = [...compiled].find(([, each]) => each === module)?.[0];
  return path ? hidden(path, instance) : instance;
};
WebAssembly.instantiate = async (_, imports) => {
  return { module: machine, instance: hidden(MACHINE, await instantiate(machine, imports)) };
};

// The notes of all instances, which go on noting.
function gathered() {
  for (const [path, memory] of notes) {
    new Uint8Array(memory.buffer).forEach((byte, number) => byte && called.get(path).add(number));
  }
  return Object.fromEntries([...called].map(([path, numbers]) => [path, [...numbers].sort((a, b) => a - b)]));
}

const base = { indexURL: home, stdLibURL: stdlib };
const fsInit = async (FS) => {
  writeAll(FS, standard);
  FS.writeFile(NOTING, noting);
};

async function load(options) {
  started.push(await loadPyodide({ ...base, env: { ...environment }, ...options }));
  return started.at(-1);
}

async function plain() {
  const pyodide = await load({ fsInit, _makeSnapshot: true });
  putBeside(pyodide, others.flat());
  linkWhenImported(pyodide.FS, compiled);
  pyodide.runPython(ahead);
  pyodide.runPython("from calc.figure.answering import respond");
  return pyodide;
}

async function restored({ memory, links }) {
  const pyodide = await load({ _loadSnapshot: memory });
  putBack(pyodide, { memory, links }, compiled);
  return pyodide;
}

// Browsers differ in whether WebAssembly can wait for JavaScript, and Pyodide starts otherwise where it can.
let python = await plain();
python.runPython(everything);
if (python.runPython("import made_ahead; len(made_ahead.UNKNOWN)")) throw new Error("Python compiled methods of dataclasses.");
const kept = take(python);
await restored(kept);
delete WebAssembly.Suspending;
delete WebAssembly.promising;
python = await plain();
const starting = gathered();
// The first deed of a browser: it answers, of any chapter, a figure with the values of the address.
for (const room of late) putBeside(python, room);
const firsts = JSON.parse(python.runPython(addressed));
for (const first of firsts) (await provided(kept)).globals.get("respond")(first);
python.globals.get("respond")(firsts[0]);
answer(python);
answer(await provided(kept));

async function provided(kept) {
  const pyodide = await restored(kept);
  for (const room of late) putBeside(pyodide, room);
  return pyodide;
}

function answer(pyodide) {
  pyodide.runPython(variously);
  const respond = pyodide.globals.get("respond");
  for (const request of [undefined, "", "{}", '{"figure": "no/such", "inputs": {}}']) {
    try {
      respond(request);
    } catch (error) {
      if (error.name !== "PythonError") throw error;
    }
  }
}

const answering = gathered();
const functions = new Set(started.flatMap((each) => JSON.parse(each.runPython(noted)).map((it) => JSON.stringify(it))));
console.log(JSON.stringify({ starting, answering, python: [...functions].sort().map((it) => JSON.parse(it)) }));
