// Files are what the build made, or an error that names them.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { check, fetched, renew, whole } from "../../../web/browser/sound.js";

const BYTES = new TextEncoder().encode("what the build made");
const HASH = createHash("sha256").update(BYTES).digest("hex").slice(0, 12);
const ADDRESS = `https://example.org/assets/engine/python.${HASH}.bin`;

const answering = (make) => {
  const asked = [];
  globalThis.fetch = async (address, options) => { asked.push(options.cache); return make(address); };
  return asked;
};

test("bytes pass by the hash in their name, and by nothing else", async () => {
  await check(ADDRESS, BYTES);
  await check("https://example.org/assets/plain.js", BYTES);
  await assert.rejects(check(ADDRESS, BYTES.subarray(1)), ({ message, detail }) => {
    assert.equal(message, "The file python.bin arrived damaged.");
    return detail.startsWith(`${BYTES.length - 1} bytes`);
  });
});

test("a renewed file is asked for past what the browser keeps", async () => {
  const asked = answering(() => new Response(BYTES));
  await fetched(ADDRESS);
  await renew(ADDRESS);
  assert.deepEqual(asked, ["default", "reload"]);
});

test("a file is handed over only as the build made it", async () => {
  answering(() => new Response(BYTES));
  assert.deepEqual(new Uint8Array(await whole(ADDRESS)), BYTES);
  answering(() => new Response(BYTES.subarray(1)));
  await assert.rejects(whole(ADDRESS), { message: "The file python.bin arrived damaged." });
});

test("an answer that is none is told with its status, and no answer with its cause", async () => {
  answering(() => new Response("", { status: 404 }));
  await assert.rejects(fetched(ADDRESS), { message: "The file python.bin could not be fetched: the server answered 404." });
  answering(() => { throw new TypeError("no network"); });
  await assert.rejects(fetched(ADDRESS), { message: "The file python.bin could not be fetched.", detail: "no network" });
});
