// The module worker in which Python lives: one start promise, renewed after a failure. One that is named RESUMING begins
// by itself if that takes nothing but what the browser keeps. A second worker, named a keeper, starts Python once more when
// the first is idle and keeps its memory for the next visit. Over a slow link the machine comes packed.

import { Files } from "./engine/files.js";
import { forget, has, lasts, recall, remember } from "./engine/keep.js";
import { Engine } from "./engine/python.js";
import { runtime } from "./engine/runtime.js";
import { take } from "./engine/snapshot.js";
import { inParts } from "./parts.js";
import { answer, counted, failed, kept, live, progress } from "./protocol.js";
import { told } from "./trouble.js";

const KEEPER = "rooflines-keeper";
const SMALL_KEEPER = "rooflines-small-keeper";
const RESUMING = "rooflines-resuming"; // the head of a page makes it (web/theme/main.html); a message would wait its turn
const IDLE = 3000; // milliseconds
const ENOUGH_MEMORY = 4; // gigabytes, where the browser tells
const base = new URL("./", self.location.href).href;
const UNSTARTED = "Python could not be started in this browser.";
const UNANSWERED = "It met a mistake of its own.";
const UNPROVIDED = "What computes this figure did not come. Change an input to ask for it again.";
const MISCALCULATED = "The calculation met a mistake in the code of this figure.";
const why = (error) => String(error?.message ?? error);
// The last line of a traceback that names an exception.
const inShort = (error) => why(error).split("\n").findLast((line) => /^[\w.]+: /.test(line)) ?? why(error);
const small = { ...runtime, ...runtime.small, inTurn: true };
let usual = runtime;
let machine = usual; // without the functions that no figure was seen to call, until one of them is called after all
let slow = false;
let starting = null;
let said = null;
let idle = null;
let keptBefore = "";
let near = []; // the figures of the page, of which the first will be asked for first
const wanted = new Set(); // ids of requests

class Told extends Error {} // whoever waits has heard of it

function start(given) {
  hear(given);
  starting ??= begin().catch((error) => {
    starting = null;
    self.postMessage(failed(told(error, UNSTARTED)));
    throw new Told();
  });
  return starting;
}

function hear(given) {
  keptBefore ||= given?.kept ?? "";
  slow ||= given?.slow ?? false;
  near = given?.near ?? near;
}

// Nobody may have listened when it was said.
async function resume(given) {
  hear(given);
  if (said) self.postMessage(said);
  else if (await isKept()) await start();
}

async function begin() {
  const begun = performance.now();
  const here = await isKept();
  if (machine.whole) machine = usual = here ?? (slow ? small : runtime);
  const say = (loaded, total) => self.postMessage(progress(loaded, total));
  const { engine, restored } = await withMachine(here ? undefined : say, async (engine) => {
    const restored = here ? await fromMemory(engine) : false;
    if (!restored) await engine.startPlain({ near });
    return { engine, restored };
  });
  said = live((performance.now() - begun) / 1000, restored, times(begun));
  self.postMessage(said);
  if (!restored) keepWhenIdle();
  return { engine, restored };
}

function times(begun) {
  const { timeOrigin } = performance;
  const came = Math.max(begun, ...performance.getEntriesByType("resource").map(({ responseEnd }) => responseEnd));
  const marks = performance.getEntriesByType("mark").map(({ name, startTime }) => [name, startTime]);
  const all = [["begun", begun], ["came", came], ...marks];
  return Object.fromEntries(all.map(([stage, time]) => [stage, timeOrigin + time]));
}

async function withMachine(say, use) {
  const make = () => new Engine(machine, new Files(base, machine.sizes, say));
  const engine = make();
  try {
    return await use(engine);
  } catch (error) {
    if (!lacks(error, engine.broken)) throw error;
    return use(make());
  }
}

// Whether the machine met a function that it lacks; from then on it is the whole one. The error that Python makes of a
// trap while it starts is not told from other failures: whatever fails when all has come is tried once more.
function lacks(error, starting = false) {
  if (!machine.whole || !(starting || error instanceof WebAssembly.RuntimeError)) return false;
  console.warn(`Python starts again with all its functions: ${inShort(error)}`);
  machine = { ...runtime, ...runtime.whole, whole: undefined };
  return true;
}

// The machine whose memory is kept here, if any is; that of one does not fit another, and the whole one has none.
async function isKept() {
  const kept = await Promise.all([runtime, small].map(({ id }) => machine.whole && has(id).catch(() => false)));
  return [runtime, small].find((_, at) => kept[at]);
}

async function fromMemory(engine) {
  engine.takeLibraries();
  const memory = machine.whole && (await recall(usual.id).catch(doWithout));
  if (!memory) return false;
  await engine.arrived;
  await engine.takeLibraries();
  return engine.startKept(memory).then(() => true, doWithout);
}

async function doWithout(error) {
  console.warn(`Python does without the memory of an earlier visit: ${why(error)}`);
  await forget().catch(() => {});
  return false;
}

async function stop({ id }) {
  wanted.delete(id);
}

async function run({ id, request }) {
  wanted.add(id);
  self.postMessage(answer(id, await ask(request, id)));
  wanted.delete(id);
  if (idle) keepWhenIdle();
}

async function ask(request, id) {
  const { engine, restored } = await start();
  try {
    await engine.provide(request);
  } catch (error) {
    return { figure: request.figure, errors: {}, message: UNPROVIDED, detail: inShort(error) };
  }
  try {
    const tell = (count) => self.postMessage(counted(id, count));
    const reply = await inParts((part) => engine.answer(part), request, tell, () => !wanted.has(id));
    return { ...reply, inputs: request.inputs }; // data that are taken away say what they are of
  } catch (error) {
    if (lacks(error)) {
      starting = null;
      return ask(request, id);
    }
    if (!restored) return { figure: request.figure, errors: {}, message: MISCALCULATED, detail: inShort(error) };
    await doWithout(error);
    starting = null;
    return ask(request, id);
  }
}

function keepWhenIdle() {
  clearTimeout(idle);
  idle = setTimeout(async () => {
    idle = null;
    starting?.then(({ engine }) => engine.expect(near), () => {});
    if (navigator.connection?.saveData || navigator.deviceMemory < ENOUGH_MEMORY) return;
    if (keptBefore === usual.id || !(await lasts())) return; // what was lost once is lost again
    if (await has(usual.id).catch(() => true)) return;
    const keeper = new Worker(self.location.href, { type: "module", name: usual === small ? SMALL_KEEPER : KEEPER });
    keeper.onmessage = keeper.onerror = () => {
      keeper.terminate();
      self.postMessage(kept(usual.id));
    };
  }, IDLE);
}

async function keep() {
  await withMachine(undefined, async (engine) => {
    await engine.startPlain({ keeping: true });
    if (machine.whole) await remember(usual.id, take(engine.pyodide));
  });
}

if (self.name === SMALL_KEEPER) machine = usual = small;
if ([KEEPER, SMALL_KEEPER].includes(self.name)) {
  keep()
    .catch((error) => console.warn(`The memory is not kept: ${why(error)}`))
    .finally(() => self.postMessage("done"));
} else {
  const tell = (error) => error instanceof Told || self.postMessage(failed(told(error, UNANSWERED)));
  self.onmessage = ({ data }) => ({ start, resume, run, stop })[data.type](data).catch(tell);
  if (self.name === RESUMING) resume().catch(tell);
}
