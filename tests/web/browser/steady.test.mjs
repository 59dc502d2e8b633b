// A table that is the same whenever its key is comes once and stands in every answer that names the key.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Steady } from "../../../web/browser/steady.js";

const [byYear, byModel] = [{ run: [1, 2] }, { run: [3, 4] }];

test("what came is said to be known, and put in where it stays away, whichever was asked last", () => {
  const steady = new Steady();
  assert.deepEqual(steady.known, {});
  steady.complete({ steady: { runs: "year" }, tables: { runs: byYear } });
  steady.complete({ steady: { runs: "model" }, tables: { runs: byModel } });
  assert.deepEqual(steady.known, { known: { runs: ["year", "model"] } });
  const late = { steady: { runs: "year" }, tables: { here: {} } };
  steady.complete(late);
  assert.equal(late.tables.runs, byYear);
});

test("an answer without steady tables is as it came", () => {
  const steady = new Steady();
  const answer = { tables: { curve: byYear } };
  steady.complete(answer);
  assert.deepEqual(answer, { tables: { curve: byYear } });
  assert.deepEqual(steady.known, {});
});
