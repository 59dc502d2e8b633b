// The module worker in which Python lives: one start promise, renewed after a failure. A second worker of this kind,
// named KEEPER, starts Python once more when the first is idle and keeps its memory for the next visit.

import { Files } from "./engine/files.js";
import { forget, has, recall, remember } from "./engine/keep.js";
import { Engine } from "./engine/python.js";
import { runtime } from "./engine/runtime.js";
import { take } from "./engine/snapshot.js";
import { answer, failed, live, progress } from "./protocol.js";

const KEEPER = "rooflines-keeper";
const IDLE = 3000; // milliseconds
const ENOUGH_MEMORY = 4; // gigabytes, where the browser tells
const base = new URL("./", self.location.href).href;
const why = (error) => String(error?.message ?? error);
// The last line of a traceback that names an exception.
const inShort = (error) => why(error).split("\n").findLast((line) => /^[\w.]+: /.test(line)) ?? why(error);
let attempts = 0;
let starting = null;
let said = null;
let idle = null;

class Told extends Error {} // whoever waits has heard of it

function start() {
  starting ??= begin().catch((error) => {
    starting = null;
    self.postMessage(failed(why(error)));
    throw new Told();
  });
  return starting;
}

// Nobody may have listened when it was said.
async function resume() {
  if (said) self.postMessage(said);
  else if (await has(runtime.id).catch(() => false)) await start();
}

async function begin() {
  const begun = performance.now();
  attempts += 1;
  const say = (loaded, total) => self.postMessage(progress(loaded, total));
  const engine = new Engine(runtime, new Files(base, runtime.sizes, attempts, say));
  const restored = await fromMemory(engine);
  if (!restored) await engine.startPlain();
  said = live((performance.now() - begun) / 1000, restored);
  self.postMessage(said);
  if (!restored) keepWhenIdle();
  return { engine, restored };
}

async function fromMemory(engine) {
  const kept = await recall(runtime.id).catch(doWithout);
  if (!kept) return false;
  await engine.arrived;
  return engine.startKept(kept).then(() => true, doWithout);
}

async function doWithout(error) {
  console.warn(`Python does without the memory of an earlier visit: ${why(error)}`);
  await forget().catch(() => {});
  return false;
}

async function run({ id, requests }) {
  for (const request of requests) self.postMessage(answer(id, await ask(request)));
  if (idle) keepWhenIdle();
}

async function ask(request) {
  const { engine, restored } = await start();
  try {
    return engine.answer(request);
  } catch (error) {
    if (!restored) return { figure: request.figure, errors: {}, message: `The calculation failed: ${inShort(error)}` };
    await doWithout(error);
    starting = null;
    return ask(request);
  }
}

function keepWhenIdle() {
  clearTimeout(idle);
  idle = setTimeout(async () => {
    idle = null;
    if (navigator.connection?.saveData || navigator.deviceMemory < ENOUGH_MEMORY) return;
    if (await has(runtime.id).catch(() => true)) return;
    const keeper = new Worker(self.location.href, { type: "module", name: KEEPER });
    keeper.onmessage = keeper.onerror = () => keeper.terminate();
  }, IDLE);
}

async function keep() {
  const engine = new Engine(runtime, new Files(base, runtime.sizes, 1));
  await engine.startPlain(true);
  await remember(runtime.id, take(engine.pyodide));
}

if (self.name === KEEPER) {
  keep()
    .catch((error) => console.warn(`The memory is not kept: ${why(error)}`))
    .finally(() => self.postMessage("done"));
} else {
  self.onmessage = ({ data }) => {
    const done = { start, resume, run }[data.type](data);
    done.catch((error) => error instanceof Told || self.postMessage(failed(why(error))));
  };
}
