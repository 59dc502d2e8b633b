// The order of a column: numbers by size, words by alphabet, unknown cells last, equal cells as they stood.

import assert from "node:assert/strict";
import { test } from "node:test";
import { order } from "../../../web/browser/sorted.js";

const sorted = (cells, descending) => order(cells, descending).map((place) => cells[place]);

test("numbers go by size as they are written", () => {
  const cells = ["1,200", "–", "−3", "0.00052", "90"];
  assert.deepEqual(sorted(cells), ["−3", "0.00052", "90", "1,200", "–"]);
  assert.deepEqual(sorted(cells, true), ["1,200", "90", "0.00052", "−3", "–"]);
});

test("words go by alphabet, and numbers within them by size", () => {
  assert.deepEqual(sorted(["vLLM 0.10", "SGLang", "vLLM 0.9"]), ["SGLang", "vLLM 0.9", "vLLM 0.10"]);
});

test("equal cells stay as they stood, both ways", () => {
  assert.deepEqual(order(["8", "1", "8"]), [1, 0, 2]);
  assert.deepEqual(order(["8", "1", "8"], true), [0, 2, 1]);
});
