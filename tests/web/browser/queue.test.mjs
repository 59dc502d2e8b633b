// The order of work, and that the latest wins.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Queue } from "../../../web/browser/queue.js";

class SlowRuntime {
  live = true;
  asked = [];
  ask(request) {
    this.asked.push(request);
    return new Promise((resolve) => (this.answer = () => resolve({ of: request })));
  }
}

const subject = (name, visible = false) => ({ name, visible, version: 0, request() { return `${name} ${this.version}`; } });
const turn = () => new Promise((resolve) => setTimeout(resolve));

function started() {
  const runtime = new SlowRuntime();
  const shown = [];
  return { runtime, shown, queue: new Queue(runtime, (each, answer) => shown.push(answer.of)) };
}

test("the edited figure comes first, then what is in view, then the rest after a pause", async () => {
  const { runtime, queue } = started();
  const [far, seen, edited] = [subject("far"), subject("seen", true), subject("edited")];
  queue.add([far, seen, edited], edited);
  for (let at = 0; at < 2; at += 1) { runtime.answer(); await turn(); }
  assert.deepEqual(runtime.asked, ["edited 0", "seen 0"]);
  while (runtime.asked.length < 3) await turn();
  assert.deepEqual(runtime.asked, ["edited 0", "seen 0", "far 0"]);
});

test("changes during a computation are asked once, as they are then", async () => {
  const { runtime, queue, shown } = started();
  const edited = subject("edited");
  for (edited.version = 1; edited.version < 50; edited.version += 1) queue.add([edited], edited);
  runtime.answer();
  await turn();
  runtime.answer();
  await turn();
  assert.deepEqual(runtime.asked, ["edited 1", "edited 50"]);
  assert.deepEqual(shown, ["edited 1", "edited 50"]);
});

test("a long computation is told of once, holds nobody up, and gives way to the newest change", async (context) => {
  context.after(() => mock.timers.reset());
  mock.timers.enable({ apis: ["setTimeout"] });
  const answered = () => new Promise(setImmediate);
  const runtime = new SlowRuntime();
  const told = [];
  const queue = new Queue(runtime, () => {}, (each) => told.push(`${each.name} ${each.version}`));
  const [edited, other] = [subject("edited"), subject("other", true)];
  queue.add([edited], edited);
  mock.timers.tick(149);
  assert.deepEqual([told, edited.lingers], [[], undefined]);
  mock.timers.tick(1);
  assert.deepEqual([told, edited.lingers], [["edited 0"], true]);
  for (edited.version = 1; edited.version < 9; edited.version += 1) queue.add([other, edited], edited);
  mock.timers.tick(900);
  runtime.answer();
  await answered();
  assert.deepEqual([runtime.asked, edited.lingers], [["edited 0", "edited 9"], true]);
  mock.timers.tick(100);
  runtime.answer();
  await answered();
  assert.deepEqual([runtime.asked.at(-1), told, edited.lingers], ["other 0", ["edited 0"], false]);
});

// Answers in parts, of which each takes one turn; as the worker does, it keeps those of a request that it stops.
class PartedRuntime {
  live = true;
  asked = [];
  kept = new Map();
  async ask(request, { tell, signal }) {
    this.asked.push(request);
    for (let done = this.kept.get(request) ?? 0; done < PARTS; this.kept.set(request, done)) {
      done += 1;
      const count = { done, of: PARTS, counted: "parts" };
      tell(count);
      await turn();
      if (signal.aborted) return this.kept.set(request, done) && { stopped: count };
    }
    return { of: request };
  }
}

const PARTS = 5;

function parted() {
  const runtime = new PartedRuntime();
  const [shown, lingering] = [[], []];
  const linger = (each) => lingering.push({ ...(each.halted ?? each.count) }.done);
  return { runtime, shown, lingering, queue: new Queue(runtime, (each, answer) => shown.push(answer.of), linger) };
}

test("a long computation stops for a newer change of its figure, and its answer is never shown", async () => {
  const { runtime, queue, shown } = parted();
  const edited = subject("edited");
  queue.add([edited], edited);
  await turn();
  edited.version = 1;
  queue.add([edited], edited);
  while (!shown.length) await turn();
  assert.deepEqual([runtime.asked, shown], [["edited 0", "edited 1"], ["edited 1"]]);
  assert.ok(runtime.kept.get("edited 0") < PARTS);
});

test("a long computation gives way to a change of another figure, and then goes on", async () => {
  const { runtime, queue, shown } = parted();
  const [long, other] = [subject("long", true), subject("other")];
  queue.add([long], long);
  await turn();
  queue.add([other], other);
  while (shown.length < 2) await turn();
  assert.deepEqual(runtime.asked, ["long 0", "other 0", "long 0"]);
  assert.deepEqual(shown, ["other 0", "long 0"]);
});

test("the reader stops a long computation, and it goes on from there when they ask", async () => {
  const { runtime, queue, shown, lingering } = parted();
  const long = subject("long", true);
  queue.add([long], long);
  await turn();
  queue.halt(long);
  const { done } = long.halted;
  for (let at = 0; at < 3 * PARTS; at += 1) await turn();
  assert.deepEqual([runtime.asked, shown, queue.due.size, lingering.at(-1)], [["long 0"], [], 0, done]);
  queue.add([long], long);
  assert.deepEqual([long.halted, long.count.done >= done, long.lingers], [undefined, true, true]);
  while (!shown.length) await turn();
  assert.deepEqual([runtime.asked, shown, long.lingers], [["long 0", "long 0"], ["long 0"], false]);
});

test("a page that is left and a form that is no longer sound stop what runs for them", async () => {
  for (const leave of [(queue) => queue.clear(), (queue, long) => queue.drop(long)]) {
    const { runtime, queue, shown } = parted();
    const long = subject("long", true);
    queue.add([long], long);
    await turn();
    leave(queue, long);
    for (let at = 0; at < 3 * PARTS; at += 1) await turn();
    assert.deepEqual([runtime.asked, shown, queue.due.size], [["long 0"], [], 0]);
    assert.ok(runtime.kept.get("long 0") < PARTS);
  }
});

test("nothing is asked before the runtime is live, nor shown after the page is gone", async () => {
  const { runtime, queue, shown } = started();
  runtime.live = false;
  queue.add([subject("early")]);
  assert.deepEqual(runtime.asked, []);
  runtime.live = true;
  queue.next();
  queue.clear();
  runtime.answer();
  await turn();
  assert.deepEqual(shown, []);
});

test("what a failing worker left unanswered is still due", async () => {
  const runtime = { live: true, ask: async () => undefined };
  const queue = new Queue(runtime, () => assert.fail("there was no answer"));
  const edited = subject("edited");
  const asking = queue.next.bind(queue);
  queue.next = () => (queue.due.has(edited) && !queue.tried ? ((queue.tried = true), asking()) : undefined);
  queue.add([edited], edited);
  await turn();
  assert.ok(queue.due.has(edited));
});
