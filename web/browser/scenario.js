// The reader's changes, as keys and values: the shared inputs by their name, others as `figure.input`.

import { accepts, inAddress, read } from "./input.js";

export const SHARED = ["model", "own", "system", "machine", "precision", "context", "batch"];
export const PIN = "a"; // the scenario that is pinned: `a.batch=64`, or `a=defaults` where nothing differs
const PINNED = /^a(?=\.|$)\.?/;
const OTHERS = /^(h|q|utm_\w+|fbclid|gclid)$/; // the site's own search, and what others hang on links

export const keyOf = (slug, name) => (SHARED.includes(name) ? name : `${slug}.${name}`);

// Every input of the page by its key; a shared one has as many declarations as figures that use it.
export function inputsByKey(declarations) {
  const known = new Map();
  for (const { name, inputs } of declarations) {
    const slug = name.slice(name.indexOf("/") + 1);
    for (const declared of inputs) {
      const key = keyOf(slug, declared.name);
      known.set(key, [...(known.get(key) ?? []), declared]);
    }
  }
  return known;
}

// The words of an address: the values that this page can take, and the keys that it cannot.
export function fromQuery(query, known) {
  const values = new Map();
  const ignored = [];
  const given = new Map(); // the last counts
  let speaks = false;
  const pinned = pinnedIn(new URLSearchParams(query), known);
  for (const [key, text] of new URLSearchParams(query)) {
    if (OTHERS.test(key) || PINNED.test(key)) continue;
    const value = readAny(known.get(key), text);
    speaks ||= known.has(key) || SHARED.includes(key);
    if (given.has(key) && known.has(key)) ignored.push({ key, text: given.get(key), known: true, again: true });
    given.set(key, text);
    if (value !== undefined) values.set(key, value);
    else if (known.has(key) || !SHARED.includes(key)) ignored.push({ key, text, known: known.has(key) });
  }
  return { values: changed(values, known), pinned: pinned?.values, ignored: [...ignored, ...(pinned?.ignored ?? [])], speaks: speaks || Boolean(pinned) };
}

// The scenario that is pinned as A, under its keys without their letter; nothing where nothing is pinned.
function pinnedIn(entries, known) {
  const own = [...entries].filter(([key]) => PINNED.test(key)).map(([key, text]) => [key.replace(PINNED, ""), String(text)]);
  if (!own.length) return undefined;
  const { values, ignored } = fromQuery(new URLSearchParams(own.filter(([key]) => key)), known);
  return { values, ignored: ignored.map((each) => ({ ...each, key: `${PIN}.${each.key}` })) };
}

export const pinnedFrom = (entries, known) => pinnedIn(entries, known)?.values;

// Keys and values of what is pinned, as an address and the memory of a visit carry them.
export function pinnedEntries(pinned) {
  if (!pinned) return [];
  return pinned.size ? [...pinned].map(([key, value]) => [`${PIN}.${key}`, value]) : [[PIN, "defaults"]];
}

export const isPinned = (key) => PINNED.test(key);

function readAny(declarations = [], text) {
  return declarations.map((declared) => read(declared, text).value).find((value) => value !== undefined);
}

// Only what differs from a default and what some input of the page can take.
export function changed(values, known) {
  return new Map([...values].filter(([key, value]) => {
    const declarations = known.get(key) ?? [];
    return declarations.some((declared) => accepts(declared, value)) && declarations.some((d) => d.default !== value);
  }));
}

// The query of an address, without its question mark; the shared inputs come first.
export function toQuery(values) {
  const order = ([key]) => (isPinned(key) ? SHARED.length + 2 : SHARED.indexOf(key) + 1 || SHARED.length + 1);
  const sorted = [...values].sort((a, b) => order(a) - order(b) || (a[0] < b[0] ? -1 : 1));
  return sorted.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(inAddress(value))}`).join("&");
}

export const sharedOnly = (values) => new Map([...values].filter(([key]) => SHARED.includes(key)));
