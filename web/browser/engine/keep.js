// Keeps Python's memory in this browser between visits, with a hash, under the id of the runtime that it belongs to.

const STORE = "rooflines-memory";
const PIECE = 2 ** 18; // bytes that a processor has at hand: to hash them takes half as long as to hash all at once
const address = (id) => `${self.location.origin}/${STORE}/${id}`;
const digest = (data) => crypto.subtle.digest("SHA-256", data);
const equal = (a, b) => a.length === b.length && a.every((byte, at) => byte === b[at]);
const HASH_SIZE = 32;
const ROOM = 100e6; // bytes: the memory several times over

// The hash of the hashes of its pieces.
export async function hash(data) {
  const count = Math.ceil(data.length / PIECE);
  const pieces = Array.from({ length: count }, (_, at) => digest(data.subarray(at * PIECE, (at + 1) * PIECE)));
  const hashes = new Uint8Array(count * HASH_SIZE);
  (await Promise.all(pieces)).forEach((piece, at) => hashes.set(new Uint8Array(piece), at * HASH_SIZE));
  return new Uint8Array(await digest(hashes));
}

export async function recall(id) {
  const response = await (await caches.open(STORE)).match(address(id));
  if (!response) return null;
  const bytes = new Uint8Array(await response.arrayBuffer());
  const body = bytes.subarray(HASH_SIZE);
  if (!equal(await hash(body), bytes.subarray(0, HASH_SIZE))) throw new Error("The kept memory is damaged.");
  const start = 16 + new DataView(body.buffer, HASH_SIZE).getUint32(0, true);
  const links = JSON.parse(new TextDecoder().decode(body.subarray(16, start)).trimEnd());
  return { links, memory: body.subarray(start) };
}

export async function remember(id, { memory, links }) {
  const text = JSON.stringify(links);
  const header = new TextEncoder().encode(text.padEnd(Math.ceil(text.length / 16) * 16));
  const body = new Uint8Array(await new Blob([Uint32Array.of(header.length, 0, 0, 0), header, memory]).arrayBuffer());
  await forget();
  await (await caches.open(STORE)).put(address(id), new Response(new Blob([await hash(body), body])));
}

export async function has(id) {
  return (await caches.open(STORE)).match(address(id)).then(Boolean);
}

// A private session forgets what it keeps, and says so by refusing files; a small quota would throw it out.
export async function lasts() {
  try {
    const { quota, usage } = await navigator.storage.estimate();
    await navigator.storage.getDirectory();
    return quota - usage > ROOM;
  } catch {
    return false;
  }
}

// The store, of this and every other version.
export const forget = () => caches.delete(STORE);
