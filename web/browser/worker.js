// The module worker in which Python lives: one start promise, renewed after a failure. A second one of these, named
// KEEPER, starts Python once more when the first is idle and keeps its memory for the next visit.

import { Engine } from "./engine/python.js";
import { Files } from "./engine/files.js";
import { forget, has, recall, remember } from "./engine/keep.js";
import { answer, failed, live, progress } from "./protocol.js";
import { take } from "./engine/snapshot.js";
import { runtime } from "./engine/runtime.js";

const KEEPER = "rooflines-keeper";
const IDLE = 3000;
const base = new URL("./", self.location.href).href;
const say = (loaded, total) => self.postMessage(progress(loaded, total));
let starting = null;
let idle = null;

function start() {
  starting ??= begin().catch((error) => {
    starting = null;
    self.postMessage(failed(String(error.message ?? error)));
    throw error;
  });
  return starting;
}

async function begin() {
  const begun = performance.now();
  const restored = await fromMemory();
  const engine = restored ?? new Engine(runtime, new Files(base, runtime.sizes, say));
  if (!restored) await engine.startPlain();
  self.postMessage(live((performance.now() - begun) / 1000, restored !== null));
  if (!restored) keepWhenIdle();
  return engine;
}

async function fromMemory() {
  try {
    const kept = await recall(runtime.id);
    if (!kept) return null;
    const engine = new Engine(runtime, new Files(base, runtime.sizes));
    await engine.startKept(kept);
    return engine;
  } catch (error) {
    console.warn(`Starting Python without the kept memory: ${error.message ?? error}`);
    await forget().catch(() => {});
    return null;
  }
}

async function run({ id, requests }) {
  const engine = await start();
  for (const request of requests) self.postMessage(answer(id, JSON.parse(engine.respond(JSON.stringify(request)))));
  if (idle) keepWhenIdle();
}

function keepWhenIdle() {
  clearTimeout(idle);
  idle = setTimeout(async () => {
    idle = null;
    if (navigator.connection?.saveData || (await has(runtime.id).catch(() => true))) return;
    const keeper = new Worker(self.location.href, { type: "module", name: KEEPER });
    keeper.onmessage = keeper.onerror = () => keeper.terminate();
  }, IDLE);
}

async function keep() {
  const engine = new Engine(runtime, new Files(base, runtime.sizes));
  await engine.startPlain(true);
  await remember(runtime.id, take(engine.pyodide));
}

if (self.name === KEEPER) {
  keep()
    .catch((error) => console.warn(`The memory is not kept: ${error.message ?? error}`))
    .finally(() => self.postMessage("done"));
} else {
  self.onmessage = ({ data }) => {
    const done = data.type === "start" ? start() : run(data);
    done.catch(() => {});
  };
}
