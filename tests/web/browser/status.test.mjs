// The line of a figure says what is shown.
import assert from "node:assert/strict";
import { test } from "node:test";

import { inWords } from "../../../web/browser/status.js";

test("a figure that could not be computed is not said to be", () => {
  const live = { name: "live" };
  assert.equal(inWords(live), "Live: computed in your browser");
  assert.equal(inWords(live, { behind: true, earlier: true }), "Ready; shown is an earlier result");
});

test("a chart that does not follow is not called live", () => {
  assert.equal(inWords({ name: "live" }, { drawing: true }), "Live numbers, earlier chart");
});

test("a change that takes long is said to be computed, until it is shown", () => {
  const live = { name: "live" };
  const long = { behind: true, lingers: true };
  assert.equal(inWords(live, long), "Computing your change…");
  assert.equal(inWords(live, { ...long, behind: false }), "Live: computed in your browser");
  assert.equal(inWords(live, { ...long, earlier: true }), "Ready; shown is an earlier result");
  assert.equal(inWords({ name: "failed", message: "It stopped." }, long), "It stopped.");
});

test("how much of a long answer is computed is counted, and how much was when the reader stopped it", () => {
  const live = { name: "live" };
  const count = { done: 12, of: 35, counted: "layouts" };
  assert.equal(inWords(live, { behind: true, lingers: true, count }), "Computing: 12 of 35 layouts");
  assert.equal(inWords(live, { behind: true, halted: count }), "Stopped at 12 of 35 layouts");
  assert.equal(inWords(live, { behind: true, halted: {} }), "Stopped");
  assert.equal(inWords(live, { behind: false, halted: count }), "Live: computed in your browser");
});

test("while Python starts, what has come is said, and a change that waits", () => {
  const starting = { name: "starting", loaded: 1e6, total: 4e6 };
  assert.equal(inWords(starting, { behind: true }), "Starting: 1.0 of 4.0 MB; then your change is computed");
});
