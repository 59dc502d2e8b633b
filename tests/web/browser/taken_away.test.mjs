// Citations and data as a reader takes them away.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bibtex, plainText } from "../../../web/browser/citation.js";
import { commandLine, data, json, python } from "../../../web/browser/elsewhere.js";
import { cellText, csv, stride } from "../../../web/browser/data_table.js";

const about = {
  author: "The Rooflines contributors", figure: "Figure 1.1", finding: "At 50% a step costs $2 & more_", page: "Batch size",
  site: "Rooflines", address: "https://example.org/a/?batch=4k&x=50%25#step-time", settings: [["Batch", "4,000 sequences"]],
  day: "2026-11-20", name: "batching/step-time",
};

test("the text names author, finding, figure, values, address and day", () => {
  assert.equal(plainText(about), "The Rooflines contributors. “At 50% a step costs $2 & more_”, Figure 1.1 of “Batch size”, "
    + "Rooflines. With Batch 4,000 sequences. https://example.org/a/?batch=4k&x=50%25#step-time (accessed 2026-11-20).");
});

test("BibTeX escapes what TeX would read as its own", () => {
  const entry = bibtex(about);
  assert.match(entry, /^@misc\{rooflines-batching-step-time,\n/);
  assert.match(entry, /title +=  ?\{\{At 50\\% a step costs \\\$2 \\& more\\_\}\}/);
  assert.match(entry, /url += \{https:\/\/example\.org\/a\/\?batch=4k&x=50%25#step-time\}/);
  assert.match(entry, /note += \{Figure 1\.1 of Batch size; computed with Batch 4,000 sequences; accessed 2026-11-20\}/);
  assert.equal(entry.split("{").length, entry.split("}").length);
});

test("one table is plain CSV, quoted where it must be", () => {
  assert.equal(csv({ curve: { x: [1, null], part: ['a "b"', "c,d"] } }), 'x,part\r\n1,"a ""b"""\r\n,"c,d"\r\n');
});

test("several tables say which row is whose", () => {
  assert.equal(csv({ curve: { x: [1, 2] }, here: { x: [3], y: [0.5] } }), "table,x,y\r\ncurve,1,\r\ncurve,2,\r\nhere,3,0.5\r\n");
});

test("cells are written as the build writes them", () => {
  assert.deepEqual([16384, 16384.5, 163840].map((cell) => cellText(cell, "Chips")), ["16,384", "16,380", "163,800"]);
  assert.deepEqual(["Tokens", "Bytes"].map((heading) => cellText(3.1e12, heading)), ["3.1T", "3,100,000,000,000"]);
  assert.deepEqual([6.7e9, 16384, null].map((cell) => cellText(cell, "Active parameters")), ["6.7B", "16,384", "–"]);
  assert.deepEqual([null, 1234.5678, "text", 0, true, false].map((cell) => cellText(cell, "Chips")), ["–", "1,235", "text", "0", "yes", "no"]);
});

test("a value that a shell would read as its own is quoted", () => {
  assert.equal(commandLine("a/b", { x: 4096, own: "it's {1}" }), "rooflines figure a/b x=4096 'own=it'\\''s {1}'");
});

test("JSON has the answer only where there is one", () => {
  assert.deepEqual(JSON.parse(json("a/b", { x: 1 })), { figure: "a/b", inputs: { x: 1 } });
  const answer = { finding: "One", values: { y: { label: "Y", text: "2 s", number: 2, unit: "s" } } };
  assert.deepEqual(JSON.parse(json("a/b", { x: 1 }, answer)).values, { y: { number: 2, unit: "s" } });
});

const shares = { finding: "One", tables: { curve: { x: [1] } }, values: { y: { label: "Y", text: "27.3%", number: 0.273, unit: "%" } } };

test("a share is a fraction of one, without a unit, in JSON as in CSV", () => {
  assert.deepEqual(JSON.parse(json("a/b", {}, shares)).values, { y: { number: 0.273, unit: "" } });
  const { values } = data({ name: "a/b", inputs: [] }, shares, "https://example.org/a/");
  assert.deepEqual([values.number, values.unit], [[0.273], [""]]);
});

test("data say which inputs they are of, and where these are opened", () => {
  const declared = [
    { kind: "choice", name: "model", label: "Model", default: "c" },
    { kind: "number", name: "found", label: "Found", default: 50, unit: "%" },
    { kind: "text", name: "own", label: "Your model", default: "long" },
  ];
  const { curve, inputs } = data({ name: "a/b", inputs: declared }, { ...shares, inputs: { found: 12.5 } }, "https://example.org/a/");
  assert.deepEqual(curve, { x: [1] });
  assert.deepEqual(inputs.name, ["model", "found", "address"]);
  assert.deepEqual(inputs.number, [undefined, 12.5, undefined]);
  assert.deepEqual(inputs.text, ["c", undefined, "https://example.org/a/?b.found=12.5#b"]);
  const untouched = data({ name: "a/b", inputs: declared }, shares, "https://example.org/a/");
  assert.equal(untouched.inputs.text.at(-1), "https://example.org/a/#b");
});

test("Python names each input", () => assert.match(python("a/b", { x: 1, m: "c" }), /find\("a\/b"\)\.answer\(\n {4}x=1,\n {4}m="c",\n\)/));

test("of a long curve some rows are shown, of a list all", () => {
  const upTo = (length) => Array.from({ length }, (_, at) => at);
  assert.deepEqual([3, 70, 71].map((length) => stride(upTo(length))), [1, 2, 3]);
  assert.equal(stride(upTo(70).reverse()), 2);
  assert.equal(stride([...upTo(69), 3]), 1);
  assert.equal(stride(upTo(70).fill(1)), 1);
  assert.equal(stride(upTo(70).map(String)), 1);
  assert.equal(stride([]), 1);
});
