// One worker, one start, another start after a failure.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Runtime } from "../../../web/browser/runtime.js";

class FakeWorker extends EventTarget {
  sent = [];
  postMessage(message) { this.sent.push(message); }
  terminate() { this.ended = true; }
  says(data) { this.dispatchEvent(Object.assign(new Event("message"), { data })); }
}

function hired() {
  const workers = [];
  const states = [];
  const mended = [];
  const mend = async () => mended.push(workers.length);
  const runtime = new Runtime(() => workers[workers.push(new FakeWorker()) - 1], mend);
  runtime.addEventListener("change", () => states.push(runtime.state.name));
  return { runtime, workers, states, mended };
}

test("starting twice starts once", () => {
  const { runtime, workers } = hired();
  runtime.start(["moe/plans", "batching/cost"]);
  runtime.start(["batching/cost"]);
  const first = { type: "start", kept: "", slow: false, near: ["moe/plans", "batching/cost"] };
  assert.deepEqual(workers.map(({ sent }) => sent), [[first]]);
  workers[0].says({ type: "live", seconds: 1, restored: false });
  runtime.start();
  assert.equal(workers[0].sent.length, 1);
});

test("a worker that was made before is taken over, and says again that it is live", () => {
  const { runtime, workers, states } = hired();
  const worker = new FakeWorker();
  runtime.adopt(worker);
  runtime.start([]);
  const [resumed, started] = [{ type: "resume", kept: "", slow: false }, { type: "start", kept: "", slow: false, near: [] }];
  assert.deepEqual(worker.sent, [resumed, started]);
  worker.says({ type: "live", seconds: 0.5, restored: true });
  runtime.start();
  assert.deepEqual([workers, states, worker.sent.length], [[], ["starting", "live"], 2]);
});

test("a worker that had failed before it could be taken over is not", async () => {
  const { runtime, workers, mended } = hired();
  runtime.adopt(new FakeWorker(), true);
  await runtime.start();
  assert.deepEqual([workers.length, mended, runtime.state.name], [1, [0], "starting"]);
});

test("progress is told in bytes until it is live", () => {
  const { runtime, workers, states } = hired();
  runtime.start();
  workers[0].says({ type: "progress", loaded: 1, total: 4 });
  assert.deepEqual(runtime.state, { name: "starting", loaded: 1, total: 4 });
  workers[0].says({ type: "live", seconds: 1, restored: true });
  workers[0].says({ type: "progress", loaded: 4, total: 4 });
  assert.deepEqual(states, ["starting", "starting", "live"]);
});

test("after a failure a new worker starts, from a script that is fetched anew", async () => {
  const { runtime, workers, states, mended } = hired();
  runtime.start();
  workers[0].says({ type: "failed", message: "The file is gone.", detail: "404" });
  const message = "The calculator could not start. The file is gone.";
  assert.deepEqual(runtime.state, { name: "failed", message, detail: "404" });
  assert.ok(workers[0].ended);
  await runtime.start();
  assert.deepEqual(mended, [1]);
  workers[1].says({ type: "live", seconds: 1, restored: false });
  assert.deepEqual(states, ["starting", "failed", "starting", "live"]);
});

test("a worker that cannot be made, or breaks, is a failure with a cause", () => {
  const { runtime, workers } = hired();
  runtime.start();
  workers[0].dispatchEvent(Object.assign(new Event("error"), { message: "boom" }));
  assert.deepEqual([runtime.state.name, runtime.state.detail], ["failed", "boom"]);
  const refused = new Runtime(() => { throw new Error("no workers here"); });
  refused.start();
  assert.deepEqual([refused.state.name, refused.state.detail], ["failed", "no workers here"]);
});

test("a long answer is counted to whoever waits, and is stopped by them alone", async () => {
  const { runtime, workers } = hired();
  runtime.start();
  const [worker] = workers;
  worker.says({ type: "live", seconds: 1, restored: false });
  const counts = [];
  const abort = new AbortController();
  const asked = runtime.ask({ figure: "a/b", inputs: {} }, { tell: (count) => counts.push(count.done), signal: abort.signal });
  for (const done of [1, 2]) worker.says({ type: "counted", id: 1, count: { done, of: 9, counted: "parts" } });
  abort.abort();
  assert.deepEqual([counts, worker.sent.at(-1)], [[1, 2], { type: "stop", id: 1 }]);
  worker.says({ type: "answer", id: 1, answer: { figure: "a/b", stopped: { done: 2, of: 9 } } });
  assert.equal((await asked).stopped.done, 2);
  const late = new AbortController();
  const again = runtime.ask({ figure: "a/b", inputs: {} }, { signal: late.signal });
  worker.says({ type: "answer", id: 2, answer: { figure: "a/b" } });
  await again;
  late.abort();
  assert.deepEqual(worker.sent.at(-1).type, "run");
});

test("an answer goes to whom it belongs, and a silent worker is given up", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { runtime, workers } = hired();
  runtime.start();
  workers[0].says({ type: "live", seconds: 1, restored: false });
  const asked = [runtime.ask({ figure: "a/b", inputs: {} }), runtime.ask({ figure: "a/c", inputs: {} })];
  workers[0].says({ type: "answer", id: 2, answer: { figure: "a/c" } });
  assert.deepEqual(await asked[1], { figure: "a/c" });
  mock.timers.tick(20_000);
  assert.equal(await asked[0], undefined);
  assert.equal(runtime.state.name, "failed");
  mock.timers.reset();
});
