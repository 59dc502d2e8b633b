// Files that are what the build made: each carries the beginning of its SHA-256 in its name (web/bundle/engine.py).

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

// Imported modules come out of what the browser keeps: have that replaced first.
export async function renew(address) {
  const response = await fetched(address, true);
  const bytes = await response.arrayBuffer().catch((error) => {
    throw cut(address, error);
  });
  await check(address, bytes);
}

export const cut = (address, error) => new Trouble(`The file ${nameOf(address)} did not arrive whole.`, error);

function nameOf(address) {
  const { pathname } = new URL(address);
  const [, stem, , suffix] = NAME.exec(pathname) ?? [];
  return stem ? `${stem}.${suffix}` : pathname.slice(pathname.lastIndexOf("/") + 1);
}
