// For whom a look at a form may begin the loading.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dataAreDear, dataAreFree, linkIsSlow } from "../../../web/browser/intent.js";

const LINK = { type: "wifi", downlink: 10, effectiveType: "4g", saveData: false };
const desk = { mobile: false };

test("a link that is told to be fast and unmetered is free", () => {
  assert.equal(dataAreFree({ connection: LINK, userAgentData: desk }), true);
  assert.equal(dataAreFree({ connection: { ...LINK, type: "ethernet" }, userAgentData: desk }), true);
});

test("whatever is not told costs", () => {
  const links = [undefined, {}, { ...LINK, type: undefined }, { ...LINK, type: "cellular" }, { ...LINK, type: "unknown" },
    { ...LINK, downlink: undefined }, { ...LINK, downlink: 4 }, { ...LINK, saveData: true }, { ...LINK, effectiveType: "2g" }];
  for (const connection of links) assert.equal(dataAreFree({ connection, userAgentData: desk }), false, JSON.stringify(connection));
});

test("a telephone costs on every link, and so does a browser that does not say that it is none", () => {
  for (const userAgentData of [{ mobile: true }, {}, undefined]) assert.equal(dataAreFree({ connection: LINK, userAgentData }), false);
});

test("data are dear where they are saved, slow or by the byte", () => {
  for (const link of [{ saveData: true }, { type: "cellular" }, { effectiveType: "slow-2g" }]) assert.equal(dataAreDear(link), true);
  assert.ok(!dataAreDear(LINK));
  assert.ok(!dataAreDear(undefined));
});

test("how fast the page came tells whether the link is slow, and one that was kept tells nothing new", () => {
  const kept = new Map();
  globalThis.localStorage = {
    getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key),
  };
  const came = (milliseconds) => ({ transferSize: 100_000, encodedBodySize: 99_700, responseStart: 300, responseEnd: 300 + milliseconds });
  const fromHere = { ...came(1), transferSize: 300 };
  assert.equal(linkIsSlow([fromHere]), false, "nothing was ever measured");
  assert.equal(linkIsSlow([came(500)]), true, "1.6 Mbit/s");
  assert.equal(linkIsSlow([fromHere]), true);
  assert.equal(linkIsSlow([came(40)]), false, "20 Mbit/s");
  assert.equal(linkIsSlow([fromHere]), false);
  for (const page of [undefined, {}, came(0)]) assert.equal(linkIsSlow([page]), false);
});
