// The module worker in which Python lives: one start promise, started again after a failure.

import { runtime } from "./table.js";
import { plainStart, respondFunction } from "./engine.js";
import { Files } from "./files.js";
import { answer, failed, live, progress } from "./protocol.js";

let starting = null;

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
  const say = (loaded, total) => self.postMessage(progress(loaded, total));
  const files = new Files(new URL("./", self.location.href).href, runtime.sizes, say);
  const pyodide = await plainStart(runtime, files);
  const t1 = performance.now();
  const respond = respondFunction(pyodide);
  self.postMessage({ type: "debug", boot: t1 - begun, imports: performance.now() - t1 });
  self.postMessage(live((performance.now() - begun) / 1000, false));
  return respond;
}

async function run({ id, requests }) {
  const respond = await start();
  for (const request of requests) self.postMessage(answer(id, JSON.parse(respond(JSON.stringify(request)))));
}

self.onmessage = ({ data }) => {
  const done = data.type === "start" ? start() : run(data);
  done.catch(() => {});
};
