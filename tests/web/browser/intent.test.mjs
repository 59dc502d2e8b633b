// For whom a look at a form may begin the loading.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dataAreDear, dataAreFree } from "../../../web/browser/intent.js";

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
