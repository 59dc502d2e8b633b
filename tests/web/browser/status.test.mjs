// The line of a figure says what is shown.
import assert from "node:assert/strict";
import { test } from "node:test";

import { inWords } from "../../../web/browser/status.js";

test("a figure that could not be computed is not said to be", () => {
  const live = { name: "live" };
  assert.equal(inWords(live), "Live: computed in your browser");
  assert.equal(inWords(live, true, true), "Ready; shown is an earlier result");
});

test("a change that takes long is said to be computed, until it is shown", () => {
  const live = { name: "live" };
  assert.equal(inWords(live, true, false, true), "Computing your change…");
  assert.equal(inWords(live, false, false, true), "Live: computed in your browser");
  assert.equal(inWords(live, true, true, true), "Ready; shown is an earlier result");
  assert.equal(inWords({ name: "failed", message: "It stopped." }, true, false, true), "It stopped.");
});

test("while Python starts, what has come is said, and a change that waits", () => {
  const starting = { name: "starting", loaded: 1e6, total: 4e6 };
  assert.equal(inWords(starting, true), "Starting: 1.0 of 4.0 MB; then your change is computed");
});
