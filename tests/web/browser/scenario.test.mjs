// The address in and out.

import assert from "node:assert/strict";
import { test } from "node:test";
import { changed, fromQuery, inputsByKey, pinnedEntries, sharedOnly, toQuery } from "../../../web/browser/scenario.js";

const number = (name, low, high, usual) => ({
  name, kind: "number", label: name, unit: "", low, high, default: usual, log: true, integer: false, expects: "",
});
const model = { name: "model", kind: "choice", label: "Model", default: "a", options: [["a", "A"], ["b", "B"]], expects: "" };
const known = inputsByKey([
  { name: "batching/step-time", inputs: [model, number("batch", 1, 1e6, 2000)] },
  { name: "batching/fast-mode", inputs: [number("batch", 1, 1e3, 1), number("speed", 1, 10, 2.5)] },
]);
const values = (query) => Object.fromEntries(fromQuery(query, known).values);
const ignored = (query) => fromQuery(query, known).ignored.map(({ key }) => key);

test("shared inputs go by their name, others by figure and name", () => {
  assert.deepEqual([...known.keys()], ["model", "batch", "fast-mode.speed"]);
  assert.deepEqual(values("batch=4k&fast-mode.speed=3&model=b"), { batch: 4000, "fast-mode.speed": 3, model: "b" });
});

test("a value that some figure of the page takes is taken", () => assert.deepEqual(values("batch=500000"), { batch: 5e5 }));

test("what equals every default is no change", () => assert.deepEqual(values("model=a&fast-mode.speed=2.5"), {}));

test("unknown keys and invalid values are named and change nothing", () => {
  const query = "batch=lots&speed=3&step-time.speed=3&model=zzz&constructor=1&fast-mode.speed=1e300";
  assert.deepEqual(values(query), {});
  assert.deepEqual(ignored(query), ["batch", "speed", "step-time.speed", "model", "constructor", "fast-mode.speed"]);
});

test("shared inputs that this page does not use, and the site's search, are nobody's mistake", () => {
  assert.deepEqual(ignored("context=8k&h=batch&q=cache&utm_source=x"), []);
  assert.equal(fromQuery("context=8k", known).speaks, true);
  assert.equal(fromQuery("h=batch", known).speaks, false);
});

test("an address is written in one order and read back to the same values", () => {
  const given = new Map([["fast-mode.speed", 3.25], ["batch", 4000], ["model", "b"]]);
  assert.equal(toQuery(given), "model=b&batch=4k&fast-mode.speed=3.25");
  assert.deepEqual(fromQuery(toQuery(given), known).values, new Map([...given].sort((a, b) => (a[0] > b[0] ? -1 : 1)).sort((a, b) => "mbf".indexOf(a[0][0]) - "mbf".indexOf(b[0][0]))));
});

test("a memory of another page keeps only what this page can take", () => {
  const kept = changed(new Map([["batch", 4000], ["context", 8000], ["model", "gone"]]), known);
  assert.deepEqual([...kept], [["batch", 4000]]);
  assert.deepEqual([...sharedOnly(new Map([["batch", 1], ["fast-mode.speed", 2]]))], [["batch", 1]]);
});

test("of a key that is given twice the last counts, and the other is named", () => {
  const { values, ignored } = fromQuery("batch=1k&batch=3k&odd=1&odd=2", known);
  assert.deepEqual([...values], [["batch", 3000]]);
  assert.deepEqual(ignored.map(({ key, text, again }) => [key, text, again ?? false]),
    [["batch", "1k", true], ["odd", "1", false], ["odd", "2", false]]);
});

test("what is pinned as A has the same keys behind a letter, and a word where nothing differs", () => {
  const { values: b, pinned: a } = fromQuery("batch=4k&a.batch=64&a.model=b&a.fast-mode.speed=3", known);
  assert.deepEqual([Object.fromEntries(b), Object.fromEntries(a)], [{ batch: 4000 }, { batch: 64, model: "b", "fast-mode.speed": 3 }]);
  assert.equal(toQuery([...b, ...pinnedEntries(a)]), "batch=4k&a.batch=64&a.fast-mode.speed=3&a.model=b");
  assert.deepEqual([...fromQuery("a=defaults", known).pinned], []);
  assert.equal(fromQuery("a=defaults", known).speaks, true);
  assert.equal(toQuery(pinnedEntries(new Map())), "a=defaults");
  assert.equal(fromQuery("batch=4k", known).pinned, undefined);
  assert.deepEqual(pinnedEntries(null), []);
});

test("of what is pinned, too, what cannot be taken is named", () => assert.deepEqual(ignored("a.batch=lots&a.odd=1"), ["a.batch", "a.odd"]));
