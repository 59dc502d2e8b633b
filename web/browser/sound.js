// Files that are what the build made: each carries the beginning of its SHA-256 in its name (web/hashed.py).

import { Trouble } from "./trouble.js";

const NAME = /([^/]+?)\.([0-9a-f]{12})\.(\w+)$/;

// The copy that a browser or a proxy keeps may be what went wrong, so `again` asks past it, and mends it.
export async function fetched(address, again = false) {
  const response = await fetch(address, { cache: again ? "reload" : "default" }).catch((error) => {
    throw new Trouble(`The file ${nameOf(address)} could not be fetched.`, error);
  });
  if (response.ok) return response;
  throw new Trouble(`The file ${nameOf(address)} could not be fetched: the server answered ${response.status}.`);
}

// A browser offers no hashes to a page that came over an open connection.
export async function check(address, bytes) {
  const wanted = NAME.exec(new URL(address).pathname)?.[2];
  if (!wanted || !globalThis.crypto?.subtle) return;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("").slice(0, wanted.length);
  if (found === wanted) return;
  throw new Trouble(`The file ${nameOf(address)} arrived damaged.`, `${bytes.byteLength} bytes with SHA-256 ${found}…`);
}

// The bytes of a small file, whole and as the build made them.
export async function whole(address, again = false) {
  const response = await fetched(address, again);
  const bytes = await response.arrayBuffer().catch((error) => {
    throw cut(address, error);
  });
  await check(address, bytes);
  return bytes;
}

// Imported modules come out of what the browser keeps: have that replaced first.
export const renew = (address) => whole(address, true);

export const cut = (address, error) => new Trouble(`The file ${nameOf(address)} did not arrive whole.`, error);

function nameOf(address) {
  const { pathname } = new URL(address);
  const [, stem, , suffix] = NAME.exec(pathname) ?? [];
  return stem ? `${stem}.${suffix}` : pathname.slice(pathname.lastIndexOf("/") + 1);
}
