// The worker of search, with a stand-in for Material's: which question arrives there.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";

const [SET_UP, READY, QUESTION] = [0, 1, 2];
const STOP = new Set(["a", "the", "of", "does", "how", "we", "should", "to", "what", "is"]);

// Material's worker listens on the same scope, answers that it is ready, and brings lunr.
async function asked(...questions) {
  const arrived = [];
  const listeners = [];
  const scope = {
    addEventListener: (_, listener) => listeners.push(listener),
    removeEventListener: (_, listener) => listeners.splice(listeners.indexOf(listener), 1),
    dispatchEvent: (event) => [...listeners].forEach((listener) => listener(event)),
    fetch: async () => ({ json: async () => ({ config: {}, docs: [] }) }),
    MessageEvent: class { constructor(_, { data }) { this.data = data; } },
    postMessage: () => {},
    importScripts: () => {
      scope.lunr = { stopWordFilter: (word) => STOP.has(word) ? undefined : word };
      scope.addEventListener("message", ({ data }) => {
        if (data.type === SET_UP) scope.postMessage({ type: READY });
        else arrived.push(data.data);
      });
    },
  };
  scope.self = scope;
  vm.runInNewContext(readFileSync(new URL("../../../web/search.js", import.meta.url), "utf8"), scope);
  scope.dispatchEvent({ data: { type: SET_UP, data: {} } });
  for (const data of questions) {
    scope.dispatchEvent({ data: { type: QUESTION, data } });
    await new Promise(setImmediate);
  }
  return arrived;
}

test("the first question and later ones arrive without words that say nothing", async () => {
  assert.deepEqual(
    await asked("how much does a token cost?", "Should we self-host", "", "the price of a conversation"),
    ["much token cost", "self-host", "", "price conversation"],
  );
});

test("a question of nothing else arrives as it is", async () => {
  assert.deepEqual(await asked("a", "what is a", "B"), ["a", "what is a", "B"]);
});

test("what is joined to other signs, a number and marks of a phrase stay", async () => {
  const kept = ["all-to-all", "x-axis", "+the -of", "title:a bound", "lecture 4", "N_a", "wha"];
  assert.deepEqual(await asked(...kept), kept);
  assert.deepEqual(await asked('"what a token costs"'), ['"token costs"']);
});
