// An answer is read as Python reads it, judged by its factor, and explained by the slip within whose reach it lies.

import assert from "node:assert/strict";
import { test } from "node:test";
import { judge, quantity } from "../../../web/browser/judge.js";

const read = JSON.parse(process.env.QUANTITY_CASES ?? "[]");
const STEP = {
  value: 0.02, text: "20 ms", example: "20 ms", written: { s: 1, ms: 1e-3, "µs": 1e-6, min: 60 },
  slips: [["Eight chips.", 8], ["A prefix.", 1000, 0.001], ["A factor of two.", 2]],
};

test("a quantity is read as Python reads it", () => {
  assert.ok(read.length >= 50);
  for (const [asked, text, value] of read) {
    const found = quantity(asked, text);
    assert.ok(value === null ? Number.isNaN(found) : Math.abs(found / value - 1) < 1e-12, `“${text}”: ${found}, not ${value}`);
  }
});

for (const text of ["20 ms", "0.02 s", "20,300 µs", " 19.8ms "]) {
  test(`“${text}” is right`, () => assert.deepEqual(judge(STEP, text), { state: "right", sentence: "Right: 20 ms." }));
}

for (const text of ["", "20", "ms", "20 kg", "-20 ms", "0 s"]) {
  const sentence = "Write a number with its unit, such as 20 ms.";
  test(`“${text}” is no answer`, () => assert.deepEqual(judge(STEP, text), { state: "unread", sentence }));
}

for (const [text, sentence] of [
  ["160 ms", "8 times too much. Eight chips."],
  ["162 ms", "8.1 times too much. Eight chips."],
  ["20 s", "1,000 times too much. A prefix."],
  ["40.8 ms", "2 times too much. A factor of two."],
  ["90 ms", "4.5 times too much."],
  ["5 ms", "4 times too little."],
  ["21.5 ms", "7.5% too much. Rounding to three digits explains less: a small part may be left out."],
  ["18.5 ms", "7.5% too little. Rounding to three digits explains less: a small part may be left out."],
  ["22.4 ms", "12% too much."],
  ["14 ms", "30% too little."],
]) {
  test(`“${text}” is wrong, and how`, () => assert.deepEqual(judge(STEP, text), { state: "wrong", sentence }));
}

test("rounding is an excuse for what it does alone", () => {
  const count = { ...STEP, value: 138, text: "138", within: 1.004, written: { "": 1 } };
  assert.equal(judge({ ...count, within: 1 + 1e-9 }, "138.4").sentence, "0.29% too much. Rounding to three digits explains it.");
  assert.match(judge(count, "137").sentence, /left out/);
});

test("a small slip explains only what it matches, and a large one what was rounded", () => {
  const slipped = { ...STEP, slips: [["Small.", 1.08], ["Large.", 1.5]] };
  for (const text of ["21.6 ms", "21.5 ms"]) assert.match(judge(slipped, text).sentence, /Small/);
  for (const text of ["21.1 ms", "22.1 ms"]) assert.doesNotMatch(judge(slipped, text).sentence, /Small/);
  for (const text of ["29.5 ms", "30.6 ms"]) assert.match(judge(slipped, text).sentence, /Large/);
});

test("a guess within its factor is good, and is told the number", () => {
  const guessed = { ...STEP, within: 2, estimate: true };
  assert.equal(judge(guessed, "30 ms").sentence, "A good guess, within a factor of 2. It is 20 ms. Yours is 1.5 times too much.");
  assert.equal(judge(guessed, "20 ms").sentence, "A good guess, within a factor of 2. It is 20 ms. Yours is that.");
  assert.equal(judge(guessed, "50 ms").state, "wrong");
});

test("dollars may stand before their number", () => {
  const asked = { ...STEP, value: 0.3, written: { "$/Mtok": 1, "/Mtok": 1, "": 1 }, dollars: true };
  for (const text of ["$0.30/Mtok", "0.3", "$ 0.30", "0.30/Mtok"]) assert.equal(judge(asked, text).state, "right", text);
});
