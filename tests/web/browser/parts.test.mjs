// How a long answer is asked for.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { inParts } from "../../../web/browser/parts.js";

// Python that keeps each part, of which one takes so many milliseconds.
function slow(parts, milliseconds) {
  const kept = new Set();
  let now = 0;
  mock.method(performance, "now", () => now);
  const answer = ({ part, figure }) => {
    if (part >= parts) return { figure, finding: "done" };
    if (!kept.has(part)) now += milliseconds;
    kept.add(part);
    return { figure, done: part + 1, of: parts, counted: "layouts" };
  };
  return { kept, answer };
}

const ask = { figure: "a/b", inputs: {} };
const never = () => false;

test("an answer without parts comes at once", async () => {
  const asked = [];
  const answer = (request) => asked.push(request) && { figure: "a/b", finding: "done" };
  assert.deepEqual(await inParts(answer, ask, assert.fail, never), { figure: "a/b", finding: "done" });
  assert.deepEqual(asked, [{ ...ask, part: 0 }]);
});

test("each part that takes its time is told of", async (context) => {
  context.after(() => mock.restoreAll());
  const { answer } = slow(4, 50);
  const counts = [];
  assert.equal((await inParts(answer, ask, ({ done }) => counts.push(done), never)).finding, "done");
  assert.deepEqual(counts, [1, 2, 3, 4]);
});

test("short parts are told of together", async (context) => {
  context.after(() => mock.restoreAll());
  const counts = [];
  await inParts(slow(9, 15).answer, ask, ({ done }) => counts.push(done), never);
  assert.deepEqual(counts, [3, 6, 9]);
});

test("it stops between two parts, and goes on there without computing them again", async (context) => {
  context.after(() => mock.restoreAll());
  const { answer, kept } = slow(4, 50);
  let unwanted = false;
  const stopped = await inParts(answer, ask, ({ done }) => setTimeout(() => (unwanted = done === 2)), () => unwanted);
  assert.deepEqual(stopped, { figure: "a/b", stopped: { done: 2, of: 4, counted: "layouts" } });
  assert.equal(kept.size, 2);
  const counts = [];
  await inParts(answer, ask, ({ done }) => counts.push(done), never);
  assert.deepEqual([counts, kept.size], [[3, 4], 4]);
});

test("a refusal ends it", async () => {
  const refused = { figure: "a/b", errors: { batch: "No." }, message: "No." };
  assert.deepEqual(await inParts(() => refused, ask, assert.fail, never), refused);
});
